//! The lanes whose interviews people hold.

/// Whose interviews are put to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Those of every lane.
    All,
    /// Those of the acting lane, and of another once the acting one has broken off.
    Acting {
        /// The place of the acting lane.
        lane: usize,
        /// The place of the lane that takes over, where one does.
        fallback: Option<usize>,
    },
    /// No one's: what is not on record is never answered.
    None,
}

/// Where the lanes are, as far as it matters for whose interviews count.
#[derive(Clone, Debug)]
pub struct LookLanes {
    audience: Audience,
    courses: Vec<LaneCourse>,
}

/// How far a lane is.
#[derive(Clone, Copy, Debug, Default)]
struct LaneCourse {
    /// The last round that it closed.
    closed: u64,
    /// Whether it has waited for an answer: then it has come as far as what is on record lets it.
    waited: bool,
    end: Option<LaneEnd>,
}

/// How a lane ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaneEnd {
    /// As it was to.
    Done,
    /// Otherwise: another may take over.
    BrokeOff,
}

/// What people do for a lane in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// They hold its interviews.
    Asks,
    /// It waits until the lane that counts has closed the round.
    Waits,
    /// They hold no interview for it any more.
    Over,
}

impl LookLanes {
    /// Lanes at their start.
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

    /// Whether all lanes whose interviews people hold have come as far as the record lets them.
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

    /// Whether a lane has ended otherwise than it was to.
    pub(super) fn has_broken_off(&self) -> bool {
        let mut courses = self.courses.iter();
        courses.any(|course| course.end == Some(LaneEnd::BrokeOff))
    }

    /// Notes that a lane has ended, as it was to or not.
    pub fn end(&mut self, lane: usize, broke_off: bool) {
        self.courses[lane].end = Some(match broke_off {
            true => LaneEnd::BrokeOff,
            false => LaneEnd::Done,
        });
    }

    /// What people do for a lane in a round.
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

    /// The same where the interviews of `lead` count.
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
