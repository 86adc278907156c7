//! `klero plan CONFIG`: the number of letters to send, and the alternates of a panel.

mod alternates;
mod letters;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kleroterion::problem::Problem;
use kleroterion::report::plain;
use serde_json::Value;

use self::alternates::PanelAlternates;
use self::letters::Letters;
use super::args::{ConfigArgs, at_least, whole};
use super::failure::{Failure, print, wrong};
use super::load::{self, Job};

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

/// The plan of a config's recruitment.
struct Planned {
    letters: Option<Letters>,
    alternates: Option<PanelAlternates>,
}

/// Plans letters and alternates.
///
/// # Errors
/// Fails if the config is wrong, or lacks the data for a plan.
pub fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    let planned = jobs.iter().map(|job| planned(job, args));
    let planned: Vec<Planned> = planned.collect::<Result<_, _>>()?;
    let all = jobs.iter().zip(&planned);
    let text = match args.format {
        PlanForm::Text => all.map(|(job, planned)| words(job, planned)).collect(),
        PlanForm::Json => load::objects(&jobs, all.map(|(job, planned)| object(job, planned))),
    };
    print(&text)
}

fn planned(job: &Job, args: &PlanArgs) -> Result<Planned, Failure> {
    let plan = &job.plan;
    if plan.recruitment.is_none() && args.panel.is_none() {
        let what = "the config does not say how many answer a letter";
        let help = "write [letters] with rate = 0.03, or volunteering_rate = 0.03 in [source]; \
                    both need a [target] and a committee (until = { accepted = 40 })";
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let alternates = args.panel.as_deref().map(|file| {
        let how_many = args.alternates.map(|many| many as u32);
        PanelAlternates::of(job, file, how_many)
    });
    let alternates = alternates.transpose()?;
    let letters = plan.recruitment.as_ref().filter(|_| args.panel.is_none());
    let simulations = u32::try_from(args.simulations).unwrap_or(u32::MAX);
    let letters = letters.map(|of| Letters::of(plan, of, args.sure, simulations));
    Ok(Planned {
        letters: letters.transpose()?,
        alternates,
    })
}

fn words(job: &Job, planned: &Planned) -> String {
    let mut lines = vec![job.title()];
    let letters = planned.letters.iter();
    lines.extend(letters.flat_map(|of| of.sentences(&job.plan)));
    if planned.letters.is_some() && job.plan.dropout.is_some() {
        let say = "  alternates are those of a panel: klero plan … --panel panel.csv";
        lines.push(say.into());
    }
    let alternates = planned.alternates.iter();
    lines.extend(alternates.flat_map(|of| of.sentences(&job.plan)));
    let disclosed = job.plan.world.disclosures.iter();
    lines.extend(disclosed.map(|disclosed| format!("  {disclosed}")));
    lines
        .iter()
        .map(|line| format!("{}\n", plain(line)))
        .collect()
}

fn object(job: &Job, planned: &Planned) -> Value {
    let plan = &job.plan;
    let mut object = job.object(&plan.world.disclosures);
    if let Some(letters) = &planned.letters {
        object.insert("letters".into(), letters.object(plan));
    }
    if let Some(alternates) = &planned.alternates {
        object.insert("alternates".into(), alternates.object(plan));
    }
    Value::Object(object)
}

/// Reads a number above 0 and below 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if 0.0 < share && share < 1.0 => Ok(share),
        _ => Err("expected a number above 0 and below 1, such as 0.95".into()),
    }
}
