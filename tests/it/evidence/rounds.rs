//! One stream, played once: what is said of its rounds.

use std::path::Path;

use kleroterion::compare::RunResult;
use kleroterion::compare::sequence::{Range, StreamSequence};
use kleroterion::compare::{Estimand, Pair, Summary, Verdict};
use kleroterion::config::Plan;
use kleroterion::run::{Runtime, Settings, run};
use kleroterion::score::{MetricInfo, catalogue};

use crate::support::configs::with;
use crate::support::terminal::Terminal;
use crate::support::worlds::POOL;
use crate::support::{config, plan, play};

/// The rounds, each a moment of the series.
const ROUNDS: u64 = 240;

fn moments() -> String {
    let all: Vec<u64> = (1..=ROUNDS).collect();
    format!("report.at={{ rounds = {all:?} }}")
}

/// One replication of a plan that is judged by these metrics against a policy.
fn once(text: &str, judge: &str, baseline: &str) -> Plan {
    let baseline = format!("report.baseline={baseline:?}");
    let judge = format!("report.judge={judge}");
    let rounds = format!("rules.until={{ rounds = {ROUNDS} }}");
    let set = [&*moments(), &judge, &baseline, &rounds, "replications=1"];
    plan(text, Path::new("configs"), &set)
}

fn pool() -> String {
    let mut text = with(POOL, &[("slate = 100", "slate = 20")]);
    text += "[report]\ntarget = { u = 0.4 }\n";
    for lambda in ["0.5", "2.0"] {
        text += &format!(
            "[[policy]]\nlabel = \"lambda {lambda}\"\nkind = \"fair_greedy_pool\"\n\
             target = {{ u = 0.4 }}\n\
             lambda = {lambda}\ngreedy_term = \"realised\"\n"
        );
    }
    text
}

/// Two a round of whom none, one or both may be taken: for three values of a rate.
const COMMITTEE: &str = r#"
name = "two a round"
seed = 5
[source]
type = "categorical"
shares = { gender = { M = 0.7, F = 0.3 } }
[target]
gender = { M = 0.5, F = 0.5 }
[rules]
slate = 2
choose = "any"
[report]
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
"#;

/// What a lane's series says of each round.
fn by_round(result: &RunResult, label: &str, metric: &str) -> Vec<f64> {
    let policy = result.policies.iter().find(|policy| policy.label == label);
    let lanes = policy.expect("it played").lanes();
    let values = lanes[0].values();
    let at = |name: &str, round: u64| match round {
        0 => 0.0,
        _ => values[&(name, Some(round))],
    };
    let added = |name: &str, round: u64| at(name, round) - at(name, round - 1);
    let value = |round: u64| match metric {
        "selection_rate" => added("accepted", round) / added("screened", round),
        "fair_regret" => added(metric, round),
        // A mean over the rounds so far.
        "fairness_loss" => {
            let sum = |round: u64| round as f64 * at(metric, round);
            sum(round) - sum(round - 1)
        }
        // That of the current round.
        _ => at(metric, round),
    };
    (1..=ROUNDS).map(value).collect()
}

fn pairs(plan: &Plan, result: &RunResult) -> Vec<Pair> {
    Summary::of(result, &plan.judge).pairs
}

/// Every metric that has a value in a round, against the series of the same run.
#[test]
fn an_interval_is_that_of_the_differences_round_by_round() {
    let shares = ["pool_share.u", "applicant_share.u", "admitted_share.u"];
    let pools = format!("{:?}", [&shares[..], &["fairness_loss"]].concat());
    let groups = config("grazzi2022-groups.toml");
    let mut seen = Vec::new();
    for plan in [
        once(
            COMMITTEE,
            "[\"selection_rate\", \"representation_loss\"]",
            "all",
        ),
        once(&groups, "[\"fair_regret\"]", "uniform"),
        once(&pool(), &pools, "lambda 0.5"),
    ] {
        let result = play(&plan);
        for pair in pairs(&plan, &result) {
            // Who was selected is a fact, and no metric of a round.
            if pair.estimand == Estimand::Facts {
                assert_eq!((&*pair.metric, pair.lo), ("representation_loss", None));
                continue;
            }
            let a = by_round(&result, &pair.a, &pair.metric);
            let b = by_round(&result, &pair.b, &pair.metric);
            let (least, most) = MetricInfo::of(&pair.metric).by_round.expect("it has");
            let range = Range::new(least, most).unwrap().of_differences();
            let mut stream = StreamSequence::new(pair.alpha, 1.0);
            a.iter()
                .zip(&b)
                .for_each(|(a, b)| stream.add(range.unit(a - b).expect("in its range")));
            let (lo, hi) = stream.interval();
            assert_eq!((pair.estimand, pair.n), (Estimand::Rounds, ROUNDS));
            assert_eq!((pair.se, &*pair.method), (None, StreamSequence::METHOD));
            for (ours, known) in [(pair.mean, stream.mean()), (pair.lo, lo), (pair.hi, hi)] {
                let gap = ours.unwrap() - range.value(known);
                assert!(gap.abs() < 1e-9, "{} {}: {gap:e}", pair.metric, pair.a);
            }
            assert!(pair.mean != Some(0.0), "{pair:?}");
            seen.push(pair.metric.replace(".u", ".GROUP"));
        }
    }
    // Those of people are held against a twin of their own.
    let known = catalogue().filter(|(_, info)| info.by_round.is_some() && !info.by_person);
    for (name, _) in known {
        assert!(seen.iter().any(|metric| metric == name), "{name}");
    }
    assert!(!seen.iter().any(|metric| metric == "representation_loss"));
}

#[test]
fn one_stream_says_the_same_in_every_way() {
    let plan = once(
        &config("grazzi2022-groups.toml"),
        "[\"fair_regret\"]",
        "uniform",
    );
    let first = pairs(&plan, &play(&plan));
    assert!(
        first.iter().any(|pair| pair.verdict == Verdict::Better),
        "{first:?}"
    );
    for batch in [1, 7, 64, 1_024] {
        for (threads, runtime) in [
            (1, Runtime::Current),
            (2, Runtime::Multi),
            (7, Runtime::Multi),
        ] {
            let settings = Settings {
                batch: Some(batch),
                threads,
                runtime,
                ..Settings::default()
            };
            let result = run(&plan, &settings, |_| Ok(())).expect("it goes through");
            assert_eq!(pairs(&plan, &result), first, "{batch} {threads}");
        }
    }
}

/// Each lane of its own, in the company of others, ends on its own; the comparison is of the rounds
/// both played.
#[test]
fn lanes_that_end_apart_are_compared_as_far_as_both_went() {
    let text = COMMITTEE.replace(
        "choose = \"any\"",
        "choose = \"any\"\nuntil = { accepted = 100 }",
    );
    let set = [
        "report.judge=[\"selection_rate\"]",
        "report.baseline=\"all\"",
        "replications=1",
    ];
    let plan = plan(&text, Path::new(""), &set);
    let result = play(&plan);
    let pair = pairs(&plan, &result).remove(0);
    assert_eq!((pair.n, pair.verdict), (50, Verdict::Worse));
}

#[test]
fn a_run_of_one_replication_says_what_its_verdicts_are_of() {
    let terminal = Terminal::new();
    let text = COMMITTEE.replace(
        "[report]",
        "until = { rounds = 500 }\n[report]\n\
             judge = [\"selection_rate\", \"representation_loss\"]\nbaseline = \"all\"",
    );
    terminal.put("my.toml", &text);
    let said = terminal.klero(&["run", "my.toml", "--replications", "1"]);
    insta::assert_snapshot!(format!("{}\n{}", said.stderr, said.stdout));
    let json = terminal.done(&[
        "run",
        "my.toml",
        "-q",
        "--replications",
        "1",
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        json["pairs"][1]["estimand"],
        "difference on this stream as played"
    );
    let pair = &json["pairs"][0];
    assert_eq!(pair["estimand"], "running average of a - b over rounds");
    assert_eq!(
        (&pair["n"], &pair["se"]),
        (&500.into(), &serde_json::Value::Null)
    );
    let many = terminal.done(&[
        "run",
        "my.toml",
        "-q",
        "--replications",
        "3",
        "--format",
        "json",
    ]);
    assert!(many.contains("mean of a - b over replications"));
    // Its page, too, says what they are of.
    let one = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "1",
        "--out",
        "one",
    ];
    terminal.done(&one);
    terminal.done(&["report", "one"]);
    let page = terminal.read("one/report.html");
    assert!(page.contains("over the rounds that both policies played of this one stream"));
    assert!(page.contains("500 rounds"), "{page}");
    // Who was selected is a fact of the stream; how many were looked at says little of others.
    for (judged, words) in [
        (
            "\"representation_loss\"",
            "note: one replication: policies are compared as this stream was played, \
             on representation_loss\n",
        ),
        (
            "\"screened\"",
            "note: one replication, and screened has no value in a round: no verdicts\n",
        ),
    ] {
        let other = text.replace("\"selection_rate\", \"representation_loss\"", judged);
        terminal.put("my.toml", other);
        let said = terminal.klero(&["run", "my.toml", "--replications", "1"]);
        assert!(said.stderr.starts_with(words), "{}", said.stderr);
    }
}

/// Interrupted in its second replication, a run is what it is with one: one stream.
#[test]
fn the_first_of_many_says_what_one_alone_says() {
    let text = config("grazzi2022-groups.toml");
    let one = once(&text, "[\"fair_regret\"]", "uniform");
    let mut many = once(&text, "[\"fair_regret\"]", "uniform");
    many.set_replications(3);
    let mut cut = play(&many);
    assert_eq!(pairs(&many, &cut)[0].estimand, Estimand::Replications);
    cut.replications = 1;
    cut.policies
        .iter_mut()
        .for_each(|policy| policy.change(|lanes| lanes.truncate(1)));
    assert_eq!(pairs(&many, &cut), pairs(&one, &play(&one)));
}
