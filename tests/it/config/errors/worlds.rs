//! `type = "people"`, slates by time and label noise.

use super::Page;
use crate::config::worlds::WORLD;

#[test]
fn laws_that_are_wrong() {
    let mut page = Page::default();
    let beta = "{ law = \"beta\", a = 2, b = 3 }";
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "an unknown law",
            &[(beta, "{ law = \"betta\", a = 2, b = 3 }")],
        ),
        (
            "parameters that are missing, wrong and unknown",
            &[(beta, "{ law = \"beta\", a = -2, c = 3 }")],
        ),
        (
            "ends in the wrong order",
            &[(
                beta,
                "{ law = \"triangular\", low = 1, mode = 0, high = 2 }",
            )],
        ),
        (
            "numbers beyond all bounds",
            &[(beta, "{ law = \"log_normal\", mu = 1000, sigma = 1 }")],
        ),
        (
            "weights that sum to more",
            &[("weight = 0.6", "weight = 0.7")],
        ),
        (
            "a mixture of mixtures",
            &[(
                "law = \"gamma\", shape = 20, scale = 2",
                "law = \"mixture\", laws = []",
            )],
        ),
        (
            "one share alone",
            &[(
                "alpha = { work = 2.0, care = 1.0 }",
                "alpha = { work = 2.0 }",
            )],
        ),
        (
            "shares that are no features of merit",
            &[(
                "law = \"beta\", a = 3, b = 2",
                "law = \"dirichlet\", alpha = { x = 1, y = 1 }",
            )],
        ),
        (
            "a value left out, and one that is none",
            &[("a = {}, b", "d = {}, b")],
        ),
        (
            "by an attribute that is none",
            &[("merit = { by = \"group\"", "merit = { by = \"grup\"")],
        ),
        (
            "a group that is none",
            &[("\ngroup = \"group\"", "\ngroup = \"age\"")],
        ),
        (
            "a score of no merit",
            &[("merit = { by", "features.skill = { by")],
        ),
        ("a feature of a taken name", &[("\nage = {", "\nscore = {")]),
        (
            "misread and measured, what is not there",
            &[
                ("misread = { degree", "misread = { income"),
                ("errors = { score", "errors = { skill"),
            ],
        ),
        (
            "a probability above 1",
            &[("misread = { degree = 0.1 }", "misread = { degree = 1.1 }")],
        ),
        (
            "households",
            &[("slate = 5", "slate = 5\nunique = [\"group\"]")],
        ),
        ("a slate of all", &[("slate = 5", "slate = \"all\"")]),
    ];
    for (name, edits) in cases {
        page.edited(name, WORLD, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn copulas_arrivals_and_changes_that_are_wrong() {
    let mut page = Page::default();
    let matrix = "correlations = [[1.0, 0.4], [0.4, 1.0]]";
    let shares =
        "\nshares = { group = { a = 0.4, b = 0.4, c = 0.2 }, degree = { yes = 0.3, no = 0.7 } }";
    let arrivals = "arrivals = { poisson = \"30/min\", daily = [1.0, 3.0], bursts = { every = \"5m\", length = \"1m\", times = 4 } }";
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("another size", &[(matrix, "correlations = [[1.0, 0.4]]")]),
        (
            "no symmetry",
            &[(matrix, "correlations = [[1.0, 0.4], [0.3, 1.0]]")],
        ),
        (
            "no ones",
            &[(matrix, "correlations = [[2.0, 0.4], [0.4, 1.0]]")],
        ),
        (
            "too strong",
            &[(matrix, "correlations = [[1.0, 1.0], [1.0, 1.0]]")],
        ),
        (
            "coupled twice",
            &[(
                "of = [\"degree\", \"merit\"]",
                "of = [\"degree\", \"degree\"]",
            )],
        ),
        (
            "coupled shares",
            &[("of = [\"degree\", \"merit\"]", "of = [\"time\", \"scor\"]")],
        ),
        (
            "one alone",
            &[("of = [\"degree\", \"merit\"]", "of = [\"degree\"]")],
        ),
        ("no pace", &[("\"30/min\"", "\"often\"")]),
        ("no one ever", &[("daily = [1.0, 3.0]", "daily = [0.0]")]),
        (
            "a burst without end",
            &[("length = \"1m\"", "length = \"1h\"")],
        ),
        (
            "no duration",
            &[("every = \"5m\"", "every = \"now and then\"")],
        ),
        (
            "arrivals and a pace",
            &[("arrivals = {", "pace = \"3/s\"\narrivals = {")],
        ),
        ("a time and no arrivals", &[(arrivals, "")]),
        (
            "slates by time and no arrivals",
            &[
                (arrivals, ""),
                ("slate = 5", "slate = { every = \"1m\" }"),
                ("at = \"5m\"", "round = 9"),
            ],
        ),
        (
            "another value",
            &[(
                "c = 0.2 }, degree = { yes = 0.3, no = 0.7 } }",
                "d = 0.2 }, degree = { yes = 0.3, no = 0.7 } }",
            )],
        ),
        (
            "an attribute less",
            &[(
                "c = 0.2 }, degree = { yes = 0.3, no = 0.7 } }",
                "c = 0.2 } }",
            )],
        ),
        ("no change", &[(shares, "")]),
        ("a change before the start", &[("at = \"5m\"", "round = 1")]),
        (
            "changes out of order",
            &[(
                "[rules]",
                "[[source.change]]\nat = \"1m\"\nmisread = { degree = 0.2 }\n\n[rules]",
            )],
        ),
        (
            "changes of two kinds",
            &[(
                "[rules]",
                "[[source.change]]\nround = 100\nmisread = { degree = 0.2 }\n\n[rules]",
            )],
        ),
        (
            "a feature that was not there",
            &[(
                "at = \"5m\"",
                "at = \"5m\"\nfeatures = { size = { law = \"exponential\", mean = 1 } }",
            )],
        ),
        (
            "tosses of what is no chance",
            &[(
                "law = \"uniform\", low = 0.0, high = 1.0",
                "law = \"exponential\", mean = 1.0",
            )],
        ),
        (
            "flips by no attribute",
            &[("flip = { by = \"group\"", "flip = { by = \"grp\"")],
        ),
        (
            "flips that are no probability",
            &[(
                "c = 0.2 } }\n\n[[policy]]\nlabel = \"uniform\"",
                "c = 2 } }\n\n[[policy]]\nlabel = \"uniform\"",
            )],
        ),
    ];
    for (name, edits) in cases {
        page.edited(name, WORLD, edits);
    }
    insta::assert_snapshot!(page.text());
}
