//! Table 1 from the data: a predictor with and without the sensitive attribute ("fairness through
//! unawareness", Appendix A.4.2).

use std::path::Path;

use super::likeness::IN_SHAPE;
use super::people::{DataSet, FittedScores, GERMAN, LAW, gap, of_people, parameters};
use super::printed::met;
use crate::reproduce::prelude::*;
use kleroterion_report::report::page::ClaimFinding;

/// The part of the difference between the means up to which a drop is slight; from the next
/// constant on it is clear.
pub(super) const SLIGHTLY: f64 = 0.1;
pub(super) const CLEARLY: f64 = 0.5;

/// The scores of one file, with and without the attribute.
pub(super) struct Unaware {
    data: &'static DataSet,
    /// The fits with and without the attribute, or the finding that the file is missing.
    fits: Result<[FittedScores; 2], ClaimFinding>,
}

impl Unaware {
    pub(super) fn law(folder: Option<&Path>) -> Result<Self> {
        Self::of(&LAW, folder)
    }

    pub(super) fn german(folder: Option<&Path>) -> Result<Self> {
        Self::of(&GERMAN, folder)
    }

    fn of(data: &'static DataSet, folder: Option<&Path>) -> Result<Self> {
        let fits = match data.absent(folder) {
            Some(missing) => Err(missing),
            None => Ok([data.fitted(true, folder)?, data.fitted(false, folder)?]),
        };
        Ok(Self { data, fits })
    }

    /// Makes the claim that the data set's rows of Table 1 are those of a converged fit.
    pub(super) fn rows(&self) -> Result<StudyClaim> {
        let data = self.data;
        let place = format!("Table 1: {}, from the file", data.name);
        let printed = data
            .printed
            .map(|row| row.map(|x| x.to_string()).join(", "));
        let paper = format!(
            "“μ_u, μ_v, σ²_u, σ²_v”: with {0} {1}; without {0} {2}",
            data.attribute, printed[0], printed[1]
        );
        let [with, without] = match &self.fits {
            Ok(fits) => fits,
            Err(missing) => return Ok(not_run(&place, &paper, missing)),
        };
        let rows = [
            (with, data.printed[0], "with, "),
            (without, data.printed[1], "without, "),
        ];
        met(&place, &paper, &rows)
    }

    /// Makes the claim that the law school's difference of means drops slightly, and its scores
    /// hardly change.
    pub(super) fn slightly(&self, paper: &str) -> StudyClaim {
        let place = format!("A.4.2, Table 1: {}, from the file", self.data.name);
        let [with, without] = match &self.fits {
            Ok(fits) => fits,
            Err(missing) => return not_run(&place, paper, missing),
        };
        let (mut ours, part) = self.drop(with, without);
        let apart = self.moved(with, without);
        let alike = apart.iter().all(|moved| *moved <= IN_SHAPE);
        for (group, moved) in self.data.groups.iter().zip(apart) {
            let n = with.people.labels.len() as u64;
            ours.push(Number::counted(
                format!("{group}, distance of with and without:"),
                moved,
                n,
            ));
        }
        StudyClaim::at(place)
            .says(paper)
            .rule(format!(
                "of the difference of the means more than 0 and at most {SLIGHTLY} goes, surely; \
                 in shape where it is so of these people. In neither group does the share below \
                 any score change by more than {IN_SHAPE}"
            ))
            .numbers(ours)
            .found(of_people(
                part.inside(0.0, SLIGHTLY) & alike,
                part.mean > 0.0 && part.mean <= SLIGHTLY && alike,
            ))
    }

    /// Makes the claim that German credit's difference of means drops clearly.
    pub(super) fn clearly(&self, paper: &str) -> StudyClaim {
        let place = format!("A.4.2, Table 1: {}, from the file", self.data.name);
        let [with, without] = match &self.fits {
            Ok(fits) => fits,
            Err(missing) => return not_run(&place, paper, missing),
        };
        let (ours, part) = self.drop(with, without);
        let drop = with.compared(without, |with, without| gap(with) - gap(without));
        StudyClaim::at(place)
            .says(paper)
            .rule(format!(
                "the difference of the means gets smaller, and at least {CLEARLY} of it goes, \
                 surely; in shape where it is so of these people"
            ))
            .numbers(ours)
            .found(of_people(
                Holds::all([drop.above(0.0), part.above(CLEARLY)]),
                drop.mean > 0.0 && part.mean >= CLEARLY,
            ))
    }

    /// Returns the difference of the means with either fit, and the part of it that goes.
    fn drop(&self, with: &FittedScores, without: &FittedScores) -> (Vec<Number>, StudyEstimate) {
        let attribute = self.data.attribute;
        let part = with.compared(without, |with, without| 1.0 - gap(without) / gap(with));
        let drop = with.compared(without, |with, without| gap(with) - gap(without));
        let ours = vec![
            Number::recorded(
                format!("difference of the means with {attribute}:"),
                with.estimate(gap),
            ),
            Number::recorded(format!("without {attribute}:"), without.estimate(gap)),
            Number::recorded("the first less the second:", drop),
            Number::recorded("part of it that goes:", part),
        ];
        (ours, part)
    }

    /// Returns the distance between the scores with and without the attribute, by group.
    fn moved(&self, with: &FittedScores, without: &FittedScores) -> [f64; 2] {
        let (mut with, mut without) = (with.parted(), without.parted());
        [0, 1].map(|at| distance(&mut with[at], &mut without[at]))
    }

    /// Describes the scoring with and without the attribute, or returns `None` if the file could
    /// not be read.
    pub(super) fn statement(&self) -> Option<String> {
        self.fits.as_ref().ok()?;
        Some(format!(
            "{} Without {}: `{}`.",
            self.data.scoring(true),
            self.data.attribute,
            self.data.command(false)
        ))
    }

    /// Tabulates a printed row and a row from the file, with and without the attribute.
    pub(super) fn table(&self) -> Option<FigureTable> {
        let fits = self.fits.as_ref().ok()?;
        let headers = [
            "attribute",
            "numbers",
            "μ_u",
            "μ_v",
            "σ²_u",
            "σ²_v",
            "μ_v − μ_u",
        ];
        let mut rows = Vec::new();
        for (word, (fit, printed)) in ["included", "excluded"]
            .iter()
            .zip(fits.iter().zip(self.data.printed))
        {
            let estimate = |at: usize| match at {
                4 => fit.estimate(gap),
                at => fit.estimate(|laws| parameters(laws)[at]),
            };
            let found = [0, 1, 2, 3, 4].map(estimate);
            let [a, b, c, d] = printed;
            // Two digits are printed; their difference has more.
            let due = [a, b, c, d, ((b - a) * 1e4).round() / 1e4];
            let mut row = |numbers: &str, cells: [Cell; 5]| {
                let words = [
                    format!("{} {word}", self.data.attribute),
                    numbers.to_owned(),
                ];
                rows.push(
                    words
                        .map(Cell::Text)
                        .into_iter()
                        .chain(cells)
                        .collect::<Vec<_>>(),
                );
            };
            row("printed", due.map(Cell::number));
            row(
                "converged fit",
                found.map(|estimate| Cell::number(estimate.mean)),
            );
            row(
                "± s.e.",
                found.map(|estimate| estimate.se.map_or(Cell::Empty, Cell::number)),
            );
        }
        Some(tabulate(headers, rows))
    }

    /// Returns the caption of the table.
    pub(super) fn caption(&self) -> String {
        format!("Table 1 and the file: {}", self.data.name)
    }
}

fn not_run(place: &str, paper: &str, missing: &ClaimFinding) -> StudyClaim {
    StudyClaim::at(place)
        .says(paper)
        .rule("none: it was not tried")
        .found(missing.clone())
}

/// Returns the largest difference between the shares of two samples below a score; sorts both.
fn distance(a: &mut [f64], b: &mut [f64]) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let below = |of: &[f64], x: f64| of.partition_point(|y| *y <= x) as f64 / of.len() as f64;
    let gaps = a
        .iter()
        .chain(b.iter())
        .map(|x| (below(a, *x) - below(b, *x)).abs());
    gaps.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_two_samples() {
        assert_eq!(distance(&mut [3.0, 1.0, 2.0, 4.0], &mut [2.5, 4.0]), 0.5);
        assert_eq!(distance(&mut [1.0, 2.0], &mut [2.0, 1.0]), 0.0);
        assert_eq!(distance(&mut [1.0], &mut [2.0, 3.0]), 1.0);
    }
}
