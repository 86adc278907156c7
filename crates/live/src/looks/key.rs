//! The names under which interviews are shared between lanes.

/// A candidate's id.
pub type Candidate = Box<str>;

/// The name of one interview. Lanes that buy the same interview share its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LookKey {
    /// The id of the candidate to interview.
    pub candidate: Candidate,
    /// The kind of interview, as an index into the interviews of the rules.
    pub kind: usize,
    /// The number of interviews of this kind that a lane has bought of the candidate before.
    pub nth: u64,
}

/// An interview that people are newly asked to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The interview.
    pub look: LookKey,
    /// The time at which people were asked, in milliseconds since 1970.
    pub at: u64,
}
