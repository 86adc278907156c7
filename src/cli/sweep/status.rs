//! `klero sweep status DIR`: what is there of a sweep, from its units alone.

use std::path::PathBuf;

use clap::Args;

use super::super::failure::{Failure, failed, wrong};
use super::super::show;
use kleroterion::units::{Found, PLAN, SweepPlan, UnitState};

/// Options of `klero sweep status`.
#[derive(Args)]
pub struct StatusArgs {
    /// The --out folders of the shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
}

/// Says what is there.
pub fn status(args: &StatusArgs) -> Result<(), Failure> {
    let plan = SweepPlan::read(&args.folders[0].join(PLAN)).map_err(wrong)?;
    let found = Found::of(&plan, &args.folders)
        .map_err(|(place, error)| failed(&format!("{}: {error}", args.folders[place].display())))?;
    let is_whole = |state: &UnitState| matches!(state, UnitState::Whole(_));
    let whole = found
        .units
        .iter()
        .filter(|(_, state)| is_whole(state))
        .count();
    let text = format!(
        "{} points, {} units, {whole} whole\n",
        plan.points.len(),
        found.units.len()
    );
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))
}
