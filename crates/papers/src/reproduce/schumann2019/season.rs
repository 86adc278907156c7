//! The generated season of admissions: the chair's decisions in each replication, and the
//! statements that all its studies share.

use super::applicants::members;
use crate::reproduce::prelude::*;
use kleroterion_core::draw::Key;
use kleroterion_core::source::admissions::Season;
use kleroterion_policies::cohort::{CohortShape, Diverse, Objective, TopK};

/// SWAP and the season's policies.
pub(super) const PRESET: &str = "schumann2019-season";

/// The caveat of every study of the season.
pub(super) const GENERATED: &str = "The paper's data are private: this is a generated season, \
                                    drawn anew in each replication, and its parameters are ours. \
                                    They are calibrated to what the paper prints: 1,600 \
                                    applicants, 3 % and 20 % admitted, 1.21 reviews each, Table \
                                    1's w of 80.1 and 73.96, its cost (through the noise of a \
                                    review, 0.0016), and w_div of the actual cohort by gender, \
                                    region and area. That our numbers agree with those is no \
                                    evidence; only directions and shapes are judged, and none \
                                    counts for more than “in shape”. Gender, region and area are \
                                    independent of utility in it.";

/// The description of the policy Actual.
pub(super) const ACTUAL: &str = "Actual: in each programme the best by mean recorded score and the \
                                 chair's own judgement (s.d. 0.1, ours, calibrated). Interviews \
                                 “were not consistently documented”: we count one for every 15 \
                                 places, at 6 reviews each, as cost alone.";

/// An attribute of the applicants.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct SeasonAttribute {
    /// The index in the schema.
    pub at: usize,
    /// The name, which is also the label of the lane whose w_div uses the attribute.
    pub name: &'static str,
    /// The lane with the PAC stop.
    pub pac: &'static str,
}

pub(super) const GENDER: SeasonAttribute = SeasonAttribute {
    at: 1,
    name: "gender",
    pac: "gender PAC",
};
pub(super) const REGION: SeasonAttribute = SeasonAttribute {
    at: 2,
    name: "region",
    pac: "region PAC",
};
pub(super) const AREA: SeasonAttribute = SeasonAttribute {
    at: 3,
    name: "area",
    pac: "area PAC",
};

/// The season of one replication, with the decisions made in it.
pub(super) struct DecidedSeason {
    season: Season,
    members: usize,
    admitted: Vec<bool>,
    /// The cost of the decisions, in reviews.
    pub cost: f64,
}

impl DecidedSeason {
    /// Returns the season of each replication of a run.
    pub(super) fn all(run: &StudyRun) -> Result<Vec<Self>> {
        let admissions = run.plan.world.season.as_ref();
        let admissions = admissions.ok_or_else(|| run.lacks("a season"))?;
        let members = members(run)?;
        let one = |replication| {
            let season = Season::draw(admissions, Key::new(run.plan.seed, replication), 0);
            let actual = season.actual();
            Self {
                season,
                members,
                admitted: actual.admitted,
                cost: actual.cost,
            }
        };
        Ok((0..run.result.replications).map(one).collect())
    }

    /// Returns w_top of the actual cohort.
    pub(super) fn top(&self) -> f64 {
        TopK.worth(&self.shape(0), self.season.utilities(), &self.admitted)
    }

    /// Returns w_div of the actual cohort.
    pub(super) fn diverse(&self, class: SeasonAttribute) -> f64 {
        self.diversity(class, &self.admitted)
    }

    /// Returns w_div of the cohort that is best by w_top.
    pub(super) fn diverse_of_top(&self, class: SeasonAttribute) -> f64 {
        let shape = self.shape(class.at);
        let best = TopK.best_slots(&shape, self.season.utilities());
        let mut cohort = vec![false; self.admitted.len()];
        for slot in best {
            cohort[slot as usize] = true;
        }
        self.diversity(class, &cohort)
    }

    /// Returns the share of a value in the actual cohort.
    pub(super) fn share(&self, class: SeasonAttribute, value: u16) -> f64 {
        let groups = self.season.groups(class.at);
        let both = groups.iter().zip(&self.admitted);
        let of = both.filter(|(group, admitted)| **admitted && **group == value);
        of.count() as f64 / self.members as f64
    }

    /// Returns the number of reviews per applicant.
    pub(super) fn reviews(&self) -> f64 {
        self.season.reviews() as f64 / self.applicants()
    }

    /// Returns the number of applicants.
    pub(super) fn applicants(&self) -> f64 {
        self.admitted.len() as f64
    }

    fn diversity(&self, class: SeasonAttribute, cohort: &[bool]) -> f64 {
        let shape = self.shape(class.at);
        Diverse::new(class.at).worth(&shape, self.season.utilities(), cohort)
    }

    fn shape(&self, attribute: usize) -> CohortShape {
        CohortShape {
            members: self.members,
            groups: self.season.groups(attribute),
        }
    }
}

/// Returns the median of values, one per replication.
pub(super) fn median(run: &StudyRun, values: &[f64]) -> Result<StudyEstimate> {
    middle(values).ok_or_else(|| run.lacks("the four replications that a median takes"))
}

/// Returns the median, or `None` for fewer than four values. Its standard error is half the
/// distance of the values whose ranks are half a root of n below and above the middle. The median
/// lies between them in about 68 % of samples, whatever the law.
fn middle(values: &[f64]) -> Option<StudyEstimate> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n < 4 {
        return None;
    }
    let reach = ((n as f64).sqrt() / 2.0).round() as usize;
    let (low, high) = ((n - 1) / 2, n / 2);
    Some(StudyEstimate {
        mean: f64::midpoint(values[low], values[high]),
        se: Some((values[high + reach] - values[low - reach]) / 2.0),
        n: n as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_lies_in_the_middle() {
        // Of 0 .. 99: ranks 5 below and above the middle two.
        let values: Vec<f64> = (0..100).rev().map(f64::from).collect();
        let found = middle(&values).unwrap();
        assert_eq!((found.mean, found.se), (49.5, Some(5.5)));
        let of_five = middle(&[9.0, 1.0, 3.0, 2.0, 4.0]).unwrap();
        assert_eq!((of_five.mean, of_five.se), (3.0, Some(1.0)));
        assert!(middle(&[1.0, 2.0, 3.0]).is_none());
    }
}
