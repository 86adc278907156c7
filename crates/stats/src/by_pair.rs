//! Comparisons found by their two policies.

use std::collections::BTreeMap;

/// The comparisons on one metric, indexed by both labels.
#[derive(Debug)]
pub struct ByPair<'a, P> {
    places: BTreeMap<&'a str, u32>,
    pairs: BTreeMap<[u32; 2], &'a P>,
}

impl<'a, P> ByPair<'a, P> {
    /// Makes the index of comparisons, each given with its a and b. The first of two with the same
    /// policies counts.
    pub fn of(pairs: impl IntoIterator<Item = ([&'a str; 2], &'a P)>) -> Self {
        let mut all = Self {
            places: BTreeMap::new(),
            pairs: BTreeMap::new(),
        };
        for (labels, pair) in pairs {
            let sides = labels.map(|label| {
                let next = all.places.len() as u32;
                *all.places.entry(label).or_insert(next)
            });
            let [a, b] = sides;
            if !all.pairs.contains_key(&[b, a]) {
                all.pairs.entry(sides).or_insert(pair);
            }
        }
        all
    }

    /// Returns the comparison of two policies, in either order, and true if it is from `a` to `b`.
    /// `None` if they are not compared.
    pub fn get(&self, a: &str, b: &str) -> Option<(&'a P, bool)> {
        let [a, b] = [*self.places.get(a)?, *self.places.get(b)?];
        let from_a = self.pairs.get(&[a, b]).map(|pair| (*pair, true));
        from_a.or_else(|| self.pairs.get(&[b, a]).map(|pair| (*pair, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_found_from_both_sides_and_the_first_counts() {
        let said = ["a from b", "b from a", "c from a"];
        let labels = [["a", "b"], ["b", "a"], ["c", "a"]];
        let all = ByPair::of(labels.into_iter().zip(&said));
        assert_eq!(all.get("a", "b"), Some((&said[0], true)));
        assert_eq!(all.get("b", "a"), Some((&said[0], false)));
        assert_eq!(all.get("a", "c"), Some((&said[2], false)));
        assert_eq!((all.get("b", "c"), all.get("a", "d")), (None, None));
    }
}
