//! The normal law of the scores of a group.

/// The normal law of the scores of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupScores {
    /// The number of people.
    pub people: usize,
    /// The mean score.
    pub mean: f64,
    /// The variance: the mean squared deviation, divided by the number of people. This is the
    /// maximum-likelihood fit, and it agrees with the paper's Table 1.
    pub variance: f64,
}

impl GroupScores {
    /// Fits the law to at least one score.
    pub fn of(scores: &[f64]) -> Self {
        let n = scores.len() as f64;
        // About the first, so that equal scores have exactly their own mean.
        let first = scores[0];
        let mean = first + scores.iter().map(|z| z - first).sum::<f64>() / n;
        let squares: f64 = scores.iter().map(|z| (z - mean) * (z - mean)).sum();
        Self {
            people: scores.len(),
            mean,
            variance: squares / n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_is_divided_by_the_number_of_people() {
        let group = GroupScores::of(&[5.0, 2.0, 3.0, 6.0]);
        assert_eq!((group.people, group.mean, group.variance), (4, 4.0, 2.5));
        let alike = GroupScores::of(&[0.1; 3]);
        assert_eq!((alike.mean, alike.variance), (0.1, 0.0));
    }

    /// Deviations are taken before they are squared: far from 0 the squares of the scores say
    /// nothing of them.
    #[test]
    fn the_variance_of_large_scores_is_theirs() {
        let large = [1e15, 1e15 + 1.0, 1e15 + 3.0];
        let variance = GroupScores::of(&large).variance;
        assert!((variance - 14.0 / 9.0).abs() < 0.1, "{variance}");
    }
}
