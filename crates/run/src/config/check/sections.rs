//! All sections of a config.

use super::judged::Judged;
use super::lanes::Lanes;
use super::parts::Parts;
use super::recruits::Recruits;
use super::seats::Seats;
use crate::config::handed::HandedIn;
use crate::config::keys::SWEEP;
use crate::config::live::{self, FromOutside};
use crate::config::outcomes::OutcomeSection;
use crate::config::plan::LivePlan;
use crate::document::{Field, Reader};
use crate::registry::Registry;
use kleroterion_io::feed::SlateEnd;

/// All sections of a config, each read once. A problem within one is noted, and the others are then
/// read as far as they do not need it.
pub(super) struct Sections<'a> {
    pub(super) parts: Parts<'a>,
    pub(super) seats: Seats,
    pub(super) lanes: Lanes,
    pub(super) recruits: Recruits<'a>,
    pub(super) judged: Judged,
    pub(super) live: Option<LivePlan>,
    pub(super) sweep: Field<'a>,
}

impl<'a> Sections<'a> {
    /// Reads the sections of the config in `file`.
    pub(super) fn read(
        registry: &Registry,
        top: &mut Reader<'a>,
        file: &str,
        inputs: &HandedIn,
    ) -> Self {
        let parts = Parts::read(registry, top, file, inputs);
        let seats = Seats::of(&parts);
        let lanes = Lanes::read(registry, top, &parts, &seats, inputs);
        Self {
            recruits: Recruits::read(top, &parts, &seats, inputs),
            judged: Judged::read(registry, top, &parts, &seats, &lanes),
            live: live(top, &parts, &lanes, inputs),
            sweep: SWEEP.field(top),
            parts,
            seats,
            lanes,
        }
    }
}

fn live(
    top: &mut Reader<'_>,
    parts: &Parts<'_>,
    lanes: &Lanes,
    inputs: &HandedIn,
) -> Option<LivePlan> {
    let world = parts.world.as_ref();
    let feed = world.and_then(|world| world.feed.as_ref());
    let outcome = parts.outcome();
    let outside = FromOutside {
        labels: lanes.labels.as_deref(),
        elsewhere: lanes.are_elsewhere(),
        name: parts.head.name.as_deref().unwrap_or("run"),
        secrets: &inputs.secrets,
        reported: outcome.is_some_and(OutcomeSection::is_reported),
        outcome_range: outcome.and_then(OutcomeSection::declared),
        interviewers: (parts.answers.as_ref().is()).and_then(|answers| answers.interviewers),
        offers: parts.asks_of_places(),
        // Of what can't be read nothing is said.
        are_slates_closed: world.is_none()
            || feed.is_some_and(|feed| feed.slates == SlateEnd::Closing),
    };
    live::read(top, &outside)
}
