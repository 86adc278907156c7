//! Sweeps of configs and of the command line.

use super::*;

const CONFIG: &str = "seed = 1\n[rules]\nslate = 1\nuntil = { accepted = 5 }\n[[policy]]\nlabel = \"a \
     b\"\nv = 1\n[sweep]\n";

fn points(sweep: &str) -> Result<Vec<Point>, Problems> {
    Document::parse(&format!("{CONFIG}{sweep}"))
        .unwrap()
        .points()
}

fn names(sweep: &str) -> Vec<String> {
    swept(sweep, &[]).unwrap()
}

#[test]
fn a_grid_with_the_last_key_fastest() {
    let two = "\"rules . slate\" = [1, 2]\n\"policy.'a b'.v\" = [0.5, 1e-7]\n";
    let known = [
        "rules.slate=1 policy.\"a b\".v=0.5",
        "rules.slate=1 policy.\"a b\".v=1e-7",
        "rules.slate=2 policy.\"a b\".v=0.5",
        "rules.slate=2 policy.\"a b\".v=1e-7",
    ];
    assert_eq!(names(two), known);
    let text = points(two).unwrap()[3].document.to_toml();
    assert!(
        text.contains("slate = 2") && text.contains("v = 1e-7") && !text.contains("sweep"),
        "{text}"
    );
}

/// The runs of a config whose command line adds to the sweep.
fn swept(sweep: &str, options: &[&str]) -> Result<Vec<String>, String> {
    let mut document = Document::parse(&format!("{CONFIG}{sweep}")).unwrap();
    for option in options {
        document
            .sweep(option)
            .map_err(|problem| problem.to_string())?;
    }
    let points = document.points().map_err(|problems| problems.to_string())?;
    let named = points.iter().map(|point| {
        let named = point.named().into_iter();
        let named: Vec<_> = named
            .map(|(path, value)| format!("{path}={value}"))
            .collect();
        named.join(" ")
    });
    Ok(named.collect())
}

#[test]
fn options_add_to_the_sweep() {
    let from_options = swept("", &["policy.a b.v=0.5,1", "rules.slate=1..5/4"]);
    let known = [
        "policy.\"a b\".v=0.5 rules.slate=1",
        "policy.\"a b\".v=0.5 rules.slate=5",
        "policy.\"a b\".v=1 rules.slate=1",
        "policy.\"a b\".v=1 rules.slate=5",
    ];
    assert_eq!(from_options.unwrap(), known);
    // A key of the config's own sweep keeps its place and takes the new values.
    let config = "\"rules . slate\" = [7, 8, 9]\nseed = [1]\n";
    let known = ["rules.slate=2 seed=1"];
    assert_eq!(swept(config, &["'rules'.slate=2"]).unwrap(), known);
}

#[test]
fn options_that_name_no_sweep() {
    for (options, what) in [
        (&["seed"][..], "there is no `=`"),
        (&["seed="], "a value is missing"),
        (&["a..b=1"], "not a path"),
        (&["seed=1", " seed =2"], "the sweep has seed a second time"),
        (&["seed=1,2,1"], "the sweep has seed = 1 twice"),
        (
            &["seed=1..200", "rules.slate=1..200"],
            "40000 runs, and 10000",
        ),
        (&["policy.c.v=1"], "labelled `c`"),
    ] {
        let problem = swept("", options).expect_err(what);
        assert!(problem.contains(what), "{problem}");
        assert!(
            problem.contains("option --sweep") || options.len() == 2,
            "{problem}"
        );
    }
    let mut document = Document::parse(CONFIG).unwrap();
    document.set("seed=5").unwrap();
    document.sweep("seed=1,2").unwrap();
    let problem = document.points().unwrap_err().to_string();
    assert!(problem.contains("--sweep sets seed as well"), "{problem}");
}

#[test]
fn values_of_all_shapes_have_names_that_differ() {
    let until = "\"rules.until\" = [{ accepted = 5 }, { accepted = 6 }, [1], [2], \"x\", true]\n";
    let known = [
        "{ accepted = 5 }",
        "{ accepted = 6 }",
        "[1]",
        "[2]",
        "x",
        "true",
    ];
    assert_eq!(
        names(until),
        known.map(|value| format!("rules.until={value}"))
    );
}

#[test]
fn without_a_sweep_it_is_itself() {
    assert_eq!(names(""), [""]);
    let document = Document::parse("seed = 1\n").unwrap();
    assert_eq!(
        document.clone().points().unwrap()[0].document.to_toml(),
        document.to_toml()
    );
}

#[test]
fn what_is_set_elsewhere_is_not_swept_in_silence() {
    for (assignment, clash) in [
        ("seed=5", false),
        ("rules.slate=5", true),
        ("rules={ slate = 5 }", true),
        ("rules.until.accepted=5", true),
        ("policy.'a b'.v=5", true),
        ("policy.'a b'.w=5", false),
    ] {
        let text = format!(
            "{CONFIG}\"rules.slate\" = [1, 2]\n\"rules.until\" = [3]\n\"policy.'a \
             b'.v\" = [0]\n"
        );
        let mut document = Document::parse(&text).unwrap();
        document.set(assignment).unwrap();
        let problems = document.points().err();
        assert_eq!(problems.is_some(), clash, "{assignment}");
        if let Some(problems) = problems {
            assert!(
                problems
                    .to_string()
                    .starts_with(&format!("option --set {assignment}: ")),
                "{problems}"
            );
        }
    }
}
