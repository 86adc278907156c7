//! The meritocratic policies: their parameters, and settings that they can't play.

use super::{Page, SOUND, with};
use crate::support::config;

const FAIR: &str = "label = \"fair greedy\"\nkind = \"fair_greedy\"\nlambda = 0.1\n";

#[test]
fn policies_that_are_wrong() {
    let mut page = Page::default();
    let groups = config("grazzi2022-groups.toml");
    let fair = |more: &str| format!("label = \"fair greedy\"\nkind = \"fair_greedy\"\n{more}\n");
    let cases: &[(&str, &str)] = &[
        (
            "no regularisation, and noise beyond its range",
            "lambda = 0\nrho = 2",
        ),
        (
            "words for numbers",
            "lambda = \"little\"\nrho = \"none\"\nrefresh = \"often\"",
        ),
        (
            "an infinite lambda, no noise, a refresh that never comes",
            "lambda = inf\nrho = 0.0\nrefresh = 1.0",
        ),
        ("groups by what is no attribute", "by = \"grup\""),
        ("the keys of another policy", "ec = 1.0\nform = \"authors\""),
    ];
    for (name, more) in cases {
        page.edited(name, &groups, &[(FAIR, &fair(more))]);
    }
    let oful = |more: &str| format!("label = \"OFUL\"\nkind = \"oful\"\n{more}\n");
    for (name, more) in [
        ("a form that is not known", "form = \"mine\""),
        (
            "the bound's form without its constants",
            "form = \"abbasi_yadkori\"",
        ),
        (
            "the keys of the other form",
            "form = \"authors\"\nR = 2.0\nS = 1.0",
        ),
        (
            "constants out of range",
            "form = \"abbasi_yadkori\"\nR = -1\nS = inf\ndelta = 1.0",
        ),
        (
            "an ec below 0, and a lambda that is none",
            "ec = -1\nlambda = 0.0",
        ),
        (
            "ec in the bound's form",
            "form = \"abbasi_yadkori\"\nR = 1\nS = 1\nec = 1",
        ),
    ] {
        page.edited(name, &groups, &[(FAIR, &oful(more))]);
    }
    insta::assert_snapshot!(page.text());
}

#[test]
fn settings_that_they_cannot_play() {
    let mut page = Page::default();
    let fig1 = config("grazzi2022-fig1.toml");
    page.edited(
        "nothing to learn from",
        &fig1,
        &[("[feedback.outcome]\ntype = \"linear\"\nnoise = 2.0\n", "")],
    );
    page.edited(
        "outcomes that can't be read are not missing",
        &fig1,
        &[("noise = 2.0", "noise = -2.0")],
    );
    page.edited(
        "three of a slate",
        &fig1,
        &[
            ("choose = \"exactly_one\"", "choose = { exactly = 3 }"),
            ("judge = [\"fair_regret\"]", ""),
        ],
    );
    let committee = |kind: &str| {
        with(
            SOUND,
            &[("kind = \"accept_all\"", &format!("kind = \"{kind}\""))],
        )
    };
    for kind in ["fair_greedy", "ridge_greedy", "gmf_oracle", "best_reward"] {
        page.edited(&format!("{kind} of a committee"), &committee(kind), &[]);
    }
    insta::assert_snapshot!(page.text());
}

/// Committees whose members are worth something.
#[test]
fn mixtures_that_are_wrong() {
    let mut page = Page::default();
    let text = config("committee-merit.toml");
    let queue = "kind = \"merit_queue\"\nrate = 0.1\nv = 3\n";
    let oracle = "kind = \"best_stationary\"\nrate = 0.1\n";
    let target = "[target]\ngroup = { a = 0.3333333333333333, b = 0.3333333333333333, c = \
                  0.3333333333333334 }\n";
    let outcome = "[feedback.outcome]\ntype = \"linear\"\nnoise = 0.5\n";
    let all = "kind = \"fair_greedy_all\"\nlambda = 0\n";
    for (name, old, new) in [
        ("no rate", queue, "kind = \"merit_queue\"\n"),
        (
            "numbers out of range",
            queue,
            "kind = \"merit_queue\"\nrate = 2\nv = -1\nlambda = 0\nbonus = -1\n",
        ),
        (
            "an oracle without a rate",
            oracle,
            "kind = \"best_stationary\"\n",
        ),
        (
            "more than there are of a group",
            oracle,
            "kind = \"best_stationary\"\nrate = 0.5\n",
        ),
        ("no target", target, ""),
        ("no outcomes", outcome, ""),
        ("one of a slate under other rules", queue, all),
    ] {
        page.edited(name, &text, &[(old, new)]);
    }
    let text = config("pool-cohorts.toml");
    page.edited(
        "an objective of rounds that choose any",
        &text,
        &[("{ share = 0.1 }", "\"any\"")],
    );
    insta::assert_snapshot!(page.text());
}
