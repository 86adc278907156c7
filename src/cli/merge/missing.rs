//! The missing and wrong units of shards, and the shards that are to play them.

use std::path::PathBuf;

use super::super::failure::{Failure, failed, print, wrong};
use super::super::show;
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;
use kleroterion::units::{Found, SweepPlan, UnitId, UnitState, array};

/// The most units that are named one by one.
const NAMED: usize = 12;

/// Refuses doubled or foreign units. Reports missing units, and the shards that are to play them.
pub(super) fn check(
    plan: &SweepPlan,
    folders: &[PathBuf],
    found: &Found,
    shards: Option<u64>,
) -> Result<(), Failure> {
    strangers(plan, folders, found).map_err(wrong)?;
    let open = found.units.iter();
    let open = open.filter_map(|(unit, state)| Some((*unit, words(state, folders)?)));
    let open: Vec<(UnitId, String)> = open.collect();
    if open.is_empty() {
        return Ok(());
    }
    for (unit, words) in open.iter().take(NAMED) {
        show::say(&plain(&format!("{} {words}", plan.names(*unit))));
    }
    if open.len() > NAMED {
        show::say(&format!(
            "... and {} more: `klero sweep status` lists them",
            open.len() - NAMED
        ));
    }
    let failure = failed(&format!(
        "{} of {} units are not there: nothing was merged",
        open.len(),
        found.units.len()
    ));
    submit(plan, found, shards)?;
    Err(failure)
}

/// The state of a unit that is not whole, in words.
fn words(state: &UnitState, folders: &[PathBuf]) -> Option<String> {
    Some(match state {
        UnitState::Whole(_) => return None,
        UnitState::Missing => "is missing".to_owned(),
        UnitState::Failed(why) => format!("failed: {why}"),
        UnitState::Wrong(place, why) => format!("in {} is {why}", folders[*place].display()),
    })
}

/// Prints the shards that have units to play, as `sbatch` takes them.
pub(super) fn submit(plan: &SweepPlan, found: &Found, shards: Option<u64>) -> Result<(), Failure> {
    let of = shards.or(plan.shards).unwrap_or(1);
    let array = array(found.shards(of));
    show::say(&format!(
        "help: play these shards of {of} again, then merge again: {array}"
    ));
    print(&format!("--array={array}\n"))
}

/// Refuses doubled or foreign units.
fn strangers(plan: &SweepPlan, folders: &[PathBuf], found: &Found) -> Result<(), Problems> {
    let mut problems = Problems::default();
    for (unit, [a, b]) in &found.doubled {
        let unit = plan.names(*unit);
        let (a, b) = (folders[*a].display(), folders[*b].display());
        let what = format!("{unit} is in {a} and in {b} with other bytes");
        let help = "a program of yours answers the same messages in two ways, or a machine \
                    computes otherwise: find out which is wrong, and remove it";
        problems.push(Problem::of_request(what).help(help));
    }
    for (place, name, why) in &found.foreign {
        let folder = folders[*place].display();
        let what = format!("unit {name} in {folder} is {why}");
        let help = "remove it, or merge it with the units of its own plan and build";
        problems.push(Problem::of_request(what).help(help));
    }
    problems.or(())
}
