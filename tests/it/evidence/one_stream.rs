//! One stream: what it selected is a fact, rates by group and their ratio are inferred.

use serde_json::Value;

use crate::cli::terminal::Terminal;
use crate::support::config;

/// The summary of a config as it is run once.
fn summary(text: &str, set: &[&str]) -> Value {
    let terminal = Terminal::new();
    terminal.put("my.toml", text);
    let mut args = vec!["run", "my.toml", "-q", "--format", "json"];
    set.iter().for_each(|set| args.extend(["--set", set]));
    serde_json::from_str(&terminal.done(&args)).expect("it is JSON")
}

fn pairs<'a>(summary: &'a Value, metric: &str) -> Vec<&'a Value> {
    let all = summary["pairs"].as_array().expect("a list").iter();
    all.filter(|pair| pair["metric"] == metric).collect()
}

#[test]
fn the_demo_is_judged_by_whom_it_selects() {
    let summary = summary(&config("live-show.toml"), &[]);
    let losses = pairs(&summary, "representation_loss");
    assert_eq!(losses.len(), 6);
    for pair in losses {
        assert_eq!(pair["estimand"], "difference on this stream as played");
        assert_eq!(pair["method"], "fact");
        let loss = |side: &str| {
            let label = pair[side].as_str().expect("a label");
            let metrics = &summary["policies"][label]["metrics"];
            metrics["representation_loss"]["mean"]
                .as_f64()
                .expect("it has one")
        };
        let (a, b) = (loss("a"), loss("b"));
        assert_eq!(pair["mean"].as_f64(), Some(a - b));
        assert_eq!(pair["verdict"], if a < b { "better" } else { "worse" });
        assert_eq!((&pair["lo"], &pair["hi"]), (&Value::Null, &Value::Null));
        assert_eq!(pair["alpha"], 0.0);
    }
    // The rates alone share alpha.
    for pair in pairs(&summary, "selection_rate") {
        assert!((pair["alpha"].as_f64().unwrap() - 0.05 / 6.0).abs() < 1e-15);
    }
}

#[test]
fn the_ratio_of_rates_is_judged_on_one_stream() {
    let judge = "report.judge=[\"impact_ratio\", \"selection_rate.gender:F\"]";
    let summary = summary(&config("live-show.toml"), &[judge]);
    let ratios = pairs(&summary, "impact_ratio");
    assert_eq!(ratios.len(), 6);
    let against = ratios
        .iter()
        .find(|pair| pair["b"] == "queue" && pair["a"] == "first come");
    let pair = against.expect("they are compared");
    // All are taken: 1 in each group.
    assert!(pair["mean"].as_f64().unwrap() > 0.2, "{pair}");
    assert!(
        pair["lo"].as_f64().unwrap() > 0.0 && pair["verdict"] == "better",
        "{pair}"
    );
    let rates = pairs(&summary, "selection_rate.gender:F");
    assert_eq!(rates.len(), 6);
    for pair in rates {
        assert_eq!(
            pair["estimand"],
            "running average of a - b over the people of the group"
        );
        assert!(pair["lo"].as_f64() < pair["mean"].as_f64(), "{pair}");
    }
}

#[test]
fn a_stream_says_whom_each_policy_selected_and_at_what_rates() {
    let summary = summary(&config("live-show.toml"), &[]);
    for (label, policy) in summary["policies"].as_object().expect("policies") {
        let metrics = &policy["metrics"];
        let mean = |name: &str| metrics[name]["mean"].as_f64();
        let stream = &policy["stream"];
        assert_eq!(
            stream["selected"].as_f64(),
            mean("accepted"),
            "{label}: {stream}"
        );
        let attributes = stream["attributes"].as_array().expect("a list");
        assert_eq!(attributes.len(), 2);
        let mut least = 1.0_f64;
        for attribute in attributes {
            for group in attribute["groups"].as_array().expect("a list") {
                let name = format!(
                    "{}:{}",
                    attribute["attribute"].as_str().unwrap(),
                    group["group"].as_str().unwrap()
                );
                let metric = |family: &str| mean(&format!("{family}.{name}"));
                assert_eq!(group["share"].as_f64(), metric("share"), "{name}");
                assert_eq!(group["rate"].as_f64(), metric("selection_rate"), "{name}");
                assert!(group["lo"].as_f64() < group["rate"].as_f64());
                // Four policies, two attributes, so many groups.
                let many = attribute["groups"].as_array().map_or(0, Vec::len) as f64;
                let alpha = group["alpha"].as_f64().unwrap();
                assert!((alpha - 0.05 / 8.0 / many).abs() < 1e-15, "{alpha}");
            }
            let ratio = &attribute["ratio"];
            let [lo, at, hi] =
                ["lo", "value", "hi"].map(|end| ratio[end].as_f64().expect("it has one"));
            assert!(0.0 <= lo && lo <= at && at <= hi && hi <= 1.0);
            let word = match () {
                () if lo >= 0.8 => "surely met",
                () if hi < 0.8 => "surely missed",
                () => "open",
            };
            assert_eq!(ratio["four_fifths"], word, "{label}");
            least = least.min(at);
        }
        assert_eq!(Some(least), mean("impact_ratio"), "{label}");
    }
}
