//! Verdicts: the statements that an interval supports.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kleroterion_core::score::Direction;

/// The verdict on a against b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Verdict {
    /// The interval lies on a's side of 0.
    Better,
    /// The interval lies on b's side of 0.
    Worse,
    /// The interval leaves out 0, on a metric without a better side.
    Differs,
    /// The interval holds 0 and lies within the stated margin.
    Equivalent,
    /// All D are exactly 0.
    Identical,
    /// A fact of one stream, which differs. Nothing is inferred, so neither is better.
    SoFar,
    /// None of these verdicts yet.
    Undecided,
    /// A lane of either ended before it completed its task.
    NotComparable,
}

impl Verdict {
    /// Returns the verdict of an interval on a metric. An interval without 0 decides the sign,
    /// whatever the margin. The margin counts only if the sign is open.
    pub fn of(lo: f64, hi: f64, direction: Direction, margin: Option<f64>) -> Self {
        let side = match (lo > 0.0, hi < 0.0) {
            (true, _) => Some(Direction::Higher),
            (_, true) => Some(Direction::Lower),
            _ => None,
        };
        match side {
            Some(_) if direction == Direction::None => Self::Differs,
            Some(side) if side == direction => Self::Better,
            Some(_) => Self::Worse,
            None if margin.is_some_and(|margin| -margin <= lo && hi <= margin) => Self::Equivalent,
            None => Self::Undecided,
        }
    }

    /// Returns the verdict of b against a.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            other => other,
        }
    }

    /// Returns true if an interval decided it.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        matches!(
            self,
            Self::Better | Self::Worse | Self::Differs | Self::Equivalent
        )
    }

    /// The word for the verdict in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Differs => "differs",
            Self::Equivalent => "equivalent",
            Self::Identical => "identical",
            Self::SoFar => "so_far",
            Self::Undecided => "undecided",
            Self::NotComparable => "not_comparable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_leaves_out_0_has_a_side() {
        for (lo, hi, lower, higher) in [
            (0.1, 0.2, Verdict::Worse, Verdict::Better),
            (-0.2, -0.1, Verdict::Better, Verdict::Worse),
        ] {
            for margin in [None, Some(0.15), Some(1.0)] {
                assert_eq!(Verdict::of(lo, hi, Direction::Lower, margin), lower);
                assert_eq!(Verdict::of(lo, hi, Direction::Higher, margin), higher);
                let differs = Verdict::of(lo, hi, Direction::None, margin);
                assert_eq!(differs, Verdict::Differs);
            }
        }
    }

    #[test]
    fn an_interval_that_holds_0_is_equivalent_within_the_margin_alone() {
        for (lo, hi) in [(-0.1, 0.2), (0.0, 0.2), (-0.2, 0.0)] {
            for direction in [Direction::Lower, Direction::Higher, Direction::None] {
                let of = |margin| Verdict::of(lo, hi, direction, margin);
                assert_eq!(of(None), Verdict::Undecided);
                assert_eq!(of(Some(0.15)), Verdict::Undecided);
                assert_eq!(of(Some(0.2)), Verdict::Equivalent);
            }
        }
    }

    /// The word of files, which is what a file is read by; a column pads it.
    #[test]
    fn each_verdict_has_its_word_and_some_are_decisions() {
        use Verdict::{
            Better, Differs, Equivalent, Identical, NotComparable, SoFar, Undecided, Worse,
        };
        for (verdict, word, is_decided) in [
            (Better, "better", true),
            (Worse, "worse", true),
            (Differs, "differs", true),
            (Equivalent, "equivalent", true),
            (Identical, "identical", false),
            (SoFar, "so_far", false),
            (Undecided, "undecided", false),
            (NotComparable, "not_comparable", false),
        ] {
            assert_eq!(verdict.word(), word);
            assert_eq!(format!("{verdict:>15}|"), format!("{word:>15}|"));
            let text = serde_json::to_string(&verdict).expect("plain data");
            assert_eq!(text, format!("{word:?}"));
            assert_eq!(serde_json::from_str::<Verdict>(&text).ok(), Some(verdict));
            assert_eq!(verdict.is_decided(), is_decided, "{verdict}");
        }
    }
}
