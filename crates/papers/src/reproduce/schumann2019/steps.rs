//! A run of SWAP by w_top played once more, step by step: what was known of each applicant, and at
//! whom it looked next.

use std::sync::{Arc, Mutex};

use super::applicants::{delta, members, noise};
use super::lanes::COST;
use crate::reproduce::prelude::*;
use crate::reproduce::redraw::Redraw;
use kleroterion_core::arena::{Act, Blind, Lane, LaneState, Play, Seat};
use kleroterion_core::draw::Key;
use kleroterion_core::feedback::AnsweredBy;
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{
    Drawn, Ledger, LookStats, Move, Outcome, Pulls, RoundEntry, SealedAnswers, Shown, Truth, View,
};
use kleroterion_policies::cohort::{
    CohortShape, Objective, Shuffled, Strong, Swap, SwapParameters, Tiers, TopK, radius_scale,
};

/// The state of SWAP before a move, and the move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SwapStep {
    /// The number of interviews before this move.
    pub looks: u32,
    /// The estimates u^, by slot.
    pub means: Vec<f64>,
    /// The information gained T_t, by slot.
    pub weights: Vec<f64>,
    /// The radii rad, by slot, by the formula of Section 4.
    pub radii: Vec<f64>,
    /// The slots of M, the best cohort at u^.
    pub leading: Vec<u32>,
    /// The slots of M~, the best cohort at u~.
    pub rival: Vec<u32>,
    /// The slot of the applicant who is interviewed next; `None` if SWAP is done.
    pub next: Option<u32>,
}

impl SwapStep {
    /// u^ - rad.
    pub(super) fn low(&self, slot: usize) -> f64 {
        self.means[slot] - self.radii[slot]
    }

    /// u^ + rad.
    pub(super) fn high(&self, slot: usize) -> f64 {
        self.means[slot] + self.radii[slot]
    }

    /// Returns true if the applicant in a slot belongs to M.
    pub(super) fn leads(&self, slot: usize) -> bool {
        self.leading.contains(&(slot as u32))
    }
}

/// The parameters of SWAP.
#[derive(Clone)]
struct SwapSetting {
    sigma: f64,
    delta: f64,
    strong: Strong,
    members: usize,
    tiers: Tiers,
}

/// The steps after the first look at each, of each replication of a run of a preset: of a lane of
/// SWAP that looks strongly as `strong` says, with the delta of the preset's first policy.
///
/// # Errors
/// Where the looks do not cost what they did in the run: then these would not be its steps.
pub(super) fn steps(
    run: &StudyRun,
    preset: &str,
    label: &str,
    strong: Strong,
) -> Result<Vec<Vec<SwapStep>>> {
    let tiers = Tiers::of(&run.plan.rules.interviews);
    let setting = SwapSetting {
        sigma: noise(run)?,
        delta: delta(preset)?,
        strong,
        members: members(run)?,
        tiers: tiers.map_err(|_| run.lacks("two kinds of interview"))?,
    };
    let costs = run.values(label, COST, None)?;
    let each = (0..).zip(costs);
    each.map(|(replication, cost)| setting.play(run, label, replication, cost))
        .collect()
}

impl SwapSetting {
    fn play(
        &self,
        run: &StudyRun,
        label: &str,
        replication: u64,
        cost: f64,
    ) -> Result<Vec<SwapStep>> {
        let key = Key::new(run.plan.seed, replication);
        let mut batch = Redraw::of(run, replication)?.next(1)?;
        let Some(AnsweredBy::Drawn(feedback)) = run.plan.feedback.looks.clone() else {
            return Err(run.lacks("answers to looks"));
        };
        batch.seal_looks(SealedAnswers::Drawn(Drawn { feedback, key }));
        let batch = Arc::new(batch);
        let parameters = SwapParameters {
            delta: self.delta,
            sigma: self.sigma,
            strong: self.strong,
            ..SwapParameters::default()
        };
        let swap = Swap::new(TopK, self.tiers.clone(), parameters);
        let swap = swap.map_err(|_| run.lacks("sound parameters"))?;
        let steps = Arc::new(Mutex::new(Vec::new()));
        let watched = WatchedSwap {
            seat: Blind(Shuffled::new(swap)),
            setting: self.clone(),
            cost: 0.0,
            steps: Arc::clone(&steps),
        };
        let state = LaneState::new(Arc::clone(&run.plan.rules), key, label, false, false);
        let mut ledger = Ledger::new(false);
        Lane::new(watched, state).play(&batch, &mut ledger);
        if ledger.rounds() == 0 || RoundEntry::new(&batch, 0, &ledger, 0).spent() != cost {
            return Err(run.lacks("the same looks when it is played once more"));
        }
        let mut steps = locked(&steps);
        Ok(std::mem::take(&mut *steps))
    }

    fn step(&self, view: &View<'_>, cost: f64, next: Option<u32>) -> SwapStep {
        let slots = 0..view.slate().len();
        let files: Vec<LookStats> = slots.map(|slot| view.file(slot)).collect();
        let scale = radius_scale(self.sigma, self.delta, files.len(), cost);
        let means: Vec<f64> = files.iter().map(|file| file.mean).collect();
        let radii = files.iter().map(|file| scale / file.weight.sqrt());
        let radii: Vec<f64> = radii.collect();
        let shape = CohortShape {
            members: self.members,
            groups: vec![0; files.len()],
        };
        let leading = TopK.best_slots(&shape, &means);
        let at_worst = (0..).zip(means.iter().zip(&radii));
        let at_worst: Vec<f64> = at_worst
            .map(|(slot, (mean, radius))| match leading.contains(&slot) {
                true => mean - radius,
                false => mean + radius,
            })
            .collect();
        SwapStep {
            looks: files.iter().map(|file| file.looks).sum(),
            weights: files.iter().map(|file| file.weight).collect(),
            rival: TopK.best_slots(&shape, &at_worst),
            means,
            radii,
            leading,
            next,
        }
    }
}

/// SWAP on its seat, with a recorder of what it sees and does.
struct WatchedSwap {
    seat: Blind<Shuffled<Swap<TopK>>>,
    setting: SwapSetting,
    cost: f64,
    steps: Arc<Mutex<Vec<SwapStep>>>,
}

impl Seat for WatchedSwap {
    fn act(&mut self, view: &mut View<'_>, truth: &Truth<'_>) -> Act {
        let kinds = view.answers().iter().map(|answer| answer.pull.kind);
        self.cost += kinds.map(|kind| self.setting.tiers.cost(kind)).sum::<f64>();
        let answer = Seat::act(&mut self.seat, view, truth);
        let next = match &answer {
            Act::Moves(Move::Interview(Pulls::One(pull))) => Some(pull.slot),
            Act::Moves(Move::Select(_)) => None,
            // The first look at each.
            _ => return answer,
        };
        let step = self.setting.step(view, self.cost, next);
        locked(&self.steps).push(step);
        answer
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        self.seat.learn(outcome);
    }

    fn decline(&mut self, round: u64, person: Shown<'_>) {
        self.seat.decline(round, person);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::study::{StudyOptions, play};
    use kleroterion_run::run::Settings;

    const PRESET: &str = "schumann2019-fig1";

    fn played() -> StudyRun {
        let options = StudyOptions {
            quick: true,
            seed: None,
        };
        let played = play(
            (PRESET, 30),
            options,
            &Settings::default(),
            None,
            &mut |_| (),
        );
        played.unwrap().remove(0)
    }

    /// Returns the distance of a mean from the nearest mean on the other side.
    fn gap(step: &SwapStep, slot: u32) -> f64 {
        let mean = |slot: u32| step.means[slot as usize];
        let is_in = |slot: u32| step.leading.contains(&slot);
        let others = (0..3).filter(|&other| is_in(other) != is_in(slot));
        let gaps = others.map(|other| (mean(slot) - mean(other)).abs());
        gaps.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_next_look_is_at_the_widest_of_the_contested() {
        let all = steps(&played(), PRESET, "SWAP", Strong::Paper).unwrap();
        assert_eq!(all.len(), 30);
        for steps in all {
            assert_eq!(steps[0].looks, 3);
            for (step, after) in steps.iter().zip(&steps[1..]) {
                assert_eq!(step.looks + 1, after.looks);
            }
            for (at, step) in steps.iter().enumerate() {
                let slots = 0..3;
                let contested =
                    slots.filter(|slot| step.leading.contains(slot) != step.rival.contains(slot));
                let contested: Vec<u32> = contested.collect();
                let first = |slot: &u32| (step.radii[*slot as usize], -gap(step, *slot));
                let best = contested.iter().map(first);
                let best = best.max_by(|a, b| a.partial_cmp(b).expect("numbers"));
                // What is still equal is decided by a draw.
                assert_eq!(step.next.as_ref().map(first), best, "{step:?}");
                assert!(step.next.is_none_or(|next| contested.contains(&next)));
                assert_eq!(step.next.is_none(), at + 1 == steps.len());
            }
        }
    }

    #[test]
    fn steps_that_are_not_those_of_the_run_are_none() {
        let mut run = played();
        assert!(steps(&run, PRESET, "another lane", Strong::Paper).is_err());
        run.result.policies[0].change(|lanes| {
            lanes[7].change(|rows| {
                let costs = rows.iter_mut().filter(|row| &*row.metric == super::COST);
                costs.for_each(|row| row.value += 1.0);
            });
        });
        let error = steps(&run, PRESET, "SWAP", Strong::Paper)
            .unwrap_err()
            .to_string();
        assert!(error.contains("the same looks"), "{error}");
    }
}
