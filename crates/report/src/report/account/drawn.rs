//! The figures, the picture of verdicts and the findings of a run, which all its pages share.

use std::borrow::Cow;
use std::mem::take;

use super::super::figure::PolicyLooks;
use super::super::finished::Finished;
use super::super::page::{Findings, VerdictPicture};
use super::drawing::{COLOURFUL, ReportFigure};
use super::many::{foremost, shown};
use super::standing::MeasureStanding;
use super::words::value;
use super::{
    answers, chances, course, courses, next, order, shares, spreads, sure, tradeoff, verdicts,
};
use kleroterion_core::score::HEADLINES;
use kleroterion_run::document::Value;

/// The most policies whose lines keep their colours where there are too many for all.
pub(super) const FOREMOST: usize = 4;

/// A run as it is drawn.
pub(super) struct DrawnRun<'a> {
    /// The run with the policies that are shown: of many, some.
    pub(super) run: Cow<'a, Finished>,
    /// The looks of the policies that are shown.
    pub(super) looks: PolicyLooks,
    /// The verdicts with their bars.
    pub(super) picture: VerdictPicture,
    /// The other figures.
    pub(super) figures: Vec<ReportFigure>,
    /// The findings; `None` if nothing is compared.
    pub(super) found: Option<Findings>,
}

impl<'a> DrawnRun<'a> {
    pub(super) fn of(whole: &'a Finished) -> Self {
        let all = MeasureStanding::all(whole);
        let shown = shown(whole, &all).map_or(Cow::Borrowed(whole), Cow::Owned);
        let run = &*shown;
        let standings = MeasureStanding::all(run);
        let looks = PolicyLooks::of(run.policies.keys().cloned());
        let labels: Vec<&str> = looks.labels().collect();
        let foremost = foremost(run, &standings, FOREMOST);
        let metrics = measures(run);
        let made = [
            course::figure(run, &standings),
            courses::figure(run, &labels, &metrics),
            spreads::figure(run, &labels, &metrics),
            tradeoff::figure(run, &labels, &metrics),
            shares::figure(run, &looks),
            chances::figure(run, &labels),
        ];
        let mut figures: Vec<ReportFigure> = made.into_iter().flatten().collect();
        for drawn in &mut figures {
            looks.dress(&mut drawn.figure);
            if labels.len() > COLOURFUL {
                drawn.figure.mute_all_but(&foremost);
            }
        }
        let tables = standings.iter();
        let tables = tables.map(|one| verdicts::verdicts(one, run, &looks));
        // What is said in words is of all policies, whichever are shown.
        let mut picture = VerdictPicture {
            tables: tables.collect(),
            findings: Vec::new(),
            about: sure::about(whole),
            file: None,
        };
        for table in &mut picture.tables {
            if let Some(one) = all.iter().find(|one| one.metric == table.measure) {
                table.notes = answers::notes(one, whole);
            }
        }
        let found = (!all.is_empty()).then(|| {
            let mut found = answers::findings(whole, &all);
            // The table has them.
            picture.findings = take(&mut found.measures);
            Findings {
                numbers: next::numbers(whole, &all),
                next: next::next(whole),
                order: order::order(whole, &looks),
                ..found
            }
        });
        Self {
            run: shown,
            looks,
            picture,
            figures,
            found,
        }
    }
}

/// The measures that figures are of: what was judged, else what the config would judge, else what
/// is there.
pub(crate) fn measures(run: &Finished) -> Vec<String> {
    let mut metrics: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        let has = run
            .policies
            .values()
            .any(|policy| policy.metrics.contains_key(name));
        if has && !metrics.iter().any(|known| known == name) {
            metrics.push(name.to_owned());
        }
    };
    run.pairs.iter().for_each(|pair| add(&pair.metric));
    if let Some(Value::List(judged)) = value(run, &["report", "judge"]) {
        for node in judged {
            if let Value::Text(name) = &node.value {
                add(name);
            }
        }
    }
    if run.pairs.is_empty() {
        HEADLINES.into_iter().for_each(&mut add);
    }
    metrics
}
