//! What a config says beyond the run.

use super::parts::Parts;
use super::seats::Seats;
use crate::config::dropout::{self, DROPOUT};
use crate::config::handed::HandedIn;
use crate::config::letters::{self, LETTERS, Sought};
use crate::config::plan::Recruitment;
use crate::document::{Field, Reader};
use kleroterion_core::problem::Given;

/// The parts of a config beyond the run: letters before it, and members who leave after it.
pub(super) struct Recruits<'a> {
    /// The field of `[letters]`.
    pub(super) letters: Field<'a>,
    /// True if there is a committee that letters are to recruit for.
    pub(super) are_sought: bool,
    pub(super) recruitment: Given<Recruitment>,
    pub(super) dropout: Given<Vec<f64>>,
}

impl<'a> Recruits<'a> {
    /// Reads `[letters]` and `[dropout]`.
    pub(super) fn read(
        top: &mut Reader<'a>,
        parts: &Parts<'_>,
        seats: &Seats,
        inputs: &HandedIn,
    ) -> Self {
        let sought = sought(parts, seats);
        let recruitment =
            LETTERS.section(top, |table| letters::read(table, sought.as_ref(), inputs));
        let members = parts.people(inputs);
        Self {
            letters: LETTERS.field(top),
            are_sought: sought.is_some(),
            recruitment: match recruitment {
                Given::Absent => {
                    let implied = sought.as_ref().and_then(letters::implied);
                    implied.map_or(Given::Absent, Given::Is)
                }
                given => given,
            },
            dropout: DROPOUT.section(top, |table| dropout::read(table, members.as_ref())),
        }
    }
}

/// Returns the committee that letters are to recruit for, if there is one.
fn sought<'a>(parts: &'a Parts<'_>, seats: &'a Seats) -> Option<Sought<'a>> {
    Some(Sought {
        world: parts.world.as_ref()?,
        wanted: parts.wanted.as_ref().is(),
        target: seats.target.as_deref()?,
        quotas: seats.quotas.as_deref(),
        members: u32::try_from(parts.members()?).ok()?,
    })
}
