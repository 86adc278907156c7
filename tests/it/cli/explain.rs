//! `klero explain`.

use serde_json::Value;

use crate::support::config;
use crate::support::configs::{SOUND, with};
use crate::support::refusals::refusal;
use crate::support::terminal::{Terminal, on_one_line};
use crate::support::worlds::POOL;

#[test]
fn what_to_expect_of_the_main_job() {
    let terminal = Terminal::new();
    insta::assert_snapshot!(terminal.done(&["explain", "committee-brexit-like"]));
}

#[test]
fn for_machines() {
    let terminal = Terminal::new();
    let rated = (
        "type = \"categorical\"",
        "type = \"categorical\"\nvolunteering_rate = 0.02",
    );
    terminal.put("my.toml", with(SOUND, &[rated]));
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let number = |key: &str| found[key].as_f64().unwrap();
    // F is wanted in 6 of 10 and comes in 5: g* = 5/6, 12 screened for 10.
    assert!((number("gain") - 5.0 / 6.0).abs() < 1e-9);
    assert!((number("expected_screened") - 12.0).abs() < 1e-6);
    assert!((number("expected_contacts") - 600.0).abs() < 1e-4);
    assert!((number("sd_screened") - (10.0_f64 / 6.0).sqrt() * 1.2).abs() < 1e-6);
    assert_eq!(found["bottleneck"]["value"], "F");
    assert_eq!(found["bottleneck"]["attained"], true);
    // One seat of ten: .5 in place of .6, and everybody can be accepted.
    let best = &found["loosenings"][0];
    assert_eq!(best["value"], "F");
    assert!((best["saved"].as_f64().unwrap() - 2.0).abs() < 1e-6);
}

#[test]
fn a_sweep_is_explained_run_by_run() {
    let terminal = Terminal::new();
    let text =
        SOUND.replace("at = [5, 10]\n", "") + "[sweep]\n\"rules.until.accepted\" = [10, 20]\n";
    terminal.put("my.toml", text);
    let text = terminal.done(&["explain", "my.toml", "--format", "json"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let screened: Vec<f64> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["expected_screened"].as_f64().unwrap())
        .collect();
    assert!((screened[0] - 12.0).abs() < 1e-6 && (screened[1] - 24.0).abs() < 1e-6);
    assert_eq!(found[1]["set"]["rules.until.accepted"], "20");
    let words = terminal.done(&["explain", "my.toml"]);
    assert!(
        words.contains("rules.until.accepted = 20\n") && words.contains("for 20 members"),
        "{words}"
    );
}

#[test]
fn where_nothing_can_be_said_that_is_said() {
    let terminal = Terminal::new();
    let greedy = "[[policy]]\nlabel = \"greedy .05\"\nkind = \"greedy\"\ntolerance = 0.05\n";
    let edits = [
        ("[target]\ngender = { M = 0.4, F = 0.6 }\n", ""),
        (greedy, ""),
        ("\"representation_loss\"]", "\"screened\"]"),
        ("margin = { representation_loss = 0.01 }\n", ""),
    ];
    terminal.put("my.toml", with(SOUND, &edits));
    let said = terminal.done(&["explain", "my.toml"]);
    assert!(
        said.contains("nothing can be said before they come"),
        "{said}"
    );
    let json = terminal.done(&["explain", "my.toml", "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&json).unwrap()["name"],
        "small"
    );
}

/// The condition that is named is the one that holds.
#[test]
fn of_which_pools_something_is_said() {
    let terminal = Terminal::new();
    let explained = |policy: &str, set: &[&str]| {
        let lane = format!("[[policy]]\nlabel = \"one\"\n{policy}\n");
        terminal.put("my.toml", format!("{POOL}{lane}"));
        let mut args = vec!["explain", "my.toml"];
        args.extend(set.iter().flat_map(|key| ["--set", *key]));
        terminal.done(&args)
    };
    let target = "kind = \"target_share\"\ntarget = { u = 0.4 }";
    let fair = "kind = \"fair_greedy_pool\"\ntarget = { u = 0.4 }\nlambda = 2.0";
    let known = ["rules.choose={ exactly = 30 }"];
    for (policy, set) in [
        (target, &[][..]),
        (fair, &[]),
        (target, &known),
        (fair, &known),
    ] {
        let said = explained(policy, set);
        assert!(said.contains("one: theory says: "), "{said}");
    }
    let realised = format!("{fair}\ngreedy_term = \"realised\"");
    let third = "v = { mean = 5.0, variance = 1.0 }, w = { mean = 5.0, variance = 1.0 }";
    let third = format!("source.groups={{ u = {{ mean = 5.0, variance = 1.0 }}, {third} }}");
    for (policy, set) in [
        ("kind = \"proportional_pool\"", &[][..]),
        ("kind = \"score_greedy\"", &[]),
        (&realised, &[]),
        (target, &["pool.type=\"role_model\"", "pool.rho=0.5"]),
        (
            "kind = \"target_share\"\ntarget = { u = 0.4, v = 0.3 }",
            &[&third, "pool.start={ u = 0.1, v = 0.3 }"],
        ),
        (
            target,
            &[
                "rules.choose={ exactly = 3 }",
                "rules.slate={ poisson = 9 }",
            ],
        ),
    ] {
        let said = on_one_line(&explained(policy, set));
        assert!(
            said.contains(
                "nothing can be said before they come: that takes a [target] and a \
                source whose law is known; or a [pool] of two groups \
            and type \"positive_reinforcement\", a known share of each round to choose, \
            and a policy target_share, optimal, or \
            fair_greedy_pool with a greedy_term other than \"realised\""
            ),
            "{said}"
        );
    }
    terminal.put("my.toml", config("hiring-seasons.toml"));
    let said = terminal.done(&["explain", "my.toml"]);
    assert!(said.contains("nothing can be said"), "{said}");
}

#[test]
fn targets_that_cannot_be_met_are_refused() {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        with(SOUND, &[("M = 0.5, F = 0.5", "M = 1.0, F = 0.0")]),
    );
    let text = refusal(&terminal, &["explain", "my.toml"]);
    assert!(
        text.contains("gender = F has a positive target, but no candidate has this value"),
        "{text}"
    );
}
