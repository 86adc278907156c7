//! `type = "linear_groups"` and `[feedback]`.

use super::{Page, SOUND};

/// Two groups drawn by chance, four candidates a round.
const GROUPS: &str = r#"name = "groups"
seed = 1

[source]
type = "linear_groups"
mu = [1.0, -0.5]

[[source.group]]
name = "a"
probability = 0.25
low = [0, 0]
width = [1, 1]

[[source.group]]
name = "b"
probability = 0.75
low = [1.0, 0]
width = [2.0, 1]

[rules]
slate = 4
choose = "exactly_one"
until = { rounds = 20 }

[feedback.outcome]
type = "linear"
noise = 2.0
delay = 0

[[policy]]
label = "all"
kind = "accept_all"

[report]
judge = ["fair_regret", "reward_regret", "selected_of_received.b"]
"#;

const MU: &str = "mu = [1.0, -0.5]";
const ONE: &str = "mu = [1.0, -0.5]\none_per_group = true";

#[test]
fn groups_that_are_wrong() {
    let mut page = Page::default();
    let cases: &[(&str, &[(&str, &str)])] = &[
        (
            "two lengths",
            &[
                ("low = [0, 0]", "low = [0, 0, 0]"),
                ("width = [2.0, 1]", "width = []"),
            ],
        ),
        ("mu of another length", &[(MU, "mu = [1.0]")]),
        ("no mu", &[(MU, "mu = []")]),
        (
            "no numbers",
            &[
                (MU, "mu = [nan, inf]"),
                ("low = [1.0, 0]", "low = [nan, \"1\"]"),
            ],
        ),
        (
            "numbers that are infinite or words",
            &[
                (MU, "mu = [1.0, inf]"),
                ("low = [1.0, 0]", "low = [-inf, \"1\"]"),
            ],
        ),
        (
            "merits beyond all numbers",
            &[
                (MU, "mu = [1e200, 1.0]"),
                ("low = [1.0, 0]", "low = [1e200, 0]"),
            ],
        ),
        (
            "a box turned inside out",
            &[("width = [2.0, 1]", "width = [-2.0, 1]")],
        ),
        ("probabilities that sum to less", &[("0.75", "0.5")]),
        (
            "a group that never appears, and one without a chance",
            &[("0.75", "0.0"), ("probability = 0.25\n", "")],
        ),
        (
            "a group from round 0 on, and one from a word on",
            &[
                ("width = [1, 1]", "width = [1, 1]\nfrom_round = 0"),
                (
                    "width = [2.0, 1]",
                    "width = [2.0, 1]\nfrom_round = \"late\"",
                ),
            ],
        ),
        (
            "groups that all come later",
            &[
                ("width = [1, 1]", "width = [1, 1]\nfrom_round = 2"),
                ("width = [2.0, 1]", "width = [2.0, 1]\nfrom_round = 9"),
            ],
        ),
        (
            "a group that comes later, under a pool",
            &[
                ("width = [1, 1]", "width = [1, 1]\nfrom_round = 2"),
                (
                    "[rules]",
                    "[pool]\ntype = \"positive_reinforcement\"\nstart = { a = 0.3, b = 0.5 }\n\
                     eta = 0.1\n\n[rules]",
                ),
            ],
        ),
        (
            "the first round of a group of a preset",
            &[(MU, "preset = \"grazzi2022-section6\"\nfrom_round = 2")],
        ),
        ("a name twice", &[("name = \"b\"", "name = \"a\"")]),
        ("a name that is none", &[("name = \"b\"", "name = \" \"")]),
        ("one of each group, with probabilities", &[(MU, ONE)]),
        (
            "one of each group, and another slate",
            &[
                (MU, ONE),
                ("probability = 0.25\n", ""),
                ("probability = 0.75\n", ""),
            ],
        ),
        (
            "a preset and mu",
            &[(MU, "mu = [1.0, -0.5]\npreset = \"grazzi2022-section6\"")],
        ),
        (
            "a preset and groups",
            &[(MU, "preset = \"grazzi2022-section6\"")],
        ),
        (
            "an unknown preset",
            &[(MU, "preset = \"grazzi2022-section7\"")],
        ),
        ("neither", &[(MU, "")]),
        (
            "households",
            &[("slate = 4", "slate = 4\nunique = [\"group\"]")],
        ),
        (
            "fair regret of any number of choices",
            &[("choose = \"exactly_one\"", "choose = \"any\"")],
        ),
    ];
    for (name, edits) in cases {
        page.edited(name, GROUPS, edits);
    }
    let start = GROUPS.find("mu = ").unwrap();
    let end = GROUPS.find("[rules]").unwrap();
    let preset = format!(
        "{}preset = \"grazzi2022-released\"\n{}",
        &GROUPS[..start],
        &GROUPS[end..]
    );
    let preset = preset.replace("selected_of_received.b", "selected_of_received.g1");
    page.edited(
        "fewer candidates than groups",
        &preset,
        &[("slate = 4", "slate = 3")],
    );
    let none = format!("{}{MU}\ngroup = []\n{}", &GROUPS[..start], &GROUPS[end..]);
    page.edited("no group", &none, &[]);
    insta::assert_snapshot!(page.text());
}

#[test]
fn feedback_that_is_wrong() {
    let mut page = Page::default();
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("no noise", &[("noise = 2.0\n", "")]),
        (
            "noise below 0, and a word too many",
            &[("noise = 2.0", "noise = -1\nsd = 3")],
        ),
        ("noise that is no number", &[("noise = 2.0", "noise = nan")]),
        ("an unknown type", &[("\"linear\"\n", "\"quadratic\"\n")]),
        (
            "another section",
            &[("[feedback.outcome]", "[feedback.outcomes]")],
        ),
        ("a delay below 0", &[("delay = 0", "delay = -1")]),
        ("a delay in words", &[("delay = 0", "delay = \"late\"")]),
        (
            "a delay without an end",
            &[("delay = 0", "delay = { uniform = [1] }")],
        ),
        (
            "a delay from late to early",
            &[("delay = 0", "delay = { uniform = [10, 1] }")],
        ),
        (
            "another law of delays",
            &[("delay = 0", "delay = { poisson = 3 }")],
        ),
    ];
    for (name, edits) in cases {
        page.edited(name, GROUPS, edits);
    }
    page.edited(
        "people who are worth nothing in particular",
        SOUND,
        &[(
            "[report]",
            "[feedback.outcome]\ntype = \"linear\"\nnoise = 1.0\n\n[report]",
        )],
    );
    insta::assert_snapshot!(page.text());
}
