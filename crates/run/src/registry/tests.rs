//! Kinds and metrics of a program's own: checked, played, judged, listed and written like the
//! built-in ones.

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::*;
use crate::config::{ConfigInputs, Document, Merits, Plan, PlanBuilder, World};
use crate::document::ConfigKey;
use crate::document::range::{NOT_NEGATIVE, PROBABILITY};
use crate::keys;
use crate::presets::PRESETS;
use crate::run::{Settings, run};
use kleroterion_core::brief::Brief;
use kleroterion_core::draw::{self, Draw, Purpose};
use kleroterion_core::pool::{PoolGaps, PoolResponse, PoolRound};
use kleroterion_core::protocol::{
    Attribute, Batch, Chosen, Fact, Feedback, Known, Move, Oracle, Person, Policy, Probe, Pull,
    Pulls, RoundEntry, Schema, Selection, Truth, View,
};
use kleroterion_core::score::{Readings, Scorer};
use kleroterion_core::source::{FeedError, Source};
use kleroterion_io::seat::hello;
use kleroterion_stats::{RunResult, Summary};

const SHARE: ConfigKey<f64> = ConfigKey::number("share", PROBABILITY)
    .about("the part that it accepts")
    .or(0.5);
const LATE: ConfigKey<f64> = ConfigKey::number("late", PROBABILITY)
    .about("how many are late")
    .needed_like("late = 0.25");
const SD: ConfigKey<f64> = ConfigKey::number("sd", NOT_NEGATIVE)
    .about("the noise")
    .or(0.1);

/// Accepts a share of all, by lot.
#[derive(Clone)]
struct SecondThoughts(f64);

impl Policy for SecondThoughts {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let accept = view.draw().uniform() < self.0;
        let p = if accept { self.0 } else { 1.0 - self.0 };
        let slot = if accept { Chosen::One(0) } else { Chosen::None };
        Move::Select(Selection::of(slot).with_probability(p))
    }
}

/// Asks everyone, and accepts whom the answer favours.
#[derive(Clone)]
struct Asker;

impl Policy for Asker {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        match view.answers() {
            [] => Move::Interview(Pulls::One(Pull { slot: 0, kind: 0 })),
            [answer, ..] => Move::decide(answer.value > 0.5),
        }
    }
}

/// Accepts whoever is worth something.
#[derive(Clone)]
struct Seer;

impl Oracle for Seer {
    fn act(&mut self, _: &mut View<'_>, truth: &Truth<'_>) -> Move {
        Move::decide(truth.merit(0).is_some_and(|merit| merit > 0.5))
    }
}

/// The most rounds in a row without a choice, in all and since someone of each value came.
struct Waits {
    names: Vec<String>,
    now: u64,
    longest: u64,
}

impl Scorer for Waits {
    fn record(&mut self, entry: &RoundEntry<'_>, _: &Truth<'_>) {
        self.now = match entry.chosen().len() {
            0 => self.now + 1,
            _ => 0,
        };
        self.longest = self.longest.max(self.now);
    }

    fn read(&self, readings: &mut Readings) {
        readings.put("longest_wait", self.longest as f64);
        for name in &self.names {
            readings.put(name, self.longest as f64);
        }
    }
}

/// People who are late or not, and worth 0 or 1.
struct Latecomers {
    schema: Arc<Schema>,
    key: draw::Key,
    late: f64,
    round: u64,
}

#[async_trait]
impl Source for Latecomers {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        let mut batch = Batch::new(Arc::clone(&self.schema), self.round + 1, self.round);
        for _ in 0..persons.max(1) {
            let mut draw = self.key.draw(Purpose::Person, self.round, 0);
            let late = u32::from(draw.uniform() < self.late);
            batch.persons_mut().push(late, &[late as u16], &[], None);
            batch.push_merit(f64::from(1 - late));
            batch.close_round();
            self.round += 1;
        }
        Ok(Some(batch))
    }
}

/// Answers 1 where a person is not late, whatever they are worth.
struct Punctual;

impl Feedback for Punctual {
    fn answer(&self, person: Person<'_>, _: Probe, _: &mut Draw) -> f64 {
        f64::from(1 - person.shown().values()[0])
    }
}

/// A pool to which the second group alone comes, and whose shares stay.
struct SecondAlone;

impl PoolResponse for SecondAlone {
    fn moves(&self, gaps: &PoolGaps<'_>) -> Vec<f64> {
        vec![0.0; gaps.shares.len()]
    }

    fn muster(&self, shares: &[f64], round: &PoolRound<'_>, _: &mut Draw) -> Option<Vec<u32>> {
        let of_it = |position: &u32| round.person(*position).values()[0] == 1;
        let many = round.len() as usize / shares.len();
        Some((0..round.len()).filter(of_it).take(many).collect())
    }
}

fn latecomers() -> SourceKind {
    let kind = SourceKind::new("latecomers", "people who may be late", |table, context| {
        let late = LATE.value(table);
        let slate = context.slate(None);
        let attribute = Attribute {
            name: "late".to_owned(),
            values: vec!["no".to_owned(), "yes".to_owned()],
        };
        let schema = Arc::new(Schema::new(vec![attribute], vec![], false).ok()?);
        let (late, _) = (late?, slate?);
        let of = Arc::clone(&schema);
        Some(World {
            merits: Merits::Within(0.0, 1.0),
            ..World::new(
                schema,
                Known::default(),
                Arc::new(move |key| {
                    Box::new(Latecomers {
                        schema: Arc::clone(&of),
                        key,
                        late,
                        round: 0,
                    })
                }),
            )
        })
    });
    kind.with(keys![LATE])
}

fn waits() -> MetricFamily {
    let info = MetricInfo::lower("the most rounds in a row in which no one was chosen");
    let family = MetricFamily::new("longest_wait", info.within(0.0, 100.0), |run| Waits {
        names: kleroterion_core::score::names_of("wait.GROUP", run.schema),
        now: 0,
        longest: 0,
    });
    let by_group = MetricInfo::describes("the same, as each group sees it");
    family.with("wait.GROUP", by_group.sum())
}

/// A registry with a kind of each list, and metrics.
fn registry() -> Registry {
    let second = PolicyKind::new("second_thoughts", "accepts a share, by lot", |table, _| {
        Some(SecondThoughts(SHARE.value(table)?))
    });
    let asker = PolicyKind::new("asker", "asks everyone", |_, brief| {
        brief.known?.look_noise.get().map(|_| Asker)
    });
    let seer = PolicyKind::oracle("seer", "accepts the worthy", |_, _, _| Some(Seer));
    let interviews = InterviewsKind::new("punctuality", "whether they were in time", |table| {
        let sd = SD.value(table)?;
        Some(DrawnInterviews::new(Punctual).with_noise(Fact::Fitted(sd)))
    });
    let outcomes = OutcomesKind::new("punctual", "1 if in time", |_| {
        Some(
            DrawnOutcomes::new(Punctual).within(kleroterion_stats::sequence::Range::new(0.0, 1.0)?),
        )
    });
    let pool = PoolKind::new("stubborn", "moves against what it sees", |table, _| {
        let sd = SD.value(table)?;
        Some(move |gaps: &PoolGaps<'_>| gaps.all().map(|x| -sd * x).collect())
    });
    let second_alone = PoolKind::new("second_alone", "has one group come", |_, _| {
        Some(SecondAlone)
    });
    let all = Registry::default()
        .policy(second.with(keys![SHARE]))
        .and_then(|all| all.policy(asker))
        .and_then(|all| all.policy(seer))
        .and_then(|all| all.source(latecomers()))
        .and_then(|all| all.interviews(interviews.with(keys![SD])))
        .and_then(|all| all.outcomes(outcomes))
        .and_then(|all| all.pool(pool.with(keys![SD])))
        .and_then(|all| all.pool(second_alone))
        .and_then(|all| all.metric(waits()));
    all.expect("the names are new")
}

const CONFIG: &str = r#"name = "own"
seed = 1
replications = 150
[source]
type = "latecomers"
late = 0.25
[rules]
choose = "at_most_one"
until = { rounds = 100 }
[feedback.outcome]
type = "punctual"
delay = 2
[[policy]]
label = "often"
kind = "second_thoughts"
share = 0.75
[[policy]]
label = "seldom"
kind = "second_thoughts"
share = 0.125
[[policy]]
label = "all"
kind = "accept_all"
[report]
judge = ["longest_wait", "outcome_mean"]
baseline = "seldom"
margin = { longest_wait = 1.0 }
at = { rounds = [50, 100] }
"#;

fn checked(text: &str) -> Plan {
    let document = Document::parse(text).expect("it is TOML");
    let plan = registry().check(&document, Path::new(""));
    plan.unwrap_or_else(|problems| panic!("{problems}"))
}

fn played(text: &str) -> (Plan, RunResult) {
    let plan = checked(text);
    let settings = Settings {
        threads: 1,
        ..Settings::default()
    };
    let result = run(&plan, &settings, |_| Ok(())).expect("it plays");
    (plan, result)
}

/// The problems of the config with a change.
fn wrong(old: &str, new: &str) -> String {
    assert!(CONFIG.contains(old), "{old}");
    let document = Document::parse(&CONFIG.replace(old, new)).expect("it is TOML");
    let problems = registry().check(&document, Path::new("")).err();
    problems.expect("it is wrong").to_string()
}

#[test]
fn an_own_policy_is_a_baseline_and_an_own_metric_is_judged() {
    let (plan, result) = played(CONFIG);
    let summary = Summary::of(&result, &plan.judge);
    let pair = |a: &str, metric: &str| {
        let mut pairs = summary.pairs.iter();
        pairs.find(|pair| pair.a == a && pair.metric == metric)
    };
    let wait = pair("often", "longest_wait").expect("it is compared");
    assert_eq!((&*wait.b, wait.verdict.word()), ("seldom", "better"));
    assert_eq!(wait.margin, Some(1.0));
    let all = pair("all", "longest_wait").expect("it is compared");
    assert_eq!(all.verdict.word(), "better");
    assert!(pair("all", "outcome_mean").is_some());
    let waits = &summary.policies["all"].metrics["longest_wait"];
    assert_eq!((waits.mean, waits.n), (0.0, 150));
    // Metrics of groups have the names of groups, and parts.
    assert!(summary.policies["all"].metrics.contains_key("wait.yes"));
    let names = plan.metric_names();
    assert_eq!(names.parts("wait.yes").fields(), ["wait", "late", "yes"]);
    let about = summary.own_metrics.of("longest_wait").about;
    assert!(about.starts_with("the most rounds"), "{about}");
    assert_eq!(summary.policies["all"].series["longest_wait"].len(), 2);
}

/// A range that its description declares makes a metric one that a run can stop by.
#[test]
fn a_run_stops_by_an_own_metric() {
    let text = CONFIG.replace(
        "baseline = \"seldom\"",
        "baseline = \"seldom\"\nuntil = \"decided\"",
    );
    let text = text.replace(", \"outcome_mean\"", "");
    let (plan, result) = played(&text.replace("replications = 150", "replications = 1500"));
    assert!(plan.judge.until_decided && result.replications < 400);
}

#[test]
fn own_kinds_play_the_same_whatever_the_batch() {
    let plan = checked(CONFIG);
    let of = |batch| {
        let settings = Settings {
            threads: 1,
            batch: Some(batch),
            ..Settings::default()
        };
        run(&plan, &settings, |_| Ok(()))
            .expect("it plays")
            .policies
    };
    assert!(of(1) == of(64));
}

#[test]
fn own_interviews_and_an_oracle_and_its_own_source() {
    let text = CONFIG
        .replace(
            "until = { rounds = 100 }",
            "until = { rounds = 100 }\ninterviews = [{ name = \"look\", cost = 1, gain = 1 }]",
        )
        .replace(
            "[feedback.outcome]\ntype = \"punctual\"\ndelay = 2\n",
            "[feedback.interview]\ntype = \"punctuality\"\n",
        )
        .replace(", \"outcome_mean\"", "");
    let (plan, result) = played(&text.replace("kind = \"accept_all\"", "kind = \"asker\""));
    assert!(matches!(plan.world.known.look_noise, Fact::Fitted(sd) if sd == 0.1));
    let asker = &Summary::of(&result, &plan.judge).policies["all"].metrics;
    assert_eq!((asker["share.no"].mean, asker["cost"].mean), (1.0, 100.0));
    let seer = text.replace("kind = \"accept_all\"", "kind = \"seer\"");
    let document = Document::parse(&seer).unwrap();
    let problems = registry().check(&document, Path::new("")).err();
    let problems = problems
        .expect("the source has no law of merits")
        .to_string();
    assert!(problems.contains("an oracle needs to know"), "{problems}");
}

const POOL: &str = r#"seed = 1
replications = 3
[source]
type = "gaussian_groups"
groups = { u = { mean = 0.0, variance = 1.0 }, v = { mean = 0.5, variance = 1.0 } }
[rules]
slate = 40
choose = { share = 0.5 }
until = { rounds = 20 }
[pool]
type = "stubborn"
start = { u = 0.4 }
eta = 0.2
sd = 1.0
[[policy]]
label = "scores"
kind = "score_greedy"
greedy_term = "realised"
"#;

#[test]
fn an_own_pool_moves_as_it_says() {
    let share = |text: &str| {
        let (plan, result) = played(text);
        assert!(plan.lanes[0].policy.prospect.is_none());
        let summary = Summary::of(&result, &plan.judge);
        summary.policies["scores"].metrics["pool_share.u"].mean
    };
    let against = share(POOL);
    let along = share(
        &POOL
            .replace("\"stubborn\"", "\"positive_reinforcement\"")
            .replace("sd = 1.0\n[[", "[["),
    );
    let still = share(&POOL.replace("sd = 1.0\n[[", "sd = 0.0\n[["));
    assert_eq!(still, 0.4);
    assert!(along < 0.4 && 0.4 < against, "{along} {against}");
}

#[test]
fn an_own_pool_musters_who_applies() {
    let alone = POOL.replace("\"stubborn\"", "\"second_alone\"");
    let (plan, result) = played(&alone.replace("sd = 1.0\n[[", "[["));
    let metrics = &Summary::of(&result, &plan.judge).policies["scores"].metrics;
    assert_eq!(
        (metrics["share.v"].mean, metrics["pool_share.u"].mean),
        (1.0, 0.4)
    );
}

#[test]
fn a_resolved_config_of_own_kinds_is_read_back() {
    let document = Document::parse(CONFIG).unwrap();
    let plan = registry().check(&document, Path::new("")).unwrap();
    let text = document.resolved(&plan, Path::new("")).to_toml();
    let again = Document::parse(&text).unwrap();
    let read = registry().check(&again, Path::new("/")).unwrap();
    assert_eq!(again.resolved(&read, Path::new("/")).to_toml(), text);
    assert!(
        text.contains("second_thoughts") && text.contains("latecomers"),
        "{text}"
    );
}

#[test]
fn keys_of_own_kinds_are_swept() {
    let swept = format!(
        "{CONFIG}[sweep]\n\"policy.seldom.share\" = [0.25, 0.5]\n\"source.late\" = [0.5]\n"
    );
    let points = Document::parse(&swept).unwrap().points().unwrap();
    let plans = points
        .iter()
        .map(|point| registry().check(&point.document, Path::new("")));
    assert_eq!(plans.filter(Result::is_ok).count(), 2);
}

#[test]
fn unknown_words_and_keys_are_advised_by_own_kinds() {
    for (old, new, said) in [
        (
            "\"latecomers\"",
            "\"latecomer\"",
            "did you mean `latecomers`?",
        ),
        (
            "\"second_thoughts\"\nshare = 0.75",
            "\"second_thought\"",
            "did you mean `second_thoughts`?",
        ),
        ("share = 0.75", "shares = 0.75", "did you mean `share`?"),
        ("share = 0.75", "share = 1.75", "for `policy.often.share`"),
        ("late = 0.25", "", "missing key `late` in [source]"),
        ("\"punctual\"", "\"puntual\"", "did you mean `punctual`?"),
        (
            "[\"longest_wait\"",
            "[\"longest_waits\"",
            "did you mean `longest_wait`?",
        ),
        ("delay = 2", "delays = 2", "did you mean `delay`?"),
    ] {
        let problems = wrong(old, new);
        assert!(problems.contains(said), "{new}: {problems}");
    }
}

/// The reader of an own kind may stop at a wrong key: the keys that it has not read are its own.
#[test]
fn an_own_kind_that_stops_at_a_wrong_key_has_no_unknown_ones() {
    let kind = PolicyKind::new("hasty", "reads key by key", |table, _| {
        let share = SHARE.value(table)?;
        Some(SecondThoughts(share * LATE.value(table)?))
    });
    let registry = registry().policy(kind.with(keys![SHARE, LATE])).unwrap();
    let text = CONFIG.replace(
        "\"second_thoughts\"\nshare = 0.75",
        "\"hasty\"\nshare = 2\nlate = 0.5",
    );
    let document = Document::parse(&text).unwrap();
    let problems = registry.check(&document, Path::new("")).err().unwrap();
    assert_eq!(problems.0.len(), 1, "{problems}");
    assert!(problems.to_string().contains("for `policy.often.share`"));
}

/// A policy is set up with what the plan says of it afterwards.
#[test]
fn the_brief_of_a_plan_is_what_its_policies_are_set_up_with() {
    fn known(brief: &Brief<'_>) -> String {
        let (pool, target) = (brief.pool.is_absent(), brief.target.is_absent());
        let kept = (brief.kept, brief.round_quotas.as_ref().is(), brief.slate);
        let yields = brief.yields.is_some();
        let hello = hello("spy", brief);
        format!(
            "{kept:?} {pool} {target} {yields} {} {hello:?}",
            brief.outcomes
        )
    }
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut sound = 0;
    for preset in PRESETS {
        let heard = Arc::<Mutex<String>>::default();
        let hears = Arc::clone(&heard);
        let spy = PolicyKind::new("spy", "hears what it may know", move |_, brief| {
            *hears.lock().unwrap() = known(brief);
            Some(SecondThoughts(0.5))
        });
        let registry = Registry::default().policy(spy).unwrap();
        let document = Document::parse(preset.text).unwrap();
        let builder = PlanBuilder::of(document).policy("spy", "spy", |keys| keys);
        let inputs = ConfigInputs::of_folder(&configs).with_registry(registry);
        // Some need files that are not here, or are sweeps.
        let Ok(plan) = builder.inputs(inputs).build() else {
            continue;
        };
        sound += 1;
        assert_eq!(
            known(&plan.brief()),
            *heard.lock().unwrap(),
            "{}",
            preset.name
        );
        assert_eq!(plan.hello("spy"), hello("spy", &plan.brief()));
        assert_eq!(plan.hello("nobody"), None);
    }
    assert!(sound > 20, "{sound}");
}

/// Without the kinds, each is an unknown word.
#[test]
fn the_built_in_kinds_know_none_of_them() {
    let document = Document::parse(CONFIG).unwrap();
    let problems = crate::config::check(&document, Path::new("")).err();
    let problems = problems.expect("they are unknown").to_string();
    for word in ["`latecomers`", "`second_thoughts`", "`punctual`"] {
        assert!(problems.contains(word), "{problems}");
    }
}

#[test]
fn a_name_is_taken_once() {
    let coin = |name| PolicyKind::new(name, "", |_, _| Some(SecondThoughts(0.5)));
    let policy = Registry::default().policy(coin("greedy")).err().unwrap();
    let said = "there is already a policy called `greedy`: give yours another name";
    assert_eq!(policy.to_string(), said);
    let two = Registry::default()
        .policy(coin("a"))
        .and_then(|all| all.policy(coin("a")));
    assert!(two.is_err());
    let source = registry().source(latecomers()).err().unwrap();
    assert_eq!((source.what, &*source.name), ("source", "latecomers"));
    let metric = |name| {
        let scorer = |_: &MetricRun<'_>| Waits {
            names: vec![],
            now: 0,
            longest: 0,
        };
        MetricFamily::new(name, MetricInfo::lower(""), scorer)
    };
    for taken in [
        "screened",
        "share.GROUP",
        "converged",
        "longest_wait",
        "wait.GROUP",
        "wait.x",
    ] {
        let metric = registry().metric(metric(taken)).err();
        assert!(metric.is_some_and(|metric| metric.name == taken), "{taken}");
    }
    let boasts = coin("boaster").measuring(&["longest_wait"]);
    assert_eq!(registry().policy(boasts).err().unwrap().what, "metric");
}

/// A kind's function may stop at a problem. Its keys are then known, each once.
#[test]
fn keys_of_own_kinds_are_known_once() {
    let problems = wrong("share = 0.75", "share = 0.75\nzzz = 1");
    let known = problems.split("known keys: ").nth(1).unwrap_or_default();
    let known = known.split(')').next().unwrap_or_default();
    let mut keys: Vec<&str> = known.split(", ").collect();
    assert!(keys.contains(&"share"), "{problems}");
    keys.sort_unstable();
    let all = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), all, "{known}");
}

#[test]
fn lists_the_schema_and_the_reference_have_own_kinds() {
    let registry = registry();
    let names = |list| -> Vec<&str> {
        registry
            .entries(list)
            .into_iter()
            .map(|entry| entry.name)
            .collect()
    };
    assert!(names(KindList::Policies).contains(&"second_thoughts"));
    assert!(names(KindList::Sources).contains(&"latecomers"));
    assert!(names(KindList::Interviews).contains(&"punctuality"));
    assert!(names(KindList::Outcomes).contains(&"punctual"));
    assert!(names(KindList::Pools).contains(&"stubborn"));
    assert!(registry.metrics().any(|(name, _)| name == "wait.GROUP"));
    let (schema, page) = (registry.json_schema().to_string(), registry.reference());
    for name in [
        "second_thoughts",
        "latecomers",
        "punctuality",
        "punctual",
        "stubborn",
    ] {
        assert!(schema.contains(&format!("\"const\":\"{name}\"")), "{name}");
        assert!(page.contains(&format!(" = \"{name}\"")), "{name}");
    }
    // A kind of pool has the keys of all pools, and its own.
    let mut pools = registry.entries(KindList::Pools).into_iter();
    let keys = pools
        .find(|pool| pool.name == "stubborn")
        .map(|entry| entry.params)
        .unwrap_or_default();
    let keys: Vec<_> = keys.iter().map(|param| param.key).collect();
    assert_eq!(keys, ["by", "start", "eta", "sd"]);
    let keys = registry.keys_named("late");
    assert_eq!(keys.len(), 1);
    assert_eq!(keys[0].path, "source.late");
}
