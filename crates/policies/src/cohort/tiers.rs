//! The weak and the strong interview, and the choice between them.

use super::menu::Menu;
use crate::BadParameters;
use kleroterion_core::protocol::{Gain, InterviewKind, Shown};

/// The weak and the strong interview among the rules' interviews.
///
/// The paper has two kinds: weak (cost 1, gain 1) and strong (cost j, gain s). With any number of
/// kinds the weak interview is the cheapest (of equals the one of least gain, then the first), and
/// the strong interview the one of greatest gain among the others (of equals the cheapest, then the
/// first). j and s are the strong interview's cost and gain over the weak interview's. With one
/// kind both are that kind, and j = s = 1. Other pairs can be named: [`Tiers::pair`]. Where gains
/// depend on the candidate, s does, and kinds are put in order by their greatest gains.
///
/// The baselines buy these two kinds alone. [`Swap`](super::Swap) does so where two kinds are for
/// sale or a pair is named; of more kinds it picks the weak and the strong interview anew, for each
/// round and for each interview.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiers {
    /// The cost of each kind in units of the cheapest.
    costs: Box<[f64]>,
    /// The cost of the cheapest kind, in money.
    cheapest: f64,
    weak: usize,
    strong: usize,
    cost: f64,
    /// The gains of the weak and the strong interview.
    gains: [Gain; 2],
    /// All kinds, if there are more than two to pick from.
    menu: Option<Menu>,
}

impl Tiers {
    /// Makes tiers of all kinds. The pair is the cheapest kind and the one of greatest gain.
    ///
    /// # Errors
    /// Returns an error if there is no kind, or a cost or gain is not a finite number above 0.
    pub fn of(kinds: &[InterviewKind]) -> Result<Self, BadParameters> {
        let weak = InterviewKind::weak(kinds);
        let key = |at: usize| (-kinds[at].gain.greatest(), kinds[at].cost);
        // `min_by` keeps the first of equals.
        let others = (0..kinds.len()).filter(|&at| at != weak);
        let strong = others.min_by(|&a, &b| {
            let ((gain, cost), (its, other)) = (key(a), key(b));
            gain.total_cmp(&its).then(cost.total_cmp(&other))
        });
        let strong = strong.unwrap_or(weak);
        let menu = (kinds.len() > 2).then(|| Menu::new(kinds));
        Ok(Self {
            menu,
            ..Self::pair(kinds, weak, strong)?
        })
    }

    /// Makes tiers of two kinds, given by their index in the rules.
    ///
    /// # Errors
    /// The errors of [`Tiers::of`]. Also an error if there is no kind of that index.
    pub fn pair(
        kinds: &[InterviewKind],
        weak: usize,
        strong: usize,
    ) -> Result<Self, BadParameters> {
        let mut wrong = BadParameters::default();
        let count = kinds.len();
        let some = "1 or more: looks are to be bought";
        wrong.demand("the number of interviews", count as f64, count > 0, some);
        for at in [weak, strong] {
            let there = at < count || count == 0;
            wrong.demand("the interview", at as f64, there, "one of the rules' kinds");
        }
        for kind in kinds {
            let positive = |x: f64| x.is_finite() && x > 0.0;
            let wants = "a finite number above 0";
            wrong.demand("an interview's cost", kind.cost, positive(kind.cost), wants);
            for &gain in kind.gain.all() {
                wrong.demand("an interview's gain", gain, positive(gain), wants);
            }
        }
        wrong.or(())?;
        let cheapest = kinds.iter().map(|kind| kind.cost).fold(f64::MAX, f64::min);
        Ok(Self {
            costs: kinds.iter().map(|kind| kind.cost / cheapest).collect(),
            cheapest,
            weak,
            strong,
            cost: kinds[strong].cost / kinds[weak].cost,
            gains: [weak, strong].map(|kind| kinds[kind].gain.clone()),
            menu: None,
        })
    }

    /// The weak and the strong kind are picked among more than two.
    pub(super) fn menu(&self) -> Option<&Menu> {
        self.menu.as_ref()
    }

    /// The weak interview, as an index into the rules' interviews.
    #[must_use]
    pub fn weak(&self) -> usize {
        self.weak
    }

    /// The strong interview, as an index into the rules' interviews.
    #[must_use]
    pub fn strong(&self) -> usize {
        self.strong
    }

    /// j: the cost of a strong interview, in weak interviews.
    #[must_use]
    pub fn j(&self) -> f64 {
        self.cost
    }

    /// s: the gain of a strong interview, in weak interviews. If it depends on the candidate, it is
    /// the greatest.
    #[must_use]
    pub fn s(&self) -> f64 {
        let [weak, strong] = &self.gains;
        strong.greatest() / weak.least()
    }

    /// s for a candidate.
    #[inline]
    #[must_use]
    pub fn s_at(&self, shown: Shown<'_>) -> f64 {
        let [weak, strong] = &self.gains;
        strong.at(shown) / weak.at(shown)
    }

    /// Returns true if s is the same for every candidate.
    #[must_use]
    pub fn has_one_s(&self) -> bool {
        self.gains.iter().all(Gain::is_same)
    }

    /// The cost of the cheapest kind of interview, in money.
    #[must_use]
    pub fn cheapest(&self) -> f64 {
        self.cheapest
    }

    /// The cost of an interview of a kind, in units of the cheapest kind. Cost is then at least the
    /// number of interviews, as the union bound of Theorem 4.4 needs.
    #[must_use]
    pub fn cost(&self, kind: usize) -> f64 {
        self.costs[kind]
    }
}

/// The probability of a strong interview: the paper's strong pull policy spp(s, j).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strong {
    /// (s - j) / (s - 1) within \[0, 1\] (Eq. 3), and 0 if s is at most 1.
    Paper,
    /// This probability.
    Probability(f64),
    /// 0: only weak interviews, which is CLUCB (Chen et al. 2014).
    Never,
    /// 1: only strong interviews after the first weak one of each.
    Always,
}

impl Strong {
    /// Returns alpha, given a strong interview's gain s and cost j in weak interviews.
    #[must_use]
    pub fn probability(self, s: f64, j: f64) -> f64 {
        match self {
            Self::Paper if s > 1.0 => ((s - j) / (s - 1.0)).clamp(0.0, 1.0),
            Self::Paper | Self::Never => 0.0,
            Self::Probability(p) => p,
            Self::Always => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use kleroterion_core::protocol::{Batch, Schema};

    fn kinds(kinds: &[(f64, f64)]) -> Vec<InterviewKind> {
        let kind = |&(cost, gain): &(f64, f64)| InterviewKind {
            name: String::new(),
            cost,
            gain: gain.into(),
        };
        kinds.iter().map(kind).collect()
    }

    fn tiers(list: &[(f64, f64)]) -> Tiers {
        Tiers::of(&kinds(list)).unwrap()
    }

    #[test]
    fn weak_is_the_cheapest_and_strong_tells_most() {
        let at = |list: &[(f64, f64)]| {
            let tiers = tiers(list);
            (tiers.weak(), tiers.strong(), tiers.j(), tiers.s())
        };
        assert_eq!(at(&[(1.0, 1.0), (2.0, 5.0)]), (0, 1, 2.0, 5.0));
        assert_eq!(at(&[(6.0, 9.0), (2.0, 3.0)]), (1, 0, 3.0, 3.0));
        assert_eq!(at(&[(3.0, 4.0)]), (0, 0, 1.0, 1.0));
        // Three and more: those between are none of the pair.
        let many = [(2.0, 4.0), (8.0, 16.0), (1.0, 2.0), (4.0, 8.0)];
        assert_eq!(at(&many), (2, 1, 8.0, 8.0));
        // Of the equally cheap the one that tells less; of those that tell as much the cheaper;
        // then the first.
        let equal = [(1.0, 2.0), (1.0, 1.0), (1.0, 1.0), (5.0, 9.0), (4.0, 9.0)];
        assert_eq!(at(&equal), (1, 4, 4.0, 9.0));
        // Two kinds stay two, whatever they cost and tell.
        assert_eq!(at(&[(1.0, 1.0), (1.0, 5.0)]), (0, 1, 1.0, 5.0));
        assert_eq!(at(&[(1.0, 1.0), (3.0, 1.0)]), (0, 1, 3.0, 1.0));
        assert_eq!(at(&[(1.0, 1.0), (1.0, 1.0)]), (0, 1, 1.0, 1.0));
    }

    #[test]
    fn costs_are_told_in_units_of_the_cheapest() {
        let list = kinds(&[(0.5, 1.0), (2.0, 5.0), (3.0, 6.0)]);
        let tiers = Tiers::pair(&list, 1, 2).unwrap();
        assert_eq!([0, 1, 2].map(|kind| tiers.cost(kind)), [1.0, 4.0, 6.0]);
        assert_eq!((tiers.j(), tiers.s()), (1.5, 1.2));
    }

    #[test]
    fn s_for_a_candidate_is_the_ratio_of_gains() {
        let mut batch = Batch::new(Arc::new(Schema::default()), 1, 0);
        batch.persons_mut().push(0, &[], &[], None);
        let tiers = tiers(&[(1.0, 2.0), (2.0, 5.0)]);
        assert_eq!(tiers.s_at(batch.persons().shown(0)), 2.5);
    }

    #[test]
    fn kinds_that_cant_be_are_named_all_at_once() {
        assert!(
            Tiers::of(&[])
                .unwrap_err()
                .to_string()
                .contains("1 or more")
        );
        let wrong = Tiers::pair(&kinds(&[(0.0, f64::NAN)]), 0, 7).unwrap_err();
        assert_eq!(wrong.0.len(), 3, "{wrong}");
    }

    #[test]
    fn equation_3_is_clamped() {
        let paper = |s, j| Strong::Paper.probability(s, j);
        assert_eq!(paper(5.0, 2.0), 0.75);
        assert_eq!(paper(5.0, 1.0), 1.0);
        assert_eq!(paper(5.0, 5.0), 0.0);
        // A strong look that costs more than it tells, one that tells no more, one that tells less.
        assert_eq!(paper(5.0, 9.0), 0.0);
        assert_eq!(paper(1.0, 1.0), 0.0);
        assert_eq!(paper(1.0, 0.5), 0.0);
        assert_eq!(paper(0.5, 2.0), 0.0);
        assert_eq!(paper(5.0, 0.5), 1.0);
    }
}
