//! Utilities of the people who may come, if they are known before the run.

use crate::limits::MOST_SUMMED;
use crate::protocol::{CohortSums, Rules};

/// The true utilities of all who may come in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilities {
    /// The utilities in ascending order; not empty, all finite.
    ascending: Vec<f64>,
    /// True if one person can come several times in a round.
    repeated: bool,
    /// The number of people who come in every round, if it is fixed.
    slate: Option<u32>,
}

impl Utilities {
    /// Makes the utilities of people; `repeated` says that one person can come several times in a
    /// round. `None` without people, or if a utility is not finite.
    #[must_use]
    pub fn new(mut values: Vec<f64>, repeated: bool) -> Option<Self> {
        let is_known = !values.is_empty() && values.iter().all(|value| value.is_finite());
        values.sort_unstable_by(f64::total_cmp);
        is_known.then_some(Self {
            ascending: values,
            repeated,
            slate: None,
        })
    }

    /// Sets the number of people who come in each round.
    #[must_use]
    pub fn in_slates(self, slate: Option<u32>) -> Self {
        Self { slate, ..self }
    }

    /// The least and the greatest utility.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let [least, most] = [self.ascending.first(), self.ascending.last()];
        let at = |end: Option<&f64>| end.copied().unwrap_or(0.0);
        (at(least), at(most))
    }

    /// Returns the possible sums of the utilities of a cohort that these rules allow. `short` says
    /// that places may stay empty. `None` if nothing bounds the size of a cohort.
    #[must_use]
    pub fn sums(&self, rules: &Rules, short: bool) -> Option<CohortSums> {
        let people = match self.repeated {
            true => u32::MAX,
            false => u32::try_from(self.ascending.len()).unwrap_or(u32::MAX),
        };
        let places = rules.choose.places(self.slate.unwrap_or(u32::MAX), None);
        // The last places of a run, and small slates, make small cohorts.
        let is_whole = self.slate.is_some() && rules.places_left(0).is_none();
        let fewest = match is_whole {
            _ if short => 0,
            true => places.min.max(1),
            false => 1,
        };
        let most = places.max.min(people);
        if most < fewest || most as usize > MOST_SUMMED {
            return None;
        }
        let sizes = fewest as usize..=most as usize;
        let [mut lowest, mut highest] = match short {
            true => [0.0, 0.0],
            false => [f64::INFINITY, f64::NEG_INFINITY],
        };
        let (mut low, mut high) = (0.0, 0.0);
        let mut roots = 0.0;
        let last = self.ascending.len() - 1;
        for member in 0..*sizes.end() {
            let place = if self.repeated { 0 } else { member };
            let great = self.ascending[last - place];
            low += self.ascending[place];
            high += great;
            roots += great.max(0.0).sqrt();
            if sizes.contains(&(member + 1)) {
                lowest = lowest.min(low);
                highest = highest.max(high);
            }
        }
        Some(CohortSums {
            lowest,
            highest,
            roots,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Choose, Until};

    fn rules(choose: Choose) -> Rules {
        Rules::new(choose, Until::Rounds(3))
    }

    #[test]
    fn sums_of_the_lowest_and_of_the_highest() {
        let utilities = Utilities::new(vec![4.0, 1.0, 9.0, 0.0], false).unwrap();
        assert_eq!(utilities.range(), (0.0, 9.0));
        let sums = |choose, slate| {
            let utilities = utilities.clone().in_slates(slate);
            utilities.sums(&rules(choose), false).unwrap()
        };
        let two = sums(Choose::Exactly(2), Some(4));
        assert_eq!((two.lowest, two.highest, two.roots), (1.0, 13.0, 5.0));
        // A slate of unknown size may be of one person.
        assert_eq!(sums(Choose::Exactly(2), None).lowest, 0.0);
        assert_eq!(sums(Choose::Any, Some(4)).highest, 14.0);
        let resampled = Utilities::new(vec![4.0, 1.0], true).unwrap();
        assert!(resampled.sums(&rules(Choose::Any), false).is_none());
        let two = resampled.in_slates(Some(2));
        let two = two.sums(&rules(Choose::Exactly(2)), false).unwrap();
        assert_eq!((two.lowest, two.highest, two.roots), (2.0, 8.0, 4.0));
    }

    /// Where places may stay empty, one person or no one is a cohort too.
    #[test]
    fn places_that_stay_empty_make_smaller_cohorts() {
        let utilities = Utilities::new(vec![-5.0, 9.0], false).unwrap();
        let utilities = utilities.in_slates(Some(2));
        let sums = |short| {
            let sums = utilities.sums(&rules(Choose::Exactly(2)), short).unwrap();
            (sums.lowest, sums.highest)
        };
        assert_eq!(sums(false), (4.0, 4.0));
        assert_eq!(sums(true), (-5.0, 9.0));
    }

    #[test]
    fn utilities_below_0_count_by_the_size_that_is_worst_and_best() {
        let utilities = Utilities::new(vec![-3.0, -1.0, 2.0], false).unwrap();
        let any = utilities.sums(&rules(Choose::Any), false).unwrap();
        assert_eq!((any.lowest, any.highest), (-4.0, 2.0));
        assert!((any.roots - 2f64.sqrt()).abs() < 1e-15);
        assert!(Utilities::new(vec![f64::NAN], false).is_none());
        assert!(Utilities::new(vec![], false).is_none());
    }
}
