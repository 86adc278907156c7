//! `type = "arms"`, interviews in `[rules]`, `[feedback.interview]`, and the cohort policies.

use super::Page;
use crate::support::config;
use crate::support::says::Says as _;

const MEANS: &str = "means = { linear = { n = 10, from = 0.0, to = 1.0 } }";
const GROUPS: &str = "groups = { modulo = 3 }";
const INTERVIEWS: &str = "interviews = [{ name = \"weak\", cost = 1, gain = 1 }, \
    { name = \"strong\", cost = 2, gain = 5 }]";
const CAP: &str = "interview_cap = 10_000_000";
const LOOKS: &str = "[feedback.interview]\ntype = \"gaussian_looks\"\nsd = 0.2\n";
const FIRST: &str = "label = \"SWAP\"\nkind = \"swap\"\ndelta = 0.05\n";

fn page(cases: &[(&str, &[(&str, &str)])]) -> String {
    let mut page = Page::default();
    for (name, edits) in cases {
        page.edited(name, &config("schumann2019-t2.toml"), edits);
    }
    page.text()
}

#[test]
fn applicants_that_are_wrong() {
    insta::assert_snapshot!(page(&[
        ("nobody", &[(MEANS, "means = { list = [] }"), (GROUPS, "")]),
        (
            "a utility that is no number",
            &[
                (MEANS, "means = { list = [1.0, nan, \"2\"] }"),
                (GROUPS, "")
            ]
        ),
        ("no formula", &[(MEANS, "means = { quadratic = 3 }")]),
        (
            "a formula without its numbers",
            &[(MEANS, "means = { normal = { n = 0, mean = inf } }")]
        ),
        (
            "utilities beyond all numbers",
            &[
                (
                    MEANS,
                    "means = { linear = { n = 3, from = -1e308, to = 1e308 } }"
                ),
                (GROUPS, "")
            ]
        ),
        (
            "groups of others",
            &[(GROUPS, "groups = { list = [\"a\", \"b\"] }")]
        ),
        (
            "more groups than applicants, and another word",
            &[
                (GROUPS, "groups = { modulo = 11 }"),
                ("slate = \"all\"", "slate = \"some\"")
            ]
        ),
        (
            "a slate that does not come out even",
            &[("slate = \"all\"", "slate = 4")]
        ),
        ("no means", &[(MEANS, "")]),
    ]));
}

#[test]
fn interviews_that_are_wrong() {
    insta::assert_snapshot!(page(&[
        ("none for sale, and bounds on them", &[(INTERVIEWS, "")]),
        ("nothing answers", &[(LOOKS, "")]),
        ("an empty list", &[(INTERVIEWS, "interviews = []")]),
        (
            "a name twice, a cost below 0, no gain",
            &[(
                INTERVIEWS,
                "interviews = [{ name = \"a\", cost = -1, gain = 1 }, { name = \"a\", cost = 1, \
                 gain = 0 }]"
            )]
        ),
        (
            "gains by a value that there is not, and one of 0",
            &[(
                "gain = 5",
                "gain = { by = \"group\", of = { 0 = 0, 1 = 2, g = 2 } }"
            )]
        ),
        (
            "gains by what no one has, and for no value",
            &[("gain = 5", "gain = { by = \"region\", off = 3 }")]
        ),
        (
            "a cost of nothing",
            &[(
                INTERVIEWS,
                "interviews = [{ name = \"a\", cost = 0, gain = 1 }]"
            )]
        ),
        (
            "bounds in words",
            &[(
                CAP,
                "interview_cap = \"many\"\nbudget = -1\nrun_budget = nan"
            )]
        ),
        (
            "an unknown look, and one without sd",
            &[(LOOKS, "[feedback.interview]\ntype = \"telepathy\"\n")]
        ),
        ("no sd", &[("sd = 0.2\n", "")]),
        (
            "all of a source without end",
            &[
                (
                    "type = \"arms\"",
                    "type = \"linear_groups\"\npreset = \"grazzi2022-section6\""
                ),
                (MEANS, ""),
                (GROUPS, ""),
                ("slate = \"all\"", "slate = \"al\"")
            ]
        ),
    ]));
}

#[test]
fn cohort_policies_that_are_wrong() {
    let swap = |more: &str| format!("label = \"SWAP\"\nkind = \"swap\"\n{more}\n");
    let of = |more: &[&str]| more.iter().map(|more| swap(more)).collect::<Vec<_>>();
    let texts = of(&[
        "delta = 0\nsigma = -1",
        "strong = \"often\"",
        "strong = 1.5\nbatch = 0",
        "stop = \"soon\"\nscope = \"all\"",
        "stop = { within = -0.1 }",
        "objective = \"best\"",
        "objective = \"top_k\"\nby = \"group\"",
        "objective = \"diverse\"\nby = \"gender\"",
        "objective = \"quota\"",
        "tolerance = 0.1",
    ]);
    let names = [
        "no delta",
        "a word for a probability",
        "no probability, no looks",
        "words that are none",
        "below 0",
        "an objective that is none",
        "groups for none",
        "groups by what is none",
        "no quotas",
        "the key of another policy",
    ];
    let mut page = Page::default();
    let config = config("schumann2019-t2.toml");
    for (name, text) in names.iter().zip(&texts) {
        page.edited(name, &config, &[(FIRST, text)]);
    }
    let at_least_4 =
        "choose = { exactly = 3 }\nquota = { group = { 0 = [2, 3], 1 = [2, 3] } }\nenforce = true";
    let at_most_2 = "choose = { exactly = 3 }\n\
        quota = { group = { 0 = [0, 0], 1 = [0, 1], 2 = [1, 1] } }\nenforce = true";
    for (name, rules) in [
        ("quotas beyond the cohort", at_least_4),
        ("quotas below the cohort", at_most_2),
        (
            "nothing to enforce",
            "choose = { exactly = 3 }\nenforce = \"yes\"",
        ),
        (
            "enforced by half",
            "choose = { exactly = 3 }\nquota = { group = { 0 = [2, 3] } }\nenforce = 1",
        ),
    ] {
        page.edited(name, &config, &[("choose = { exactly = 3 }", rules)]);
    }
    let ungrouped = [
        (GROUPS, ""),
        ("choose = { exactly = 3 }", "choose = { exactly = 3 }"),
    ];
    page.edited("diverse without groups", &config, &ungrouped);
    page.edited(
        "one of them, or any",
        &config,
        &[("choose = { exactly = 3 }", "choose = \"any\"")],
    );
    insta::assert_snapshot!(page.text());
}

#[test]
fn seasons_that_are_wrong() {
    const APPLICANTS: &str = "applicants = { masters = 1000, phd = 600 }";
    const ADMITTED: &str = "admitted = { masters = 0.03, phd = 0.2 }";
    const REVIEWS: &str = "reviews = 1.21";
    let mut page = Page::default();
    let season = config("schumann2019-season.toml");
    let cases: [(&str, &[(&str, &str)]); 7] = [
        (
            "numbers out of range",
            &[
                (APPLICANTS, "applicants = { masters = -1, phd = 2.5 }"),
                (ADMITTED, "admitted = { masters = 0, phd = 1 }"),
                ("spread = 1.734", "spread = 0"),
                (REVIEWS, "reviews = 0.9"),
                ("review_sd = 0.0016", "review_sd = -1"),
                ("chair_sd = 0.1", "chair_sd = inf"),
            ],
        ),
        (
            "a programme that is missing, one that is none, and a key that is none",
            &[
                (APPLICANTS, "applicants = { masters = 1000, doctors = 600 }"),
                (REVIEWS, "review = 1.21"),
            ],
        ),
        (
            "nobody",
            &[(APPLICANTS, "applicants = { masters = 0, phd = 0 }")],
        ),
        (
            "no place to be near to",
            &[
                (APPLICANTS, "applicants = { masters = 10, phd = 0 }"),
                ("exactly = 150", "exactly = 1"),
            ],
        ),
        ("reviews without end", &[(REVIEWS, "reviews = 1000")]),
        ("half a season", &[("slate = \"all\"", "slate = 800")]),
        (
            "diversity of nothing in particular",
            &[(
                "by = \"gender\"\n\n[[policy]]\nlabel = \"region\"",
                "\n[[policy]]\nlabel = \"region\"",
            )],
        ),
    ];
    for (name, edits) in cases {
        page.edited(name, &season, edits);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn objectives_of_the_report_that_are_wrong() {
    let said = |text: &str, set: &str| {
        let mut document = kleroterion::config::Document::parse(text).expect("it parses");
        document.set(set).expect("the key can be set");
        let checked = kleroterion::config::check(&document, std::path::Path::new("."));
        checked
            .err()
            .map(|problems| problems.to_string())
            .unwrap_or_default()
    };
    let text = crate::support::config("schumann2019-t2.toml");
    for (set, words) in [
        ("report.objective=\"divers\"", "did you mean `diverse`"),
        ("report.objective=\"quota\"", "the rules set none"),
        ("report.objective={ diverse = \"gender\" }", "gender"),
        ("report.objective=[]", "no objective is listed"),
        (
            "report.objective=[\"diverse\", { diverse = \"group\" }]",
            "diverse is listed twice",
        ),
        (
            "report.judge=[\"cohort_value.quota\"]",
            "this run has no metric cohort_value.quota",
        ),
    ] {
        let said = said(&text, set);
        assert!(said.contains(words), "{set}: {said}");
    }
    let committee = crate::support::config("committee-brexit-like.toml");
    let said = said(&committee, "report.objective=\"diverse\"");
    said.says("this run has no cohorts whose value is known");
}

const SEASON: &str = "name = \"a season\"
seed = 1
[source]
type = \"admissions\"
[rules]
slate = \"all\"
choose = { exactly = 150 }
until = { rounds = 1 }
interviews = [{ name = \"weak\", cost = 1, gain = 1 }, { name = \"strong\", cost = 6, gain = 9 }]
interview_cap = 1600
[feedback.interview]
type = \"recorded_looks\"
sd = 0.0016
[[policy]]
label = \"SWAP\"
kind = \"swap\"
";

#[test]
fn advantages_that_are_wrong() {
    let mut page = Page::default();
    for (name, value) in [
        ("of a programme", "{ programme = { phd = 1.0 } }"),
        (
            "of groups that are not there, and no number",
            "{ gendre = { F = 1.0 }, gender = { W = 1.0, M = \"more\" }, region = { r1 = inf } }",
        ),
        ("a number", "0.5"),
    ] {
        let edit = format!("type = \"admissions\"\nadvantage = {value}");
        page.edited(name, SEASON, &[("type = \"admissions\"", &edit)]);
    }
    insta::assert_snapshot!(page.text());
}
