//! Keys and values that a config can't have, section by section.

use super::{Page, SOUND};

#[test]
fn keys() {
    let mut page = Page::default();
    for (name, edits) in [
        (
            "unknown keys, near and far",
            &[
                ("seed = 1", "sed = 1"),
                ("slate = 1", "slat = 1\nbudget_of_the_year = 5"),
                ("tolerance", "tolerence"),
            ][..],
        ),
        ("a misspelt section", &[("[rules]", "[ruels]")]),
        (
            "[policy] for [[policy]]",
            &[
                (
                    "[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n[[policy]]",
                    "[policy]",
                ),
                ("baseline = \"all\"\n", ""),
            ],
        ),
        (
            "a key in the wrong section",
            &[
                ("until = { accepted = 10 }\n", ""),
                ("at = [5, 10]", "until = { accepted = 10 }"),
            ],
        ),
        (
            "another policy's parameter",
            &[(
                "kind = \"accept_all\"",
                "kind = \"accept_all\"\ntolerance = 0.1",
            )],
        ),
        (
            "no source and no rules",
            &[
                ("[source]\ntype", "[sauce]\ntype"),
                (
                    "[rules]\nslate = 1\nchoose = \"at_most_one\"\nuntil = { accepted = 10 }\n",
                    "",
                ),
            ],
        ),
        (
            "sections that are no tables",
            &[
                (
                    "[source]\ntype = \"categorical\"\n\
                     shares = { gender = { M = 0.5, F = 0.5 } }\n\n[target]\n\
                     gender = { M = 0.4, F = 0.6 }\n",
                    "",
                ),
                (
                    "seed = 1",
                    "seed = 1\nsource = \"people.csv\"\ntarget = [0.4, 0.6]",
                ),
            ],
        ),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn top_level_and_rules() {
    let mut page = Page::default();
    for (name, edits) in [
        (
            "a committee of nobody",
            &[("accepted = 10", "accepted = 0")][..],
        ),
        (
            "no replications, a negative seed",
            &[
                ("seed = 1", "seed = -1"),
                ("replications = 4", "replications = 0"),
            ],
        ),
        (
            "numbers in quotes, a million as 1e6",
            &[
                ("seed = 1", "seed = \"1\""),
                ("replications = 4", "replications = 1e6"),
            ],
        ),
        (
            "unknown words",
            &[
                ("\"at_most_one\"", "\"at_most\""),
                ("{ accepted = 10 }", "\"filled\""),
            ],
        ),
        (
            "two ends",
            &[("accepted = 10", "accepted = 10, rounds = 5")],
        ),
        (
            "an empty slate, an end that never comes",
            &[
                ("slate = 1", "slate = 0\nmax_rounds = 5"),
                ("accepted = 10", "rounds = 10"),
                ("at = [5, 10]\n", ""),
            ],
        ),
        (
            "a share beyond 1",
            &[("\"at_most_one\"", "{ share = 1.5 }")],
        ),
        (
            "a huge slate",
            &[("slate = 1", "slate = 9223372036854775807")],
        ),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn source_and_target() {
    let mut page = Page::default();
    let shares = "shares = { gender = { M = 0.5, F = 0.5 } }";
    for (name, edits) in [
        (
            "shares that don't sum to 1, here and in the target",
            &[("M = 0.5", "M = 0.56"), ("F = 0.6", "F = 0.5")][..],
        ),
        (
            "a negative share, one in quotes, an infinite one",
            &[
                ("M = 0.5", "M = -0.5"),
                ("M = 0.4, F = 0.6", "M = \"0.4\", F = inf"),
            ],
        ),
        (
            "no shares at all",
            &[
                ("{ gender = { M = 0.5, F = 0.5 } }", "{}"),
                ("{ M = 0.4, F = 0.6 }", "{}"),
            ],
        ),
        (
            "an attribute that the source lacks",
            &[(
                "gender = { M = 0.4, F = 0.6 }",
                "gendre = { M = 0.4, F = 0.6 }",
            )],
        ),
        (
            "a value that the source lacks",
            &[("M = 0.4, F = 0.6", "M = 0.4, f = 0.3, X = 0.3")],
        ),
        ("a source of no type", &[("type = \"categorical\"\n", "")]),
        ("an unknown type", &[("\"categorical\"", "\"categories\"")]),
        (
            "shares and weights",
            &[(
                shares,
                "shares = { gender = { M = 0.5, F = 0.5 } }\n\
                 weights = { gender = { M = 1.0, F = 0.5 } }",
            )],
        ),
        (
            "weights without a target",
            &[
                (shares, "weights = { gender = { M = 1.0, F = 0.5 } }"),
                ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
                (
                    "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n",
                    "",
                ),
                (
                    ", \"representation_loss\"]\nmargin = { representation_loss = 0.01 }",
                    "]",
                ),
            ],
        ),
        (
            "weights, and a target that is wrong itself",
            &[
                (shares, "weights = { gender = { M = 1.0, F = 0.5 } }"),
                ("F = 0.6", "F = 0.7"),
            ],
        ),
        (
            "weights of other values than the target's",
            &[(shares, "weights = { gender = { M = 1.0, X = 0.5 } }")],
        ),
        (
            "nobody volunteers",
            &[(shares, "weights = { gender = { M = 0, F = 0 } }")],
        ),
        (
            "a target from weights that the source lacks",
            &[("gender = { M = 0.4, F = 0.6 }", "from = \"weights\"")],
        ),
        (
            "a target from elsewhere",
            &[(
                "gender = { M = 0.4, F = 0.6 }",
                "from = \"census\"\ngender = { M = 0.4, F = 0.6 }",
            )],
        ),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn goals() {
    let mut page = Page::default();
    for (name, goal) in [
        (
            "bounds that are none, beyond the range and on no metric",
            "{ best = \"selection_rate\", where = { representation_loss = \"< 0.05\", \
             seats_off = \">= 99\", selection_rate = \"<= 1.5\", joy = \">= 1\" } }",
        ),
        (
            "nothing that is best, and a bound beyond the range",
            r#"{ where = { representation_loss = "<= 7" } }"#,
        ),
        (
            "the best of a metric with no better side",
            r#"{ best = "selection_rate.M", were = {} }"#,
        ),
        (
            "a bound on a metric without a range",
            r#"{ best = "representation_loss", where = { screened = "<= 100" } }"#,
        ),
        ("no table", r#""selection_rate""#),
    ] {
        let edited = format!("baseline = \"all\"\ngoal = {goal}");
        page.edited(name, SOUND, &[("baseline = \"all\"", &edited)]);
    }
    let bound = "margin = { joy = 1 }\n\
        goal = { best = \"selection_rate\", where = { representation_loss = \"<= 7\" } }";
    let margin = "margin = { representation_loss = 0.01 }";
    page.edited("a margin and a bound", SOUND, &[(margin, bound)]);
    insta::assert_snapshot!(page.text());
}
