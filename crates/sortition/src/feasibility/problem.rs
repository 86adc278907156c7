//! Messages about quotas that can't be kept.

use super::{Bound, Clash, Feasibility, Shift};
use kleroterion_core::nearest::joined;
use kleroterion_core::problem::Problem;
use kleroterion_core::protocol::Side;

impl Feasibility {
    /// Returns the problem of a committee of `members` as a message for the user. `None` if it is
    /// feasible. `label` names the value of a bound: "age 18-29". The place is the request; a
    /// caller who knows better may set it.
    pub fn problem(&self, members: u32, label: impl Fn(&Bound) -> String) -> Option<Problem> {
        match self {
            Self::Feasible => None,
            Self::TooFew { most } => {
                let what =
                    format!("there are people for a committee of {most} only, not {members}");
                Some(Problem::of_request(what).help("make the committee smaller"))
            }
            Self::Undecided { nodes } => {
                let what = format!(
                    "whether a committee of {members} can keep all quotas was not decided in \
                     {nodes} nodes"
                );
                let help = "runs may end `stalled`; wider quotas are easier to decide";
                Some(Problem::of_request(what).help(help))
            }
            Self::Clash(clash) => Some(clash.problem(members, &label)),
        }
    }
}

impl Clash {
    fn problem(&self, members: u32, label: &impl Fn(&Bound) -> String) -> Problem {
        let bounds = list(self.bounds.iter().map(|bound| bound_text(bound, label)));
        let fewer = if self.minimal {
            ""
        } else {
            " (perhaps fewer of these clash)"
        };
        let what = format!("no committee of {members} among these people has {bounds}{fewer}");
        let help = change_text(&self.shifts, self.least, "", label);
        Problem::of_request(what).help(help)
    }
}

/// "the smallest change that would do, 2 seats in all: …"; `within` says among which changes:
/// " within the flexible bounds". `label` as in [`Feasibility::problem`].
#[must_use]
pub fn change_text(
    shifts: &[Shift],
    least: bool,
    within: &str,
    label: &impl Fn(&Bound) -> String,
) -> String {
    let seats: u64 = shifts.iter().map(Shift::seats).sum();
    let seats = match seats {
        1 => "1 seat".to_owned(),
        seats => format!("{seats} seats"),
    };
    let change = match least {
        true => format!("the smallest change{within} that would do"),
        false => format!("a change{within} that would do, perhaps not the smallest"),
    };
    let shifts = list(shifts.iter().map(|shift| shift_text(shift, label)));
    format!("{change}, {seats} in all: {shifts}")
}

impl Shift {
    /// The number of seats by which the bound moves.
    #[must_use]
    pub fn seats(&self) -> u64 {
        u64::from(self.bound.seats.abs_diff(self.to))
    }
}

fn bound_text(bound: &Bound, label: &impl Fn(&Bound) -> String) -> String {
    let name = label(bound);
    match (bound.side, bound.there) {
        (Side::Min, Some(there)) if there < u64::from(bound.seats) => {
            format!("at least {} {name}, of whom there are {there}", bound.seats)
        }
        (Side::Min, _) => format!("at least {} {name}", bound.seats),
        (Side::Max, _) => format!("at most {} {name}", bound.seats),
    }
}

fn shift_text(shift: &Shift, label: &impl Fn(&Bound) -> String) -> String {
    let Shift {
        bound: Bound { side, seats, .. },
        to,
    } = *shift;
    let name = label(&shift.bound);
    match side {
        Side::Min => format!("lower the minimum of {name} from {seats} to {to}"),
        Side::Max => format!("raise the maximum of {name} from {seats} to {to}"),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    joined(&items.collect::<Vec<_>>())
}
