//! The time that a sweep's open units may take, from the times at which its whole units were
//! written.

use std::path::PathBuf;
use std::time::SystemTime;

use indicatif::HumanDuration;

use crate::cli::limits::SWEEP_REST;
use kleroterion::jobs::FolderUnits;
use kleroterion::units::{UnitState, Units};

/// The most latest units whose pace counts: machines may have joined since the first.
const LATEST: usize = 64;
/// A sweep rests if no unit came for this many times the usual gap.
const RESTS: u32 = 20;

/// Returns the time left in words, or the time since the last unit where nothing seems to play.
/// `None` if all units are whole, or if the pace is unknown.
pub fn left(units: &FolderUnits, folders: &[PathBuf], now: SystemTime) -> Option<String> {
    let folders: Vec<Units> = folders.iter().map(|folder| Units::at(folder)).collect();
    let time = |(unit, state): &(_, UnitState)| match state {
        UnitState::Whole(place) => {
            let file = folders.get(*place)?.file(&units.plan, *unit);
            file.metadata().ok()?.modified().ok()
        }
        _ => None,
    };
    let all = &units.found.units;
    let times: Vec<SystemTime> = all.iter().filter_map(time).collect();
    words(&times, all.len() - times.len(), now)
}

/// The words for some units written at these times, with `open` more to play.
fn words(times: &[SystemTime], open: usize, now: SystemTime) -> Option<String> {
    let mut times = times.to_vec();
    times.sort_unstable();
    let times = &times[times.len().saturating_sub(LATEST)..];
    let (first, last) = (times.first()?, times.last()?);
    let gaps = u32::try_from(times.len() - 1)
        .ok()
        .filter(|gaps| *gaps > 0)?;
    if open == 0 {
        return None;
    }
    let gap = last.duration_since(*first).ok()? / gaps;
    let since = now.duration_since(*last).unwrap_or_default();
    if since > SWEEP_REST.max(gap * RESTS) {
        return Some(format!(
            "No unit was written for {}: the sweep may rest.",
            HumanDuration(since)
        ));
    }
    let left = gap.checked_mul(u32::try_from(open).ok()?)?;
    let left = match left.as_secs() {
        0 => "a second".to_owned(),
        _ => HumanDuration(left).to_string(),
    };
    Some(format!(
        "About {left} left at the pace of the latest units."
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_pace_of_the_latest_units_tells_the_time_left() {
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let times = |all: &[u64]| all.iter().copied().map(at).collect::<Vec<_>>();
        let said = |all: &[u64], open, now| words(&times(all), open, at(now));
        let known = "About 2 minutes left at the pace of the latest units.";
        assert_eq!(said(&[100, 110, 120], 12, 125).as_deref(), Some(known));
        // Units of two shards are written in any order.
        assert_eq!(said(&[120, 100, 110], 12, 125).as_deref(), Some(known));
        let rests = "No unit was written for 2 hours: the sweep may rest.";
        assert_eq!(said(&[100, 110], 12, 110 + 7_200).as_deref(), Some(rests));
        let soon = "About a second left at the pace of the latest units.";
        assert_eq!(said(&[100, 100, 100], 3, 101).as_deref(), Some(soon));
        assert_eq!(said(&[100, 110], 0, 125), None);
        assert_eq!(said(&[100], 12, 125), None);
        assert_eq!(said(&[], 12, 125), None);
        // A pause long ago says nothing of the pace of now.
        let paused: Vec<u64> = [0].into_iter().chain(90_000..90_064).collect();
        let soon = "About 3 seconds left at the pace of the latest units.";
        assert_eq!(said(&paused, 3, 90_064).as_deref(), Some(soon));
    }
}
