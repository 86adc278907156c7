//! A measure is the world's or the run's, never a lane's: two policies are compared only on what is
//! the same measure in both of their lanes, and each measure is what its line says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use kleroterion::compare::{RunResult, Summary, compare};
use kleroterion::config::{Document, Plan, check};
use kleroterion::presets::PRESETS;
use kleroterion::score::MeasureDefinition;

use crate::support::worlds::{COHORT, POOL};
use crate::support::{data, plan, play, project, values};

/// A policy of a pool that no policy's own setting moves: its target and weight are there to
/// measure it by.
const AS_THEY_APPLY: &str = "kind = \"proportional_pool\"\n";

/// A generator of mixtures, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

/// Two to five policies of a pool, each with a target and a weight of its own, or with none.
fn pool_mixture(dice: &mut Dice) -> String {
    let mut text = POOL
        .replace("slate = 100", "slate = 20")
        .replace("rounds = 50", "rounds = 3");
    for lane in 0..2 + dice.below(4) {
        let kind = dice.of(&[
            "proportional_pool",
            "score_greedy",
            "target_share",
            "fair_greedy_pool",
        ]);
        writeln!(text, "[[policy]]\nlabel = \"{lane}\"\nkind = \"{kind}\"").unwrap();
        let is_needed = ["target_share", "fair_greedy_pool"].contains(&kind);
        if is_needed || dice.below(3) > 0 {
            let group = dice.of(&["u = 0.2", "u = 0.5", "v = 0.5", "v = 0.8"]);
            writeln!(text, "target = {{ {group} }}").unwrap();
            if kind == "fair_greedy_pool" || dice.below(3) > 0 {
                writeln!(text, "lambda = {}", dice.of(&["0.5", "2.0"])).unwrap();
            }
        }
    }
    let report = [
        "",
        "target = { u = 0.3 }\n",
        "target = { u = 0.3 }\nlambda = 4.0\n",
    ];
    writeln!(text, "[report]\npairs = \"all\"\n{}", dice.of(&report)).unwrap();
    text
}

/// Two to five policies that interview, each by a rule of its own.
fn cohort_mixture(dice: &mut Dice) -> String {
    let mut text = format!("replications = 2\nseed = 3\n{COHORT}");
    for lane in 0..2 + dice.below(4) {
        let kind = dice.of(&["swap", "swap", "uniform_interviews", "random_interviews"]);
        writeln!(text, "[[policy]]\nlabel = \"{lane}\"\nkind = \"{kind}\"").unwrap();
        if kind == "swap" {
            let stop = dice.of(&["\"budget\"", "\"exact\"", "{ within = 0.3 }"]);
            writeln!(text, "stop = {stop}\ndelta = {}", dice.of(&["0.05", "0.3"])).unwrap();
        }
    }
    text + "[report]\npairs = \"all\"\n"
}

fn read(text: &str) -> Plan {
    plan(text, Path::new("."), &["report.keep=\"all\""])
}

/// The same run, judged on all that it measures.
fn judged_on_all(text: &str) -> Plan {
    let first = read(text);
    let names = first.lanes.iter().flat_map(|lane| lane.definitions.keys());
    let names: BTreeSet<&String> = names.collect();
    let judge: Vec<&String> = names.into_iter().collect();
    plan(text, Path::new("."), &[&format!("report.judge={judge:?}")])
}

fn definition<'a>(plan: &'a Plan, label: &str, metric: &str) -> Option<&'a MeasureDefinition> {
    let lane = plan.lanes.iter().find(|lane| lane.label == label);
    lane.expect("it plays").definitions.get(metric)
}

/// What the mixtures came to, so that they can't hold for want of cases.
#[derive(Debug, Default)]
struct Seen {
    compared: u64,
    by_target: u64,
    apart: u64,
}

/// Of 200 mixtures of policies with settings of their own no verdict is between two lanes of
/// different measures; and there are many that would be.
#[test]
fn no_verdict_is_between_two_definitions_of_a_measure() {
    let (mut dice, mut seen) = (Dice(7), Seen::default());
    for number in 0..200 {
        let text = match number % 4 {
            3 => cohort_mixture(&mut dice),
            _ => pool_mixture(&mut dice),
        };
        let plan = judged_on_all(&text);
        let result = play(&plan);
        for pair in compare(&result, &plan.judge) {
            let [a, b] = [&pair.a, &pair.b].map(|label| definition(&plan, label, &pair.metric));
            // A measure that a lane does not have gives it no value.
            let (Some(a), Some(b)) = (a, b) else {
                assert_eq!(pair.mean, None, "{text}\n{pair:?}");
                continue;
            };
            assert!(
                a.is_comparable(b),
                "{text}\n{}: {a:?} and {b:?}",
                pair.metric
            );
            seen.compared += 1;
            seen.by_target += u64::from(pair.metric == "fairness_loss");
        }
        let lanes = || plan.lanes.iter().flat_map(|lane| &lane.definitions);
        let aims = lanes().filter(|(_, one)| matches!(one, MeasureDefinition::Aim(_)));
        seen.apart += aims.count() as u64;
        assert!(
            lanes().all(|(name, one)| !matches!(one, MeasureDefinition::Aim(_))
                || plan.judge.apart.contains(name)),
            "{text}"
        );
        assert!(lanes().all(|(name, _)| !name.starts_with("fairness_loss")
            || definition(&plan, "0", name) == Some(&MeasureDefinition::Run)));
    }
    println!("{seen:?}");
    assert!(
        seen.compared > 5_000 && seen.by_target > 300 && seen.apart > 300,
        "{seen:?}"
    );
}

/// All presets, whatever they judge: a measure that is not apart is one in all lanes.
#[test]
fn in_every_preset_a_measure_is_one_in_all_lanes() {
    let folder = data("adult.data").and_then(|path| path.parent().map(ToOwned::to_owned));
    let folder = folder.unwrap_or_else(|| project().join("configs"));
    let mut checked = BTreeMap::new();
    for preset in PRESETS {
        let mut document = Document::parse(preset.text).expect("it is TOML");
        document.take("sweep");
        let folders = [project().join("configs"), folder.clone()];
        let Some(plan) = folders
            .iter()
            .find_map(|folder| check(&document, folder).ok())
        else {
            continue;
        };
        for lane in &plan.lanes {
            for (name, one) in &lane.definitions {
                let mut others = plan
                    .lanes
                    .iter()
                    .filter_map(|lane| lane.definitions.get(name));
                let is_one = others.all(|other| one.is_comparable(other));
                assert_eq!(
                    is_one,
                    !plan.judge.apart.contains(name),
                    "{}: {name}",
                    preset.name
                );
                *checked.entry(is_one).or_insert(0) += 1;
            }
        }
        for metric in &plan.judge.metrics {
            let has = |name: &str| {
                plan.lanes
                    .iter()
                    .any(|lane| lane.definitions.contains_key(name))
            };
            assert!(has(metric), "{}: {metric} has no definition", preset.name);
        }
    }
    assert!(checked[&true] > 1_000, "{checked:?}");
}

fn end(result: &RunResult, label: &str, metric: &str) -> Vec<f64> {
    values(result, label, metric, None)
}

/// Lanes that play alike measure alike, whatever their policies wish for: all but what is own.
#[test]
fn a_wish_that_moves_nothing_measures_nothing_otherwise() {
    let mut text = POOL.replace("rounds = 50", "rounds = 5");
    let wishes = [
        "",
        "target = { u = 0.3 }\n",
        "target = { u = 0.6 }\nlambda = 2\n",
        "target = { u = 0.3 }\nlambda = 5\n",
    ];
    for (lane, wish) in wishes.iter().enumerate() {
        writeln!(
            text,
            "[[policy]]\nlabel = \"{lane}\"\n{AS_THEY_APPLY}{wish}"
        )
        .unwrap();
    }
    for report in ["", "[report]\ntarget = { u = 0.4 }\nlambda = 3\n"] {
        let result = play(&read(&format!("{text}{report}")));
        let own = |metric: &str| metric.starts_with("own_") || metric.ends_with("own_target");
        let of = |lane: usize| {
            let lanes = result.policies[lane].lanes();
            let rows = lanes[0]
                .rows()
                .map(|row| (row.metric.to_string(), row.value));
            rows.filter(|(metric, _)| !own(metric))
                .collect::<BTreeMap<_, _>>()
        };
        let first = of(0);
        assert_eq!(first.contains_key("fairness_loss"), !report.is_empty());
        assert_eq!(first.contains_key("utility"), !report.is_empty());
        for lane in 1..4 {
            assert_eq!(of(lane), first, "{report}");
        }
        // By their own targets they differ, though they play alike.
        let [low, high] = ["1", "2"].map(|lane| end(&result, lane, "own_fairness_loss"));
        assert!(low < high, "{low:?} {high:?}");
        assert!(end(&result, "1", "own_utility").is_empty());
        assert!(!end(&result, "3", "own_utility").is_empty());
    }
}

const TWO_TARGETS: &str = r#"[[policy]]
label = "wants .3"
kind = "fair_greedy_pool"
target = { u = 0.3 }
lambda = 2
[[policy]]
label = "wants .6"
kind = "fair_greedy_pool"
target = { u = 0.6 }
lambda = 2
[report]
baseline = "wants .6"
"#;

fn refusal(text: &str) -> String {
    let document = Document::parse(text).expect("it is TOML");
    match check(&document, Path::new(".")) {
        Err(problems) => problems.to_string(),
        Ok(_) => panic!("it should be refused"),
    }
}

#[test]
fn two_targets_and_no_one_of_the_run_give_no_loss() {
    let text = format!("{POOL}{TWO_TARGETS}");
    for metric in ["fairness_loss", "utility", "rounds_to_target"] {
        let said = refusal(&format!("{text}judge = [{metric:?}]\n"));
        assert!(
            said.contains(&format!("this run has no metric {metric}")),
            "{said}"
        );
        assert!(said.contains("in [report]"), "{said}");
    }
    // A goal sets policies against each other too.
    let said = refusal(&format!(
        "{text}goal = {{ best = \"greedy_reward\", where = {{ own_fairness_loss = \"<= 0.1\" }} }}\n"
    ));
    assert!(
        said.contains("own_fairness_loss is by each policy's own aim"),
        "{said}"
    );
    // Shown where it is asked for, and not compared.
    let own = read(&format!(
        "{text}judge = [\"own_fairness_loss\", \"greedy_reward\"]\n"
    ));
    assert!(
        own.notes
            .iter()
            .any(|note| note.contains("shown, and not compared"))
    );
    let result = play(&own);
    let pairs = Summary::of(&result, &own.judge).pairs;
    assert!(pairs.iter().all(|pair| pair.metric == "greedy_reward") && !pairs.is_empty());
    // By one target of the run all are measured.
    let one = read(&format!(
        "{text}target = {{ u = 0.3 }}\nlambda = 2\njudge = [\"fairness_loss\"]\n"
    ));
    let result = play(&one);
    let [low, high] = ["wants .3", "wants .6"].map(|label| end(&result, label, "fairness_loss"));
    assert!(low < high, "{low:?} {high:?}");
    assert!(end(&result, "wants .3", "own_fairness_loss").is_empty());
    assert!(!end(&result, "wants .6", "own_fairness_loss").is_empty());
}

#[test]
fn a_target_of_the_report_that_will_not_do() {
    let lanes = "[[policy]]\nlabel = \"a\"\nkind = \"proportional_pool\"\n[report]\n";
    for (key, said) in [
        ("target = { w = 0.3 }", "there is no group `w`"),
        ("target = { u = 0.7, v = 0.7 }", "the shares sum to 1.4"),
        ("target = { u = 0.3 }\nlambda = -1", "-1"),
        ("lambda = 2", "the run has none"),
    ] {
        let found = refusal(&format!("{POOL}{lanes}{key}\n"));
        assert!(found.contains(said), "{key}: {found}");
    }
    let none = format!(
        "seed = 1\n{COHORT}[[policy]]\nlabel = \"a\"\nkind = \"swap\"\n[report]\ntarget = {{ u = 0.3 }}\n"
    );
    assert!(refusal(&none).contains("no pool"));
}

const DECLINERS: &str = r#"seed = 5
replications = 20
[source]
type = "linear_groups"
mu = [1.0, 1.0]
one_per_group = true
[[source.group]]
name = "a"
low = [2, 0]
width = [1, 0]
[[source.group]]
name = "b"
low = [0, 0]
width = [0, 1]
[rules]
slate = 2
choose = "exactly_one"
until = { rounds = 200 }
[feedback.outcome]
type = "linear"
noise = 0.5
YIELD
[[policy]]
label = "fair oracle"
kind = "gmf_oracle"
[[policy]]
label = "greedy"
kind = "ridge_greedy"
[[policy]]
label = "uniform"
kind = "uniform_choice"
[report]
judge = ["fair_regret"]
"#;

/// Whom a place is offered does not depend on who takes it, for policies that learn nothing from it:
/// so neither does what is given away.
#[test]
fn regret_is_of_the_offer_in_every_round() {
    let played = |offers: &str| play(&read(&DECLINERS.replace("YIELD", offers)));
    let all = played("");
    let few = played("[yield]\nby = { group = { a = 0.02, b = 1.0 } }\n");
    let refilled = played("[yield]\nby = { group = { a = 0.02, b = 1.0 } }\nrefill = true\n");
    for metric in ["fair_regret", "reward_regret"] {
        for label in ["fair oracle", "uniform"] {
            let known = end(&all, label, metric);
            assert!(!known.is_empty());
            assert_eq!(end(&few, label, metric), known, "{label} {metric}");
            assert_eq!(
                end(&refilled, label, metric),
                known,
                "{label} {metric}, refilled"
            );
        }
        let taken = format!("{metric}_taken");
        assert!(end(&all, "uniform", &taken).is_empty());
        let [taken, offered] = [&*taken, metric].map(|name| end(&few, "uniform", name));
        assert!(
            taken
                .iter()
                .zip(&offered)
                .all(|(taken, offered)| taken < offered)
        );
    }
    assert_eq!(end(&few, "fair oracle", "fair_regret"), vec![0.0; 20]);
    // Offers to those who decline give away what offers to all give away: a wins by worth alone.
    let [learns, chance] = ["greedy", "uniform"].map(|label| end(&few, label, "fair_regret"));
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    assert!(mean(&learns) > 0.5 * mean(&chance), "{learns:?} {chance:?}");
}

const ROUNDS_OF_COHORTS: &str = r#"seed = 2
replications = 20
[source]
type = "gaussian_groups"
groups = { u = { mean = 0.0, variance = 1.0 }, v = { mean = 0.0, variance = 1.0 } }
[rules]
slate = 20
choose = { exactly = 3 }
until = { rounds = 2 }
interviews = [{ name = "weak", cost = 1, gain = 1 }, { name = "strong", cost = 2, gain = 5 }]
run_budget = 100
interview_cap = 1000
[pool]
type = "fixed"
start = { u = 0.5 }
[feedback.interview]
type = "gaussian_looks"
sd = 1
[[policy]]
label = "swap"
kind = "swap"
stop = "budget"
delta = 0.05
[[policy]]
label = "turns"
kind = "uniform_interviews"
[report]
judge = ["cost", "strong_share"]
"#;

/// 100 of money: x weak looks and y strong ones, x + 2 y spent, in both rounds together.
#[test]
fn the_share_of_strong_interviews_is_of_the_run() {
    let result = play(&read(ROUNDS_OF_COHORTS));
    for label in ["swap", "turns"] {
        let [cost, pulls, share, last] =
            ["cost", "pulls", "strong_share", "last_stop"].map(|name| end(&result, label, name));
        for ((cost, pulls), share) in cost.iter().zip(&pulls).zip(&share) {
            let strong = cost - pulls;
            assert!(
                (share - strong / pulls).abs() < 1e-12,
                "{label}: {share} of {pulls}"
            );
            assert!(*share > 0.0, "{label}");
        }
        assert_eq!(last.is_empty(), label != "swap");
    }
    let converged = end(&result, "swap", "converged");
    assert!(
        converged
            .iter()
            .all(|share| [0.0, 0.5, 1.0].contains(share))
    );
}

const TWO_ATTRIBUTES: &str = r#"seed = 1
replications = 30
[source]
type = "categorical"
shares = { g = { a = 0.5, b = 0.5 }, h = { c = 0.7, d = 0.3 } }
[target]
g = { a = 0.5, b = 0.5 }
h = { c = 0.5, d = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 20 }
[[policy]]
label = "all"
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
[report]
judge = ["impact_ratio.h", "impact_ratio.g"]
baseline = "all"
goal = { best = "representation_loss", where = { "impact_ratio.g" = ">= 0.5" } }
"#;

#[test]
fn each_attribute_has_its_impact_ratio_judged_and_bounded() {
    for replications in ["replications=30", "replications=1"] {
        let set = [replications, "report.keep=\"all\""];
        let plan = plan(TWO_ATTRIBUTES, Path::new("."), &set);
        let result = play(&plan);
        for label in ["all", "queue"] {
            let of = |name: &str| end(&result, label, name);
            let rates = |attribute: &str, groups: [&str; 2]| {
                let [a, b] = groups.map(|g| of(&format!("selection_rate.{attribute}:{g}")));
                let ratio = |(a, b): (&f64, &f64)| a.min(*b) / a.max(*b);
                a.iter().zip(&b).map(ratio).collect::<Vec<_>>()
            };
            let (g, h) = (rates("g", ["a", "b"]), rates("h", ["c", "d"]));
            assert_eq!(of("impact_ratio.g"), g);
            assert_eq!(of("impact_ratio.h"), h);
            let least = g.iter().zip(&h).map(|(g, h)| g.min(*h));
            assert_eq!(of("impact_ratio"), least.collect::<Vec<_>>());
        }
        let summary = Summary::of(&result, &plan.judge);
        for metric in ["impact_ratio.g", "impact_ratio.h"] {
            let pair = summary.pairs.iter().find(|pair| pair.metric == metric);
            let pair = pair.unwrap_or_else(|| panic!("{metric} of {replications} is judged"));
            assert!(pair.lo.is_some() && pair.hi.is_some(), "{pair:?}");
        }
        let goal = summary.answer.goal.expect("there is one");
        assert!(
            goal.tests
                .iter()
                .any(|test| test.metric == "impact_ratio.g" && test.n > 0)
        );
    }
}

/// Applicants of group a decline. Whoever offers them places has filled none: that is worth nothing
/// and is not the best cohort of two.
#[test]
fn places_that_stay_empty_are_worth_nothing() {
    let text = r#"seed = 1
replications = 5
[source]
type = "arms"
means = { list = [0.9, 0.8, 0.1, 0.2] }
groups = { list = ["a", "a", "b", "b"] }
[rules]
slate = "all"
choose = { exactly = 2 }
until = { rounds = 1 }
interviews = [{ name = "call", cost = 1, gain = 1 }]
interview_cap = 2000
[feedback.interview]
type = "gaussian_looks"
sd = 0.01
[yield]
by = { group = { a = 0.0, b = 1.0 } }
[[policy]]
label = "worth alone"
kind = "swap"
[[policy]]
label = "who comes"
kind = "swap"
weigh_yield = true
[report]
judge = ["cohort_value"]
"#;
    let plan = read(text);
    let result = play(&plan);
    let of = |label: &str| {
        let names = ["cohort_value", "optimal", "sqrt_top_k", "seats_filled"];
        names.map(|name| end(&result, label, name)[0])
    };
    assert_eq!(of("worth alone"), [0.0; 4]);
    let [value, optimal, root, filled] = of("who comes");
    assert!((value - 0.3).abs() < 1e-12 && (root - 0.3_f64.sqrt()).abs() < 1e-12);
    assert_eq!((optimal, filled), (0.0, 1.0));
    // An empty cohort is in the declared range.
    assert_eq!(plan.judge.ranges["cohort_value"].0, 0.0);
}
