//! What is to be expected of a run before a person is drawn, from closed forms.

use serde_json::{Map, Value};

use crate::ahead::PlansAhead;
use crate::error::JobError;
use crate::run::JobRun;
use kleroterion_core::problem::Problems;
use kleroterion_policies::committee::program::ProgramError;
use kleroterion_policies::pool::Prospect;
use kleroterion_policies::pool::optimal::Digest;
use kleroterion_report::report::forecast::{Saving, StationaryForecast};
use kleroterion_report::report::medium::Medium;
use kleroterion_report::report::plain;
use kleroterion_run::config::{ALL_ACCEPT, LanePlan};

/// The expectations of a run.
pub struct RunForecast {
    found: Option<StationaryForecast>,
    /// The digests of the plans of the run, by lane.
    plans: Vec<Option<Digest>>,
}

impl RunForecast {
    /// Forecasts a run without its policies that look ahead.
    ///
    /// # Errors
    /// Fails if no policy can meet the targets.
    pub fn of(run: &JobRun) -> Result<Self, JobError> {
        let found = StationaryForecast::of(&run.plan, true);
        Ok(Self {
            found: found.map_err(|error| unmet(run, &error))?,
            plans: vec![None; run.plan.lanes.len()],
        })
    }

    /// Adds the plans of the policies that look ahead.
    ///
    /// # Errors
    /// Fails if there can be no plan, or if the watch ends the wait.
    pub fn look_ahead(&mut self, run: &JobRun, ahead: &mut PlansAhead<'_>) -> Result<(), JobError> {
        ahead.supply(&run.plan)?;
        let start = run.plan.pool.as_ref().and_then(|pool| pool.start.first());
        let of = |lane: &LanePlan| Digest::of(lane.policy.foresight.as_ref()?, *start?).ok();
        self.plans = run.plan.lanes.iter().map(of).collect();
        Ok(())
    }

    /// The expectations in words.
    pub fn text(&self, run: &JobRun, medium: &Medium) -> String {
        words(run, self.found.as_ref(), &self.plans, medium)
    }

    /// The expectations as an object for programs.
    pub fn object(&self, run: &JobRun) -> Value {
        object(run, self.found.as_ref(), &self.plans)
    }
}

/// The requirements of a forecast, as a sentence.
const NEEDED: &str = "that takes a [target] and a source whose law is known; or a [pool] of two \
                      groups and type \"positive_reinforcement\", a known share of each round to \
                      choose, and a policy target_share, optimal, or fair_greedy_pool with a \
                      greedy_term other than \"realised\"";

fn words(
    run: &JobRun,
    found: Option<&StationaryForecast>,
    plans: &[Option<Digest>],
    medium: &Medium,
) -> String {
    let mut text = format!("{}\n", medium.title(&plain(&run.title())));
    let mut said = found.map(StationaryForecast::sentences).unwrap_or_default();
    for (lane, plan) in run.plan.lanes.iter().zip(plans) {
        let prospect = lane.policy.prospect.as_ref().and_then(Prospect::sentence);
        let plan = plan.as_ref().map(Digest::sentence);
        let both = prospect.into_iter().chain(plan);
        said.extend(both.map(|sentence| format!("{}: {sentence}", lane.label)));
    }
    if assumes_all_accept(run) {
        said.push(ALL_ACCEPT.to_owned());
    }
    if said.is_empty() {
        said.push(format!("nothing can be said before they come: {NEEDED}"));
    }
    said.extend(run.plan.world.disclosures.iter().cloned());
    for sentence in said {
        text += &format!("  {}\n", plain(&sentence));
    }
    if let Some(found) = found
        && !found.loosenings.is_empty()
    {
        text += &savings(&found.loosenings);
    }
    text
}

/// Returns true if the forecast is of a pool in which some people decline, which its theory does
/// not count.
fn assumes_all_accept(run: &JobRun) -> bool {
    let mut lanes = run.plan.lanes.iter();
    let is_foretold = lanes.any(|lane| lane.policy.prospect.is_some());
    is_foretold && run.plan.feedback.offers.is_some()
}

/// A line for each target on which one seat more or less has an effect.
fn savings(all: &[Saving]) -> String {
    const FEW: f64 = 0.05;
    let mut text =
        "  one seat less or more, by the number of those screened that it saves:\n".to_owned();
    let (some, none): (Vec<_>, Vec<_>) = all.iter().partition(|saving| saving.saved.abs() >= FEW);
    for saving in some {
        let Saving {
            attribute,
            value,
            saved,
            to,
            from,
            ..
        } = saving;
        let name = plain(&format!("{attribute} = {value}"));
        text += &format!("    {saved:>9.1}  {name}: {to:.4} in place of {from:.4}\n");
    }
    if !none.is_empty() {
        let others = if none.len() == 1 { "other" } else { "others" };
        text += &format!("      nothing  {} {others}\n", none.len());
    }
    text
}

fn object(run: &JobRun, found: Option<&StationaryForecast>, plans: &[Option<Digest>]) -> Value {
    let mut disclosures = run.plan.world.disclosures.clone();
    disclosures.extend(assumes_all_accept(run).then(|| ALL_ACCEPT.to_owned()));
    let mut object = run.object(&disclosures);
    // Finite numbers and texts alone: this can't fail.
    if let Some(Ok(Value::Object(found))) = found.map(serde_json::to_value) {
        object.extend(found);
    }
    let led = run.plan.lanes.iter().zip(plans).filter_map(|(lane, plan)| {
        let mut prospect = serde_json::to_value(lane.policy.prospect.as_ref()?).ok()?;
        if let Some(plan) = plan {
            prospect["plan"] = serde_json::to_value(plan).ok()?;
        }
        Some((lane.label.clone(), prospect))
    });
    let led: Map<_, _> = led.collect();
    if !led.is_empty() {
        object.insert("policies".into(), Value::Object(led));
    }
    Value::Object(object)
}

/// The problems if no policy can meet the targets.
fn unmet(run: &JobRun, error: &ProgramError) -> Problems {
    let plan = &run.plan;
    let name = |row: usize, value: usize| {
        let rows = plan.target.as_deref().map(|target| target.rows());
        let attribute = rows
            .and_then(|rows| rows.get(row))
            .map_or(row, |(attribute, _)| *attribute);
        let attribute = &plan.world.schema.attributes()[attribute];
        format!("{} = {}", attribute.name, attribute.values[value])
    };
    error.problems(name)
}
