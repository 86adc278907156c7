//! Scores by logistic regression, and the normal law fitted to each group's scores (Puranik et al.
//! 2022, Appendix A.4.2 and Table 1).

use super::applicants::FitApplicants;
use super::logistic::{Logistic, Unconverged};
use kleroterion_report::report::figure::{
    Axis, Figure, FigurePoint, Panel, Series, SeriesKind, histogram,
};
use kleroterion_stats::GroupScores;

/// Bins of a histogram at most.
const BINS: usize = 40;
/// Points of a normal curve.
const POINTS: usize = 121;

/// The scores of all people.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicantScores {
    /// The score w.x of each person, in the order of the file.
    pub all: Vec<f64>,
    /// The scores of the first group and of the others, summarised.
    pub groups: [GroupScores; 2],
    /// The regression.
    pub regression: Logistic,
}

/// Returns the density of a group's normal law over the bins, or `None` if all scores are equal.
fn normal_law(group: &GroupScores, bars: &Series) -> Option<Series> {
    let spans = || bars.points.iter().filter_map(|bar| bar.x_span);
    let (lo, hi) = (spans().next()?.lo, spans().next_back()?.hi);
    let scale = (2.0 * std::f64::consts::PI * group.variance).sqrt();
    let point = |n: usize| {
        let x = lo + (hi - lo) * n as f64 / (POINTS - 1) as f64;
        let squares = (x - group.mean) * (x - group.mean);
        FigurePoint::new(x, libm::exp(-squares / (2.0 * group.variance)) / scale)
    };
    (group.variance > 0.0)
        .then(|| Series::new("normal law", SeriesKind::Line, (0..POINTS).map(point)))
}

impl ApplicantScores {
    /// Fits one regression to all people, and separates its scores by group.
    ///
    /// # Errors
    /// See [`Logistic::of`].
    pub fn of(people: &FitApplicants) -> Result<Self, Unconverged> {
        let cases = people.cases();
        let regression = Logistic::of(&cases)?;
        let all = cases.scores(&regression.weights);
        let groups = parted(&all, &people.inside).map(|scores| GroupScores::of(&scores));
        Ok(Self {
            all,
            groups,
            regression,
        })
    }

    /// Returns, for each person, the score laws of both groups without that person. The regression
    /// is refitted without the person too; see [`Logistic::without_each`]. Returns `None` if
    /// numbers overflow, or a group has only one person.
    pub fn without_each(&self, people: &FitApplicants) -> Option<Vec<[GroupScores; 2]>> {
        let cases = people.cases();
        let each = self.regression.without_each(&cases)?;
        if self.groups.iter().any(|group| group.people < 2) {
            return None;
        }
        let laws = each.iter().enumerate().map(|(left_out, weights)| {
            let (mut scores, mut inside) = (cases.scores(weights), people.inside.clone());
            scores.remove(left_out);
            inside.remove(left_out);
            parted(&scores, &inside).map(|scores| GroupScores::of(&scores))
        });
        Some(laws.collect())
    }

    /// Returns true if the scores separate the two labels completely. Then only the ridge keeps the
    /// scores from growing.
    pub fn tells_all(&self, labels: &[bool]) -> bool {
        let of = |side: bool| {
            let scores = self.all.iter().zip(labels);
            scores
                .filter(move |(_, label)| **label == side)
                .map(|(score, _)| *score)
        };
        of(false).fold(f64::NEG_INFINITY, f64::max) < of(true).fold(f64::INFINITY, f64::min)
    }

    /// Returns the scores of the first group and those of the others.
    pub fn parted(&self, inside: &[bool]) -> [Vec<f64>; 2] {
        parted(&self.all, inside)
    }

    /// Returns the share of people in the first group.
    pub fn share(&self) -> f64 {
        let [u, v] = self.groups.map(|group| group.people as f64);
        u / (u + v)
    }

    /// Draws the histogram of each group with its normal law, as densities, side by side on the
    /// same axes. `inside` is true for each person of the first group.
    pub fn figure(&self, inside: &[bool], names: [&str; 2]) -> Figure {
        let parts = self.parted(inside);
        let counted: Vec<(&str, &[f64])> = names
            .into_iter()
            .zip(&parts)
            .map(|(name, scores)| (name, scores.as_slice()))
            .collect();
        let mut panels = Vec::new();
        for (bars, (name, group)) in histogram(&counted, BINS)
            .into_iter()
            .zip(names.iter().zip(&self.groups))
        {
            let points = bars.points.iter().filter_map(|bar| {
                let edges = bar.x_span?;
                let density = bar.y / (group.people as f64 * (edges.hi - edges.lo));
                Some(FigurePoint { y: density, ..*bar })
            });
            let bars = Series::new("scores", SeriesKind::Histogram, points);
            let curve = normal_law(group, &bars);
            panels.push(Panel {
                title: format!(
                    "{name}: {} people, N({:.2}, {:.2})",
                    group.people, group.mean, group.variance
                ),
                x: Axis::linear("score w.x"),
                y: Axis::linear("density"),
                series: [Some(bars), curve].into_iter().flatten().collect(),
                marks: vec![],
            });
        }
        let tops = panels.iter().flat_map(|panel| &panel.series);
        let tops = tops.flat_map(|series| &series.points).map(|point| point.y);
        let top = tops.fold(0.0, f64::max);
        for panel in &mut panels {
            panel.y = panel.y.clone().spanning(0.0, top);
        }
        Figure {
            title: "Scores by group and their normal laws".into(),
            caption: "Scores of a logistic regression fitted to all people, as shares of each \
                      group per unit of score; the line is the \
                      normal law N(mean, variance) of the group."
                .into(),
            panels,
        }
    }
}

/// The scores of the first group and of the others.
fn parted(scores: &[f64], inside: &[bool]) -> [Vec<f64>; 2] {
    [true, false].map(|side| {
        let of = scores.iter().zip(inside);
        of.filter(|(_, inside)| **inside == side)
            .map(|(score, _)| *score)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::super::logistic::Convergence;
    use super::*;

    fn scores(all: Vec<f64>, inside: &[bool]) -> ApplicantScores {
        let groups = parted(&all, inside).map(|scores| GroupScores::of(&scores));
        let convergence = Convergence {
            gradient: 0.0,
            step: 0.0,
            mended: 0.0,
        };
        let weights = vec![];
        ApplicantScores {
            all,
            groups,
            regression: Logistic {
                weights,
                convergence,
            },
        }
    }

    #[test]
    fn laws_and_share_of_groups() {
        let inside = [true, false, true, false, false, true, true];
        let found = scores(vec![1.0, 0.1, 2.0, 0.1, 0.1, 3.0, 4.0], &inside);
        let law = |people, mean, variance| GroupScores {
            people,
            mean,
            variance,
        };
        assert_eq!(found.groups, [law(4, 2.5, 1.25), law(3, 0.1, 0.0)]);
        assert_eq!(found.share(), 4.0 / 7.0);
    }

    #[test]
    fn scores_that_tell_all_labels() {
        let found = scores(vec![1.0, 3.0, 2.0, 4.0], &[true, false, true, false]);
        assert!(found.tells_all(&[false, true, false, true]));
        assert!(found.tells_all(&[false, true, true, true]));
        assert!(!found.tells_all(&[true, false, true, false]));
        assert!(!found.tells_all(&[true, false, false, true]));
    }

    /// The bars of a group have the area 1, and so has nearly the line; equal scores have no line.
    #[test]
    fn histograms_are_densities() {
        let inside: Vec<bool> = (0..1000).map(|n| n % 4 != 0).collect();
        let all = (0..1000).map(|n| match n % 4 {
            0 => 7.0,
            rest => f64::from(n % 101 + n % 103 + n % 107) / 30.0 + f64::from(rest),
        });
        let figure = scores(all.collect(), &inside).figure(&inside, ["a", "b"]);
        for panel in &figure.panels {
            let bars = panel.series[0].points.iter();
            let area = bars.map(|bar| bar.x_span.map_or(0.0, |span| (span.hi - span.lo) * bar.y));
            assert!((area.sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let line = &figure.panels[0].series[1].points;
        let width = line[1].x - line[0].x;
        let area: f64 = line.iter().map(|point| point.y * width).sum();
        assert!((area - 1.0).abs() < 0.05, "{area}");
        assert_eq!(figure.panels[1].series.len(), 1);
    }
}
