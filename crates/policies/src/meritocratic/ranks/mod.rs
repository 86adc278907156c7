//! Relative ranks among remembered contexts, under an estimate mu~ that moves: exact, and much
//! faster than to compute every mu~.x anew (which Alg. 1 does: K d t steps a round, Remark 4.2).
//!
//! Each group's contexts lie sorted by mu0.x under an older estimate mu0, the *anchor*. With delta
//! = mu~ - mu0 and a box that holds all the group's contexts, delta.x is somewhere in an interval
//! \[low, high\], the same for all of them. A context with mu0.x + high <= mu~.q is therefore no
//! better than the query q, one with mu0.x + low > mu~.q is better, and only those between, the
//! *ambiguous band*, are computed. Two binary searches count the rest. When the bands since the
//! last anchor have cost more than a new anchor would, mu~ becomes the anchor.
//!
//! Rounding moves a sum by less than the margin that widens the band: so the counts are those of
//! the naive computation, to the last tie. Both sides of `<=` come from the one kernel [`dot`]:
//! else the duplicates that real people have would differ by one ulp and flip.

mod drift;
mod standing;

pub use standing::dot;

use standing::Standing;

/// The contexts of a window of rounds, by group. It gives the rank of a context among them under an
/// estimate, exactly, and fast while the estimate moves little.
#[derive(Clone, Debug)]
pub struct Ranks {
    groups: Vec<Standing>,
}

impl Ranks {
    /// Makes an empty window for contexts of length `dimension`.
    #[must_use]
    pub fn new(dimension: usize, groups: usize) -> Self {
        Self {
            groups: vec![Standing::new(dimension); groups],
        }
    }

    /// Remembers a context of finite numbers. Rounds must come in order.
    pub fn insert(&mut self, round: u64, group: usize, context: &[f64]) {
        self.groups[group].insert(round, context);
    }

    /// Forgets all contexts of the rounds up to and including `last`.
    pub fn forget(&mut self, last: u64) {
        for group in &mut self.groups {
            group.forget(last);
        }
    }

    /// Returns the share of the group's remembered contexts x with mu.x <= mu.context. `None` if
    /// there are none.
    pub fn rank(&mut self, mu: &[f64], group: usize, context: &[f64]) -> Option<f64> {
        let group = &mut self.groups[group];
        let all = group.len();
        (all > 0).then(|| group.count(mu, dot(mu, context)) as f64 / all as f64)
    }

    /// The number of contexts remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.iter().map(Standing::len).sum()
    }

    /// Returns true if no context is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of inner products with remembered contexts that the ranks have cost since the
    /// start. It is the sum of the sizes of the ambiguous bands, without the cost of the anchors.
    #[must_use]
    pub fn computed(&self) -> u64 {
        self.groups.iter().map(Standing::computed).sum()
    }
}
