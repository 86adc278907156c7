//! Files that are right.

use kleroterion::draw::{Key, Purpose};
use kleroterion::feedback::Gaussian;
use kleroterion::protocol::{Batch, Feedback, Person, Probe, Schema};
use serde_json::Value;
use std::fmt::Write;
use std::sync::Arc;

use crate::support::config;
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

/// Squares 10 and 1 with 3 degrees each; c was reviewed once.
const SMALL: &str = "applicant,kind,score,cost
a,paper,1,10
b,paper,2,12
a,paper,3,14
b,paper,4,12
b,paper,6,12
c,paper,5,12
a,interview,2,60
a,interview,3,72
b,interview,4,66
b,interview,4.5,66
b,interview,5,66
";

#[test]
fn a_small_file() {
    let terminal = Terminal::new();
    terminal.put("reviews.csv", SMALL);
    let said = terminal.exits(0, &["fit", "looks", "reviews.csv"]);
    insta::assert_snapshot!(format!("{}---\n{}", said.stdout, said.stderr));
    let json = terminal.done(&["fit", "looks", "reviews.csv", "--format", "json"]);
    insta::assert_snapshot!(json);
}

#[test]
fn help_shows_examples() {
    let terminal = Terminal::new();
    for page in [&["fit", "--help"][..], &["fit", "looks", "--help"]] {
        let help = terminal.done(page);
        help.says("Examples:\n  klero fit looks reviews.csv");
    }
    assert_eq!(terminal.klero(&["fit"]).code, Some(2));
}

/// Other names for columns and kinds, a third kind, costs and roles the wrong way round.
#[test]
fn names_and_notes() {
    let terminal = Terminal::new();
    let text = SMALL.replace("applicant,kind,score,cost", "Who,What,Mark,Minutes")
        + "a,\"pa\"\"nel\",3,5\n";
    terminal.put("reviews.csv", text);
    let named = typed("fit looks reviews.csv --applicant who --kind what --score mark");
    let kinds = [
        "--cost",
        "minutes",
        "--weak",
        "interview",
        "--strong",
        "paper",
    ];
    let said = terminal.klero(&[&named[..], &kinds].concat());
    insta::assert_snapshot!(format!("{}---\n{}", said.stdout, said.stderr));
}

/// Of two kinds without costs the noisier is weak; the other way round where costs say so.
#[test]
fn which_kind_is_weak() {
    let terminal = Terminal::new();
    let weak = |text: &str| {
        terminal.put("reviews.csv", text);
        let json = terminal.done(&["fit", "looks", "reviews.csv", "--format", "json"]);
        let found: Value = serde_json::from_str(&json).unwrap();
        (
            found["weak"]["name"].as_str().unwrap().to_owned(),
            found["j"]["value"].as_f64(),
        )
    };
    let rows = "a,x,1,9\na,x,2,9\na,y,1,3\na,y,5,3\n";
    assert_eq!(
        weak(&format!("applicant,kind,score,minutes\n{rows}")),
        ("y".into(), None)
    );
    assert_eq!(
        weak(&format!("applicant,kind,score,cost\n{rows}")),
        ("y".into(), Some(3.0))
    );
    let dear = rows.replace(",3\n", ",27\n");
    assert_eq!(
        weak(&format!("applicant,kind,score,cost\n{dear}")),
        ("x".into(), Some(3.0))
    );
    let alike = rows.replace(",3\n", ",9\n");
    assert_eq!(
        weak(&format!("applicant,kind,score,cost\n{alike}")),
        ("y".into(), Some(1.0))
    );
}

/// The fragment in the place of a config's own keys passes `check`; without costs `check` asks for
/// j.
#[test]
fn the_fragment_is_part_of_a_config() {
    let terminal = Terminal::new();
    let own = config("schumann2019-t2.toml");
    let rules = own.lines().filter(|line| !line.starts_with("interviews ="));
    let rules = rules.collect::<Vec<_>>().join("\n");
    let cut = rules.find("[feedback.interview]").expect("it has feedback");
    let rest = rules[cut..].find("[[policy]]").expect("it has policies") + cut;
    let with = |fragment: &str| {
        // `[rules]` and all that belongs to it, then the policies.
        let (head, own) = rules[..cut].split_once("[rules]\n").expect("it has rules");
        let (first, second) = fragment.split_once("\n[feedback").expect("two sections");
        format!("{head}{first}{own}\n[feedback{second}\n{}", &rules[rest..])
    };
    terminal.put("reviews.csv", SMALL);
    let fragment = terminal.done(&["fit", "looks", "reviews.csv"]);
    terminal.put("my.toml", with(&fragment));
    fragment.says("gain = 10.0");
    terminal.done(&["check", "my.toml"]);
    terminal.put("reviews.csv", SMALL.replace("cost", "minutes"));
    let fragment = terminal.done(&["fit", "looks", "reviews.csv"]);
    terminal.put("my.toml", with(&fragment));
    let said = terminal.exits(2, &["check", "my.toml"]);
    said.stderr.says("cost");
}

/// What a run's looks are drawn from comes out again: 300 applicants, three weak looks and two
/// strong ones each.
#[test]
fn looks_of_known_noise_come_out_again() {
    let (sd, gain) = (0.4, 5.0);
    let looks = Gaussian::new(sd);
    let key = Key::new(11, 0);
    let schema = Arc::new(Schema::new(vec![], vec![], false).expect("an empty schema"));
    let mut batch = Batch::new(schema, 1, 0);
    let mut worths = key.draw(Purpose::World, 0, 0);
    for _ in 0..300 {
        batch.persons_mut().push(0, &[], &[], None);
        batch.push_merit(worths.normal());
    }
    batch.close_rounds(300);
    let mut text = "applicant,kind,score,cost\n".to_owned();
    for row in 0..300 {
        let person = Person::new(&batch, row);
        for nth in 0..5 {
            let strong = nth >= 3;
            let (kind, name, cost, gain) = if strong {
                (1, "strong", 6, gain)
            } else {
                (0, "weak", 1, 1.0)
            };
            let mut draw = key.draw(Purpose::Interview, u64::from(row), nth);
            let probe = Probe::Interview { kind, gain, nth };
            let score = looks.answer(person, probe, &mut draw);
            writeln!(text, "{row},{name},{score},{cost}").expect("a line");
        }
    }
    let terminal = Terminal::new();
    terminal.put("reviews.csv", text);
    let json = terminal.done(&["fit", "looks", "reviews.csv", "--format", "json"]);
    let found: Value = serde_json::from_str(&json).unwrap();
    for (name, truth, width) in [("sigma", sd, 0.1), ("s", gain, 2.5), ("j", 6.0, 1e-9)] {
        let bound = |end: &str| found[name][end].as_f64().unwrap();
        let (low, high) = (bound("low"), bound("high"));
        assert!(low <= truth && truth <= high, "{name}: {low} to {high}");
        assert!(high - low < width, "{name}: {low} to {high}");
    }
}
