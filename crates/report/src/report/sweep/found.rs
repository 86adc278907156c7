//! The findings of a sweep: its runs in the order of their values, and the leaders of each.

use std::collections::BTreeSet;

use super::super::account::{self, LeadAnswer, leads};
use super::super::finished::Finished;
use super::super::page::MapMood;
use super::super::points::PointEntry;
use super::axis::SweepAxis;
use kleroterion_core::protocol::YARDSTICK;

/// The runs of a sweep, with their findings.
pub(super) struct SweepFound<'a> {
    /// The runs in the order of their values, the last key fastest.
    pub(super) runs: Vec<(&'a PointEntry, &'a Finished)>,
    /// The keys.
    pub(super) axes: Vec<SweepAxis>,
    /// The questions asked of every run, with the answer of each.
    pub(super) questions: Vec<SweepQuestion>,
    /// The measures that are shown.
    pub(super) measures: Vec<String>,
    /// The labels of all runs, in their order.
    pub(super) labels: Vec<&'a str>,
    /// The labels that can't be the answer in some run.
    pub(super) yardsticks: Vec<&'a str>,
}

/// A question, and who leads in each run.
pub(super) struct SweepQuestion {
    /// The measure, or `goal`.
    pub(super) name: String,
    /// The question in a few words.
    pub(super) words: String,
    /// The answers, a run each.
    pub(super) leads: Vec<LeadAnswer>,
}

impl<'a> SweepFound<'a> {
    pub(super) fn of(runs: &[(&'a PointEntry, &'a Finished)]) -> Self {
        let entries: Vec<&PointEntry> = runs.iter().map(|(entry, _)| *entry).collect();
        let axes = SweepAxis::all(&entries);
        let mut runs = runs.to_vec();
        runs.sort_by_cached_key(|(entry, _)| places(&axes, entry));
        let mut measures: Vec<String> = Vec::new();
        for (_, run) in &runs {
            for measure in account::measures(run) {
                if !measures.contains(&measure) {
                    measures.push(measure);
                }
            }
        }
        let labels = runs.iter().flat_map(|(_, run)| run.policies.keys());
        let labels: BTreeSet<&str> = labels.map(String::as_str).collect();
        let is_yardstick = |label: &&str| runs.iter().any(|(_, run)| !run.is_contender(label));
        Self {
            yardsticks: labels.iter().copied().filter(is_yardstick).collect(),
            questions: questions(&runs),
            labels: labels.into_iter().collect(),
            runs,
            axes,
            measures,
        }
    }

    /// The places of a run's values along the axes.
    pub(super) fn places(&self, run: usize) -> Vec<usize> {
        places(&self.axes, self.runs[run].0)
    }

    /// A policy as figures name it.
    pub(super) fn shown_name(&self, label: &str) -> String {
        match self.yardsticks.contains(&label) {
            true => format!("{label} ({YARDSTICK})"),
            false => label.to_owned(),
        }
    }

    /// Returns the values that a run was set to, as figures name them.
    pub(super) fn settings(&self, run: usize) -> String {
        let axes = self.axes.iter().zip(self.places(run));
        let parts = axes.map(|(axis, place)| axis.setting(place));
        parts.collect::<Vec<_>>().join(", ")
    }
}

fn places(axes: &[SweepAxis], entry: &PointEntry) -> Vec<usize> {
    let values = axes.iter().zip(&entry.set);
    values.map(|(axis, (_, value))| axis.place(value)).collect()
}

fn questions(runs: &[(&PointEntry, &Finished)]) -> Vec<SweepQuestion> {
    let mut questions: Vec<SweepQuestion> = Vec::new();
    for (at, (_, run)) in runs.iter().enumerate() {
        for asked in leads(run) {
            let known = questions.iter().position(|known| known.name == asked.name);
            let known = known.unwrap_or_else(|| {
                questions.push(SweepQuestion {
                    name: asked.name.clone(),
                    words: asked.words.clone(),
                    leads: vec![LeadAnswer::default(); runs.len()],
                });
                questions.len() - 1
            });
            questions[known].leads[at] = asked.lead;
        }
    }
    questions.retain(|question| {
        let mut leads = question.leads.iter();
        leads.any(|lead| lead.mood != MapMood::Nothing)
    });
    questions
}
