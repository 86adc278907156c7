//! Minds with a script.

use std::sync::Arc;

use kleroterion::protocol::{Chosen, Move, Pull, Pulls, Selection};

use super::mind::{Deed, Heard, Luck, Mind, MindMaker, Sight, Thought};
use super::world::People;

/// A mind that is one function of what it sees.
struct Reflex<F>(F);

impl<F: FnMut(&Sight) -> Thought + Send> Mind for Reflex<F> {
    fn act(&mut self, sight: &Sight, _: Luck<'_>) -> Thought {
        (self.0)(sight)
    }
}

/// A mind that is one function of what it sees.
pub fn reflex<T: Into<Thought>>(act: impl Fn(&Sight) -> T + Send + Sync + 'static) -> MindMaker {
    let act = Arc::new(act);
    Arc::new(move || {
        let act = Arc::clone(&act);
        Box::new(Reflex(move |sight: &Sight| act(sight).into()))
    })
}

/// Looks at every slot in turn, with these kinds in turn.
pub fn look_at_all(slots: usize, kinds: &[usize]) -> Move {
    let pulls = (0..slots as u32).zip(kinds.iter().cycle());
    Move::Interview(Pulls::Many(
        pulls.map(|(slot, &kind)| Pull { slot, kind }).collect(),
    ))
}

/// One look.
pub fn look(slot: u32, kind: usize) -> Move {
    Move::Interview(Pulls::One(Pull { slot, kind }))
}

/// Learns what each group is worth: takes as many as it may, those best by their file (their score,
/// where there was no look) and their group's outcomes so far. Tosses a coin whether to take the
/// fewest, where it has luck.
#[derive(Clone, Default)]
pub struct Learner {
    /// The kinds of look that it buys, in turn, one a candidate; none: it buys none.
    pub kinds: Vec<usize>,
    /// What it does instead in this round.
    pub instead: Option<(u64, Deed)>,
    /// It panics when it hears of this many outcomes.
    pub overhears: Option<usize>,
    heard: usize,
    declined: usize,
    sums: [f64; 3],
    counts: [f64; 3],
}

impl Learner {
    pub fn buying(kinds: &[usize]) -> Self {
        Self {
            kinds: kinds.to_vec(),
            ..Self::default()
        }
    }

    pub fn instead(mut self, round: u64, deed: impl Into<Deed>) -> Self {
        self.instead = Some((round, deed.into()));
        self
    }

    pub fn overhearing(mut self, outcomes: usize) -> Self {
        self.overhears = Some(outcomes);
        self
    }

    pub fn maker(self) -> MindMaker {
        Arc::new(move || Box::new(self.clone()))
    }

    fn worth(&self, sight: &Sight, slot: usize) -> f64 {
        let seen = &sight.seen[slot];
        let group = usize::from(seen.group);
        let own = match (seen.merit, seen.file.looks) {
            (Some(merit), _) => merit,
            (None, 0) => seen.score,
            (None, _) => seen.file.mean,
        };
        own + self.sums[group] / self.counts[group].max(1.0)
    }
}

impl Mind for Learner {
    fn act(&mut self, sight: &Sight, luck: Luck<'_>) -> Thought {
        if let Some((_, deed)) = self
            .instead
            .as_ref()
            .filter(|(round, _)| *round == sight.round)
        {
            return deed.clone().into();
        }
        if !self.kinds.is_empty() && sight.looks_left > 0 && sight.answers.is_empty() {
            let kinds: Vec<usize> = (0..self.kinds.len())
                .map(|k| self.kinds[(k + sight.round as usize) % self.kinds.len()])
                .collect();
            return look_at_all(sight.seen.len(), &kinds).into();
        }
        let (fewest, most) = sight.places;
        let coin = luck.map_or(0, |word| word() >> 63);
        let take = if coin == 1 { fewest } else { most } as usize;
        let mut slots: Vec<u32> = (0..sight.seen.len() as u32).collect();
        let worth = |slot: u32| self.worth(sight, slot as usize);
        slots.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
        let best = worth(slots[0]);
        slots.truncate(take);
        let mut selection = Selection::of(Chosen::Many(slots));
        if fewest < most && !sight.round.is_multiple_of(3) {
            selection = selection.with_probability(0.5);
        }
        if sight.round.is_multiple_of(4) {
            selection.declared = Some(Box::new([0.25, 0.5, 0.25]));
        }
        Thought {
            deed: Move::Select(selection).into(),
            measures: vec![("heard", self.heard as f64), ("lost", self.declined as f64)],
            reasons: vec![("best", best)],
        }
    }

    fn decline(&mut self, _: u64, number: u64) {
        self.declined += 1;
        self.sums[usize::from(People::group(number))] -= 0.5;
    }

    fn learn(&mut self, heard: &Heard) -> Option<&'static str> {
        self.heard += 1;
        self.sums[usize::from(heard.group)] += heard.value;
        self.counts[usize::from(heard.group)] += 1.0;
        (self.overhears == Some(self.heard)).then_some("scripted: heard too much")
    }
}
