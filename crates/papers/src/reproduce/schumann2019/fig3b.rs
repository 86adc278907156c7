//! Figure 3(b): the pairs of s and j at which SWAP costs less than weak and than strong interviews
//! alone.

use super::grid::{GainGrid, GridCell};
use super::lanes::SWAP;
use super::versus::{self, GAIN, GainPair, PRESET, PRICE};
use crate::reproduce::prelude::*;
use kleroterion_report::report::figure::{self, Tone};

impl GainPair {
    /// Returns true if SWAP costs less than both rivals by the means.
    fn best_by_means(&self) -> bool {
        self.weak.mean < 0.0 && self.strong.mean < 0.0
    }

    /// Returns the number of standard errors by which SWAP beats the better of the two; 0 if it
    /// does not beat both.
    fn lead(&self) -> f64 {
        let lead = |gap: StudyEstimate| match gap.mean < 0.0 {
            true => -gap.mean / gap.se.unwrap_or(f64::INFINITY),
            false => 0.0,
        };
        lead(self.weak).min(lead(self.strong))
    }
}

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig3b",
    "Figure 3(b) of Schumann et al. 2019: where SWAP costs less than weak and than strong \
     interviews alone",
    &[("schumann2019-fig3b", 15), ("schumann2019-fig3-weak", 15)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let grid = GainGrid::of(runs, PRESET)?;
    let pairs = GainPair::all(&grid)?;
    Ok(StudyFindings {
        statements: vec![grid.instance()?],
        claims: vec![zone(&pairs)?, shares(&grid)?],
        figures: vec![figure(&pairs)],
        tables: vec![(
            "Where SWAP costs less than weak and than strong interviews alone".into(),
            table(&grid.gains(), &pairs),
        )],
    })
}

fn zone(pairs: &[GainPair]) -> Result<StudyClaim> {
    let surest = pairs.iter().max_by(|a, b| a.lead().total_cmp(&b.lead()));
    let surest = surest.ok_or_else(|| StudyError::Missing("the grid is empty".into()))?;
    let at = format!("at s = {}, j = {}:", surest.s, surest.j);
    let mut claim = StudyClaim::at("Section 4, Figure 3(b): the zone where SWAP is best")
        .says(
            "“Based on our experiments (§5), we conjecture that there is a [zone] of s and j pairs \
             where SWAP is the optimal algorithm, even for relatively low numbers of arm pulls, \
             though it is problem-specific.”",
        )
        .rule(format!(
            "{}; that it varies with the problem is not judged here",
            versus::ZONE_RULE
        ));
    claim.measured(format!("SWAP less weak {at}"), surest.weak);
    claim.measured(format!("SWAP less strong {at}"), surest.strong);
    Ok(versus::zoned(&mut claim, pairs))
}

fn shares(grid: &GainGrid<'_>) -> Result<StudyClaim> {
    let top = grid.gains().last().copied().unwrap_or(0);
    let row = grid.row(top);
    let mut claim = StudyClaim::at("Equation 3: gain against cost")
        .says(
            "“When the strong pull gain is high relative to cost then many more strong pulls will \
             be performed.”",
        )
        .rule(
            "at the greatest s the share of strong looks (the first look at each applicant is \
             weak) falls from each of these j to the next",
        );
    let mut falls = Holds::Yes;
    let mut before: Option<&GridCell<'_>> = None;
    for cell in row.into_iter().filter(|cell| cell.j < top).step_by(4) {
        let share = cell.run.mean(SWAP, "strong_share", None)?;
        let what = format!("share of strong looks at s = {}, j = {}:", cell.s, cell.j);
        claim.measured(what, share);
        if let Some(before) = before {
            let less = cell.run.beyond(before.run, SWAP, "strong_share", None)?;
            falls &= less.below(0.0);
        }
        before = Some(cell);
    }
    Ok(claim.holds(falls, "it does not fall at every step"))
}

fn table(gains: &[u64], pairs: &[GainPair]) -> FigureTable {
    let headers = ["s", "j (surely)", "j (by the means)"];
    let row = |s: &u64| {
        let list = |which: fn(&GainPair) -> bool| {
            let found = pairs.iter().filter(|pair| pair.s == *s && which(pair));
            let found: Vec<String> = found.map(|pair| pair.j.to_string()).collect();
            match found.is_empty() {
                true => text("none"),
                false => text(found.join(", ")),
            }
        };
        vec![
            figure::Cell::Number(*s as f64),
            list(|pair| pair.best() == Holds::Yes),
            list(GainPair::best_by_means),
        ]
    };
    tabulate(headers, gains.iter().map(row))
}

fn figure(pairs: &[GainPair]) -> Figure {
    let series = |name: &str, tone, which: fn(&GainPair) -> bool| {
        let points = pairs.iter().filter(|pair| which(pair));
        let points = points.map(|pair| FigurePoint::new(pair.s as f64, pair.j as f64));
        Series::new(name, SeriesKind::Zone(tone), points)
    };
    Figure {
        title: "Figure 3(b) of Schumann et al. 2019".into(),
        caption: format!(
            "Where SWAP costs less than with strong interviews alone and with weak ones alone, at \
             each gain s and cost j of a strong one (the instance is ours: n = 50, K = 7). Mean of \
             {} runs; what is not told apart at three standard errors is left blank. The paper has \
             one maroon for both purples.",
            pairs.first().map_or(0, |pair| pair.weak.n)
        ),
        panels: vec![plot(
            "",
            Axis::linear(GAIN),
            Axis::linear(PRICE),
            [
                series("less than both", Tone::Green, |pair| {
                    pair.best() == Holds::Yes
                }),
                series("less than weak alone", Tone::Purple, |pair| {
                    pair.best() != Holds::Yes && pair.weak.below(0.0) == Holds::Yes
                }),
                series("less than strong alone", Tone::PalePurple, |pair| {
                    pair.best() != Holds::Yes && pair.strong.below(0.0) == Holds::Yes
                }),
            ],
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_as_sure_as_the_lesser_of_its_two_leads() {
        let gap = |mean, se| StudyEstimate {
            mean,
            se: Some(se),
            n: 9,
        };
        let pair = |weak, strong| GainPair {
            s: 9,
            j: 5,
            weak,
            strong,
        };
        let both = pair(gap(-8.0, 1.0), gap(-20.0, 4.0));
        assert_eq!((both.lead(), both.best()), (5.0, Holds::Yes));
        // Where s is at most j, SWAP is weak looks alone.
        let same = pair(gap(0.0, 0.0), gap(-90.0, 1.0));
        assert_eq!((same.lead(), same.best()), (0.0, Holds::No));
        assert!(!same.best_by_means());
    }
}
