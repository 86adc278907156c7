//! The reasons why judged measures give no comparison.

use crate::RunResult;
use crate::judge::{Ground, Judge, Versus};
use crate::outcomes::{LaneStream, is_outcome_mean};

/// Returns the reasons why these judged metrics give no comparison, as clauses. `None` if no
/// comparison was asked for or each metric gives one.
pub(super) fn reasons(run: &RunResult, judge: &Judge, metrics: &[&str]) -> Option<String> {
    if let Versus::Baseline(label) = &judge.versus
        && !run.policies.iter().any(|policy| policy.label == *label)
    {
        return Some(format!(
            "the baseline \u{201c}{label}\u{201d} does not play"
        ));
    }
    if judge.versus == Versus::Nobody && judge.goal.is_none() {
        return None;
    }
    let mut all: Vec<String> = Vec::new();
    for metric in metrics {
        let reason = reason(run, judge, metric);
        all.extend(reason.filter(|reason| !all.contains(reason)));
    }
    (!all.is_empty()).then(|| all.join("; "))
}

fn reason(run: &RunResult, judge: &Judge, metric: &str) -> Option<String> {
    if judge.apart.iter().any(|apart| apart == metric) {
        return Some(format!("{metric} is by each policy's own aim or rule"));
    }
    if !judge.is_of_stream(run) {
        return None;
    }
    match judge.ground(metric) {
        Some(Ground::Outcomes) => unknown_outcomes(run),
        Some(_) => None,
        None if is_outcome_mean(metric) => Some(format!(
            "{metric} has no range: declare `range` in [feedback.outcome]"
        )),
        None => Some(format!(
            "one stream does not tell how far apart policies are on {metric}"
        )),
    }
}

/// Names the policies whose outcomes a run does not learn, and the policy on which that depends.
fn unknown_outcomes(run: &RunResult) -> Option<String> {
    let knows = |known: bool| {
        let lanes = run.policies.iter().zip(&run.streams);
        let is_known = |stream: &LaneStream| stream.outcomes.is_some();
        let those = lanes.filter(|(_, stream)| stream.as_ref().map(is_known) == Some(known));
        let labels = those.map(|(policy, _)| format!("\u{201c}{}\u{201d}", policy.label));
        labels.collect::<Vec<_>>()
    };
    let (acting, shadows) = (knows(true), knows(false));
    match (acting.first(), shadows.is_empty()) {
        (Some(acts), false) => Some(format!(
            "the mean outcome of {} is not known, because {acts} acts",
            shadows.join(" and of ")
        )),
        _ => Some("of one policy or of both no outcome is known yet".into()),
    }
}
