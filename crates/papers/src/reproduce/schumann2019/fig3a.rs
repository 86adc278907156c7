//! Figure 3(a): the j up to which strong interviews alone cost less than weak ones alone, and the
//! line of Corollary 4.3.

use super::applicants::{delta, first_utilities, members, noise};
use super::grid::GainGrid;
use super::lanes::STRONG;
use super::versus::{GAIN, PRICE};
use crate::reproduce::prelude::*;
use kleroterion_policies::cohort::theory::{
    corollary_base, corollary_line, hardness, scaled_hardness,
};

const PRESET: &str = "schumann2019-fig3a";

/// The costs at an s.
struct GainRow {
    s: u64,
    /// The cost of strong less that of weak interviews, at each j.
    gaps: Vec<(u64, StudyEstimate)>,
    /// The largest j up to which strong interviews cost less, by the means.
    most: u64,
    /// The j at which both cost the same, between two whole numbers.
    even: StudyEstimate,
    /// The j of the line of Corollary 4.3.
    line: f64,
}

pub(super) const STUDY: Study = Study::new(
    "schumann2019-fig3a",
    "Figure 3(a) of Schumann et al. 2019: where strong interviews alone cost less than weak ones \
     alone",
    &[("schumann2019-fig3a", 15), ("schumann2019-fig3-weak", 15)],
    find,
);

fn find(runs: &StudyRuns) -> Result<StudyFindings> {
    let grid = GainGrid::of(runs, PRESET)?;
    let base = base(runs)?;
    let rows = grid.gains().into_iter().map(|s| row(&grid, s, base));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(StudyFindings {
        statements: vec![format!(
            "The paper draws its applicants at random and gives neither n, K, δ nor σ; ours are n \
             = 50 at the quantiles of N(200, 50), K = 7, σ = 5, δ = 0.5. So C = 4nH̃/δ = \
             {base:.0}. All pairs of s and j see the same applicants and draws; between two whole \
             numbers j is interpolated."
        )],
        claims: vec![corollary(&rows), weak_bound(&rows)],
        figures: vec![figure(&rows, base)],
        tables: vec![(
            "Up to which j strong interviews alone cost less than weak ones".into(),
            table(&rows),
        )],
    })
}

/// Returns C of Corollary 4.3.
fn base(runs: &StudyRuns) -> Result<f64> {
    let run = runs.one(PRESET)?;
    let first = first_utilities(run)?;
    let hard = scaled_hardness(noise(run)?, hardness(&first, members(run)?));
    Ok(corollary_base(first.len(), hard, delta(PRESET)?))
}

fn row(grid: &GainGrid<'_>, s: u64, base: f64) -> Result<GainRow> {
    let cells = grid.row(s);
    let mut columns = Vec::new();
    let mut gaps = Vec::new();
    for cell in &cells {
        gaps.push((cell.j, grid.mean_beyond_weak(cell, STRONG)?));
        columns.push(grid.beyond_weak(cell, STRONG)?);
    }
    let cheaper = gaps.iter().take_while(|(_, gap)| gap.mean < 0.0).count();
    let between = cheaper.checked_sub(1).filter(|_| cheaper < gaps.len());
    let even = between.and_then(|at| crossing(&columns[at], &columns[at + 1]));
    let lacks = || cells[0].run.lacks("a j at which both cost the same");
    let (at, even) = between.zip(even).ok_or_else(lacks)?;
    let most = gaps[at].0;
    Ok(GainRow {
        s,
        most,
        even: even.minus(-(most as f64)),
        line: corollary_line(base, s as f64),
        gaps,
    })
}

/// Returns the point between 0 and 1 at which the mean crosses 0 on the way from one column to the
/// other, to first order. A column has one value per replication.
fn crossing(from: &[f64], to: &[f64]) -> Option<StudyEstimate> {
    let (low, high) = (StudyEstimate::of(from)?.mean, StudyEstimate::of(to)?.mean);
    let rise = high - low;
    let at = -low / rise;
    if !at.is_finite() {
        return None;
    }
    let there = from.iter().zip(to).map(|(a, b)| a + at * (b - a));
    let there = StudyEstimate::of(&there.collect::<Vec<_>>())?;
    Some(StudyEstimate {
        mean: at,
        se: there.se.map(|se| se / rise.abs()),
        n: there.n,
    })
}

fn corollary(rows: &[GainRow]) -> StudyClaim {
    let mut claim = StudyClaim::at("Corollary 4.3: when strong interviews alone are better")
        .says(
            "“SWAP with only strong pulls is equally or more efficient than SWAP with only weak \
             pulls when s > 0 and 0 < j ≤ C^(s/3 − 1/3) where C = 4nH̃/δ.”",
        )
        .rule(
            "at no pair with j < s (which Theorem 4.3 asks for) below the line do strong looks \
             alone cost more; in shape where they cost less up to a j that is above 1 and grows \
             with s",
        );
    let mut holds = Holds::Yes;
    for row in rows {
        let under = |j: &u64| *j < row.s && *j as f64 <= row.line;
        let gaps = row.gaps.iter().filter(|(j, _)| under(j));
        holds &= Holds::all(gaps.map(|(_, gap)| gap.at_most(0.0)));
    }
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    if let Some((j, gap)) = last.gaps.iter().rev().find(|(j, _)| *j < last.s) {
        let what = format!("strong less weak at s = {}, j = {j}:", last.s);
        claim.measured(what, *gap);
    }
    let mut grows = Holds::Yes;
    for row in [first, &rows[rows.len() / 2], last] {
        let what = format!("they cost the same at s = {}, j =", row.s);
        claim.measured(what, row.even);
        grows &= row.even.above(1.0);
    }
    claim.judged(
        holds,
        grows & last.even.less(first.even).above(0.0),
        "strong looks alone pay up to a j that grows with s, but far from all the way to the line, \
         which compares two bounds, not two costs",
    )
}

fn weak_bound(rows: &[GainRow]) -> StudyClaim {
    let (first, next) = (&rows[0], &rows[1]);
    let mut claim = StudyClaim::at("Section 5.1, Figure 3(a): a weak bound")
        .says("“We found that Corollary 4 is a weak bound on the boundary value of j.”")
        .rule("at every s the j at which both cost the same is below Corollary 4.3's line");
    for row in [first, next] {
        let what = format!("they cost the same at s = {}, j =", row.s);
        claim.measured(what, row.even);
        let what = format!("Corollary 4.3's line at s = {}, j =", row.s);
        claim.computed(what, row.line);
    }
    let lower = rows.iter().map(|row| row.even.below(row.line));
    claim.holds(Holds::all(lower), "at some s it is above the line")
}

fn table(rows: &[GainRow]) -> FigureTable {
    let headers = [
        "s",
        "largest j with strong cheaper than weak (by the means)",
        "both cost the same at j",
        "± s.e.",
        "Corollary 4.3's line",
    ];
    let row = |row: &GainRow| {
        let [even, se] = cells(row.even);
        vec![
            Cell::Number(row.s as f64),
            Cell::Number(row.most as f64),
            even,
            se,
            Cell::number(row.line),
        ]
    };
    tabulate(headers, rows.iter().map(row))
}

fn figure(rows: &[GainRow], base: f64) -> Figure {
    let cells = rows.iter().flat_map(|row| {
        let cell = |(j, gap): &(u64, StudyEstimate)| {
            FigurePoint::new(row.s as f64, *j as f64).heated(gap.mean, gap.se)
        };
        row.gaps.iter().map(cell).collect::<Vec<FigurePoint>>()
    });
    let even = rows.iter().map(|row| row.even.at(row.s as f64));
    // The line leaves the figure before s = 2.02.
    let most = rows.iter().flat_map(|row| &row.gaps).map(|(j, _)| *j).max();
    let line = (0..=25).map(|step| 1.0 + f64::from(step) / 25.0);
    let line = line
        .map(|s| FigurePoint::new(s, corollary_line(base, s)))
        .take_while(|point| most.is_some_and(|most| point.y <= most as f64 + 0.5));
    let runs = rows.first().and_then(|row| row.gaps.first());
    Figure {
        title: "Figure 3(a) of Schumann et al. 2019".into(),
        caption: format!(
            "What SWAP costs with strong interviews alone and with weak ones alone, at each gain s \
             and cost j of a strong one (the instance is ours: n = 50, K = 7). Mean of {} runs. \
             Green: strong ones cost less. The band about the j at which both cost the same is ± 2 \
             s.e.",
            runs.map_or(0, |(_, gap)| gap.n)
        ),
        panels: vec![plot(
            "",
            Axis::linear(GAIN),
            Axis::linear(PRICE),
            [
                Series::new("Corollary 4.3", SeriesKind::Line, line),
                Series::new("both cost the same", SeriesKind::Line, even),
                Series::new(
                    "strong alone less weak alone, in weak interviews",
                    SeriesKind::Cells,
                    cells,
                ),
            ],
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_interpolated_with_its_error() {
        // Means -1 and 3: a quarter of the way, where the values are -1, 0 and 1: s.e. 1/sqrt(3)
        // over a rise of 4.
        let found = crossing(&[-2.0, -1.0, 0.0], &[2.0, 3.0, 4.0]).unwrap();
        assert!((found.mean - 0.25).abs() < 1e-12);
        assert!((found.se.unwrap() - 1.0 / 3f64.sqrt() / 4.0).abs() < 1e-12);
        assert!(crossing(&[1.0, 1.0], &[1.0, 1.0]).is_none());
    }
}
