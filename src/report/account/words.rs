//! Words and numbers of verdicts.

use super::super::finished::SummaryPair;
use super::super::number::{about, brief, fixed, telling};
use super::standing::MeasureStanding;
use crate::score::Direction;

/// The most names listed one by one; of more the first, and the number of the rest.
pub(super) const NAMED: usize = 4;
/// More further replications than this are not counted out.
const MANY: u64 = 1_000_000;

/// Which way is better, in words.
pub(super) fn better(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "less is better",
        Direction::Higher => "more is better",
        Direction::None => "neither way is better",
    }
}

/// A difference with its interval; of b - a where `is_turned`.
pub(super) fn difference(pair: &SummaryPair, is_turned: bool) -> String {
    let digits = digits(pair);
    let side = if is_turned { -1.0 } else { 1.0 };
    let show = |value: f64| signed(side * value, digits);
    let (Some(mean), Some(lo), Some(hi)) = (pair.mean, pair.lo, pair.hi) else {
        let fact = pair.mean.filter(|_| pair.estimand.is_fact());
        return fact.map_or_else(|| "no interval".into(), show);
    };
    let (lo, hi) = if is_turned { (hi, lo) } else { (lo, hi) };
    format!("{} ({} to {})", show(mean), show(lo), show(hi))
}

/// The decimals that the interval of a pair is worth.
pub(super) fn digits(pair: &SummaryPair) -> Option<i32> {
    let (lo, hi) = pair.lo.zip(pair.hi)?;
    telling(lo, hi)
}

/// A difference with its sign.
pub(super) fn signed(value: f64, digits: Option<i32>) -> String {
    let text = match digits {
        Some(digits) => fixed(value, digits),
        None => brief(value, 4),
    };
    let is_plus = value > 0.0 && text.contains(|c: char| c.is_ascii_digit() && c != '0');
    minus(&if is_plus { format!("+{text}") } else { text })
}

pub(super) fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// Names in quotes, the last after `and`.
pub(crate) fn list(names: &[&str], and: &str) -> String {
    let told = if names.len() > NAMED {
        NAMED - 1
    } else {
        names.len()
    };
    let rest = names.len() - told;
    let mut told: Vec<String> = names.iter().take(told).map(|name| quoted(name)).collect();
    if rest > 0 {
        told.push(format!("{rest} more"));
    }
    match told.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        _ => told.concat(),
    }
}

/// How many more replications (or rounds) may decide an undecided pair, as the run foretold it by
/// its own method.
pub(super) fn more(pair: &SummaryPair) -> Option<String> {
    let (unit, units) = (pair.estimand.unit(), pair.estimand.units());
    Some(match pair.needed.filter(|_| pair.verdict == "undecided")? {
        n if n > MANY => format!("over a million more {units} may decide it"),
        1 => format!("about 1 more {unit} may decide it"),
        n => format!("about {} more {units} may decide it", about(n)),
    })
}

/// Who is compared.
pub(super) fn who(pair: &SummaryPair, standing: &MeasureStanding<'_>) -> String {
    match standing.baseline {
        Some(_) => pair.a.clone(),
        None => format!("{} against {}", pair.a, pair.b),
    }
}

/// A label in quotes, so that it is seen where it ends.
pub(crate) fn quoted(label: &str) -> String {
    format!("\u{201c}{label}\u{201d}")
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", brief(100.0 * share, 4))
}
