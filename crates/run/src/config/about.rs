//! The facts on a run that the checks of `[report]` need.

use std::collections::BTreeMap;

use crate::document::{Field, meant};
use kleroterion_core::nearest::{advice, nearest};
use kleroterion_core::protocol::Rules;
use kleroterion_core::score::{Direction, Metrics};
use kleroterion_stats::OUTCOME_MEAN;

/// The facts on a run that `[report]` is checked against. Facts that could not be read are `None`,
/// and no problem is noted for them.
pub(super) struct About<'a> {
    /// The names of all metrics there are, for runs whose own are unknown.
    pub(super) all: Vec<&'static str>,
    /// Returns true if there is a metric of a name.
    pub(super) is_metric: &'a dyn Fn(&str) -> bool,
    pub(super) rules: Option<&'a Rules>,
    /// The metrics of the run.
    pub(super) metrics: Option<&'a [String]>,
    /// The metrics that differ between lanes.
    pub(super) apart: Vec<String>,
    /// True if a target is given, even a wrong one.
    pub(super) target: bool,
    pub(super) labels: Option<&'a [String]>,
    /// The data that comparisons may be made from.
    pub(super) grounds: Grounds,
    /// The metrics that a program adds to the catalogue.
    pub(super) catalogue: Metrics,
    /// The ranges of metrics, as they follow from the rules or the people.
    pub(super) ranges: BTreeMap<String, (f64, f64)>,
    /// The better sides of metrics, as they follow from the outcomes.
    pub(super) sides: Vec<(String, Direction)>,
}

impl About<'_> {
    /// Returns true if the run has a metric of this name, or might have if that is unknown. Notes a
    /// problem otherwise.
    pub(super) fn has(&self, member: &Field<'_>, name: &str) -> bool {
        let (what, help) = match self.metrics {
            None if !(self.is_metric)(name) => {
                let help = advice(name, &self.all, "known metrics");
                (format!("there is no metric {name}"), help)
            }
            Some(known) if !known.iter().any(|metric| metric == name) => {
                let help = instead(name, self.target, known);
                (format!("this run has no metric {name}"), help)
            }
            _ => return true,
        };
        member.refuse(what, help);
        false
    }

    /// Returns true if policies can be compared on this metric of the run. Notes a problem
    /// otherwise.
    pub(super) fn is_one(&self, member: &Field<'_>, name: &str) -> bool {
        let is_one = !self.apart.iter().any(|apart| apart == name);
        if !is_one {
            member.refuse(
                format!("{name} is by each policy's own aim or rule, so no value of it is better"),
                "take a measure of the run: [report] target and lambda make it measure pools",
            );
        }
        is_one
    }
}

/// The data from which differences of two policies are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grounds {
    /// Independent replications.
    Replications,
    /// The rounds of one stream.
    Rounds,
    /// No independent data: the people are always the same, and only the policies' noise is drawn
    /// anew.
    Noise,
}

/// Returns advice on a metric to judge in place of one that the run does not have.
pub(super) fn instead(name: &str, target: bool, known: &[String]) -> String {
    if name == "representation_loss" && !target {
        return "say what is wanted: [target] with gender = { M = 0.49, F = 0.51 }".into();
    }
    if ["fair_regret", "reward_regret"].contains(&name) {
        return "regret is of one choice a round among people of known merit: choose = \
             \"exactly_one\" in [rules], and a source of type \"linear_groups\""
            .into();
    }
    if let Some(help) = of_pools(name) {
        return help.into();
    }
    if let Some(help) = of_outcomes(name, known) {
        return help.into();
    }
    let near = nearest(name, known.iter().map(String::as_str));
    let near = near.map(|near| format!("`{near}`"));
    let alone = known.iter().filter(|name| !name.contains('.'));
    let alone: Vec<_> = alone.map(String::as_str).collect();
    let group = known.iter().find(|name| name.contains('.'));
    let group = group.map(|name| format!(", and by group such as {name}"));
    let all = format!("it has {}{}", alone.join(", "), group.unwrap_or_default());
    meant(near, all)
}

/// Returns the advice for getting a pool measure that needs a target. `None` for other measures.
fn of_pools(name: &str) -> Option<&'static str> {
    match name {
        "fairness_loss" | "rounds_to_target" => Some(
            "it is by one target of the run: name it in [report], for example target = { u = 0.4 }",
        ),
        "utility" => Some(
            "it is by one target and lambda of the run: name them in [report], for example target = \
             { u = 0.4 } and lambda = 2.0",
        ),
        _ => None,
    }
}

/// Returns the advice for getting a measure of outcomes. `None` for other measures.
fn of_outcomes(name: &str, known: &[String]) -> Option<&'static str> {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let has_outcomes = known.iter().any(|metric| metric == OUTCOME_MEAN);
    match stem.strip_suffix("_gap").unwrap_or(stem) {
        "outcome_mean" | "true_positive_rate" | "false_positive_rate" if !has_outcomes => Some(
            "say what becomes of the chosen: [feedback.outcome] with type = \"recorded\" and \
             column = \"repaid\", of people from a file",
        ),
        "true_positive_rate" | "false_positive_rate" => Some(
            "say which outcomes are good: good = \">= 1\" in [feedback.outcome]; outcomes that are \
             reported from outside are known of the chosen alone, which gives no such rates",
        ),
        "calibration" | "calibration_error" => Some(
            "it takes scores and outcomes that both lie from 0 to 1, of people from a file: score = \
             \"COLUMN\" in [source], and [feedback.outcome] with type = \"recorded\" and column = \
             \"repaid\"",
        ),
        _ => None,
    }
}
