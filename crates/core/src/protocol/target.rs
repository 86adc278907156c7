//! The shares that a committee is to have.

use super::schema::Schema;

/// The target share of each value of some attributes (rho in Do et al. 2021, Section 3.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// (index of the attribute in the schema, a share a value); each row sums to 1.
    rows: Vec<(usize, Vec<f64>)>,
}

impl Target {
    /// Makes targets for some attributes of a schema, in the schema's order.
    ///
    /// # Panics
    /// Panics if a row's attribute does not exist or its length is not the attribute's number of
    /// values.
    #[must_use]
    pub fn new(schema: &Schema, mut rows: Vec<(usize, Vec<f64>)>) -> Self {
        for (attribute, shares) in &rows {
            assert_eq!(shares.len(), schema.attributes()[*attribute].values.len());
        }
        rows.sort_by_key(|(attribute, _)| *attribute);
        Self { rows }
    }

    /// The targets as (attribute, share of each of its values), in the schema's order.
    #[must_use]
    pub fn rows(&self) -> &[(usize, Vec<f64>)] {
        &self.rows
    }

    /// Returns the representation loss of a committee (Do et al. 2021, Section 3.1). It is the
    /// largest distance, over attributes and values, between the committee's share and the
    /// target's. `counts` has the members by attribute of the schema and value. `None` for an empty
    /// committee.
    #[must_use]
    pub fn loss(&self, counts: &[Vec<u64>], members: u64) -> Option<f64> {
        Some(self.gaps(counts, members)?.fold(0.0, f64::max))
    }

    /// Returns the distances in l1 and l2 between a committee's shares and the target's, over all
    /// attributes and values. Otherwise as [`Target::loss`].
    #[must_use]
    pub fn summed_losses(&self, counts: &[Vec<u64>], members: u64) -> Option<[f64; 2]> {
        let gaps = self.gaps(counts, members)?;
        let [sum, squares] = gaps.fold([0.0; 2], |[sum, squares], gap| {
            [sum + gap, squares + gap * gap]
        });
        Some([sum, squares.sqrt()])
    }

    /// The distance between share and target, a value each.
    fn gaps<'a>(
        &'a self,
        counts: &'a [Vec<u64>],
        members: u64,
    ) -> Option<impl Iterator<Item = f64> + 'a> {
        let n = members as f64;
        let rows = self.rows.iter();
        let values = rows.flat_map(|(attribute, shares)| counts[*attribute].iter().zip(shares));
        (members > 0).then(|| values.map(move |(&count, share)| (count as f64 / n - share).abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Attribute;
    use super::*;

    #[test]
    fn losses_are_distances_between_shares() {
        let attribute = |name: &str| Attribute {
            name: name.into(),
            values: vec!["x".into(), "y".into()],
        };
        let attributes = vec![attribute("a"), attribute("b")];
        let schema = Schema::new(attributes, vec![], false).unwrap();
        let target = Target::new(&schema, vec![(1, vec![0.5, 0.5]), (0, vec![0.25, 0.75])]);
        let rows = [(0, vec![0.25, 0.75]), (1, vec![0.5, 0.5])];
        assert_eq!(target.rows(), rows);
        let counts = [vec![2, 2], vec![1, 3]];
        assert_eq!(target.loss(&counts, 4), Some(0.25));
        assert_eq!(target.summed_losses(&counts, 4), Some([1.0, 0.5]));
        assert_eq!(target.loss(&counts, 0), None);
        assert_eq!(target.summed_losses(&counts, 0), None);
        // One member, of x and y.
        assert_eq!(target.loss(&[vec![1, 0], vec![0, 1]], 1), Some(0.75));
        assert_eq!(schema.attributes()[0].index("y"), Some(1));
        assert_eq!(schema.attributes()[0].index("z"), None);
        assert!(!schema.scored() && !schema.is_timed());
        let scored = Schema::new(vec![], vec![], true).unwrap();
        assert!(scored.scored() && scored.timed().is_timed());
    }
}
