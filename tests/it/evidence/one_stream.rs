//! One stream: what it selected is a fact, rates by group and their ratio are inferred.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use kleroterion::compare::sequence::StreamSequence;
use kleroterion::compare::{Estimand, Summary};
use kleroterion::config::Plan;
use kleroterion::protocol::{Batch, Ledger, RoundEntry};
use kleroterion::run::{Hooks, Runtime, Settings, WitnessMaker, run_hooked};
use kleroterion::score::Witness;
use serde_json::Value;

use crate::doubles::number;
use crate::support::configs::with;
use crate::support::terminal::Terminal;
use crate::support::worlds::POOL;
use crate::support::{config, plan};

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
        assert_eq!(pair["verdict"], if a == b { "identical" } else { "so_far" });
        assert_eq!(pair["standing"], "so_far");
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
                // Two attributes, and their groups.
                let many = attribute["groups"].as_array().map_or(0, Vec::len) as f64;
                let alpha = group["alpha"].as_f64().unwrap();
                assert!((alpha - 0.05 / 2.0 / many).abs() < 1e-15, "{alpha}");
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

/// Everyone shown to a lane, in order: the person's number, the group, whether selected.
type Seen = Arc<Mutex<Vec<Vec<(u64, usize, bool)>>>>;

/// Writes down whom a lane was shown, slot by slot.
struct Observer(usize, Seen);

impl Witness for Observer {
    fn record(&mut self, batch: &Batch, ledger: &Ledger) {
        for at in 0..ledger.rounds() {
            let entry = RoundEntry::new(batch, at, ledger, at);
            let chosen: Vec<u32> = entry.chosen_slots().collect();
            for (slot, person) in (0..).zip(entry.slate().candidates()) {
                let group = usize::from(person.values()[0]);
                let seen = (number(person), group, chosen.contains(&slot));
                self.1.lock().expect("it is whole")[self.0].push(seen);
            }
        }
    }
}

/// Two policies in pools that go apart, judged by the rate of a group.
fn pools() -> Plan {
    let mut text = with(
        POOL,
        &[
            ("slate = 100", "slate = 12"),
            ("replications = 2", "replications = 1"),
            ("start = { u = 0.1 }", "start = { u = 0.5 }"),
            ("rounds = 50", "rounds = 400"),
        ],
    );
    for lambda in ["0.5", "4.0"] {
        text += &format!(
            "[[policy]]\nlabel = \"lambda {lambda}\"\nkind = \"fair_greedy_pool\"\n\
             target = {{ u = 0.4 }}\n\
             lambda = {lambda}\ngreedy_term = \"realised\"\n"
        );
    }
    text +=
        "[report]\njudge = [\"selection_rate.u\", \"impact_ratio\"]\nbaseline = \"lambda 0.5\"\n";
    plan(&text, Path::new(""), &[])
}

fn summed(plan: &Plan, settings: &Settings, seen: Option<&Seen>) -> Summary {
    let seen = seen.cloned();
    let witnesses: Option<WitnessMaker> = seen.map(|seen| -> WitnessMaker {
        Box::new(move |lane, _| vec![Box::new(Observer(lane, Arc::clone(&seen)))])
    });
    let hooks = Hooks {
        witnesses,
        ..Hooks::default()
    };
    let result = run_hooked(plan, settings, hooks, |_| Ok(())).expect("it goes through");
    Summary::of(&result, &plan.judge)
}

/// A slow twin: the sequences of whom each lane was shown, person by person, and of those whom both
/// were.
#[test]
fn rates_are_sequences_over_people_in_slot_order() {
    let plan = pools();
    let seen: Seen = Arc::new(Mutex::new(vec![Vec::new(); 2]));
    let summary = summed(&plan, &Settings::default(), Some(&seen));
    let seen = seen.lock().expect("it is whole");
    for (lane, people) in plan.lanes.iter().zip(seen.iter()) {
        let stream = summary.policies[&lane.label]
            .stream
            .as_ref()
            .expect("one stream");
        let groups = &stream.composition.attributes[0].groups;
        for (place, group) in groups.iter().enumerate() {
            // One attribute, two groups.
            let mut plain = StreamSequence::new(0.05 / 2.0, 10.0);
            let of_group = people.iter().filter(|(_, group, _)| *group == place);
            of_group.for_each(|(.., selected)| plain.add(f64::from(u8::from(*selected))));
            assert_eq!((group.lo, group.hi), plain.interval(), "{}", lane.label);
            assert_eq!(group.shown, plain.count());
        }
    }
    let pair = &summary.pairs[0];
    assert_eq!(
        (&*pair.metric, pair.estimand),
        ("selection_rate.u", Estimand::People)
    );
    let of = |lane: usize| -> BTreeMap<u64, f64> {
        let people = seen[lane].iter().filter(|(_, group, _)| *group == 0);
        people
            .map(|(number, _, selected)| (*number, f64::from(u8::from(*selected))))
            .collect()
    };
    let (base, other) = (of(0), of(1));
    // Half of alpha: the ratio has the other.
    let mut plain = StreamSequence::new(0.025, 1.0);
    for (number, value) in &other {
        if let Some(against) = base.get(number) {
            plain.add((value - against + 1.0) / 2.0);
        }
    }
    let most = base.len().max(other.len()) as u64;
    assert!(
        plain.count() > 100 && plain.count() < most,
        "{} of {most}",
        plain.count()
    );
    let (lo, hi) = plain.interval();
    assert_eq!(
        (pair.n, pair.lo, pair.hi),
        (plain.count(), Some(2.0 * lo - 1.0), Some(2.0 * hi - 1.0))
    );
    let pair = &summary.pairs[1];
    assert_eq!(
        (&*pair.metric, pair.alpha, pair.estimand),
        ("impact_ratio", 0.025, Estimand::Ratios)
    );
}

#[test]
fn what_is_said_of_a_stream_depends_on_its_rounds_alone() {
    let plan = pools();
    let first = summed(&plan, &Settings::default(), None);
    for batch in [1, 7, 64, 1_024] {
        for (threads, runtime) in [(1, Runtime::Current), (3, Runtime::Multi)] {
            let settings = Settings {
                batch: Some(batch),
                threads,
                runtime,
                ..Settings::default()
            };
            assert_eq!(summed(&plan, &settings, None), first, "{batch} {threads}");
        }
    }
    // Nor on the order of the lanes.
    let mut turned = pools();
    turned.lanes_mut().reverse();
    let turned = summed(&turned, &Settings::default(), None);
    assert_eq!(turned.policies, first.policies);
    assert_eq!(turned.pairs, first.pairs);
}

#[test]
fn the_page_and_the_table_tell_a_stream_as_the_summary_does() {
    let terminal = Terminal::new();
    let said = terminal.done(&["run", "live-show", "-q", "--out", "show"]);
    let json: Value = serde_json::from_str(&terminal.read("show/summary.json")).expect("JSON");
    let age = &json["policies"]["first come"]["stream"]["attributes"][1];
    assert_eq!(age["ratio"]["four_fifths"], "surely met");
    terminal.done(&["report", "show"]);
    let page = terminal.read("show/report.html");
    for words in [
        "Who was selected, against the target",
        "facts, no estimates",
        "Selection rates by group",
        "surely met",
        "surely missed",
        "alpha is split equally over attributes, and then over their groups",
    ] {
        assert!(said.replace('\n', " ").contains(words), "{words}: {said}");
        assert!(page.contains(words), "{words}");
    }
    let group = &age["groups"][0];
    let number = |name: &str| group[name].as_f64().expect("a number");
    let rate = format!(
        "{:.3} [{:.3}, {:.3}]",
        number("rate"),
        number("lo"),
        number("hi")
    );
    assert!(
        said.contains(&rate) && page.contains(&rate),
        "{rate}: {said}"
    );
    // A summary that was changed is not printed as if it were the run's.
    let changed = terminal
        .read("show/summary.json")
        .replacen("\"hi\": 1.0", "\"hi\": -1.0", 1);
    terminal.put("show/summary.json", &changed);
    let refused = terminal.klero(&["report", "show"]);
    assert!(
        refused
            .stderr
            .contains("on its stream can't be those of this run"),
        "{}",
        refused.stderr
    );
}
