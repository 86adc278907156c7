//! The progress of the lanes whose interviews people hold.

/// The lanes whose interviews people are asked to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// All lanes.
    All,
    /// The acting lane, and the fallback once the acting lane has broken off.
    Acting {
        /// The place of the acting lane.
        lane: usize,
        /// The place of the fallback's lane, if there is one.
        fallback: Option<usize>,
    },
    /// No lane: an interview without an answer in the journal is never answered.
    None,
}

/// The progress of the lanes, as far as it decides whose interviews people hold.
#[derive(Clone, Debug)]
pub struct LookLanes {
    audience: Audience,
    courses: Vec<LaneCourse>,
}

/// The progress of one lane.
#[derive(Clone, Copy, Debug, Default)]
struct LaneCourse {
    /// The last round that the lane closed.
    closed: u64,
    /// True if the lane has waited for an answer. It has then come as far as the journal lets it.
    waited: bool,
    end: Option<LaneEnd>,
}

/// The way in which a lane ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneEnd {
    /// It ended as intended.
    Done,
    /// It broke off, so that the fallback may take over.
    BrokeOff,
}

/// A lane's right to interviews in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// People hold its interviews.
    Asks,
    /// The lane waits until the lane that counts has closed the round.
    Waits,
    /// People no longer hold interviews for it.
    Over,
}

impl LookLanes {
    /// Creates the progress of `lanes` lanes, all at their start.
    #[must_use]
    pub fn new(lanes: usize, audience: Audience) -> Self {
        Self {
            audience,
            courses: vec![LaneCourse::default(); lanes],
        }
    }

    /// Notes that a lane closed a round.
    pub fn close(&mut self, lane: usize, round: u64) {
        let closed = &mut self.courses[lane].closed;
        *closed = round.max(*closed);
    }

    /// Notes that a lane waits for an answer.
    pub(super) fn wait(&mut self, lane: usize) {
        self.courses[lane].waited = true;
    }

    /// Returns true if all lanes whose interviews people hold have come as far as the journal lets
    /// them.
    pub(super) fn have_caught_up(&self) -> bool {
        let has = |lane: usize| self.courses[lane].waited || self.courses[lane].end.is_some();
        match self.audience {
            Audience::All => (0..self.courses.len()).all(has),
            Audience::None => false,
            Audience::Acting { lane, fallback } => {
                let broke_off = self.courses[lane].end == Some(LaneEnd::BrokeOff);
                has(lane) && (!broke_off || fallback.is_none_or(has))
            }
        }
    }

    /// Returns true if a lane has broken off.
    pub(super) fn has_broken_off(&self) -> bool {
        let mut courses = self.courses.iter();
        courses.any(|course| course.end == Some(LaneEnd::BrokeOff))
    }

    /// Notes that a lane has ended, broken off or as intended.
    pub fn end(&mut self, lane: usize, broke_off: bool) {
        self.courses[lane].end = Some(match broke_off {
            true => LaneEnd::BrokeOff,
            false => LaneEnd::Done,
        });
    }

    /// Returns a lane's right to interviews in a round.
    pub(super) fn standing(&self, lane: usize, round: u64) -> Standing {
        match self.audience {
            Audience::All => Standing::Asks,
            Audience::None => Standing::Over,
            Audience::Acting {
                lane: acting,
                fallback,
            } => self.by_lead(lane, round, acting, fallback),
        }
    }

    /// Returns the right of a lane where the interviews of `lead` count, and those of `then` after
    /// it.
    fn by_lead(&self, lane: usize, round: u64, lead: usize, then: Option<usize>) -> Standing {
        if lane == lead {
            return Standing::Asks;
        }
        let LaneCourse { closed, end, .. } = self.courses[lead];
        if closed >= round {
            return Standing::Over;
        }
        match (end, then) {
            (None, _) => Standing::Waits,
            (Some(LaneEnd::BrokeOff), Some(next)) => self.by_lead(lane, round, next, None),
            (Some(_), _) => Standing::Over,
        }
    }
}
