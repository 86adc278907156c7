//! `[pool]`, `type = "gaussian_groups"`, and slates of several sizes.

use super::Page;
use crate::support::POOL;

const REST: &str = r#"[[policy]]
label = "all"
kind = "accept_all"
[report]
judge = ["accepted"]
"#;

const GROUPS: &str =
    "groups = { u = { mean = 5.0, variance = 1.0 }, v = { mean = 5.0, variance = 1.0 } }";
const TABLE: &str = "[pool]\ntype = \"positive_reinforcement\"\nstart = { u = 0.1 }\neta = 0.05\n";

fn page(cases: &[(&str, &[(&str, &str)])]) -> String {
    let mut page = Page::default();
    for (name, edits) in cases {
        page.edited(name, &format!("{POOL}{REST}"), edits);
    }
    page.text()
}

#[test]
fn pools_that_are_wrong() {
    insta::assert_snapshot!(page(&[
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
                "groups = { u = { mean = 1, variance = 1 }, v = { mean = 1, variance = 1 }, w = { mean = 1, variance = 1 } }"
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
    ]));
}

#[test]
fn groups_and_sizes_that_are_wrong() {
    insta::assert_snapshot!(page(&[
        (
            "one group",
            &[(GROUPS, "groups = { u = { mean = 5.0, variance = 1.0 } }")]
        ),
        (
            "no variance, a negative one, and noise below 0",
            &[(
                GROUPS,
                "groups = { u = { mean = 5.0 }, v = { mean = 5.0, variance = -1.0 } }\nscore_noise = -1"
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
    ]));
}

#[test]
fn people_of_a_file_that_no_pool_can_choose_from() {
    let file = |rest: &str| {
        format!(
            "path = \"people.csv\"\norder = \"resampled\"\nattributes = {{ sex = {{ column = \"SEX\" }} }}\n{rest}"
        )
    };
    let weighted = file("resample_by = \"w\"");
    let source = ("type = \"gaussian_groups\"", "type = \"file\"");
    let start = ("{ u = 0.1 }", "{ 1 = 0.1 }");
    insta::assert_snapshot!(page(&[
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
    ]));
}
