//! The probability of accepting a candidate, by the candidate's values.

/// `pi(x)`: the probability of accepting a candidate with values x.
///
/// Cells outside the law's support never arrive under it; should the law be wrong, they are
/// answered all the same. A value whose target is 0 is never accepted. Otherwise `Factors` and
/// `Sums` say there what they say everywhere, and `Table` accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum AcceptanceRule {
    /// `min(1, prod_i a^i_{x^i})`, `a[i][j] >= 0`: 0 if the target is 0; infinite if all with the
    /// value are accepted, unless another factor is 0.
    Factors(Vec<Vec<f64>>),
    /// `min(1, max(0, sum_i b^i_{x^i}))`, `b[i][j]`: minus infinity if the target is 0.
    Sums(Vec<Vec<f64>>),
    /// A probability for each cell.
    Table(AcceptanceTable),
}

/// Probabilities of accepting, by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptanceTable {
    /// Cells in increasing order, with their probabilities.
    entries: Vec<(u32, f64)>,
    /// Per attribute and value: is the target above 0?
    open: Vec<Vec<bool>>,
}

impl AcceptanceRule {
    /// Returns the probability of accepting a candidate with these values, one per attribute; 0 for
    /// values that the attributes do not have.
    #[must_use]
    pub fn probability(&self, values: &[u16]) -> f64 {
        match self {
            Self::Factors(factors) => {
                let mut product = 1.0;
                for (row, &j) in factors.iter().zip(values) {
                    match row.get(usize::from(j)) {
                        Some(&a) if a > 0.0 => product *= a,
                        _ => return 0.0,
                    }
                }
                product.min(1.0)
            }
            Self::Sums(rows) => {
                let mut sum = 0.0;
                for (row, &j) in rows.iter().zip(values) {
                    match row.get(usize::from(j)) {
                        Some(&b) => sum += b,
                        None => return 0.0,
                    }
                }
                sum.clamp(0.0, 1.0)
            }
            Self::Table(table) => table.probability(values),
        }
    }

    /// Returns the probabilities of all cells, with `levels[i]` values of attribute i. The first
    /// attribute is most significant.
    pub fn table(&self, levels: &[usize]) -> Vec<f64> {
        let total: usize = levels.iter().product();
        let mut values = vec![0u16; levels.len()];
        (0..total)
            .map(|cell| {
                unpack(cell as u32, levels, &mut values);
                self.probability(&values)
            })
            .collect()
    }
}

impl AcceptanceTable {
    /// Cells in increasing order with their probabilities; which values have a target above 0.
    pub(super) fn new(entries: Vec<(u32, f64)>, open: Vec<Vec<bool>>) -> Self {
        Self { entries, open }
    }

    /// The cells of the support with a positive probability, in increasing order, with their
    /// probabilities.
    pub fn entries(&self) -> &[(u32, f64)] {
        &self.entries
    }

    fn probability(&self, values: &[u16]) -> f64 {
        let mut cell = 0;
        for (open, &j) in self.open.iter().zip(values) {
            if !open.get(usize::from(j)).is_some_and(|&open| open) {
                return 0.0;
            }
            cell = cell * open.len() + usize::from(j);
        }
        match self
            .entries
            .binary_search_by_key(&cell, |&(cell, _)| cell as usize)
        {
            Ok(at) => self.entries[at].1,
            Err(_) => 1.0,
        }
    }
}

/// The places of a cell's values among the values of all the attributes.
pub(super) fn places(levels: &[usize], values: &[u16]) -> impl Iterator<Item = usize> {
    let mut first = 0;
    values.iter().zip(levels).map(move |(&value, n)| {
        let place = first + usize::from(value);
        first += n;
        place
    })
}

/// A cell's values, in mixed radix, the first attribute most significant.
pub(super) fn unpack(cell: u32, levels: &[usize], values: &mut [u16]) {
    let mut rest = cell as usize;
    for (value, &n) in values.iter_mut().zip(levels).rev() {
        *value = (rest % n) as u16;
        rest /= n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_factor_accepts_unless_another_is_zero() {
        let factors = AcceptanceRule::Factors(vec![
            vec![f64::INFINITY, 0.5],
            vec![1e-12, 0.0],
            vec![1.0, 4.0],
        ]);
        let expected = [1.0, 1.0, 0.0, 0.0, 0.5e-12, 2e-12, 0.0, 0.0];
        for (probability, expected) in factors.table(&[2, 2, 2]).into_iter().zip(expected) {
            assert!((probability - expected).abs() <= 1e-15 * expected);
        }
        assert_eq!(factors.probability(&[2, 0, 0]), 0.0);
    }

    #[test]
    fn a_sum_is_clipped_and_a_zero_target_is_minus_infinity() {
        let sums = AcceptanceRule::Sums(vec![vec![0.75, -2.0], vec![0.5, -0.5, f64::NEG_INFINITY]]);
        assert_eq!(sums.table(&[2, 3]), [1.0, 0.25, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(sums.probability(&[0, 3]), 0.0);
    }

    #[test]
    fn a_table_accepts_outside_the_support_but_never_a_zero_target() {
        let table = AcceptanceRule::Table(AcceptanceTable::new(
            vec![(0, 0.25), (4, 0.75)],
            vec![vec![true, true], vec![true, true, false]],
        ));
        // Cells (0,0) and (1,1) are in the support, (0,1) and (1,0) are not, (.,2) has target 0.
        assert_eq!(table.table(&[2, 3]), [0.25, 1.0, 0.0, 1.0, 0.75, 0.0]);
        assert_eq!(table.probability(&[0, 3]), 0.0);
    }
}
