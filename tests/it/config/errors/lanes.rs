//! Policies and their report; and wrong things in every section at once.

use super::{PEOPLE, Page, SOUND};

#[test]
fn policies() {
    let mut page = Page::default();
    let greedy = "label = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05";
    let never = ("M = 0.5, F = 0.5", "M = 1.0, F = 0.0");
    for (name, edits) in [
        (
            "a negative tolerance",
            &[("tolerance = 0.05", "tolerance = -0.05")][..],
        ),
        (
            "a tolerance in words",
            &[("tolerance = 0.05", "tolerance = \"small\"")],
        ),
        (
            "two policies with one label",
            &[("\"greedy .05\"", "\"all\"")],
        ),
        ("neither label nor kind", &[(greedy, "tolerance = 0.05")]),
        (
            "a label of blanks, a label in numbers",
            &[
                ("\"greedy .05\"", "\"  \""),
                ("label = \"all\"", "label = 5"),
                ("baseline = \"all\"\n", ""),
            ],
        ),
        (
            "unknown kinds, near and far",
            &[
                ("\"greedy\"", "\"gredy\""),
                ("\"accept_all\"", "\"lottery\""),
            ],
        ),
        (
            "no policy",
            &[
                ("[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n", ""),
                (
                    "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n",
                    "",
                ),
                ("baseline = \"all\"\n", ""),
            ],
        ),
        (
            "an empty list of policies",
            &[
                ("seed = 1", "seed = 1\npolicy = []"),
                ("[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n", ""),
                (
                    "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n",
                    "",
                ),
                ("baseline = \"all\"\n", ""),
            ],
        ),
        (
            "policies that are words",
            &[
                ("seed = 1", "seed = 1\npolicy = [\"greedy\"]"),
                ("[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n", ""),
                (
                    "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n",
                    "",
                ),
                ("baseline = \"all\"\n", ""),
            ],
        ),
        (
            "greedy without a committee's size",
            &[("accepted = 10", "rounds = 10")],
        ),
        (
            "no target where one is needed",
            &[
                ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
                (
                    ", \"representation_loss\"]\nmargin = { representation_loss = 0.01 }",
                    "]",
                ),
            ],
        ),
        (
            "cmdp wants a value that never comes",
            &[("\"greedy\"\ntolerance = 0.05", "\"cmdp\""), never],
        ),
        (
            "proportional wants a value that never comes",
            &[("\"greedy\"\ntolerance = 0.05", "\"proportional\""), never],
        ),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn report() {
    let mut page = Page::default();
    let judge = "[\"selection_rate\", \"representation_loss\"]";
    for (name, edits) in [
        (
            "a baseline that is no policy",
            &[("baseline = \"all\"", "baseline = \"al\"")][..],
        ),
        (
            "metrics that there are not",
            &[(
                judge,
                "[\"selection_rte\", \"representation_loss\", \"beauty\", \"share.X\"]",
            )],
        ),
        (
            "a metric of another setting",
            &[(judge, "[\"representation_loss\", \"fair_regret\"]")],
        ),
        (
            "a metric judged twice",
            &[(judge, "[\"representation_loss\", \"representation_loss\"]")],
        ),
        (
            "a margin for what the run has not",
            &[(
                "{ representation_loss = 0.01 }",
                "{ representation_loss = 0.01, fair_regret = 5 }",
            )],
        ),
        (
            "a margin whose name ends like a metric",
            &[(
                "{ representation_loss = 0.01 }",
                "{ misrepresentation_loss = 0.01 }",
            )],
        ),
        (
            "margins that are none",
            &[(
                "{ representation_loss = 0.01 }",
                "{ representation_loss = 0, selection_rate = -1 }",
            )],
        ),
        ("moments beyond the end", &[("[5, 10]", "[5, 11, 50]")]),
        (
            "moments beyond the last round",
            &[
                ("[5, 10]", "{ rounds = [5, 100] }"),
                ("slate = 1", "slate = 1\nmax_rounds = 99"),
            ],
        ),
        ("moments out of order", &[("[5, 10]", "[10, 5]")]),
        ("moments twice, and at 0", &[("[5, 10]", "[0, 5, 5]")]),
        (
            "alpha 0",
            &[("baseline = \"all\"", "baseline = \"all\"\nalpha = 0")],
        ),
        (
            "alpha next to nothing",
            &[("baseline = \"all\"", "baseline = \"all\"\nalpha = 1e-300")],
        ),
        (
            "alpha 1",
            &[("baseline = \"all\"", "baseline = \"all\"\nalpha = 1.0")],
        ),
        (
            "all pairs, in a word that there is not",
            &[("baseline = \"all\"", "baseline = \"all\"\npairs = \"both\"")],
        ),
        (
            "a loss without a target",
            &[
                ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
                (
                    "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n",
                    "",
                ),
            ],
        ),
    ] {
        page.edited(name, SOUND, edits);
    }
    insta::assert_snapshot!(page.text());
}

/// No problem hides another: a section that can't be read keeps no other from being read.
#[test]
fn many_at_once() {
    let mut page = Page::default();
    page.edited(
        "one in every section",
        SOUND,
        &[
            ("seed = 1", "seed = -1"),
            ("M = 0.5, F = 0.5", "M = 0.5, F = 0.6"),
            ("M = 0.4, F = 0.6", "M = 0.4, F = 0.7"),
            ("accepted = 10", "accepted = 0"),
            ("\"accept_all\"", "\"accept_al\""),
            ("label = \"greedy .05\"", "label = \"all\""),
            ("at = [5, 10]", "at = [10, 5]"),
            (
                "baseline = \"all\"",
                "baseline = \"nobody\"\nalpha = 2\nmargn = 1",
            ),
        ],
    );
    page.edited(
        "one in every section, of people",
        PEOPLE,
        &[
            ("seed = 1", "sed = 1"),
            (
                "order = \"resampled\"",
                "order = \"random\"\nwhere = [\"AGE >>= 5\"]",
            ),
            ("column = \"SEX\"", "colum = \"SEX\""),
            ("from = \"weights\"", "from = \"weight\""),
            ("slate = 1", "slate = -1"),
            ("\"virtual_queue\"", "\"virtual_queu\""),
        ],
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn pilots() {
    let mut page = Page::default();
    let greedy = "kind = \"greedy\"\ntolerance = 0.05";
    let queue = |v: &str| format!("kind = \"virtual_queue\"\nv = {v}");
    page.edited("a pilot misspelt", SOUND, &[(greedy, &queue("\"pilt\""))]);
    page.edited(
        "neither number nor pilot",
        SOUND,
        &[(greedy, &queue("[2]"))],
    );
    page.edited(
        "a pilot for a committee of no size",
        SOUND,
        &[
            (greedy, &queue("\"pilot\"")),
            ("until = { accepted = 10 }", "until = { rounds = 10 }"),
        ],
    );
    page.edited(
        "a pilot for targets that nobody meets",
        SOUND,
        &[
            (greedy, &queue("\"pilot\"")),
            ("M = 0.5, F = 0.5", "M = 1.0, F = 0.0"),
        ],
    );
    insta::assert_snapshot!(page.text());
}
