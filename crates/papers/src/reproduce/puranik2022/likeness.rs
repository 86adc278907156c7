//! The likeness of a group's scores to the Gaussian that is fitted to them.

use super::people::{DataSet, FittedScores};
use crate::reproduce::chance::{Normality, of_normals};
use crate::reproduce::prelude::*;
use kleroterion_policies::pool::ScoreLaw;

/// A histogram resembles a Gaussian where at no score the share of people below differs by more
/// from the Gaussian's; in shape, by more.
const RESEMBLES: f64 = 0.05;
pub(super) const IN_SHAPE: f64 = 0.1;

/// Below this probability a Gaussian is refused.
const REFUSED: f64 = 0.001;

/// The share of the best whose mean is reported: the paper's selection rate.
const BEST: f64 = 0.3;

/// A group's scores and their Gaussian.
struct Likeness {
    group: &'static str,
    people: u64,
    normality: Normality,
    skewness: f64,
    /// The excess kurtosis; 0 for a Gaussian.
    kurtosis: f64,
    /// The mean score of the best: in the file, and of the Gaussian.
    best: [f64; 2],
}

impl Likeness {
    fn of(group: &'static str, scores: &[f64], law: ScoreLaw) -> Self {
        let n = scores.len() as f64;
        let moment = |power: i32| {
            let sum: f64 = scores
                .iter()
                .map(|z| ((z - law.mean) / law.sd).powi(power))
                .sum();
            sum / n
        };
        let mut sorted = scores.to_vec();
        sorted.sort_by(f64::total_cmp);
        let best = &sorted[scores.len() - ((BEST * n).round() as usize).max(1)..];
        Self {
            group,
            people: scores.len() as u64,
            normality: of_normals(scores),
            skewness: moment(3),
            kurtosis: moment(4) - 3.0,
            best: [
                best.iter().sum::<f64>() / best.len() as f64,
                law.best(BEST) / BEST,
            ],
        }
    }

    /// Makes a number of a moment, with the usual distance from 0 for a Gaussian sample: the root
    /// of `over` / n.
    fn moment(&self, name: &str, value: f64, over: f64) -> Number {
        let usual = (over / self.people as f64).sqrt();
        let what = format!("{}, {name} (a Gaussian's own: 0 ± {usual:.2}):", self.group);
        Number::counted(what, value, self.people)
    }
}

/// The groups of a data set and their Gaussians.
pub(super) struct Groups([Likeness; 2]);

impl Groups {
    pub(super) fn of(data: &DataSet, fit: &FittedScores) -> Self {
        let [u, v] = fit.parted();
        let law = |at: usize| {
            let law = fit.scores.groups[at];
            ScoreLaw {
                mean: law.mean,
                sd: law.variance.sqrt(),
            }
        };
        Self([
            Likeness::of(data.groups[0], &u, law(0)),
            Likeness::of(data.groups[1], &v, law(1)),
        ])
    }

    fn within(&self, most: f64) -> Holds {
        self.0
            .iter()
            .all(|group| group.normality.distance <= most)
            .into()
    }

    /// Explains the two verdicts on a Gaussian: the distance from it, and the test.
    pub(super) fn statement(&self) -> String {
        let usual = self
            .0
            .each_ref()
            .map(|group| format!("{:.3} of {} people", group.normality.usual, group.people));
        format!(
            "Whether scores are like a Gaussian is two questions. How far are they from it? The \
             distance is the largest difference between the share of people below a score and the \
             share that the fitted Gaussian has there; a Gaussian's own people are usually off by \
             {}. And could they be a Gaussian's at all? That is asked by Lilliefors's test (the \
             same distance, against {} drawn samples of as many, the Gaussian fitted to each, so \
             that p is never below 1 in {}); of many people it refuses what is near enough for the \
             eye.",
            usual.join(" and by "),
            super::super::chance::SAMPLES,
            super::super::chance::SAMPLES + 1
        )
    }

    /// Makes the claim that the histograms resemble Gaussians, judged by a distance.
    pub(super) fn resemble(&self, place: &str) -> StudyClaim {
        let mut claim = StudyClaim::at(place)
            .says(
                "“The histogram of scores resembles a Gaussian distribution, whose parameters we \
                 learn.”",
            )
            .rule(format!(
                "in both groups the distance to the fitted Gaussian is at most {RESEMBLES}; in \
                 shape at most {IN_SHAPE}"
            ));
        for group in &self.0 {
            let name = group.group;
            claim.counted(
                format!("{name}, distance:"),
                group.normality.distance,
                group.people,
            );
            claim.numbers([group.moment("skewness", group.skewness, 6.0)]);
            claim.numbers([group.moment("excess kurtosis", group.kurtosis, 24.0)]);
        }
        claim.judged(
            self.within(RESEMBLES),
            self.within(IN_SHAPE),
            self.farthest(),
        )
    }

    /// Makes the claim that the scores are Gaussian in nature, judged by a test.
    pub(super) fn gaussian(&self, place: &str) -> StudyClaim {
        let tenable = self.0.iter().all(|group| group.normality.p >= REFUSED);
        let ours = self.0.iter().map(|group| {
            Number::tested(
                format!("{}, Lilliefors:", group.group),
                group.normality.p,
                group.people,
            )
        });
        let refused: Vec<&str> = self
            .0
            .iter()
            .filter(|group| group.normality.p < REFUSED)
            .map(|group| group.group)
            .collect();
        StudyClaim::at(place)
            .says(
                "“The histograms of the scores of the two groups reveal that they are Gaussian in \
                 nature.”",
            )
            .rule(format!(
                "Lilliefors's test does not refuse a Gaussian of either group (p at least \
                 {REFUSED}); in shape where the distance is at most {IN_SHAPE} though"
            ))
            .numbers(ours)
            .judged(
                tenable,
                self.within(IN_SHAPE),
                format!(
                    "near one, but a Gaussian is refused: {}",
                    refused.join(", ")
                ),
            )
    }

    fn farthest(&self) -> String {
        let far = self
            .0
            .iter()
            .filter(|group| group.normality.distance > RESEMBLES);
        let far: Vec<String> = far
            .map(|group| {
                let side = match group.skewness {
                    skewness if skewness > 0.2 => {
                        ", which lean to the left with a tail to the right"
                    }
                    skewness if skewness < -0.2 => {
                        ", which lean to the right with a tail to the left"
                    }
                    _ => "",
                };
                format!("the distance is above {RESEMBLES}: {}{side}", group.group)
            })
            .collect();
        far.join("; ")
    }

    pub(super) fn table(&self) -> FigureTable {
        let headers = [
            "group",
            "people",
            "distance",
            "usual distance of a Gaussian's sample",
            "p (Lilliefors)",
            "skewness",
            "excess kurtosis",
            "mean of the best 30 %",
            "the same of the Gaussian",
        ];
        let row = |group: &Likeness| {
            let normality = &group.normality;
            let mut row = vec![text(group.group), Cell::number(group.people as f64)];
            row.extend(
                [
                    normality.distance,
                    normality.usual,
                    normality.p,
                    group.skewness,
                    group.kurtosis,
                    group.best[0],
                    group.best[1],
                ]
                .map(Cell::number),
            );
            row
        };
        tabulate(headers, self.0.iter().map(row))
    }
}

/// Draws the histograms as `klero fit scores` does.
pub(super) fn figure(data: &DataSet, fit: &FittedScores, title: &str) -> Figure {
    let names = [0, 1].map(|at| format!("{}, {}", ["u", "v"][at], data.groups[at]));
    let drawn = fit
        .scores
        .figure(&fit.people.inside, [&names[0], &names[1]]);
    Figure {
        title: title.into(),
        caption: format!(
            "{}, {} people of {}, {} told to the predictor. {}",
            data.name,
            fit.people.labels.len(),
            data.file,
            data.attribute,
            drawn.caption
        ),
        ..drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kleroterion_core::draw::inverse_normal_cdf;

    fn groups(bend: impl Fn(f64) -> f64) -> Groups {
        let side = |group, n: u32| {
            let scores =
                (0..n).map(|i| bend(inverse_normal_cdf((f64::from(i) + 0.5) / f64::from(n))));
            let scores: Vec<f64> = scores.collect();
            let mean = scores.iter().sum::<f64>() / f64::from(n);
            let squares: f64 = scores.iter().map(|z| (z - mean) * (z - mean)).sum();
            let sd = (squares / f64::from(n)).sqrt();
            Likeness::of(group, &scores, ScoreLaw { mean, sd })
        };
        Groups([side("a", 300), side("b", 900)])
    }

    /// Gaussian scores are like a Gaussian by both rules, somewhat bent ones by neither but in
    /// shape, and strongly bent ones not.
    #[test]
    fn verdicts_on_gaussians_can_be_each() {
        let words = |groups: &Groups| {
            [groups.resemble(""), groups.gaussian("")].map(|claim| claim.finding.word())
        };
        let even = groups(|z| 3.0 + 2.0 * z);
        assert_eq!(words(&even), ["reproduced"; 2]);
        let [a, _] = &even.0;
        assert!(a.skewness.abs() < 1e-9 && a.kurtosis.abs() < 0.2);
        assert!((a.best[0] - a.best[1]).abs() < 0.05);
        let bent = groups(|z| libm::exp(0.33 * z));
        assert_eq!(
            words(&bent),
            ["reproduced in shape"; 2],
            "{}",
            bent.0[0].normality.distance
        );
        let broken = groups(|z| libm::exp(2.0 * z));
        assert_eq!(words(&broken), ["not reproduced"; 2]);
    }
}
