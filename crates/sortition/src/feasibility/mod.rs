//! Feasibility: whether any committee keeps every quota, asked before anything is drawn; and where
//! none does, which quotas clash and which smallest change would do.
//!
//! One integer program answers first: how many of each kind of people to take so that quotas are
//! missed by the fewest seats in all; a committee exists iff that is none. What it answers is
//! checked in whole numbers.

mod clash;
mod problem;
mod program;
mod relaxation;
mod seated;
mod seating;
mod supply;
#[cfg(test)]
mod tests;

pub use clash::{ClashProgress, ClashWatch};
pub use problem::change_text;
pub use relaxation::relaxation;
pub use seated::{Sought, committee};
pub use seating::nearest_seating;
pub use supply::{Bound, Relaxation, Shift, Supply};

use kleroterion_core::protocol::{Quota, Side};
use kleroterion_core::watch::Interrupted;
use program::SeatingProgram;

/// The number of branch-and-bound nodes after which a program is given up: seconds with thousands
/// of respondents.
pub const NODES: u64 = 20_000;

/// The answer to the question whether a committee keeps every quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// Such a committee exists.
    Feasible,
    /// There are too few people for a committee.
    TooFew {
        /// The size of the largest committee that there are people for.
        most: u64,
    },
    /// No such committee exists, because of this clash.
    Clash(Clash),
    /// The program was not solved within the nodes allowed.
    Undecided {
        /// The nodes allowed.
        nodes: u64,
    },
}

/// Quotas that can't be kept together, and changes that would solve it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Bounds that no committee meets together.
    pub bounds: Vec<Bound>,
    /// True if the other bounds can be met without any one of them. False if that was not decided
    /// for some of them.
    pub minimal: bool,
    /// Changes that together let a committee exist. They move the fewest seats in all if `least` is
    /// true.
    pub shifts: Vec<Shift>,
    /// True if it is proved that no changes by fewer seats suffice.
    pub least: bool,
}

/// Decides whether a committee of `members` among the people of `supply` keeps all `quotas`. Quotas
/// have a row per attribute; an empty row sets none. Each program may use `nodes` nodes (see
/// [`NODES`]).
///
/// ```
/// use kleroterion_sortition::feasibility::{Feasibility, NODES, Supply, feasibility};
/// use kleroterion_core::protocol::Quota;
///
/// // Three women and one man; of two members one is to be a man, at least.
/// let people = [[0_u16], [0], [0], [1]];
/// let supply = Supply::people(people.iter().map(<[u16; 1]>::as_slice), None);
/// let quotas = vec![vec![Quota { min: 0, max: 2 }, Quota { min: 1, max: 2 }]];
/// assert_eq!(feasibility(&quotas, 2, &supply, NODES), Feasibility::Feasible);
///
/// let quotas = vec![vec![Quota { min: 0, max: 2 }, Quota { min: 2, max: 2 }]];
/// let Feasibility::Clash(clash) = feasibility(&quotas, 2, &supply, NODES) else { panic!() };
/// assert_eq!((clash.shifts.len(), clash.shifts[0].to), (1, 1));
/// ```
#[must_use]
pub fn feasibility(
    quotas: &[Vec<Quota>],
    members: u32,
    supply: &Supply,
    nodes: u64,
) -> Feasibility {
    let decided = feasibility_unless(quotas, members, supply, nodes, &ClashWatch::patient());
    decided.unwrap_or(Feasibility::Undecided { nodes })
}

/// Decides as [`feasibility`] does, unless the watch stops it. It looks at the watch between the
/// programs, of which each may take seconds; [`Watch::awaited`] ends the wait for one at once.
///
/// # Errors
/// Returns an error if the watch stops it.
///
/// [`Watch::awaited`]: kleroterion_core::watch::Watch::awaited
pub fn feasibility_unless(
    quotas: &[Vec<Quota>],
    members: u32,
    supply: &Supply,
    nodes: u64,
    watch: &ClashWatch<'_>,
) -> Result<Feasibility, Interrupted> {
    watch.go_on()?;
    if let Some(most) = supply.most().filter(|most| *most < u64::from(members)) {
        return Ok(Feasibility::TooFew { most });
    }
    let bounds = bounds(quotas, members, supply);
    let program = SeatingProgram::new(supply, members, nodes);
    let (shifts, least) = match program.nearest(&bounds, None) {
        Relaxation::Shifts { shifts, .. } if shifts.is_empty() => return Ok(Feasibility::Feasible),
        Relaxation::Shifts { shifts, least } => (shifts, least),
        Relaxation::None | Relaxation::Undecided => return Ok(Feasibility::Undecided { nodes }),
    };
    let clash = clash::minimal(&program, bounds, least, watch)?;
    Ok(match clash {
        None => Feasibility::Undecided { nodes },
        Some((bounds, minimal)) => Feasibility::Clash(Clash {
            bounds,
            minimal,
            shifts,
            least,
        }),
    })
}

/// Decides as [`feasibility`] does whether a committee keeps all quotas, without the reasons.
/// `None` if it is not decided within the nodes allowed.
#[must_use]
pub fn is_feasible(
    quotas: &[Vec<Quota>],
    members: u32,
    supply: &Supply,
    nodes: u64,
) -> Option<bool> {
    if supply.most().is_some_and(|most| most < u64::from(members)) {
        return Some(false);
    }
    let bounds = bounds(quotas, members, supply);
    SeatingProgram::new(supply, members, nodes).meets(&bounds, true)
}

/// The bounds that say something: minimums above 0, maximums that there are people to exceed.
fn bounds(quotas: &[Vec<Quota>], members: u32, supply: &Supply) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for (attribute, row) in quotas.iter().enumerate() {
        for (value, quota) in row.iter().enumerate() {
            let there = supply.with(attribute, value);
            let mut push = |side, seats| {
                bounds.push(Bound {
                    attribute,
                    value,
                    side,
                    seats,
                    there,
                });
            };
            if quota.min > 0 {
                push(Side::Min, quota.min);
            }
            let could = there.map_or(members, |there| there.min(u64::from(members)) as u32);
            if quota.max < could {
                push(Side::Max, quota.max);
            }
        }
    }
    bounds
}
