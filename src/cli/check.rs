//! `klero check CONFIG`.

use clap::Args;

use super::args::ConfigArgs;
use super::failure::{Failure, print};
use super::load::{self, Job};
use super::promise;
use kleroterion::compare::Versus;
use kleroterion::config::Plan;
use kleroterion::protocol::Until;
use kleroterion::report::plain;

/// Options of `klero check`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero check my.toml
  klero check my.toml --set rules.until.accepted=50")]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Checks a config, and prints what a run would do and assume.
pub fn check(args: CheckArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    // A sweep is never played live.
    let promised = match &jobs[..] {
        [job] => promise::known(&job.plan)?,
        _ => Vec::new(),
    };
    let mut text = String::new();
    let mut before = String::new();
    for job in &jobs {
        text += &headline(job);
        // Of a sweep, what every run has in common is said once.
        let details = details(&job.plan);
        if details != before {
            text += &details;
        }
        before = details;
    }
    for note in promised {
        text += &format!("  note: {}\n", plain(&note));
    }
    if let [first, _, ..] = &jobs[..] {
        let name = plain(&first.plan.name);
        text = format!("{name}: a sweep of {} runs\n{text}", jobs.len());
    }
    print(&text)
}

fn headline(job: &Job) -> String {
    let plan = &job.plan;
    let until = match plan.rules.until {
        Until::Accepted(1) => "until 1 is accepted".to_owned(),
        Until::Accepted(k) => format!("until {k} are accepted"),
        Until::Rounds(n) => format!("for {}", count(n, "round", "rounds")),
        Until::SourceEnds => "until the source ends".to_owned(),
    };
    let policies = count(plan.lanes.len() as u64, "policy", "policies");
    let replications = count(plan.replications, "replication", "replications");
    let name = plain(&job.title());
    format!("{name}: {policies}, {replications}, {until}\n")
}

fn details(plan: &Plan) -> String {
    let mut text = String::new();
    for lane in &plan.lanes {
        text += &format!("  {} ({})\n", plain(&lane.label), lane.kind);
    }
    let judged = plain(&plan.judge.metrics.join(", "));
    let filled = match plan.judge.adds_filled() && plan.replications > 1 {
        true => "; and filled, where a lane leaves places of its committee empty",
        false => "",
    };
    match &plan.judge.versus {
        // A note says why.
        Versus::Nobody => {}
        Versus::Baseline(label) => {
            let label = plain(label);
            text += &format!("  judged against {label}: {judged}{filled}\n");
        }
        Versus::Everyone => {
            text += &format!("  judged, every policy against every other: {judged}{filled}\n");
        }
    }
    for note in plan.world.disclosures.iter().chain(&plan.notes) {
        text += &format!("  note: {}\n", plain(note));
    }
    text
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
