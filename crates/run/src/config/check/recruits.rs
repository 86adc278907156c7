//! Checks of letters and drop-out.

use std::path::Path;

use super::parts::Parts;
use super::seats::Seats;
use crate::config::dropout;
use crate::config::letters::{self, Sought};
use crate::config::plan::Recruitment;
use crate::document::Reader;
use kleroterion_core::problem::Given;

/// The parts of a config beyond the run: letters before it, and members who leave after it.
pub(super) struct Recruits {
    pub(super) recruitment: Given<Recruitment>,
    pub(super) dropout: Given<Vec<f64>>,
}

impl Recruits {
    /// Reads `[letters]` and `[dropout]`.
    pub(super) fn read(
        top: &mut Reader<'_>,
        parts: &Parts<'_>,
        seats: &Seats,
        folder: &Path,
    ) -> Self {
        let section = top.get("letters");
        let sought = sought(parts, seats);
        let is_open = parts.world.is_none() || parts.wanted.is_bad() || parts.rules.is_none();
        if section.is_given() && sought.is_none() && !is_open {
            // Why a target could not be resolved has been noted.
            if parts.wanted.is_absent() {
                let help = "for example: [target] with categories = \"categories.csv\"";
                section.refuse(
                    "letters are planned for quotas or shares: there are none",
                    help,
                );
            } else if seats.target.is_some() {
                let help = "for example: until = { accepted = 40 } in [rules]";
                section.refuse(
                    "letters are planned for a committee: none is to be filled",
                    help,
                );
            }
        }
        let recruitment = section.section(|table| letters::read(table, sought.as_ref(), folder));
        let recruitment = match recruitment {
            Given::Absent => sought
                .as_ref()
                .and_then(letters::implied)
                .map_or(Given::Absent, Given::Is),
            given => given,
        };
        let members = parts.people(top.get("source"), folder);
        let dropout = top.get("dropout");
        let dropout = dropout.section(|table| dropout::read(table, members.as_ref()));
        Self {
            recruitment,
            dropout,
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
