//! The names of interviews.

/// A candidate's id.
pub type Candidate = Box<str>;

/// The name of an interview, which lanes share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LookKey {
    /// With whom.
    pub candidate: Candidate,
    /// The kind, as an index into the rules' interviews.
    pub kind: usize,
    /// How many of the kind a lane has bought of the candidate before.
    pub nth: u64,
}

/// An interview that is put to people from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which.
    pub look: LookKey,
    /// Since when, in milliseconds since 1970.
    pub at: u64,
}
