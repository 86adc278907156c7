//! The rules of lotteries.

/// The number of branch-and-bound nodes allowed to a search for a heaviest panel.
pub const NODES: u64 = 200_000;

/// The quantity that a lottery maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LotteryRule {
    /// The least chance of a respondent.
    Maximin,
    /// The least chance, then the next least, and so on.
    Leximin,
    /// The product of the chances.
    Nash,
}

impl LotteryRule {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Maximin, Self::Leximin, Self::Nash];

    /// The name in configs, options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Maximin => "maximin",
            Self::Leximin => "leximin",
            Self::Nash => "nash",
        }
    }
}
