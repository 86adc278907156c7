//! The people whose outcome is no longer waited for, because they came before a horizon.
//!
//! A horizon in people follows from the stream alone. For a horizon in time the recorder notes the
//! clock in the journal from time to time, with the people settled by then. A replay therefore
//! settles the same people at the same place.

use std::collections::VecDeque;
use std::time::Duration;

use kleroterion_io::feed::OutcomeHorizon;
use kleroterion_io::journal::SettledStep;

/// The number of clock marks per horizon. People are settled at most one mark late.
const MARKS: u32 = 64;

/// The settled people of a feed with a horizon.
#[derive(Clone, Debug)]
pub(super) struct Settling {
    horizon: OutcomeHorizon,
    /// The number of the first person who is not settled.
    before: u64,
    /// The time of each mark, in milliseconds since 1970, and the number of people who had come.
    marks: VecDeque<(u64, u64)>,
}

impl Settling {
    pub(super) fn new(horizon: OutcomeHorizon) -> Self {
        Self {
            horizon,
            before: 0,
            marks: VecDeque::new(),
        }
    }

    /// The number of the first person who is not settled, after `came` people have come.
    pub(super) fn before(&self, came: u64) -> u64 {
        match self.horizon {
            OutcomeHorizon::People(people) => came.saturating_sub(people),
            OutcomeHorizon::Time(_) => self.before,
        }
    }

    /// Notes a mark of the journal.
    pub(super) fn mark(&mut self, step: SettledStep, came: u64) {
        self.before = self.before.max(step.before);
        // A clock that was set back doesn't make anyone wait for less.
        let last = self.marks.back().map_or(0, |(at, _)| *at);
        self.marks.push_back((step.at.max(last), came));
        while self
            .marks
            .get(1)
            .is_some_and(|(_, came)| *came <= self.before)
        {
            self.marks.pop_front();
        }
    }

    /// The time at which the next mark is due, in milliseconds since 1970. `None` if no time
    /// settles people, or no people are unsettled.
    pub(super) fn due(&self, came: u64) -> Option<u64> {
        let every = millis(self.time()? / MARKS).max(1000);
        if came <= self.before {
            return None;
        }
        Some(self.marks.back().map_or(0, |(at, _)| at + every))
    }

    /// The mark to make at this time, if one is due.
    pub(super) fn step(&self, now: u64, came: u64) -> Option<SettledStep> {
        if self.due(came)? > now {
            return None;
        }
        let time = millis(self.time()?);
        let over = self.marks.iter().take_while(|(at, _)| at + time <= now);
        let before = over.last().map_or(0, |(_, came)| *came);
        Some(SettledStep {
            at: now,
            before: before.max(self.before),
        })
    }

    fn time(&self) -> Option<Duration> {
        match self.horizon {
            OutcomeHorizon::Time(time) => Some(time),
            OutcomeHorizon::People(_) => None,
        }
    }
}

/// A time in milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1000;

    #[test]
    fn a_number_of_people_settles_by_the_stream_alone() {
        let settling = Settling::new(OutcomeHorizon::People(10));
        let before: Vec<u64> = [0, 10, 11, 250].map(|came| settling.before(came)).into();
        assert_eq!(before, [0, 0, 1, 240]);
        assert_eq!(settling.due(1000), None);
        assert_eq!(settling.step(u64::MAX, 1000), None);
    }

    /// Checks that people who came before a mark are settled once the mark is as old as the
    /// horizon, and never earlier; and that a journal read again says the same.
    #[test]
    fn a_time_settles_those_who_came_before_a_mark_that_is_so_old() {
        let horizon = OutcomeHorizon::Time(Duration::from_secs(640));
        let mut settling = Settling::new(horizon);
        let mut read = Settling::new(horizon);
        assert_eq!(settling.due(0), None);
        let (mut came, mut marks) = (0, 0);
        for second in 0..5000 {
            let now = 1_000_000 + second * SECOND;
            came += u64::from(second < 3000);
            if let Some(step) = settling.step(now, came) {
                assert!(step.before <= came);
                for one in [&mut settling, &mut read] {
                    one.mark(step, came);
                }
                marks += 1;
            }
            // One a second came, from the first second on.
            let oldest = (second + 1).saturating_sub(640).min(3000);
            assert!(settling.before(came) <= oldest, "too soon, at {second}");
            assert!(
                settling.before(came) + 20 >= oldest,
                "too late, at {second}"
            );
            assert_eq!(read.before(came), settling.before(came));
            assert!(settling.marks.len() <= MARKS as usize + 3);
        }
        assert_eq!(settling.before(came), 3000);
        assert_eq!(settling.due(came), None);
        assert!((364..400).contains(&marks), "{marks}");
    }

    #[test]
    fn a_clock_that_is_set_back_settles_no_one_sooner() {
        let mut settling = Settling::new(OutcomeHorizon::Time(Duration::from_secs(64)));
        for (now, came) in [(500, 1), (100, 2), (120, 3), (530, 4)] {
            if let Some(step) = settling.step(now * SECOND, came) {
                settling.mark(step, came);
            }
        }
        assert_eq!(settling.before(4), 0);
        let step = settling.step(565 * SECOND, 4).expect("due");
        assert_eq!(step.before, 1);
    }
}
