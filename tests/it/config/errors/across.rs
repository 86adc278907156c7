//! Faults in several sections at once: each is said, at its place, and nothing that only follows
//! from another.

use std::path::Path;

use kleroterion::config::{Document, check};
use kleroterion::presets::PRESETS;
use kleroterion::problem::Place;

use super::{PEOPLE, SOUND, with};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// `line what | help` of all that is wrong with a config.
fn wrong(text: &str) -> Vec<String> {
    let problems = match Document::parse(text) {
        Ok(document) => check(&document, Path::new(".")).err(),
        Err(problems) => Some(problems),
    };
    let said = problems.into_iter().flat_map(|problems| problems.0);
    said.map(|problem| match &problem.place {
        Place::Config { line, .. } => {
            format!(
                "{line} {} | {}",
                problem.what,
                problem.help.unwrap_or_default()
            )
        }
        place => format!("{place}{}", problem.what),
    })
    .collect()
}

/// Each of these begins one problem, in this order, and there is no other.
fn exactly(text: &str, expected: &[&str]) {
    let said = wrong(text);
    let right = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(said, begins)| said.starts_with(begins));
    assert!(right, "{said:#?}\nexpected {expected:#?}\n{text}");
}

#[test]
fn shares_that_do_not_sum_to_one_hide_nothing() {
    exactly(
        &with(
            SOUND,
            &[
                ("F = 0.5", "F = 0.6"),
                ("tolerance", "tolerence"),
                ("baseline = \"all\"", "baseline = \"al\""),
            ],
        ),
        &[
            "7 the shares of gender sum to 1.1",
            "24 unknown key `tolerence`",
            "30 the baseline \"al\" is no policy",
        ],
    );
    exactly(
        &with(
            SOUND,
            &[
                ("F = 0.5", "F = 0.6"),
                ("gender = { M = 0.4", "gendr = { M = 0.4"),
                ("judge = [\"selection_rate\"", "judge = [\"selection_rat\""),
            ],
        ),
        &[
            "7 the shares of gender sum to 1.1",
            "10 the target names the attribute gendr, which the source does not have | did you \
             mean `gender`?",
            "28 this run has no metric selection_rat | did you mean `selection_rate`?",
        ],
    );
    exactly(
        &with(
            SOUND,
            &[
                ("M = 0.5, F = 0.5", "M = -0.5, F = 1.5"),
                ("M = 0.4, F = 0.6", "M = 0.4, X = 0.7"),
            ],
        ),
        &[
            "7 expected a finite number of at least 0 for `source.shares.gender.M`",
            "10 the shares of gender sum to 1.1",
            "10 gender has no value X in the source",
        ],
    );
}

#[test]
fn a_source_that_cannot_be_read_hides_no_key_of_a_policy() {
    let broken = "type = \"categoricl\"\nshares";
    exactly(
        &with(
            SOUND,
            &[
                ("type = \"categorical\"\nshares", broken),
                ("tolerance = 0.05", "tolerance = -0.05\ntolernce = 1"),
                ("accept_all\"", "accept_all\"\nv = 2"),
            ],
        ),
        &[
            "6 unknown word `categoricl`",
            "20 unknown key `v`",
            "25 expected a finite number of at least 0 for `policy.\"greedy .05\".tolerance`",
            "26 unknown key `tolernce`",
        ],
    );
    // What the rules leave open is said whether or not the source can be read.
    exactly(
        &with(
            SOUND,
            &[
                ("type = \"categorical\"\nshares", broken),
                ("kind = \"greedy\"\ntolerance = 0.05", "kind = \"swap\""),
            ],
        ),
        &[
            "6 unknown word `categoricl`",
            "21 this policy chooses a cohort of a given size, and the rules ask for none",
        ],
    );
    // And a missing target is missing.
    exactly(
        &with(
            SOUND,
            &[
                ("type = \"categorical\"\nshares", broken),
                ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
                (", \"representation_loss\"", ""),
                ("margin = { representation_loss = 0.01 }\n", ""),
            ],
        ),
        &[
            "6 unknown word `categoricl`",
            "19 this policy needs the shares that are wanted",
        ],
    );
}

#[test]
fn a_wrong_value_hides_no_unknown_key_of_its_policy() {
    exactly(
        &with(
            SOUND,
            &[("tolerance = 0.05", "tolerance = -0.05\ntolernce = 1")],
        ),
        &[
            "24 expected a finite number of at least 0",
            "25 unknown key `tolernce`",
        ],
    );
}

#[test]
fn a_nan_hides_nothing_and_nothing_follows_from_it() {
    exactly(
        &with(
            SOUND,
            &[
                ("replications = 4", "replications = nan"),
                ("tolerance = 0.05", "tolerance = nan"),
            ],
        ),
        &[
            "3 `nan` is not used in a config",
            "24 `nan` is not used in a config",
        ],
    );
    exactly(
        &with(
            SOUND,
            &[
                ("seed = 1", "seed = 99999999999999999999"),
                ("M = 0.5", "M = nan"),
                ("M = 0.4", "N = 0.4"),
                ("tolerance = 0.05", "tolerance = 1e999\ntolernce = nan"),
                ("at = [5, 10]", "at = [5, nan]\nwhen = 1979-05-27"),
                ("baseline = \"all\"", "baseline = \"al\""),
            ],
        ),
        &[
            "2 the whole number 99999999999999999999 is too large",
            "7 `nan` is not used in a config",
            "10 gender has no value N in the source",
            "24 the number 1e999 is too large",
            "25 unknown key `tolernce`",
            "25 `nan` is not used in a config",
            "28 `nan` is not used in a config",
            "29 unknown key `when`",
            "29 the date or time 1979-05-27 is not used in a config",
            "32 the baseline \"al\" is no policy",
        ],
    );
    // What an option sets is judged, not what it replaces.
    let mut document = Document::parse(&with(SOUND, &[("seed = 1", "seed = nan")])).expect("TOML");
    document.set("seed=3").expect("a seed");
    check(&document, Path::new(".")).expect("nothing is wrong any more");
}

#[test]
fn a_nan_of_the_command_line_is_one_problem_too() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let args = [
        "check",
        "my.toml",
        "--set",
        "policy.\"greedy .05\".tolerance=nan",
        "--set",
        "report.baseline=al",
    ];
    let said = super::refusal(&terminal, &args);
    said.says("`nan` is not used in a config");
    said.never_says("not a TOML value");
    said.says("the baseline \"al\"");
    assert!(said.ends_with("2 problems; nothing was run\n"), "{said}");
}

/// One fault in a config of every sort is one problem: nothing follows from it.
#[test]
fn one_fault_is_one_problem_in_every_preset() {
    let mut tried = 0;
    for preset in PRESETS {
        for (section, key, value) in [
            ("source", "type", "type = \"nowhere\""),
            ("rules", "choose", "choose = \"whom_you_like\""),
        ] {
            let Some(text) = replaced(preset.text, section, key, value) else {
                continue;
            };
            let base: Vec<String> = wrong(preset.text);
            let said = wrong(&text);
            let new: Vec<_> = said.iter().filter(|said| !base.contains(said)).collect();
            assert!(
                new.len() == 1 && new[0].contains("unknown word"),
                "{} {key}: {said:#?}",
                preset.name
            );
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

/// Every kind of policy is asked for all of its keys where its world can't be read.
#[test]
fn unknown_keys_of_every_kind_are_found_with_a_broken_source() {
    let mut kinds = std::collections::BTreeSet::new();
    for preset in PRESETS {
        let Some(text) = replaced(preset.text, "source", "type", "type = \"nowhere\"") else {
            continue;
        };
        let text = text.replace("[[policy]]\n", "[[policy]]\nzzyzx = 1\n");
        let policies = text.matches("\nzzyzx").count();
        // A sweep is taken apart before.
        let mut said = wrong(&text);
        said.retain(|said| !said.contains("a sweep asks for"));
        // Files of people that come with a preset are not in this folder.
        said.retain(|said| !said.contains("there is no file"));
        let unknown = said.iter().filter(|said| said.contains("`zzyzx`")).count();
        assert_eq!(unknown, policies, "{}: {said:#?}", preset.name);
        assert_eq!(said.len(), policies + 1, "{}: {said:#?}", preset.name);
        let lines = text.lines().filter(|line| line.starts_with("kind = "));
        kinds.extend(lines.map(str::to_owned));
    }
    assert!(kinds.len() > 15, "{kinds:?}");
}

/// A config with a key of a section, which is on one line, written otherwise.
fn replaced(text: &str, section: &str, key: &str, value: &str) -> Option<String> {
    let at = text.find(&format!("\n[{section}]"))?;
    let begin = at + text[at..].find(&format!("\n{key} = "))? + 1;
    let length = text[begin..].find('\n')?;
    Some(format!(
        "{}{value}{}",
        &text[..begin],
        &text[begin + length..]
    ))
}

#[test]
fn values_the_wrong_way_round_are_reported_once() {
    let terminal = Terminal::new();
    terminal.put("people.csv", super::ROWS);
    let config = with(
        PEOPLE,
        &[(
            "{ \"1\" = \"male\", \"2\" = \"female\" }",
            "{ male = \"1\", female = \"2\" }",
        )],
    );
    terminal.put("my.toml", config);
    let said = super::refusal(&terminal, &["check", "my.toml"]);
    assert!(said.ends_with("1 problem; nothing was run\n"), "{said}");
    said.says("my.toml:11:");
    said.says(
        "write the file's cell = the name: values = { \"1\" = \"male\", \"2\" = \"female\" }",
    );
}

/// Cells that are merely not listed are not taken for that.
#[test]
fn values_that_are_missing_are_reported_row_by_row() {
    let terminal = Terminal::new();
    terminal.put("people.csv", super::ROWS);
    let config = with(PEOPLE, &[(", \"2\" = \"female\"", "")]);
    terminal.put("my.toml", config);
    let said = super::refusal(&terminal, &["check", "my.toml"]);
    assert!(said.ends_with("2 problems; nothing was run\n"), "{said}");
    said.says("add it to `values`");
}

/// What `--set report.judge=…` leaves out may keep its margin, and that is said.
#[test]
fn a_margin_for_what_is_not_judged_is_a_note() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let judge = "report.judge=['selection_rate']";
    let said = terminal.exits(0, &["check", "my.toml", "--set", judge]);
    let all = said.stdout + &said.stderr;
    let note = "the margin for representation_loss is not used: representation_loss is not judged";
    all.says(note);
    // A name that is no metric of the run is a slip.
    let slip = "report.margin.selection_rat=0.1";
    let said = super::refusal(&terminal, &["check", "my.toml", "--set", slip]);
    said.says("did you mean `selection_rate`?");
}

/// A metric without a range can be looked at after every replication where a bound on the variance
/// is stated.
#[test]
fn a_stated_variance_lets_a_run_stop() {
    let terminal = Terminal::new();
    let config = with(
        SOUND,
        &[
            ("replications = 4", "replications = 4000"),
            (
                "judge = [\"selection_rate\", \"representation_loss\"]\n\
                 margin = { representation_loss = 0.01 }",
                "judge = [\"screened\"]\nuntil = \"decided\"",
            ),
        ],
    );
    terminal.put("my.toml", &config);
    let said = super::refusal(&terminal, &["check", "my.toml"]);
    said.says("difference_variance = { screened = 1e6 }");
    let set = "report.difference_variance.screened=30";
    let args = ["run", "my.toml", "--set", set, "--out", "out"];
    let table = terminal.done(&args);
    table.says("Catoni (any time, variance bounded as stated)");
    let summary: serde_json::Value =
        serde_json::from_str(&terminal.read("out/summary.json")).unwrap();
    let pair = &summary["pairs"][0];
    assert_eq!(
        pair["method"],
        "Catoni (any time, variance bounded as stated)"
    );
    assert_eq!(
        (&pair["verdict"], &pair["variance_bound"]),
        (&"worse".into(), &30.0.into())
    );
    let played = summary["replications"].as_u64().unwrap();
    assert!((2..4000).contains(&played), "{played}");
    // The page reads it back, and says what it rests on.
    terminal.done(&["report", "out"]);
    assert!(
        terminal
            .read("out/report.html")
            .contains("difference_variance")
    );
    for (set, words) in [
        (
            "report.difference_variance.screened=0",
            "expected a finite number above 0",
        ),
        (
            "report.difference_variance.screned=5",
            "did you mean `screened`?",
        ),
    ] {
        let said = super::refusal(&terminal, &["check", "my.toml", "--set", set]);
        said.says(words);
    }
}
