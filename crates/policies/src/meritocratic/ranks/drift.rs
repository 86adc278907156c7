//! A bound on how far the inner products of a group's contexts have moved since the anchor.

/// The least and the most of each coordinate of a group's contexts.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    low: Vec<f64>,
    high: Vec<f64>,
}

/// The keys mu0.x of contexts that are certainly no better, or certainly better, than a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    /// A context with a key up to this has mu.x <= the query's.
    pub(super) low: f64,
    /// A context with a key above this has mu.x > the query's.
    pub(super) high: f64,
}

impl Extent {
    /// The extent of no contexts.
    pub(super) fn none(dimension: usize) -> Self {
        Self {
            low: vec![f64::INFINITY; dimension],
            high: vec![f64::NEG_INFINITY; dimension],
        }
    }

    /// Extends the extent to a context.
    pub(super) fn include(&mut self, context: &[f64]) {
        let bounds = self.low.iter_mut().zip(&mut self.high);
        for ((low, high), x) in bounds.zip(context) {
            *low = if *x < *low { *x } else { *low };
            *high = if *x > *high { *x } else { *high };
        }
    }

    /// The ambiguous band of a query with mu.q = `value`, for keys under `anchor`; `None` where
    /// numbers are so large that nothing is certain.
    pub(super) fn band(&self, anchor: &[f64], mu: &[f64], value: f64) -> Option<Band> {
        let (mut least, mut most, mut size) = (0.0, 0.0, value.abs());
        let estimates = anchor.iter().zip(mu);
        for ((old, new), (low, high)) in estimates.zip(self.low.iter().zip(&self.high)) {
            let delta = new - old;
            let (a, b) = (delta * low, delta * high);
            least += a.min(b);
            most += a.max(b);
            size += (old.abs() + new.abs()) * low.abs().max(high.abs());
        }
        // Each sum has d terms of in all at most `size`, so it is off by less than (d + 2) EPSILON
        // size; three sums and the bounds themselves are rounded.
        let margin = 4.0 * (mu.len() as f64 + 4.0) * f64::EPSILON * size;
        (size < 1e300).then_some(Band {
            low: value - most - margin,
            high: value - least + margin,
        })
    }
}
