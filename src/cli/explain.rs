//! `klero explain CONFIG`.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::ahead::Ahead;
use super::args::ConfigArgs;
use super::failure::{Failure, print, wrong};
use super::load::{self, Job};
use super::{log, look};
use kleroterion::config::{ALL_ACCEPT, LanePlan};
use kleroterion::policy::committee::program::ProgramError;
use kleroterion::policy::pool::Prospect;
use kleroterion::policy::pool::optimal::Digest;
use kleroterion::report::forecast::{Saving, StationaryForecast};
use kleroterion::report::medium::Medium;
use kleroterion::report::plain;

/// Options of `klero explain`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero explain my.toml
  klero explain my.toml --set rules.until.accepted=50
  klero explain committee-brexit-like --format json")]
pub struct ExplainArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: ExplainForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainForm {
    /// For people
    Text,
    /// For papers and issues: the same as Markdown
    Markdown,
    /// An object a run; an array of them for a sweep
    Json,
}

/// Prints what can be expected of a config before any person is drawn.
///
/// # Errors
/// Fails if the config is wrong or no policy can meet its targets.
pub fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    let mut found = Vec::new();
    // Drawn on a terminal alone. A program a value: seconds where there are hundreds of thousands
    // of types.
    let spinner = log::spinner("solving a program for each value", false);
    for job in &jobs {
        let forecast = StationaryForecast::of(&job.plan, true);
        found.push(forecast.map_err(|error| {
            spinner.finish_and_clear();
            unmet(job, &error)
        })?);
    }
    spinner.finish_and_clear();
    let mut ahead = Ahead::new(None, false, Arc::default());
    let plans = jobs.iter().map(|job| {
        ahead.supply(&job.plan, |_| ())?;
        Ok(digests(job))
    });
    let plans: Vec<_> = plans.collect::<Result<_, Failure>>()?;
    let all = jobs.iter().zip(found.iter().zip(&plans));
    let text = match args.format {
        ExplainForm::Text | ExplainForm::Markdown => {
            let medium = match args.format {
                ExplainForm::Markdown => Medium::markdown(),
                _ => look::of_stdout(),
            };
            let words = all.map(|(job, (found, plans))| words(job, found.as_ref(), plans, &medium));
            medium.finished(&words.collect::<String>())
        }
        ExplainForm::Json => {
            let all = all.map(|(job, (found, plans))| object(job, found.as_ref(), plans));
            load::objects(&jobs, all)
        }
    };
    print(&text)
}

/// The digests of the plans of a run, by lane.
fn digests(job: &Job) -> Vec<Option<Digest>> {
    let start = job.plan.pool.as_ref().and_then(|pool| pool.start.first());
    let lanes = job.plan.lanes.iter();
    let of = |lane: &LanePlan| Digest::of(lane.policy.foresight.as_ref()?, *start?).ok();
    lanes.map(of).collect()
}

/// The requirements of a forecast, as a sentence.
const NEEDED: &str = "that takes a [target] and a source whose law is known; or a [pool] of two \
                      groups and type \"positive_reinforcement\", a known share of each round to \
                      choose, and a policy target_share, optimal, or fair_greedy_pool with a \
                      greedy_term other than \"realised\"";

fn words(
    job: &Job,
    found: Option<&StationaryForecast>,
    plans: &[Option<Digest>],
    medium: &Medium,
) -> String {
    let mut text = format!("{}\n", medium.title(&plain(&job.title())));
    let mut said = found.map(StationaryForecast::sentences).unwrap_or_default();
    for (lane, plan) in job.plan.lanes.iter().zip(plans) {
        let prospect = lane.policy.prospect.as_ref().and_then(Prospect::sentence);
        let plan = plan.as_ref().map(Digest::sentence);
        let both = prospect.into_iter().chain(plan);
        said.extend(both.map(|sentence| format!("{}: {sentence}", lane.label)));
    }
    if assumes_all_accept(job) {
        said.push(ALL_ACCEPT.to_owned());
    }
    if said.is_empty() {
        said.push(format!("nothing can be said before they come: {NEEDED}"));
    }
    said.extend(job.plan.world.disclosures.iter().cloned());
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
fn assumes_all_accept(job: &Job) -> bool {
    let mut lanes = job.plan.lanes.iter();
    let is_foretold = lanes.any(|lane| lane.policy.prospect.is_some());
    is_foretold && job.plan.feedback.offers.is_some()
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

fn object(job: &Job, found: Option<&StationaryForecast>, plans: &[Option<Digest>]) -> Value {
    let mut disclosures = job.plan.world.disclosures.clone();
    disclosures.extend(assumes_all_accept(job).then(|| ALL_ACCEPT.to_owned()));
    let mut object = job.object(&disclosures);
    // Finite numbers and texts alone: this can't fail.
    if let Some(Ok(Value::Object(found))) = found.map(serde_json::to_value) {
        object.extend(found);
    }
    let led = job.plan.lanes.iter().zip(plans).filter_map(|(lane, plan)| {
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

/// The failure if no policy can meet the targets.
fn unmet(job: &Job, error: &ProgramError) -> Failure {
    let plan = &job.plan;
    let name = |row: usize, value: usize| {
        let rows = plan.target.as_deref().map(|target| target.rows());
        let attribute = rows
            .and_then(|rows| rows.get(row))
            .map_or(row, |(attribute, _)| *attribute);
        let attribute = &plan.world.schema.attributes()[attribute];
        format!("{} = {}", attribute.name, attribute.values[value])
    };
    wrong(error.problems(name))
}
