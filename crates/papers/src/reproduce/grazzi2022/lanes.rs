//! The lanes and the measures of the presets, and the groups of their people.

use crate::reproduce::prelude::*;

/// The labels of the presets' lanes.
pub(super) const FAIR: &str = "fair greedy";
pub(super) const OFUL: &str = "OFUL";
pub(super) const GREEDY: &str = "ridge greedy";
pub(super) const UNIFORM: &str = "uniform";
pub(super) const ORACLE: &str = "fair oracle";
pub(super) const BEST: &str = "best reward";
pub(super) const KNOWS_MU: &str = "oracle of mu";
pub(super) const KNOWS_CDFS: &str = "oracle of the CDFs";

/// The measures.
pub(super) const FAIR_REGRET: &str = "fair_regret";
pub(super) const STANDARD: &str = "reward_regret";

/// The respondents of the 2018 American Community Survey.
pub(super) const PEOPLE: &str = "acs-national2018.csv";

/// The share chosen of a group's candidates; the group's name follows.
pub(super) const SELECTED: &str = "selected_of_received.";

/// The paper's sentence on the census, after its place.
pub(super) const SUBLINEAR: [&str; 2] = [
    "Abstract: the census",
    "“… experiments on the US census data to show that our policy achieves sub-linear fair \
     pseudo-regret also in practice.”",
];

/// The paper's name of a lane.
pub(super) fn name(label: &str) -> &str {
    match label {
        FAIR => "Fair-greedy",
        GREEDY => "Greedy",
        UNIFORM => "Uniform Random",
        ORACLE => "fair oracle",
        KNOWS_MU => "oracle of μ",
        KNOWS_CDFS => "oracle of the CDFs",
        other => other,
    }
}

/// The groups by which ranks are taken.
pub(super) fn groups(run: &StudyRun) -> Result<&[String]> {
    let truth = run.plan.world.truth.as_ref();
    let attribute = truth.and_then(|truth| {
        let attributes = run.plan.world.schema.attributes();
        attributes.get(truth.attribute)
    });
    attribute
        .map(|attribute| attribute.values.as_slice())
        .ok_or_else(|| run.lacks("groups"))
}

/// The notes of the run on its people and the fit.
pub(super) fn notes(run: &StudyRun) -> String {
    format!("Of the run: {}.", run.plan.notes.join("; "))
}

/// Returns the share of each group's candidates that a policy chose.
pub(super) fn selected(run: &StudyRun, label: &str) -> Result<Vec<StudyEstimate>> {
    let at = run.moments(label, FAIR_REGRET)?.last().copied();
    let truth = run.plan.world.truth.as_ref();
    let attributes = run.plan.world.schema.attributes();
    // With several attributes a group is named with its own.
    let prefix = match truth {
        Some(truth) if attributes.len() > 1 => format!("{}:", attributes[truth.attribute].name),
        _ => String::new(),
    };
    let each = groups(run)?.iter();
    each.map(|group| run.mean(label, &format!("{SELECTED}{prefix}{group}"), at))
        .collect()
}
