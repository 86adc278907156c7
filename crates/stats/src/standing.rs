//! The standing of a comparison: three words that every table, page and file uses.
//!
//! What is inferred is sure or open. What was seen of one stream is so far: it is a fact, it says
//! nothing of other streams, and no policy is better by it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimand::Estimand;
use super::verdict::Verdict;

/// The degree to which a comparison is settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename_all = "snake_case")]
pub enum Standing {
    /// Inferred: an interval decides it. An interval that holds at any time is as sure at every
    /// look; one by t only at the single look that was planned.
    Sure,
    /// Inferred, and not decided, or not comparable.
    #[default]
    Open,
    /// A fact of this one stream, from which nothing is inferred.
    SoFar,
}

/// The words for a run that ends before an open comparison is likely to be decided.
pub const NOT_IN_THIS_RUN: &str = "not in this run";

impl Standing {
    /// Returns the standing of a comparison with this verdict. `is_within` says that the interval
    /// lies within the margin and the values did vary.
    #[must_use]
    pub const fn of(verdict: Verdict, estimand: Estimand, is_within: bool) -> Self {
        match verdict {
            _ if estimand.is_fact() => Self::SoFar,
            Verdict::Identical if is_within => Self::Sure,
            _ if verdict.is_decided() => Self::Sure,
            _ => Self::Open,
        }
    }

    /// The word for readers.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Open => "open",
            Self::SoFar => "so far",
        }
    }

    /// The word for files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Open => "open",
            Self::SoFar => "so_far",
        }
    }

    /// Returns the standing with the word of a verdict, if that adds something: `sure: better`,
    /// `open`, `so far`.
    #[must_use]
    pub fn with(self, verdict: &str) -> String {
        let words = self.words();
        match verdict {
            "not_comparable" => "not comparable".into(),
            "undecided" | "so_far" => words.into(),
            "identical" if self != Self::Sure => format!("{words}: equal"),
            _ if self == Self::SoFar => words.into(),
            verdict => format!("{words}: {}", verdict.replace('_', " ")),
        }
    }
}

/// The moments at which a running average was sure. The average is another quantity at each round,
/// so a sure one may be open again. Both moments are then given, as places in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dated {
    /// The number of rounds (or people) after which it was first sure.
    pub sure_at: u64,
    /// The verdict at that moment.
    pub verdict: Verdict,
    /// The number of rounds (or people) after which it was last open again. Null if it never was.
    pub open_at: Option<u64>,
    /// The number of rounds (or people) since which it has been sure as it is now. Null if it is
    /// open.
    pub since: Option<u64>,
}

/// Returns true if an interval lies within a margin. An interval without width comes from values
/// that did not vary, so it never counts.
#[must_use]
pub fn lies_within((lo, hi): (f64, f64), margin: Option<f64>) -> bool {
    let margin = margin.unwrap_or(0.0);
    lo < hi && -margin <= lo && hi <= margin
}

impl Dated {
    /// Returns the moments in a sentence without a full stop: `sure since person 254`, `was sure at
    /// 254, open again since 256`. `now` is the current verdict.
    #[must_use]
    pub fn sentence(&self, now: &str, unit: &str) -> String {
        let then = match self.since {
            Some(_) if self.verdict.word() != now => format!(" ({})", self.verdict),
            _ => String::new(),
        };
        dates((self.sure_at, &then), self.open_at, self.since, unit)
    }

    /// Returns the same moments as seen from the other policy.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            verdict: self.verdict.turned(),
            ..self
        }
    }
}

/// Returns, in words, when something was first sure (with the verdict then, if it was another), was
/// last open again, and has been sure since.
pub(super) fn dates(
    (sure_at, then): (u64, &str),
    open_at: Option<u64>,
    since: Option<u64>,
    unit: &str,
) -> String {
    match (since, open_at) {
        (Some(since), _) if since == sure_at => format!("sure since {unit} {since}"),
        (Some(since), Some(open)) => {
            format!("sure since {unit} {since}, was sure at {sure_at}{then}, open again at {open}")
        }
        (Some(since), None) => format!("sure since {unit} {since}, was sure at {sure_at}{then}"),
        (None, Some(open)) => format!("was sure at {sure_at}, open again since {open}"),
        (None, None) => format!("was sure at {sure_at}"),
    }
}

/// Returns, in words, the moments at which a comparison on one stream was sure. `None` if there are
/// none to state. Ratios and mean outcomes are tested at the last value only, so they are sure
/// there.
#[must_use]
pub fn when(
    (standing, verdict): (Standing, &str),
    (estimand, n): (Estimand, u64),
    dated: Option<&Dated>,
    unit: &str,
) -> Option<String> {
    match (dated, estimand) {
        _ if verdict == Verdict::NotComparable.word() => None,
        (Some(dated), _) => Some(dated.sentence(verdict, unit)),
        (None, Estimand::Ratios | Estimand::Outcomes) if standing == Standing::Sure => {
            Some(format!("sure at {unit} {n}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_so_far_whatever_their_verdict_and_what_is_inferred_is_sure_or_open() {
        use Verdict::{
            Better, Differs, Equivalent, Identical, NotComparable, SoFar, Undecided, Worse,
        };
        let inferred = [
            Estimand::Replications,
            Estimand::Rounds,
            Estimand::People,
            Estimand::Ratios,
            Estimand::Outcomes,
        ];
        for (verdict, is_within, standing) in [
            (Better, false, Standing::Sure),
            (Worse, false, Standing::Sure),
            (Differs, false, Standing::Sure),
            (Equivalent, true, Standing::Sure),
            (Identical, true, Standing::Sure),
            (Identical, false, Standing::Open),
            (Undecided, false, Standing::Open),
            (NotComparable, false, Standing::Open),
        ] {
            for estimand in inferred {
                assert_eq!(Standing::of(verdict, estimand, is_within), standing);
            }
            let fact = Standing::of(verdict, Estimand::Facts, is_within);
            assert_eq!(fact, Standing::SoFar, "{verdict}");
        }
        assert_eq!(Standing::of(SoFar, Estimand::Facts, false), Standing::SoFar);
    }

    #[test]
    fn values_that_did_not_vary_are_not_within_a_margin_for_sure() {
        for (limits, margin, is_within) in [
            ((-0.1, 0.1), Some(0.1), true),
            ((-0.1, 0.2), Some(0.1), false),
            ((-0.1, 0.1), None, false),
            ((0.0, 0.0), None, false),
            ((0.0, 0.0), Some(0.1), false),
        ] {
            assert_eq!(
                lies_within(limits, margin),
                is_within,
                "{limits:?} {margin:?}"
            );
        }
    }

    #[test]
    fn each_standing_has_its_word_in_files_and_in_tables() {
        for (standing, word, verdict, said) in [
            (Standing::Sure, "sure", "better", "sure: better"),
            (Standing::Sure, "sure", "identical", "sure: identical"),
            (Standing::Open, "open", "undecided", "open"),
            (Standing::Open, "open", "identical", "open: equal"),
            (Standing::Open, "open", "not_comparable", "not comparable"),
            (Standing::SoFar, "so_far", "so_far", "so far"),
            (Standing::SoFar, "so_far", "identical", "so far: equal"),
            (Standing::SoFar, "so_far", "undecided", "so far"),
            (Standing::SoFar, "so_far", "better", "so far"),
        ] {
            assert_eq!(standing.word(), word);
            let json = serde_json::to_string(&standing).expect("plain data");
            assert_eq!(json, format!("{word:?}"));
            assert_eq!(standing.with(verdict), said);
        }
    }

    #[test]
    fn what_was_sure_is_dated_and_never_taken_back_in_silence() {
        let dated = |sure_at, open_at, since| Dated {
            sure_at,
            verdict: Verdict::Better,
            open_at,
            since,
        };
        for (when, now, said) in [
            (
                dated(254, None, Some(254)),
                "better",
                "sure since person 254",
            ),
            (
                dated(254, Some(256), None),
                "undecided",
                "was sure at 254, open again since 256",
            ),
            (
                dated(278, Some(416), Some(442)),
                "better",
                "sure since person 442, was sure at 278, open again at 416",
            ),
            (
                dated(278, Some(416), Some(442)),
                "worse",
                "sure since person 442, was sure at 278 (better), open again at 416",
            ),
        ] {
            assert_eq!(when.sentence(now, "person"), said);
        }
        assert_eq!(dated(3, None, None).turned().verdict, Verdict::Worse);
    }

    #[test]
    fn moments_are_stated_where_a_comparison_has_them() {
        let dated = Dated {
            sure_at: 254,
            verdict: Verdict::Better,
            open_at: None,
            since: Some(254),
        };
        let (better, none) = (Verdict::Better.word(), Verdict::NotComparable.word());
        for (verdict, estimand, dated, said) in [
            (
                better,
                Estimand::Rounds,
                Some(&dated),
                Some("sure since person 254"),
            ),
            (none, Estimand::Rounds, Some(&dated), None),
            (better, Estimand::Ratios, None, Some("sure at person 300")),
            (better, Estimand::Outcomes, None, Some("sure at person 300")),
            (better, Estimand::Rounds, None, None),
        ] {
            let found = when((Standing::Sure, verdict), (estimand, 300), dated, "person");
            assert_eq!(found.as_deref(), said);
        }
        let open = (Standing::Open, Verdict::Undecided.word());
        assert_eq!(when(open, (Estimand::Ratios, 300), None, "person"), None);
    }
}
