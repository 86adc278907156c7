//! Proposition 5.1: the probability that Fair-Greedy chooses each group, given the past.

use std::sync::{Arc, Mutex};

use super::lanes::FAIR;
use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::arena::{Act, Blind, Lane, LaneState, Need, Play, Seat};
use kleroterion_core::draw::Key;
use kleroterion_core::feedback::AnsweredBy;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{
    Drawn, Ledger, Outcome, RoundEntry, SealedOutcomes, Shown, Truth, Until, View,
};
use kleroterion_core::source::{LinearGroup, LinearGroups, UniformSum};
use kleroterion_policies::meritocratic::{Contexts, FairGreedy, FairGreedyParameters};

/// K of Section 6.
const K: f64 = 4.0;

/// Delta and c of the proposition, which leaves them open: so large a delta that the runs can tell,
/// and a c whose t comes before the last round.
const DELTA: f64 = 0.4;
const C: f64 = 0.05;

/// The moments looked at: every so many rounds (a prime, so that odd and even rounds are among
/// them), from the first on.
const STEP: u64 = 199;

/// A weight of an estimate below this share of all is replaced by its mean: it moves a CDF by less
/// than a thousandth.
const TINY: f64 = 0.01;

/// The probability of each group to be chosen, at a moment.
struct Moment {
    round: u64,
    chances: Vec<f64>,
}

impl Moment {
    fn least(&self) -> f64 {
        self.chances.iter().copied().fold(1.0, f64::min)
    }
}

/// The t from which on the proposition holds.
fn start() -> f64 {
    let log = libm::log(5.0 * K * libm::exp(0.5) / DELTA);
    3.0 + 8.0 * libm::pow(log, 1.5) / libm::pow(1.0 / K - C, 3.0)
}

pub(super) fn explores(run: &StudyRun) -> Result<StudyClaim> {
    let from = start();
    let runs = (0..run.result.replications).map(|replication| play(run, replication));
    let runs = runs.collect::<Result<Vec<_>>>()?;
    let late = |moment: &&Moment| moment.round as f64 >= from;
    let left_out = |moments: &Vec<Moment>| moments.iter().filter(late).any(|at| at.least() < C);
    let share = run.share(runs.iter().map(left_out))?;
    let mut claim = StudyClaim::at("Proposition 5.1: no group is left out")
        .says(
            "“Then with probability at least 1 − δ/4, for all a ∈ [K] and all t ≥ 3 + 8 \
             log^{3/2}(5K√e/δ)/(1/K − c)³ we have P(a_t = a | H⁻_{t−1}) ≥ c”",
        )
        .rule(format!(
            "with δ = {DELTA} and c = {C}, in at most δ/4 of the runs is a group's probability \
             below c at any moment from that t on. The runs are played once more; every {STEP} \
             rounds the probability is computed from the estimate of μ and the contexts that the \
             policy then has, and the law of those to come"
        ));
    claim.share(
        "runs in which some group's is below c from there on:",
        share,
    );
    claim.computed("t of the proposition:", from.round());
    let at_least = |from: f64, to: f64| {
        let all = runs.iter().flatten();
        let among = all.filter(|at| (from..to).contains(&(at.round as f64)));
        among.map(Moment::least).fold(1.0, f64::min)
    };
    claim.computed(
        "least probability from there on:",
        at_least(from, f64::INFINITY),
    );
    claim.computed("least from round 1,000 to there:", at_least(1000.0, from));
    claim.computed("1/K:", 1.0 / K);
    Ok(claim.holds(share.at_most(DELTA / 4.0), "a group is left out more often"))
}

/// Plays a run of Fair-Greedy on Section 6 once more.
///
/// # Errors
/// Where it does not choose as it did in the run: then these would not be its probabilities.
fn play(run: &StudyRun, replication: u64) -> Result<Vec<Moment>> {
    let lacks = || run.lacks("Section 6 of the paper");
    let (Until::Rounds(rounds), Some(AnsweredBy::Drawn(feedback))) =
        (run.plan.rules.until, run.plan.feedback.outcomes.clone())
    else {
        return Err(lacks());
    };
    let key = Key::new(run.plan.seed, replication);
    let contexts = Contexts::of(&run.plan.world.schema, 0).map_err(|_| lacks())?;
    let policy = FairGreedy::new(contexts, FairGreedyParameters::default());
    let moments = Arc::new(Mutex::new(Vec::new()));
    let watched = WatchedFairGreedy {
        seat: Blind(policy.map_err(|_| lacks())?),
        world: LinearGroups::section6(),
        seen: vec![Vec::new(); contexts.groups()],
        moments: Arc::clone(&moments),
    };
    let state = LaneState::new(Arc::clone(&run.plan.rules), key, FAIR, false, false);
    let mut lane = Lane::new(watched, state);
    let mut again = Redraw::of(run, replication)?;
    let mut chosen = vec![0_u64; contexts.groups()];
    let mut played = 0;
    while played < rounds {
        let mut batch = again.next(4096)?;
        batch.seal_outcomes(SealedOutcomes::Drawn(Drawn {
            feedback: Arc::clone(&feedback),
            key,
        }));
        let batch = Arc::new(batch);
        let mut ledger = Ledger::new(false);
        let need = lane.play(&batch, &mut ledger);
        for round in 0..ledger.rounds() {
            for person in RoundEntry::new(&batch, round, &ledger, round).chosen() {
                chosen[usize::from(person.values()[0])] += 1;
            }
        }
        played += ledger.rounds() as u64;
        match need {
            Need::Batch | Need::End(_) if ledger.rounds() > 0 => {}
            _ => return Err(run.lacks("a policy that plays on")),
        }
    }
    let groups = super::lanes::groups(run)?.iter().zip(chosen);
    for (group, chosen) in groups {
        let shares = run.values(FAIR, &format!("share.{group}"), None)?;
        let gap = shares[replication as usize] * rounds as f64 - chosen as f64;
        if gap.abs() > 1e-6 * rounds as f64 {
            return Err(run.lacks("the same choices when it is played once more"));
        }
    }
    let mut moments = locked(&moments);
    Ok(std::mem::take(&mut *moments))
}

/// Fair-Greedy on its seat, with a recorder of the data that it uses.
struct WatchedFairGreedy {
    seat: Blind<FairGreedy>,
    world: LinearGroups,
    /// The contexts of each group, one a round.
    seen: Vec<Vec<Box<[f64]>>>,
    moments: Arc<Mutex<Vec<Moment>>>,
}

impl Seat for WatchedFairGreedy {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act {
        let round = view.round();
        let act = Seat::act(&mut self.seat, view, truth);
        if round.is_multiple_of(STEP) {
            // Rounds t~ + 1 .. t - 1, as Algorithm 1 has it; round 1 is in place 0.
            let split = ((round - 1) / 2) as usize;
            let mu = self.seat.0.estimate();
            let windows = self.seen.iter().map(|seen| projected(mu, &seen[split..]));
            let chances = chances(self.world.boxes(), mu, &windows.collect::<Vec<_>>());
            locked(&self.moments).extend(chances.map(|chances| Moment { round, chances }));
        }
        for person in view.slate().candidates() {
            self.seen[usize::from(person.values()[0])].push(person.features().into());
        }
        act
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.seat.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.seat.decline(round, person);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// mu.x of some contexts, in rising order.
fn projected(mu: &[f64], contexts: &[Box<[f64]>]) -> Vec<f64> {
    let mut values: Vec<f64> = contexts.iter().map(|x| dot(mu, x)).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The law of mu.x of a group.
fn law(group: &LinearGroup, mu: &[f64]) -> Option<UniformSum> {
    let weights = || group.width.iter().zip(mu).map(|(side, mu)| side * mu);
    let all: f64 = weights().map(f64::abs).sum();
    let (tiny, rest): (Vec<f64>, Vec<f64>) = weights().partition(|w| w.abs() < TINY * all);
    UniformSum::new(dot(&group.low, mu) + tiny.iter().sum::<f64>() / 2.0, &rest)
}

/// Returns the probability of each group to have the highest rank, where one candidate of each
/// group comes. Ranks are counted among the values of each group's window, with ties broken at
/// random. Returns `None` if the laws can't be computed.
fn chances(groups: &[LinearGroup], mu: &[f64], windows: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = windows.first()?.len();
    // By group, how likely its rank is at most k of n.
    let at_most: Option<Vec<Vec<f64>>> = groups
        .iter()
        .zip(windows)
        .map(|(group, window)| {
            let law = law(group, mu)?;
            let below = window.iter().map(|value| law.cdf(*value));
            Some(below.chain([1.0]).collect())
        })
        .collect();
    let at_most = at_most?;
    let below = |b: usize, k: usize| if k == 0 { 0.0 } else { at_most[b][k - 1] };
    let mut chances = vec![0.0; groups.len()];
    #[expect(clippy::needless_range_loop, reason = "k is a rank of every group")]
    for k in 0..=n {
        for (a, chance) in chances.iter_mut().enumerate() {
            // By how many others have the same rank, none having a higher one.
            let mut ties = vec![1.0];
            for b in (0..groups.len()).filter(|b| *b != a) {
                let (less, same) = (below(b, k), at_most[b][k] - below(b, k));
                let more = std::iter::once(0.0).chain(ties.iter().map(|p| p * same));
                let fewer = ties.iter().map(|p| p * less).chain([0.0]);
                ties = more.zip(fewer).map(|(more, fewer)| more + fewer).collect();
            }
            let shared = (1..).zip(&ties).map(|(m, p): (u32, _)| p / f64::from(m));
            *chance += (at_most[a][k] - below(a, k)) * shared.sum::<f64>();
        }
    }
    Some(chances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::study::{StudyOptions, play as play_preset};
    use kleroterion_run::run::Settings;

    /// Counted over drawn rounds: who has the highest share of the window below it.
    #[test]
    fn chances_are_those_of_drawn_rounds() {
        let world = LinearGroups::section6();
        let mut draw = Key::new(51, 0).draw(kleroterion_core::draw::Purpose::World, 0, 0);
        let mut mu: Vec<f64> = (0..17).map(|_| 4.0 * draw.uniform() - 1.0).collect();
        // Nearly nothing: taken by its mean.
        mu[6] = 1e-4;
        let mut point = |group: &LinearGroup| -> f64 {
            let sides = group.low.iter().zip(&group.width);
            let x: Vec<f64> = sides
                .map(|(low, side)| low + side * draw.uniform())
                .collect();
            dot(&mu, &x)
        };
        for n in [0, 1, 3, 40] {
            let window = |group: &LinearGroup| {
                let mut values: Vec<f64> = (0..n).map(|_| point(group)).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let windows: Vec<Vec<f64>> = world.boxes().iter().map(window).collect();
            let exact = chances(world.boxes(), &mu, &windows).expect("laws");
            assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{exact:?}");
            let mut counts = [0.0; 4];
            let rounds = 20_000;
            for _ in 0..rounds {
                let ranks = world.boxes().iter().zip(&windows).map(|(group, window)| {
                    let value = point(group);
                    window.partition_point(|seen| *seen <= value)
                });
                let ranks: Vec<usize> = ranks.collect();
                let top = ranks.iter().max().copied();
                let best: Vec<usize> = (0..4).filter(|g| Some(ranks[*g]) == top).collect();
                best.iter()
                    .for_each(|g| counts[*g] += 1.0 / best.len() as f64);
            }
            for (count, exact) in counts.iter().zip(&exact) {
                assert!(
                    (count / f64::from(rounds) - exact).abs() < 0.015,
                    "{n}: {exact}"
                );
            }
        }
    }

    #[test]
    fn a_run_is_played_once_more_as_it_was() {
        let options = StudyOptions {
            quick: true,
            seed: None,
        };
        let played = play_preset(
            ("grazzi2022-delay", 2),
            options,
            &Settings::default(),
            None,
            &mut |_| (),
        );
        let mut run = played.expect("a run").remove(0);
        let moments = play(&run, 1).expect("the same choices");
        assert_eq!(moments.len() as u64, 1000 / STEP);
        assert!(
            moments
                .iter()
                .all(|at| at.least() > C && at.least() < 0.25 + 1e-9)
        );
        run.plan.set_seed(run.plan.seed + 1);
        let error = play(&run, 1).err().expect("other choices").to_string();
        assert!(error.contains("the same choices"), "{error}");
    }

    /// 3 + 8 log^1.5(20 sqrt(e) / .4) / .2^3, log(82.44) = 4.412.
    #[test]
    fn the_proposition_begins_within_the_run() {
        assert!((start() - 9_270.0).abs() < 3.0, "{}", start());
    }
}
