//! The world of group-meritocratic bandits (Grazzi et al. 2022): contexts, rewards, what is true of
//! them, what it costs.

use std::path::Path;
use std::sync::{Arc, Mutex};

use kleroterion::arena::{Blind, CannotBegin, Lane, LaneState, Play, Prototype, Sighted};
use kleroterion::config::Plan;
use kleroterion::draw::{Key, Purpose};
use kleroterion::policy::{Oracle, Policy};
use kleroterion::protocol::{GroupTruth, Move, Outcome, Person, Truth, View};
use kleroterion::run::{Settings, run};
use kleroterion::source::{LinearGroups, LinearStream};

use crate::doubles::BATCHES;
use crate::support::{many, near, plan, play, stats, values};

const S6: &str = r#"
seed = 6
[source]
type = "linear_groups"
preset = "grazzi2022-section6"
[rules]
slate = 4
choose = "exactly_one"
until = { rounds = 500 }
[feedback.outcome]
type = "linear"
noise = 2.0
[[policy]]
label = "a"
kind = "accept_all"
[[policy]]
label = "b"
kind = "accept_all"
[report]
at = [100, 500]
"#;

/// Section 7 without data: three groups drawn by chance, ten candidates a round.
const MG: &str = r#"
seed = 7
[source]
type = "linear_groups"
mu = [1, -0.5, 0.8, 0.3, 0.6]
[[source.group]]
name = "a"
probability = 0.2
low = [0.5, 0, 0.5, 0, 1]
width = [1, 0.5, 1.5, 0.5, 1]
[[source.group]]
name = "b"
probability = 0.7
low = [0, 0.5, 0, 0.5, 0.5]
width = [2, 1, 0.5, 1, 1]
[[source.group]]
name = "c"
probability = 0.1
low = [-0.5, 1, -0.5, 1, 0]
width = [0.5, 2, 1, 1.5, 0.5]
[rules]
slate = 10
choose = "exactly_one"
until = { rounds = 500 }
[feedback.outcome]
type = "linear"
noise = 0.5
[[policy]]
label = "a"
kind = "accept_all"
[[policy]]
label = "b"
kind = "accept_all"
"#;

/// Decides by a function of the round and its luck, and keeps what it hears: (round, person's
/// number, reward).
#[derive(Clone)]
struct Chooser {
    choose: fn(&mut View<'_>) -> u32,
    heard: Arc<Mutex<Vec<(u64, String, f64)>>>,
}

impl Policy for Chooser {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        Move::take((self.choose)(view))
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let id = outcome.person().id().to_string();
        let heard = (outcome.decided(), id, outcome.value());
        self.heard.lock().unwrap().push(heard);
    }
}

impl Prototype for Chooser {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        Ok(Box::new(Lane::new(Blind(self.clone()), state)))
    }
}

/// The fairest choice there is.
#[derive(Clone)]
struct Fairest(GroupTruth);

impl Oracle for Fairest {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Move {
        let rank = |slot: u32| {
            let group = usize::from(view.candidate(slot).values()[self.0.attribute]);
            self.0.cdf.rank(group, truth.merit(slot).unwrap())
        };
        let slots = 0..view.slate().len();
        Move::take(slots.max_by(|&a, &b| rank(a).total_cmp(&rank(b))).unwrap())
    }
}

impl Prototype for Fairest {
    fn lane(&self, state: LaneState) -> Result<Box<dyn Play>, CannotBegin> {
        Ok(Box::new(Lane::new(Sighted(self.clone()), state)))
    }
}

fn uniformly(view: &mut View<'_>) -> u32 {
    let n = u64::from(view.slate().len());
    view.draw().below(n) as u32
}

/// A plan with these choosers in its lanes, and what they hear.
fn seat(plan: &mut Plan, choosers: &[fn(&mut View<'_>) -> u32]) -> Vec<Chooser> {
    let seated: Vec<Chooser> = choosers
        .iter()
        .map(|&choose| Chooser {
            choose,
            heard: Arc::default(),
        })
        .collect();
    for (lane, chooser) in plan.lanes_mut().iter_mut().zip(&seated) {
        lane.policy.prototype = Box::new(chooser.clone());
    }
    seated
}

fn of(text: &str, set: &[&str]) -> Plan {
    plan(text, Path::new("."), set)
}

/// The largest gap between the CDF of a sample and that of U(0, 1).
fn kolmogorov(mut sample: Vec<f64>) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let gaps = sample.iter().enumerate();
    let gap = |(i, u): (usize, &f64)| (u - i as f64 / n).max((i + 1) as f64 / n - u);
    gaps.map(gap).fold(0.0, f64::max)
}

#[test]
fn true_relative_ranks_are_independent_and_uniform() {
    for (name, groups) in [
        ("Section 6", LinearGroups::section6()),
        ("released", LinearGroups::released()),
    ] {
        let groups = Arc::new(groups);
        let cdfs = groups.cdfs();
        let rounds = 10_000u32;
        let mut stream = LinearStream::new(groups, Key::new(31, 0), 4);
        let batch = stream.next_batch(4 * rounds as usize).unwrap();
        let mut ranks = vec![Vec::new(); 4];
        for row in 0..4 * rounds {
            let person = Person::new(&batch, row);
            let group = usize::from(person.shown().values()[0]);
            assert_eq!(group, row as usize % 4);
            ranks[group].push(cdfs[group].cdf(person.merit().unwrap()));
        }
        // Above 1.95 / sqrt(n) once in a thousand.
        for (group, sample) in ranks.iter().enumerate() {
            let gap = kolmogorov(sample.clone());
            assert!(
                gap < 1.95 / f64::from(rounds).sqrt(),
                "{name}, group {group}: {gap}"
            );
        }
        // The best of four independent ones: its fourth power is uniform.
        let best = (0..rounds as usize).map(|t| ranks.iter().map(|r| r[t]).fold(0.0, f64::max));
        let gap = kolmogorov(best.map(|u| u * u * u * u).collect());
        assert!(gap < 1.95 / f64::from(rounds).sqrt(), "{name}: best {gap}");
    }
}

#[test]
fn section_6_is_as_printed() {
    let batch = LinearStream::new(Arc::new(LinearGroups::section6()), Key::new(1, 0), 4)
        .next_batch(400)
        .unwrap();
    let mu = [
        4., 3., 7., 0., 8., 0., 0., 0., 5., 5., 0., 0., 2., 2., 2., 2., 1.,
    ];
    let schema = batch.schema();
    assert_eq!(
        (schema.features()[0].as_str(), schema.features().len()),
        ("x0", 17)
    );
    assert_eq!(schema.attributes()[0].values, ["g1", "g2", "g3", "g4"]);
    for row in 0..400 {
        let person = Person::new(&batch, row);
        let x = person.shown().features();
        let arm = row as usize % 4;
        assert_eq!(x[16], 3.0 * (arm + 1) as f64);
        for (j, &x) in x[..16].iter().enumerate() {
            assert!(
                (0.0..1.0).contains(&x) && (x != 0.0) == (j / 4 == arm),
                "{j}: {x}"
            );
        }
        let merit: f64 = mu.iter().zip(x).map(|(mu, x)| mu * x).sum();
        assert_eq!(person.merit(), Some(merit));
    }
}

#[test]
fn uniform_choice_gives_away_k_over_k_plus_1_less_a_half_a_round() {
    for (text, k, standard) in [(S6, 4.0, Some((1877.0, 76.0))), (MG, 10.0, None)] {
        let mut plan = of(text, &[&many(40)]);
        seat(&mut plan, &[uniformly, uniformly]);
        let result = play(&plan);
        let fair = stats(&result, "a", "fair_regret", None);
        println!("K = {k}: {} +- {:?}", fair.mean, fair.se);
        near("fair regret", &fair, 500.0 * (k / (k + 1.0) - 0.5), 0.0);
        if let Some((mean, sd)) = standard {
            // The reference table's, of 100 runs.
            let reward = stats(&result, "a", "reward_regret", Some(500));
            println!("reward regret {} +- {:?}", reward.mean, reward.se);
            near("reward regret", &reward, mean, sd / 10.0);
            let taken = stats(&result, "a", "selected_of_received.g3", None);
            near("selected of received", &taken, 0.25, 0.0);
        }
    }
}

#[test]
fn the_fairest_choice_gives_nothing_away_and_takes_every_arm_as_often() {
    let mut plan = of(S6, &[&many(40)]);
    let truth = plan.world.truth.clone().unwrap();
    plan.lanes_mut()[0].policy.prototype = Box::new(Fairest(truth));
    let result = play(&plan);
    assert!(
        values(&result, "a", "fair_regret", None)
            .iter()
            .all(|&regret| regret == 0.0)
    );
    for group in ["g1", "g2", "g3", "g4"] {
        near(
            group,
            &stats(&result, "a", &format!("share.{group}"), None),
            0.25,
            0.0,
        );
    }
    // The reference table's gmf_oracle, of 100 runs.
    let reward = stats(&result, "a", "reward_regret", None);
    println!("reward regret {} +- {:?}", reward.mean, reward.se);
    near("reward regret", &reward, 842.0, 4.0);
}

#[test]
fn the_world_is_the_same_whatever_the_batch() {
    for text in [S6, MG] {
        let delayed = "feedback.outcome.delay={ uniform = [0, 5] }";
        let streamed = |batch: usize| {
            let mut plan = of(
                text,
                &["rules.until.rounds=150", "report.at=[100]", delayed],
            );
            let seated = seat(&mut plan, &[uniformly, |view| (view.round() % 3) as u32]);
            let settings = Settings {
                batch: Some(batch),
                threads: 1,
                ..Settings::default()
            };
            let result = run(&plan, &settings, |_| Ok(())).unwrap();
            let heard: Vec<_> = seated
                .iter()
                .map(|chooser| chooser.heard.lock().unwrap().clone())
                .collect();
            assert!(heard.iter().all(|heard| heard.len() > 140));
            format!(
                "{:?} {heard:?}",
                result
                    .policies
                    .iter()
                    .map(|p| p.lanes())
                    .collect::<Vec<_>>()
            )
        };
        let whole = streamed(BATCHES[0]);
        for batch in &BATCHES[1..] {
            assert!(streamed(*batch) == whole, "batches of {batch} differ");
        }
    }
}

#[test]
fn the_stream_is_the_same_whatever_the_batch() {
    let stream = |persons: usize| {
        let mut source = LinearStream::new(Arc::new(LinearGroups::released()), Key::new(5, 2), 4);
        let mut bits = Vec::new();
        while bits.len() < 18 * 400 {
            let batch = source.next_batch(persons).unwrap();
            for row in 0..batch.persons().len() as u32 {
                let person = Person::new(&batch, row);
                bits.extend(person.shown().features().iter().map(|x| x.to_bits()));
                bits.push(person.merit().unwrap().to_bits());
            }
        }
        bits.truncate(18 * 400);
        bits
    };
    let whole = stream(1024);
    for persons in BATCHES {
        assert_eq!(stream(persons), whole);
    }
}

#[test]
fn lanes_that_choose_the_same_person_see_the_same_reward() {
    let mut plan = of(S6, &[]);
    let seated = seat(&mut plan, &[|_| 2, |view| (view.round() % 4) as u32]);
    play(&plan);
    let heard: Vec<_> = seated
        .iter()
        .map(|chooser| chooser.heard.lock().unwrap().clone())
        .collect();
    let pairs = heard[0].iter().zip(&heard[1]);
    let same: Vec<_> = pairs.filter(|(a, b)| a.1 == b.1).collect();
    assert_eq!(same.len(), 125);
    assert!(same.iter().all(|(a, b)| a == b));
    // The reward is the merit and the noise of the person's own address.
    let key = Key::new(6, 0);
    let batch = LinearStream::new(Arc::new(LinearGroups::section6()), key, 4)
        .next_batch(2000)
        .unwrap();
    for (round, id, value) in &heard[0] {
        let number = 4 * (round - 1) + 2;
        assert_eq!(*id, number.to_string());
        let merit = Person::new(&batch, number as u32).merit().unwrap();
        let noise = key.draw(Purpose::Outcome, number, 0).normal();
        assert_eq!(*value, merit + 2.0 * noise);
    }
}

#[test]
fn outcomes_are_as_late_as_the_config_says() {
    let mut plan = of(
        S6,
        &["feedback.outcome.delay=3", "feedback.outcome.noise=0"],
    );
    let seated = seat(&mut plan, &[|_| 0]);
    let result = play(&plan);
    assert_eq!(values(&result, "a", "pending", None), [3.0]);
    assert_eq!(seated[0].heard.lock().unwrap().len(), 497);
}
