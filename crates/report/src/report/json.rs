//! The file `summary.json`.

use kleroterion_stats::Summary;

/// Returns the text of `summary.json`. It is indented, with members in the order of the contract,
/// and policies, metrics and series by name. The same summary gives the same bytes.
pub fn summary_json(summary: &Summary) -> String {
    let mut text = serde_json::to_string_pretty(summary)
        .expect("a summary has text keys alone, which is all that serialising could refuse");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::protocol::Ending;
    use kleroterion_core::score::{LaneResult, MetricRow, PolicyRun};
    use kleroterion_stats::RunResult;
    use kleroterion_stats::{Judge, Versus};

    fn policy(label: &str, losses: &[f64]) -> PolicyRun {
        let row = |at, value| MetricRow {
            metric: "representation_loss".into(),
            at,
            value,
        };
        let lane = |loss: &f64| {
            LaneResult::new(
                Ending::Filled,
                None,
                vec![row(Some(50), loss * 2.0), row(None, *loss)],
            )
        };
        PolicyRun::new(label, "greedy").with(losses.iter().map(lane))
    }

    fn run(policies: Vec<PolicyRun>) -> RunResult {
        RunResult {
            name: "small".into(),
            seed: u64::MAX,
            replications: 2,
            policies,
            ..RunResult::default()
        }
    }

    #[test]
    fn the_shape_of_the_contract() {
        let judge = Judge {
            metrics: vec!["cost".into()],
            versus: Versus::Baseline("a".into()),
            alpha: 0.05,
            ..Judge::default()
        };
        let of_cost = |label: &str, losses: &[f64]| {
            let mut policy = policy(label, losses);
            policy.change(|lanes| {
                for lane in lanes {
                    lane.change(|rows| rows.iter_mut().for_each(|row| row.metric = "cost".into()));
                }
            });
            policy
        };
        let run = run(vec![
            of_cost("b", &[0.25, 0.75]),
            of_cost("a", &[0.25, 0.5]),
        ]);
        let text = summary_json(&Summary::of(&run, &judge));
        let known = r#"{"schema":1,"name":"small","seed":18446744073709551615,"replications":2,"policies":{
            "a":{"kind":"greedy","role":"policy","endings":{"filled":2},"metrics":{"cost":{"n":2,"mean":0.375,
            "sd":0.1767766952966369,"se":0.125,"median":0.375,"min":0.25,"max":0.5}},
            "series":{"cost":[{"at":50,"n":2,"mean":0.75,"sd":0.3535533905932738,"median":0.75}]}},
            "b":{"kind":"greedy","role":"policy","endings":{"filled":2},"metrics":{"cost":{"n":2,"mean":0.5,
            "sd":0.3535533905932738,"se":0.25,"median":0.5,"min":0.25,"max":0.75}},
            "series":{"cost":[{"at":50,"n":2,"mean":1.0,"sd":0.7071067811865476,"median":1.0}]}}},
            "pairs":[{"metric":"cost","a":"b","b":"a","estimand":"mean of a - b over replications","n":2,"unfilled":0,"mean":0.125,"se":0.125,
            "lo":LO,"hi":HI,"alpha":0.05,"method":"t (fixed n)","verdict":"undecided",
            "standing":"open","ends_before":false,"t_lo":LO,"t_hi":HI,"e_value":null,"e_above":null,"e_below":null,"p_anytime":null,
            "median":0.125,"median_lo":null,"median_hi":null,"beats":0.25,"beats_lo":FIRST,"beats_hi":LAST,
            "margin":null,"needed":6}],
            "answer":{"headline":"Open between “b” and “a”: about 6 more replications may decide it","frontier":["b","a"],
            "dominates":[],"open":1,"goal":null,"between":[]},
            "versions":{"kleroterion":"VERSION"}}"#;
        // t(.025, 1) = 12.7062047361747...
        let known = known
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
            .replace("LO", &number(&text, "lo"))
            .replace("HI", &number(&text, "hi"))
            .replace("FIRST", &number(&text, "beats_lo"))
            .replace("LAST", &number(&text, "beats_hi"));
        let bare = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(bare(&text), bare(&known));
        let near = |name, value: f64| {
            let ours: f64 = number(&text, name).parse().unwrap();
            assert!((ours - value).abs() < 1e-9, "{name}: {ours}");
        };
        near("lo", 0.125 * (1.0 - 12.706_204_736_174_7));
        near("hi", 0.125 * (1.0 + 12.706_204_736_174_7));
        assert!(text.ends_with("}\n"));
    }

    /// The text of the first number called `name`.
    fn number(text: &str, name: &str) -> String {
        let (_, rest) = text.split_once(&format!("\"{name}\": ")).unwrap();
        rest.split([',', '\n']).next().unwrap().to_owned()
    }

    #[test]
    fn nothing_and_one_replication_are_null_and_never_nan() {
        let mut judge = Judge {
            metrics: vec!["representation_loss".into()],
            versus: Versus::Everyone,
            alpha: 0.05,
            ..Judge::default()
        };
        let one = run(vec![policy("a", &[0.5]), policy("b", &[0.25])]);
        let text = summary_json(&Summary::of(&one, &judge));
        for member in [
            "\"sd\": null",
            "\"se\": null",
            "\"t_lo\": null",
            "\"t_hi\": null",
        ] {
            assert!(text.contains(member), "{member} in {text}");
        }
        let none = run(vec![policy("a", &[]), policy("b", &[])]);
        let text = summary_json(&Summary::of(&none, &judge));
        assert!(text.contains("\"mean\": null") && text.contains("\"metrics\": {}"));
        judge.versus = Versus::Nobody;
        let text = summary_json(&Summary::of(&run(vec![]), &judge));
        assert!(text.contains("\"policies\": {},\n  \"pairs\": [],"));
        assert!(!text.contains("NaN"));
    }
}
