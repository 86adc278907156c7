//! The two worlds, and how a policy plays one of them: through a lane, the time taken of its rounds
//! alone.

use std::sync::Arc;

use kleroterion::arena::{Blind, Lane, LaneState, Need, Play};
use kleroterion::draw::Key;
use kleroterion::feedback::Gaussian;
use kleroterion::policy::Policy;
use kleroterion::policy::meritocratic::Contexts;
use kleroterion::protocol::{
    Batch, Choose, Drawn, Ledger, Rules, SealedOutcomes, Slate, Truth, Until,
};
use kleroterion::source::{LinearGroup, LinearGroups, LinearStream, MeritCdf};

use crate::clock::Clock;

/// The most rounds in a batch.
const STRETCH: u64 = 250;

/// The rounds that are really played and timed: the middle `middle` of every `tenth`.
#[derive(Clone, Copy)]
pub struct Sample {
    pub tenth: u64,
    pub middle: u64,
}

impl Sample {
    /// All of them.
    pub fn all(rounds: u64) -> Self {
        Self {
            tenth: rounds / 10,
            middle: rounds / 10,
        }
    }

    fn before(self) -> u64 {
        // mu~ moves in odd rounds: half of the timed ones are such.
        (self.tenth - self.middle) / 4 * 2
    }

    /// Returns true if a round, from 1, is really played.
    pub fn has(self, round: u64) -> bool {
        let place = (round - 1) % self.tenth;
        (self.before()..self.before() + self.middle).contains(&place)
    }

    /// The number of rounds from `round` on that are of the same sort, at most a batch's.
    fn stretch(self, round: u64) -> u64 {
        let place = (round - 1) % self.tenth;
        let ends = [self.before(), self.before() + self.middle, self.tenth];
        let end = ends.into_iter().find(|end| *end > place);
        (end.unwrap_or(self.tenth) - place).min(STRETCH)
    }
}

/// A world of linear groups.
pub struct World {
    pub name: &'static str,
    pub mu: Vec<f64>,
    pub groups: Vec<LinearGroup>,
    pub one_per_group: bool,
    pub slate: usize,
    pub noise: f64,
    linear: Arc<LinearGroups>,
    cdfs: Vec<MeritCdf>,
}

/// The result of a run.
pub struct Run {
    /// The slot chosen in each round.
    pub actions: Vec<u32>,
    /// CPU time of the whole run in seconds: where not all rounds were timed, each tenth's in
    /// proportion.
    pub seconds: f64,
    /// The mean true relative rank of those chosen in the timed rounds.
    pub rank: f64,
}

impl World {
    fn new(
        name: &'static str,
        mu: Vec<f64>,
        groups: Vec<LinearGroup>,
        one_per_group: bool,
        slate: usize,
        noise: f64,
    ) -> Self {
        let linear = LinearGroups::new(mu.clone(), groups.clone(), one_per_group).unwrap();
        Self {
            name,
            mu,
            groups,
            one_per_group,
            slate,
            noise,
            cdfs: linear.cdfs(),
            linear: Arc::new(linear),
        }
    }

    /// Section 6 of Grazzi et al. 2022: `LinearGroups::section6`, which keeps to itself the numbers
    /// that NumPy needs.
    pub fn section6() -> Self {
        let groups = (0..4).map(|a| {
            let (mut low, mut width) = (vec![0.0; 17], vec![0.0; 17]);
            low[16] = 3.0 * (a + 1) as f64;
            width[4 * a..4 * a + 4].fill(1.0);
            group(a, 0.25, low, width)
        });
        let mu = [4, 3, 7, 0, 8, 0, 0, 0, 5, 5, 0, 0, 2, 2, 2, 2, 1].map(f64::from);
        let world = Self::new("S6", mu.into(), groups.collect(), true, 4, 2.0);
        assert_eq!(world.cdfs, LinearGroups::section6().cdfs());
        world
    }

    /// Ten candidates of three groups, every coordinate of every group spread.
    pub fn ten() -> Self {
        let quarters = |n: usize, modulus: usize| (n % modulus) as f64 / 4.0;
        let groups = [0.2, 0.7, 0.1].iter().enumerate().map(|(a, &probability)| {
            let low = (0..17).map(|j| quarters(3 * a + 5 * j, 7) - 0.5).collect();
            let width = (0..17).map(|j| quarters(5 * a + 2 * j, 5) + 0.5).collect();
            group(a, probability, low, width)
        });
        let mu = (0..17).map(|j| quarters(4 * j, 9) - 1.0).collect();
        Self::new("K=10", mu, groups.collect(), false, 10, 0.5)
    }

    pub fn contexts(&self) -> Contexts {
        Contexts::of(self.linear.schema(), 0).unwrap()
    }

    /// Plays a policy.
    pub fn play(
        &self,
        policy: impl Policy + 'static,
        rounds: u64,
        sample: Sample,
        clock: Clock,
    ) -> Run {
        let key = Key::new(2022, 0);
        let rules = Arc::new(Rules::new(Choose::AtMost(1), Until::Rounds(rounds)));
        let state = LaneState::new(rules, key, "fair greedy", false, false);
        let mut lane: Box<dyn Play> = Box::new(Lane::new(Blind(policy), state));
        let mut stream = LinearStream::new(Arc::clone(&self.linear), key, self.slate as u32);
        let (mut actions, mut nanoseconds, mut ranks, mut timed) = (Vec::new(), 0.0, 0.0, 0.0);
        while (actions.len() as u64) < rounds {
            let first = actions.len() as u64 + 1;
            let stretch = sample.stretch(first);
            let mut batch = stream
                .next_batch(stretch as usize * self.slate)
                .expect("it has no end");
            let feedback = Arc::new(Gaussian::new(self.noise));
            batch.seal_outcomes(SealedOutcomes::Drawn(Drawn { feedback, key }));
            let batch = Arc::new(batch);
            let mut ledger = Ledger::new(false);
            let mut play = || {
                let need = lane.play_guarded(&batch, &mut ledger);
                assert!(matches!(need, Need::Batch | Need::End(_)), "{need:?}");
            };
            if sample.has(first) {
                nanoseconds += clock.time(play);
            } else {
                play();
            }
            let (chosen, _) = ledger.chosen_in(0..stretch as usize);
            let slots = chosen.iter().map(|row| row % self.slate as u32);
            actions.extend(slots);
            if sample.has(first) {
                ranks += self.ranks(&batch, &actions[first as usize - 1..]);
                timed += stretch as f64;
            }
        }
        Run {
            actions,
            seconds: nanoseconds * 1e-9 * sample.tenth as f64 / sample.middle as f64,
            rank: ranks / timed,
        }
    }

    /// The true relative ranks of those chosen in a batch, added up.
    fn ranks(&self, batch: &Batch, slots: &[u32]) -> f64 {
        let rounds = slots.iter().enumerate();
        let ranks = rounds.map(|(round, &slot)| {
            let slate = Slate::new(batch, round, None);
            let merit = Truth::new(batch, slate).merit(slot).unwrap();
            self.cdfs[usize::from(slate.candidate(slot).values()[0])].cdf(merit)
        });
        ranks.sum()
    }
}

fn group(number: usize, probability: f64, low: Vec<f64>, width: Vec<f64>) -> LinearGroup {
    LinearGroup {
        name: format!("g{}", number + 1),
        probability,
        low,
        width,
        from_round: 1,
    }
}
