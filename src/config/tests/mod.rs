//! Whole configs, right and wrong, read as `check` reads them.

mod plan;
mod wrong;

use self::plan::{Cells, Choose, Kind, Plan, Slate, Source, Until, plan};
use crate::document::{Document, read};
use crate::problem::{Place, Problems};

const COMMITTEE: &str = r#"name = "committee"
seed = 2021
[source]
type = "categorical"
shares = { gender = { M = 0.56, F = 0.44 }, vote = { Leave = 0.48, Remain = 0.52 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 150 }
max_rounds = 10_000_000
[[policy]]
label = "greedy .05"
kind = "greedy"
tolerance = 0.05
[[policy]]
label = "queue"
kind = "virtual_queue"
v = 2
[[policy]]
label = "learner"
kind = "rl_cmdp"
delta = 0.05
program = "small"
[report]
at = [50, 100, 150]
"#;

fn read_text(text: &str) -> Result<Plan, Problems> {
    read(&Document::parse(text)?, plan)
}

/// `line:column what (help: …)` of all problems.
fn wrong(text: &str) -> Vec<String> {
    let problems = read_text(text).expect_err(text);
    let said = problems.0.iter().map(|problem| match &problem.place {
        Place::Config { line, column, .. } => {
            let help = problem.help.as_deref().unwrap_or("-");
            format!("{line}:{column} {} | {help}", problem.what)
        }
        _ => problem.to_string(),
    });
    said.collect()
}

/// The committee with one piece of it replaced.
fn with(old: &str, new: &str) -> String {
    assert_eq!(COMMITTEE.matches(old).count(), 1, "{old}");
    COMMITTEE.replace(old, new)
}

#[test]
fn a_committee_is_read() {
    let (name, seed, replications, source, rules, policies, report) = read_text(COMMITTEE).unwrap();
    assert_eq!((name.as_str(), seed, replications), ("committee", 2021, 1));
    let Source::Shares(shares) = source else {
        panic!()
    };
    assert_eq!(shares[1].0, "vote");
    assert_eq!(
        shares[0].1,
        [("M".to_owned(), 0.56), ("F".to_owned(), 0.44)]
    );
    assert_eq!(
        rules,
        (
            Slate::Each(1),
            Choose::AtMost(1),
            Until::Accepted(150),
            Some(10_000_000)
        )
    );
    let kinds: Vec<_> = policies.into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(
        kinds,
        [
            Kind::Greedy { tolerance: 0.05 },
            Kind::VirtualQueue { v: 2.0 },
            Kind::RlCmdp {
                delta: 0.05,
                full: false
            }
        ]
    );
    assert_eq!(report, (vec![50, 100, 150], 0.05));
}

#[test]
fn the_shapes_of_a_key() {
    let rules = |old: &str, new: &str| read_text(&with(old, new)).map(|plan| plan.4);
    for (new, slate) in [
        ("\"all\"", Slate::All),
        ("[3, 4]", Slate::Listed(vec![3, 4])),
        ("{ poisson = 100 }", Slate::Poisson(100.0)),
    ] {
        assert_eq!(
            rules("slate = 1", &format!("slate = {new}")).unwrap().0,
            slate
        );
    }
    for (new, choose) in [
        ("\"any\"", Choose::Any),
        ("{ exactly = 5 }", Choose::Exactly(5)),
        ("{ share = 0.3 }", Choose::Share(0.3)),
    ] {
        assert_eq!(rules("\"at_most_one\"", new).unwrap().1, choose);
    }
    assert_eq!(
        rules("{ accepted = 150 }", "{ rounds = 5 }").unwrap().2,
        Until::Rounds(5)
    );
}

#[test]
fn a_file_is_read() {
    let text = r#"type = "file"
path = "people.csv"
where = ["AGEP > 16", "INDP_CAT != 'N'"]
order = "resampled"
[source.attributes]
race = { column = "RAC1P", values = { "1" = "white", "2" = "black" } }
age = { column = "AGEP", bands = { "18-34" = [18, 35], "55+" = [55, inf] } }
"#;
    let shares = COMMITTEE
        .lines()
        .find(|line| line.starts_with("shares"))
        .unwrap();
    let config = with("type = \"categorical\"\n", text).replace(shares, "");
    let Source::File(file) = read_text(&config).unwrap().3 else {
        panic!()
    };
    assert_eq!(
        (file.path.as_str(), file.order, file.keep.len()),
        ("people.csv", "resampled", 2)
    );
    let bands = [
        ("18-34".to_owned(), (18.0, 35.0)),
        ("55+".to_owned(), (55.0, f64::INFINITY)),
    ];
    assert_eq!(
        file.attributes[1],
        ("age".into(), ("AGEP".into(), Cells::Bands(bands.into())))
    );

    let config = config
        .replace("[55, inf]", "[55, 5]")
        .replace("where", "header = false\nwhree");
    let [header, whree, band] = &wrong(&config)[..] else {
        panic!("{:?}", wrong(&config))
    };
    assert_eq!(
        header,
        "6:10 without a header the columns need names | add columns = [\"age\", …]"
    );
    assert_eq!(
        whree,
        "7:1 unknown key `whree` in [source] | did you mean `where`?"
    );
    assert_eq!(
        band,
        "11:64 expected a band [from, to) with from below to for `source.attributes.age.bands.\"55+\"`, \
         found a list | -"
    );
}
