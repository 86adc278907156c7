//! `klero plan CONFIG`: the number of letters to send, and the alternates of a panel.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kleroterion::jobs::{RecruitPlan, RecruitRequest, objects};

use super::args::{ConfigArgs, at_least, whole};
use super::failure::{Failure, print, print_words};

/// Options of `klero plan`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero plan my.toml                               letters, by [letters] or volunteering_rate
  klero plan my.toml --sure 0.99
  klero plan my.toml --panel panel.csv --alternates 8   alternates of a panel, by [dropout]")]
pub struct PlanArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// With which probability the pool is to have a committee that keeps all quotas
    #[arg(long, value_name = "P", value_parser = share)]
    sure: Option<f64>,
    /// How many recruitments are simulated
    #[arg(long, value_name = "N", default_value = "1000", value_parser = at_least(1))]
    simulations: u64,
    /// A panel that was drawn, to plan its alternates: a file with the ids of its members
    #[arg(long, value_name = "FILE")]
    panel: Option<PathBuf>,
    /// How many alternates; as many as leave in the mean, rounded up, where it is not said
    #[arg(long, value_name = "N", requires = "panel", value_parser = whole(0..=1_000))]
    alternates: Option<i64>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "text")]
    format: PlanForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlanForm {
    /// For people
    Text,
    /// An object a run; an array of them for a sweep
    Json,
}

/// Plans letters and alternates.
///
/// # Errors
/// Fails if the config is wrong, or lacks the data for a plan.
pub fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let runs = args.config.runs()?;
    let request = RecruitRequest {
        sure: args.sure,
        simulations: u32::try_from(args.simulations).unwrap_or(u32::MAX),
        panel: args.panel.clone(),
        alternates: args.alternates.map(|many| many as u32),
    };
    let planned = runs.iter().map(|run| RecruitPlan::of(run, &request));
    let planned: Vec<RecruitPlan> = planned.collect::<Result<_, _>>()?;
    let all = runs.iter().zip(&planned);
    match args.format {
        PlanForm::Text => print_words(
            &all.map(|(run, planned)| planned.text(run))
                .collect::<String>(),
        ),
        PlanForm::Json => print(&objects(
            &runs,
            all.map(|(run, planned)| planned.object(run)),
        )),
    }
}

/// Reads a number above 0 and below 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if 0.0 < share && share < 1.0 => Ok(share),
        _ => Err("expected a number above 0 and below 1, such as 0.95".into()),
    }
}
