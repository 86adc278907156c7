//! The run's progress to its end, its end, and the policies that failed.

use std::time::Duration;

use super::model::Model;
use super::moment::Moment;
use crate::watch::Stage;
use kleroterion_core::protocol::Until;
use kleroterion_report::report::account::quoted;
use kleroterion_report::report::number::grouped;

/// A time in two units at most: "2 min 10 s".
pub(super) fn time(took: Duration) -> String {
    let seconds = took.as_secs_f64().round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) if seconds.is_multiple_of(60) => format!("{minutes} min"),
        (0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (hours, 0) => format!("{} h", grouped(hours)),
        (hours, minutes) => format!("{} h {minutes} min", grouped(hours)),
    }
}

/// The lane that predicts the run's end: the acting lane, or else the lane with the most left.
fn last_lane(moment: &Moment<'_>, left: impl Fn(usize) -> u64) -> Option<usize> {
    let plays = |lane: &usize| moment.end(*lane).is_none();
    let acting = moment.watched.acting.filter(plays);
    acting.or_else(|| {
        moment
            .order
            .iter()
            .copied()
            .filter(plays)
            .max_by_key(|lane| left(*lane))
    })
}

/// The seats or rounds done so far and in all, and the time left if it can be predicted.
pub(super) fn progress(moment: &Moment<'_>) -> Option<String> {
    if moment.stage == Stage::Over {
        return None;
    }
    let (all, is_seats) = match moment.watched.until? {
        Until::Accepted(seats) => (seats, true),
        Until::Rounds(rounds) => (rounds, false),
        Until::SourceEnds => return None,
    };
    let done = |lane: usize| match (moment.cut.lane(lane), is_seats) {
        (None, _) => 0,
        (Some(now), true) => now.selected,
        (Some(now), false) => now.rounds,
    };
    let lane = last_lane(moment, |lane| all.saturating_sub(done(lane)))?;
    let rate = moment.rates.as_ref().map(|rates| match is_seats {
        true => rates.chosen[lane],
        false => rates.played[lane],
    });
    let left = all.saturating_sub(done(lane)) as f64;
    let ahead = rate.and_then(|rate| time_left(left, rate));
    let ahead = ahead.map(|ahead| format!(", about {ahead} left"));
    let what = if is_seats { "seats" } else { "rounds" };
    let many = format!("{} of {} {what}", grouped(done(lane)), grouped(all));
    let whose = match moment.order.len() {
        1 => String::new(),
        _ if moment.watched.acting == Some(lane) => {
            format!(" ({}, which acts)", quoted(moment.label(lane)))
        }
        _ => format!(" (fewest: {})", quoted(moment.label(lane))),
    };
    Some(format!("{many}{whose}{}", ahead.unwrap_or_default()))
}

/// The approximate time until `left` units are done at `rate` a second; `None` if it can't be
/// predicted.
pub(super) fn time_left(left: f64, rate: f64) -> Option<String> {
    let seconds = Some(left / rate).filter(|_| rate > 0.0);
    seconds.filter(|seconds| *seconds < 1e7).map(about)
}

/// An approximate time to wait, as text.
fn about(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{} s", seconds.ceil()),
        _ if seconds < 5400.0 => format!("{} min", (seconds / 60.0).round()),
        _ => format!("{} h", (seconds / 3600.0).round()),
    }
}

/// The result of a finished run and its duration: "60 of 60 seats filled in 2 min 10 s".
pub(super) fn over(moment: &Moment<'_>) -> String {
    let watched = moment.watched;
    let gauges = &watched.gauges.lanes;
    let done = match (watched.until, watched.acting) {
        (Some(Until::Accepted(seats)), Some(lane)) => {
            let filled = grouped(gauges[lane].accepted.get());
            format!("{filled} of {} seats filled", grouped(seats))
        }
        (Some(Until::Accepted(seats)), None) => {
            let filled = gauges
                .iter()
                .filter(|lane| lane.accepted.get() >= seats)
                .count();
            let seats = grouped(seats);
            match (filled, gauges.len()) {
                (1, 1) => format!("{seats} of {seats} seats filled"),
                (filled, all) if filled == all => {
                    format!("{seats} of {seats} seats filled by each policy")
                }
                (filled, all) => format!("{filled} of {all} policies filled their {seats} seats"),
            }
        }
        (Some(Until::Rounds(rounds)), _) => {
            let played = gauges.iter().map(|lane| lane.rounds.get()).max();
            let played = grouped(played.unwrap_or(0));
            format!("{played} of {} rounds played", grouped(rounds))
        }
        _ => "no policy plays any more".to_owned(),
    };
    let took = watched
        .times
        .took()
        .map(|took| format!(" in {}", time(took)));
    done + &took.unwrap_or_default()
}

/// Fills the number of people who came to a finished run, and the link to its report.
pub(super) fn end(model: &mut Model, moment: &Moment<'_>) {
    let watched = moment.watched;
    let is_over = moment.stage == Stage::Over;
    let came = format!("{} people came.", grouped(watched.gauges.accepted.get()));
    model.text("end", if is_over { came } else { String::new() });
    let has_report = is_over && watched.report.get().is_some();
    model.text("report", if has_report { "Read the report" } else { "" });
}

/// Fills the policies that failed, and the questions that programs left unanswered.
pub(super) fn alerts(model: &mut Model, moment: &Moment<'_>) {
    let gauges = &moment.watched.gauges.lanes;
    let failed = moment.order.iter().filter_map(|&lane| {
        let stop = moment.end(lane).filter(|stop| stop.ending.breaks_off())?;
        let why = stop.detail.as_deref().map(|why| format!(": {why}"));
        let error = moment.watched.last_error(lane);
        let error = error.map(|line| format!("; last error line of its program: {line}"));
        Some(format!(
            "{} plays no more ({}, after {} rounds){}{}",
            quoted(moment.label(lane)),
            stop.ending.word().replace('_', " "),
            grouped(gauges[lane].rounds.get()),
            why.unwrap_or_default(),
            error.unwrap_or_default()
        ))
    });
    let late = moment.order.iter().filter_map(|&lane| {
        let forfeits = gauges[lane].forfeits.get();
        let rounds = grouped(gauges[lane].rounds.get());
        let who = quoted(moment.label(lane));
        (forfeits > 0).then(|| {
            format!(
                "{who} did not answer in time in {} of {rounds} rounds",
                grouped(forfeits)
            )
        })
    });
    model.list("alerts", failed.chain(late));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_two_units() {
        for (seconds, words) in [
            (8.4, "8 s"),
            (60.0, "1 min"),
            (130.0, "2 min 10 s"),
            (3600.0, "1 h"),
            (7260.0, "2 h 1 min"),
        ] {
            assert_eq!(time(Duration::from_secs_f64(seconds)), words);
        }
        assert_eq!(
            [3.0, 47.0, 200.0, 9000.0].map(about),
            ["3 s", "47 s", "3 min", "3 h"]
        );
    }
}
