//! Theta, s and a over the rounds, by policy and start.

use super::super::courses::{mean, one_run, panel};
use super::super::measures::{ADMITTED, APPLICANTS, LAST, POOL, SHORT, after, late_mean};
use super::answers::PolicyShares;
use super::way::{ALL, Way, start};
use crate::reproduce::prelude::*;

/// Draws the figure as in the paper: one run from each start, with the state as printed.
pub(super) fn as_printed(starts: [&StudyRun; 2], answers: &PolicyShares) -> Result<Figure> {
    let target = answers.setting.large.target;
    let panels = starts.map(|run| {
        let title = format!("one run from θ₀ = {}", start(run)?);
        Ok(panel(
            title,
            one_run(run, Way::Share.label())?,
            target,
            LAST,
        ))
    });
    Ok(Figure {
        title: "Figure 2 of Puranik et al. 2022".into(),
        caption: format!(
            "Looking ahead from s, the state that the paper prints; identical scores, λ = {}, γ = \
             {}. The first run from each start, every tenth round.",
            answers.setting.large.lambda, answers.gamma
        ),
        panels: panels.into_iter().collect::<Result<_>>()?,
    })
}

/// Draws the mean of theta under each policy, from both starts.
pub(super) fn side_by_side(starts: [&StudyRun; 2], answers: &PolicyShares) -> Result<Figure> {
    let target = answers.setting.large.target;
    let panels = starts.map(|run| {
        let courses = ALL.map(|way| mean(run, way.label(), way.name().into()));
        let courses = courses.into_iter().collect::<Result<_>>()?;
        Ok(panel(
            format!("from θ₀ = {}", start(run)?),
            courses,
            target,
            LAST,
        ))
    });
    Ok(Figure {
        title: "The pool under three policies".into(),
        caption: format!(
            "θ under looking ahead from the applicants' share s, looking ahead from θ, and not \
             looking ahead; mean of {} runs and ± 2 s.e.",
            starts[0].result.replications
        ),
        panels: panels.into_iter().collect::<Result<_>>()?,
    })
}

/// Tabulates one row per policy and start.
pub(super) fn table(starts: [&StudyRun; 2], answers: &PolicyShares) -> Result<FigureTable> {
    let headers = [
        "policy",
        "θ₀",
        "θ after 100 rounds",
        "± s.e.",
        &format!("θ after {LAST} rounds"),
        "± s.e.",
        "s.d. of the runs",
        "exact mean at N",
        "exact s.d. at N",
        &format!("s, rounds {SHORT} to {LAST}"),
        "a in the same",
        "utility of all rounds less Fair-Greedy’s",
        "± s.e.",
    ];
    let number = |x: Option<f64>| x.map_or(Cell::Empty, Cell::number);
    let mut rows = Vec::new();
    for way in ALL {
        let label = way.label();
        for run in starts {
            let from = start(run)?;
            let early = run.mean(label, POOL, Some(after(100)))?;
            let late = run.mean(label, POOL, Some(after(LAST)))?;
            let (mean, sd) = answers.carried(way, from, LAST)?;
            let gain = run.difference([label, Way::Greedy.label()], "utility", None)?;
            rows.push(vec![
                text(way.name()),
                Cell::number(from),
                Cell::number(early.mean),
                number(early.se),
                Cell::number(late.mean),
                number(late.se),
                number(late.se.map(|se| se * (late.n as f64).sqrt())),
                Cell::number(mean),
                Cell::number(sd),
                Cell::number(late_mean(run, label, APPLICANTS, SHORT)?.mean),
                Cell::number(late_mean(run, label, ADMITTED, SHORT)?.mean),
                Cell::number(gain.mean),
                number(gain.se),
            ]);
        }
    }
    Ok(tabulate(headers, rows))
}
