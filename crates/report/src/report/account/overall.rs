//! The answer over all measures: the headline, the dominated policies, and the result of the goal.

use super::super::figure::{Cell, FigureTable};
use super::super::finished::Finished;
use super::super::notes::{bounds, filling};
use super::super::number::brief;
use super::super::page::{Findings, Mood, PagePart};
use super::answers::finding;
use super::standing::MeasureStanding;
use super::words::list;
use kleroterion_stats::{Answer, GoalAnswer, Tested};

/// Returns the findings: the answer over all measures, and a line for each. Runs of older versions
/// have no answer.
pub(super) fn findings(run: &Finished, standings: &[MeasureStanding<'_>]) -> Findings {
    let mut found = run.answer.as_ref().map(answered).unwrap_or_default();
    found
        .lines
        .extend(filling(&run.policies).map(|said| said + "."));
    found.measures = standings.iter().map(|one| finding(one, run)).collect();
    found
}

/// The tests of a goal as a table.
pub(super) fn tests(run: &Finished) -> Option<PagePart> {
    let goal = run.answer.as_ref()?.goal.as_ref()?;
    (!goal.tests.is_empty()).then(|| tests_of(goal))
}

fn answered(answer: &Answer) -> Findings {
    let mut lines = Vec::new();
    if answer.frontier.len() > 1 && answer.goal.is_none() {
        let open = match answer.open {
            0 => "every pair of them is a trade-off or even".to_owned(),
            1 => "one pair of them is open".to_owned(),
            open => format!("{open} pairs of them are open"),
        };
        lines.push(format!(
            "In the running: {}; {open}.",
            list(&answer.frontier, "and")
        ));
    }
    if let Some(goal) = &answer.goal {
        let alpha: f64 = goal.tests.iter().map(|test| test.alpha).sum();
        if alpha > 0.0 {
            lines.push(format!(
                "What is said of the goal's constraints is wrong with a chance of at most {} %.",
                brief(100.0 * alpha, 4)
            ));
        }
    }
    let is_settled = match &answer.goal {
        Some(goal) => goal.settled,
        None => answer.open == 0 && !answer.frontier.is_empty(),
    };
    Findings {
        question: match &answer.goal {
            Some(goal) => match bounds(goal).as_str() {
                "" => format!("The goal: best {}", goal.best),
                bounds => format!("The goal: best {}, where {bounds}", goal.best),
            },
            None => String::new(),
        },
        answer: answer.headline.clone(),
        mood: if is_settled {
            Mood::Settled
        } else {
            Mood::Open
        },
        lines,
        measures: Vec::new(),
    }
}

/// A row for each policy and constraint.
fn tests_of(goal: &GoalAnswer) -> PagePart {
    let heads = ["policy", "constraint", "mean", "n", "met", "more needed"];
    let row = |test: &Tested| {
        vec![
            Cell::text(&test.label),
            Cell::Text(format!("{} {}", test.metric, test.bound)),
            Cell::known(test.mean),
            Cell::number(test.n as f64),
            Cell::text(test.words()),
            Cell::known(test.needed.map(|more| more as f64)),
        ]
    };
    PagePart::table(
        "Whether each policy meets the goal's constraints, however often one looks",
        FigureTable::of(heads, goal.tests.iter().map(row)),
    )
}
