//! `klero check CONFIG`.

use clap::Args;

use super::{ConfigArgs, Failure, load, show};
use kleroterion::compare::Versus;
use kleroterion::protocol::Until;

/// Options of `klero check`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero check my.toml
  klero check my.toml --set rules.until.accepted=50")]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Checks a config, and says what a run would do and assume.
pub fn check(args: CheckArgs) -> Result<(), Failure> {
    let jobs = load::jobs(&args.config)?;
    let mut text = String::new();
    for job in &jobs {
        let plan = &job.plan;
        let until = match plan.rules.until {
            Until::Accepted(k) => format!("until {k} are accepted"),
            Until::Rounds(n) => format!("for {n} rounds"),
            Until::SourceEnds => "until the source ends".to_owned(),
        };
        let named = job.point.named();
        let set: String = named.iter().map(|(k, v)| format!(" ({k} = {v})")).collect();
        let (n, m) = (plan.lanes.len(), plan.replications);
        text += &format!(
            "{}{set}: {n} policies, {m} replications, {until}\n",
            plan.name
        );
        for lane in &plan.lanes {
            text += &format!("  {} ({})\n", lane.label, lane.kind);
        }
        let judged = plan.judge.metrics.join(", ");
        text += &match &plan.judge.versus {
            Versus::Nobody => "  no verdicts between policies\n".to_owned(),
            Versus::Baseline(label) => format!("  judged against {label}: {judged}\n"),
            Versus::Everyone => format!("  judged, every policy against every other: {judged}\n"),
        };
        for note in &plan.notes {
            text += &format!("  note: {note}\n");
        }
    }
    show::print(&text).map_err(|error| {
        show::say(&format!("can't print: {error}"));
        Failure::Failed
    })
}
