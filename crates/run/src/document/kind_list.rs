//! The lists of kinds that a registry holds.

/// A list of kinds: the tables of a config that are one of them look their keys up there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindList {
    /// The kinds of policies.
    Policies,
    /// The kinds of sources.
    Sources,
    /// The kinds of answers to interviews.
    Interviews,
    /// The kinds of outcomes.
    Outcomes,
    /// The kinds of pools.
    Pools,
}

impl KindList {
    /// The key that selects the kind.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Policies => "kind",
            Self::Sources | Self::Interviews | Self::Outcomes | Self::Pools => "type",
        }
    }
}
