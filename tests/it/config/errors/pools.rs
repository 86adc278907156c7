//! `[pool]`, `type = "gaussian_groups"`, and slates of several sizes.

use super::{Page, refusal};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::worlds::POOL;

const REST: &str = r#"[[policy]]
label = "all"
kind = "accept_all"
[report]
judge = ["accepted"]
"#;

/// A report on the pool, of which nothing is to be said where the pool is wrong.
const JUDGED: &str = r#"[[policy]]
label = "best"
kind = "score_greedy"
target = { u = 0.4 }
greedy_term = "realised"
[report]
judge = ["fairness_loss", "pool_share.u"]
"#;

const AHEAD: &str = r#"[[policy]]
label = "ahead"
kind = "optimal"
target = { u = 0.4 }
lambda = 1.5
gamma = 0.99
state = "share"
greedy_term = "mean_field"
"#;

const GROUPS: &str =
    "groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }";
const TABLE: &str = "[pool]\ntype = \"positive_reinforcement\"\nstart = { u = 0.1 }\neta = 0.05\n";

fn page(rest: &str, cases: &[(&str, &[(&str, &str)])]) -> String {
    let mut page = Page::default();
    for (name, edits) in cases {
        page.edited(name, &format!("{POOL}{rest}"), edits);
    }
    page.text()
}

#[test]
fn pools_that_are_wrong() {
    insta::assert_snapshot!(page(
        JUDGED,
        &[
            ("no pool", &[(TABLE, "")]),
            ("a pool of nothing", &[(TABLE, "[pool]\n")]),
            ("no such pool", &[("positive_reinforcement", "positive")]),
            (
                "no such group, and a step below 0",
                &[("{ u = 0.1 }", "{ w = 0.1 }"), ("eta = 0.05", "eta = -1")]
            ),
            (
                "shares beyond 1",
                &[("{ u = 0.1 }", "{ u = 0.6, v = 0.6 }")]
            ),
            ("shares below 1", &[("{ u = 0.1 }", "{ u = 0.1, v = 0.1 }")]),
            (
                "too little said",
                &[(
                    GROUPS,
                    "groups = { u = { mean = 1, variance = 1 }, v = { mean = 1, variance = 1 }, \
                     w = { mean = 1, variance = 1 } }"
                ),]
            ),
            (
                "another decay",
                &[("eta = 0.05", "eta = { start = 0.5, decay = \"slow\" }")]
            ),
            (
                "no part to look up to, no order, weights of others",
                &[("positive_reinforcement", "role_model")]
            ),
            (
                "order",
                &[("positive_reinforcement\"", "order\"\nbeta = 0")]
            ),
            (
                "weights",
                &[(
                    "positive_reinforcement\"",
                    "weighted\"\nweights = { w = 1 }"
                )]
            ),
            (
                "an attribute that is none",
                &[("eta = 0.05", "eta = 0.05\nby = \"gender\"")]
            ),
            (
                "a source that shows all it has",
                &[
                    ("type = \"gaussian_groups\"", "type = \"categorical\""),
                    (GROUPS, "shares = { gender = { M = 0.5, F = 0.5 } }"),
                ]
            ),
            (
                "a key of another pool",
                &[("eta = 0.05", "eta = 0.05\nrho = 0.5")]
            ),
            (
                "nothing of it",
                &[(TABLE, "[pool]\ntype = \"weighted\"\nweights = 1\n")]
            ),
        ]
    ));
}

#[test]
fn plans_that_cant_be() {
    insta::assert_snapshot!(page(
        AHEAD,
        &[
            (
                "a table that is too large",
                &[("slate = 100", "slate = 1000")]
            ),
            (
                "a sweep that is too long",
                &[
                    ("slate = 100", "slate = 10000"),
                    ("state = \"share\"", "state = \"theta\"")
                ]
            ),
            (
                "the authors' handling without chance",
                &[(
                    "state = \"share\"",
                    "state = \"share\"\ntransitions = \"mean_field\"\ninfeasible = \"authors\""
                )]
            ),
            (
                "what can't be seen ahead",
                &[("greedy_term = \"mean_field\"", "greedy_term = \"realised\"")]
            ),
            ("no place", &[("{ share = 0.3 }", "{ share = 0.003 }")]),
        ]
    ));
}

fn with_pool(rest: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", format!("{POOL}{rest}"));
    terminal
}

/// The text shows what stood there before.
#[test]
fn an_assignment_is_reported_where_it_was_set() {
    let terminal = with_pool(JUDGED);
    for (set, what) in [
        (
            "policy.best.target.u=1.2",
            "the shares sum to 1.2, not to 1",
        ),
        (
            "policy.best.target.v=0.7",
            "the shares sum to 1.1, not to 1",
        ),
        ("pool.start.u=1.5", "the shares sum to 1.5, not to 1"),
        (
            "pool.start={u=0.5, v=0.6}",
            "the shares sum to 1.1, not to 1",
        ),
    ] {
        let text = refusal(&terminal, &["check", "my.toml", "--set", set]);
        let said = format!("  \u{d7} option --set {set}: {what}\n");
        assert!(text.starts_with(&said), "{text}");
        assert!(text.ends_with("\n1 problem; nothing was run\n"), "{text}");
    }
    // What the text does show has its place there: another key of the same section, and a table
    // with another key set.
    let edited = with_pool(&JUDGED.replace("{ u = 0.4 }", "{ w = 0.4 }"));
    let sets = ["--set", "policy.best.target.u=0.1", "--set", "pool.eta=0.1"];
    let text = refusal(&edited, &[&["check", "my.toml"][..], &sets].concat());
    text.says("my.toml:19:16: there is no group `w`");
}

#[test]
fn a_share_that_makes_no_place_is_noted() {
    let terminal = with_pool(REST);
    let note = "note: choose = { share = 0.3 } of slate = 3 makes no place: nobody can be chosen";
    let said = |slate: &str| terminal.done(&["check", "my.toml", "--set", slate]);
    assert!(said("rules.slate=3").contains(note));
    assert!(!said("rules.slate=4").contains("makes no place"));
}

#[test]
fn groups_and_sizes_that_are_wrong() {
    insta::assert_snapshot!(page(
        REST,
        &[
            (
                "one group",
                &[(GROUPS, "groups = { u = { mean = 5.0, variance = 1.0 } }")]
            ),
            (
                "no variance, a negative one, and noise below 0",
                &[(
                    GROUPS,
                    "groups = { u = { mean = 5.0 }, v = { mean = 5.0, variance = -1.0 } }\n\
                     score_noise = -1"
                )]
            ),
            ("no sizes", &[("slate = 100", "slate = []")]),
            (
                "sizes that are none",
                &[("slate = 100", "slate = [1, -1, \"2\"]")]
            ),
            (
                "a mean of none",
                &[("slate = 100", "slate = { poisson = 0 }")]
            ),
            ("all of no end", &[("slate = 100", "slate = \"all\"")]),
            (
                "a list that is too short",
                &[("slate = 100", "slate = [100, 50]")]
            ),
            (
                "a metric that there is not",
                &[("[\"accepted\"]", "[\"fairness_loss\", \"pool_share.u\"]")]
            ),
        ]
    ));
}

#[test]
fn people_of_a_file_that_no_pool_can_choose_from() {
    let file = |rest: &str| {
        format!(
            "path = \"people.csv\"\norder = \"resampled\"\n\
             attributes = {{ sex = {{ column = \"SEX\" }} }}\n{rest}"
        )
    };
    let weighted = file("resample_by = \"w\"");
    let source = ("type = \"gaussian_groups\"", "type = \"file\"");
    let start = ("{ u = 0.1 }", "{ 1 = 0.1 }");
    insta::assert_snapshot!(page(
        REST,
        &[
            ("drawn by weight", &[source, (GROUPS, &weighted), start]),
            (
                "one of each group",
                &[source, (GROUPS, &file("one_per_group = true")), start]
            ),
            (
                "a law of who applies",
                &[
                    source,
                    (GROUPS, &file("")),
                    start,
                    (
                        "[[policy]]",
                        "[target]\nsex = { 1 = 0.5, 2 = 0.5 }\n[[policy]]"
                    ),
                    ("kind = \"accept_all\"", "kind = \"proportional\""),
                ]
            ),
            (
                "all of no end",
                &[
                    source,
                    (GROUPS, &file("")),
                    start,
                    ("slate = 100", "slate = \"all\"")
                ]
            ),
        ]
    ));
}

const INSTITUTIONS: &str = r#"[[policy]]
label = "three"
kind = "fair_greedy_institutions"
parts = [0.5, 0.3, 0.2]
target = { u = 0.4 }
lambda = 2.0
"#;

#[test]
fn institutions_that_are_wrong() {
    insta::assert_snapshot!(page(
        INSTITUTIONS,
        &[
            (
                "nothing but the kind",
                &[(
                    "parts = [0.5, 0.3, 0.2]\ntarget = { u = 0.4 }\nlambda = 2.0\n",
                    ""
                )]
            ),
            (
                "parts that are none, a weight below 0, and words",
                &[
                    ("[0.5, 0.3, 0.2]", "[0.5, 0.0, 1.5]"),
                    ("2.0", "[1.0, -2.0, \"three\"]\ntogether = \"yes\"")
                ]
            ),
            (
                "parts of more than all",
                &[("[0.5, 0.3, 0.2]", "[0.5, 0.6]")]
            ),
            ("two weights of three", &[("2.0", "[2.0, 3.0]")]),
            (
                "three groups",
                &[
                    (
                        "v = { mean = 5.0, variance = 1.0 } }",
                        "v = { mean = 5.0, variance = 1.0 }, w = { mean = 5.0, variance = 1.0 } }"
                    ),
                    ("{ u = 0.1 }", "{ u = 0.1, v = 0.2 }"),
                    ("{ u = 0.4 }", "{ u = 0.4, v = 0.3 }")
                ]
            ),
        ]
    ));
}
