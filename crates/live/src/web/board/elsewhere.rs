//! The policies that play elsewhere: how far behind they are, and when they were last heard.

use std::time::Duration;

use super::end::time;
use super::moment::Moment;
use crate::watch::remote::{RemoteLane, farthest};
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::number::grouped;

/// The state of a policy that plays elsewhere; `None` if it plays here.
pub(super) fn state(moment: &Moment<'_>, lane: usize) -> Option<String> {
    let remote = moment.remote.iter().find(|remote| remote.lane == lane)?;
    let is_farthest = moment.remote.len() > 1
        && farthest(&moment.remote).is_some_and(|farthest| farthest.lane == lane);
    let damaged = match moment.watched.gauges.lanes[lane].damaged.get() {
        0 => "",
        _ => "; damaged messages were asked for again",
    };
    let farthest = if is_farthest { ", the farthest" } else { "" };
    let (behind, heard) = (behind(remote), heard(remote));
    Some(format!(
        "plays elsewhere{damaged}: {behind}{farthest}; {heard}"
    ))
}

/// The policy elsewhere that is farthest behind; `None` if all play here.
pub(super) fn farthest_behind(moment: &Moment<'_>) -> Option<(&'static str, String)> {
    moment.remote.first()?;
    let words = match farthest(&moment.remote) {
        None => "none".to_owned(),
        Some(remote) => format!(
            "{}, {}; {}",
            quoted(moment.label(remote.lane)),
            people(remote.behind),
            heard(&remote)
        ),
    };
    Some(("Farthest behind elsewhere", words))
}

fn people(many: u64) -> String {
    match many {
        1 => "1 person".to_owned(),
        many => format!("{} people", grouped(many)),
    }
}

fn behind(remote: &RemoteLane) -> String {
    match remote.behind {
        0 => "not behind".to_owned(),
        many => format!("{} behind", people(many)),
    }
}

/// The time since it was last heard, as text. It is exact to the second at first, and coarser later
/// so that a page at rest changes rarely.
fn heard(remote: &RemoteLane) -> String {
    let Some(silent) = remote.silent else {
        return "not heard yet".to_owned();
    };
    let seconds = silent.as_secs();
    let step = match seconds {
        0..10 => 1,
        10..60 => 10,
        60..3600 => 60,
        _ => 3600,
    };
    let seconds = Duration::from_secs(seconds - seconds % step);
    format!("heard {} ago", time(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_is_said_ever_more_coarsely() {
        for (seconds, words) in [
            (0, "heard 0 s ago"),
            (9, "heard 9 s ago"),
            (59, "heard 50 s ago"),
            (61, "heard 1 min ago"),
            (3599, "heard 59 min ago"),
            (7300, "heard 2 h ago"),
        ] {
            let remote = RemoteLane {
                lane: 0,
                behind: 1,
                silent: Some(Duration::from_secs(seconds)),
            };
            assert_eq!(heard(&remote), words);
            assert_eq!(behind(&remote), "1 person behind");
        }
    }
}
