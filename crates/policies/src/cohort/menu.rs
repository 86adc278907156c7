//! The choice of interviews that SWAP buys where more than two kinds are for sale (*ours*: the
//! paper has two).
//!
//! A kind is picked by the weight on file and by the prices alone, never by what was seen. So an
//! arm's weights are as they would be without interviews, and the union bound over its interviews
//! holds as it does for two kinds. The same holds where gains depend on what a candidate is shown
//! as.

use kleroterion_core::protocol::{Gain, InterviewKind};

/// All kinds that are for sale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Menu {
    kinds: Box<[Item]>,
}

/// The price of a kind of interview, in money, and its gain.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    cost: f64,
    gain: Gain,
}

impl Menu {
    /// Makes the menu of at least one kind, with costs and gains above 0.
    pub(super) fn new(kinds: &[InterviewKind]) -> Self {
        let item = |kind: &InterviewKind| Item {
            cost: kind.cost,
            gain: kind.gain.clone(),
        };
        Self {
            kinds: kinds.iter().map(item).collect(),
        }
    }

    /// The weak kind: the one of the first interview of each of `n`, for `money`.
    ///
    /// It is the kind that wastes least at worst. Where any interview of an arm will do, a kind
    /// wastes its cost over the cheapest one's; where many interviews are to come, its cost over
    /// that of as much gain at the best rate. Of equals the cheaper one, then the first. Kinds for
    /// which the money does not reach all are left out; where it reaches all with no kind, the
    /// cheapest is taken. `gain`: what a gain is on the whole slate.
    pub(super) fn weak(&self, n: u32, money: f64, gain: impl Fn(&Gain) -> f64) -> usize {
        let least = |of: &dyn Fn(&Item) -> f64| {
            let all = self.kinds.iter().map(of);
            all.fold(f64::INFINITY, f64::min)
        };
        let cheapest = least(&|item| item.cost);
        let rate = least(&|item| item.cost / gain(&item.gain));
        let waste = |item: &Item| (item.cost - cheapest).max(item.cost - gain(&item.gain) * rate);
        let reaches = |item: &Item| item.cost <= cheapest || f64::from(n) * item.cost <= money;
        let open = (0..self.kinds.len()).filter(|&at| reaches(&self.kinds[at]));
        let found = open.min_by(|&a, &b| {
            let (a, b) = (&self.kinds[a], &self.kinds[b]);
            let by_waste = waste(a).total_cmp(&waste(b));
            by_waste.then(a.cost.total_cmp(&b.cost))
        });
        found.unwrap_or(0)
    }

    /// The strong kind for an arm with `weight` on file: of the kinds that cost at least what the
    /// weak one does, the one that makes the radius 1 / sqrt(T) the most narrower for its cost. Of
    /// equals the cheaper one, then the first; the weak one where there is no other. `gain`: what a
    /// gain is at that arm.
    pub(super) fn strong(&self, weak: usize, weight: f64, gain: impl Fn(&Gain) -> f64) -> usize {
        let narrower = |at: usize| {
            let Item { cost, gain: said } = &self.kinds[at];
            (1.0 / weight.sqrt() - 1.0 / (weight + gain(said)).sqrt()) / cost
        };
        let dear = |&at: &usize| at != weak && self.kinds[at].cost >= self.kinds[weak].cost;
        let found = (0..self.kinds.len()).filter(dear).min_by(|&a, &b| {
            let by_width = narrower(b).total_cmp(&narrower(a));
            by_width.then(self.kinds[a].cost.total_cmp(&self.kinds[b].cost))
        });
        found.unwrap_or(weak)
    }

    /// Returns s and j: the gain and the price of a kind, in interviews of another kind. `gain`
    /// gives the value of a gain for an arm.
    pub(super) fn in_looks_of(
        &self,
        weak: usize,
        kind: usize,
        gain: impl Fn(&Gain) -> f64,
    ) -> (f64, f64) {
        let (weak, kind) = (&self.kinds[weak], &self.kinds[kind]);
        (gain(&kind.gain) / gain(&weak.gain), kind.cost / weak.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(list: &[(f64, f64)]) -> Menu {
        let kind = |&(cost, gain): &(f64, f64)| InterviewKind {
            name: String::new(),
            cost,
            gain: gain.into(),
        };
        Menu::new(&list.iter().map(kind).collect::<Vec<_>>())
    }

    #[test]
    fn the_first_look_wastes_little() {
        let weak = |list: &[(f64, f64)]| menu(list).weak(10, f64::INFINITY, Gain::greatest);
        // By hand, at a best rate of .15: 0 or .85, .2 or 0, 5 or 4.65.
        assert_eq!(weak(&[(1.0, 1.0), (1.2, 8.0), (6.0, 9.0)]), 1);
        // A dear kind is none to begin with: 0 or .875, 1 or 1.375, 9 or 0.
        assert_eq!(weak(&[(1.0, 1.0), (2.0, 5.0), (10.0, 80.0)]), 0);
        // Next to the cheapest kind, and far more telling.
        assert_eq!(weak(&[(0.99, 0.001), (1.0, 1.0), (20.0, 5.0)]), 1);
        // Of equals the cheaper, then the first.
        assert_eq!(weak(&[(2.0, 2.0), (1.0, 1.0), (1.0, 1.0)]), 1);
    }

    #[test]
    fn the_first_look_is_one_that_the_money_buys_for_all() {
        let menu = menu(&[(1.0, 1.0), (1.2, 8.0), (6.0, 9.0)]);
        let weak = [12.0, 11.9, 10.0, 3.0].map(|money| menu.weak(10, money, Gain::greatest));
        assert_eq!(weak, [1, 0, 0, 0]);
    }

    #[test]
    fn the_strong_look_depends_on_the_width_that_is_left() {
        let some = menu(&[(1.0, 1.0), (2.0, 5.0), (10.0, 80.0)]);
        // A wide radius is halved by little; a narrow one wants the best rate.
        let strong = [1.0, 10.0, 100.0, 1e4].map(|weight| some.strong(0, weight, Gain::greatest));
        assert_eq!(strong, [1, 1, 2, 2]);
        // What costs more and tells less is never bought, nor what is cheaper than the weak look.
        let worse = menu(&[(1.0, 1.0), (2.0, 5.0), (3.0, 4.0), (0.9, 0.9)]);
        for weight in [0.1, 1.0, 10.0, 1e6] {
            assert_eq!(worse.strong(0, weight, Gain::greatest), 1);
        }
        assert_eq!(
            menu(&[(1.0, 1.0), (2.0, 9.0), (1.0, 0.5)]).strong(1, 1.0, Gain::greatest),
            1
        );
        assert_eq!(some.in_looks_of(1, 2, Gain::greatest), (16.0, 5.0));
    }
}
