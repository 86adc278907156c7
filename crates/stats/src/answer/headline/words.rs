//! Names and metrics within a headline.

use kleroterion_core::score::{Direction, Directions};

/// The most labels that a list names.
const NAMED: usize = 4;

/// Returns a predicate for the policy that is best on a metric.
pub(super) fn does(metric: &str, directions: &Directions) -> String {
    match (directions.best(metric), directions.of(metric)) {
        (Some(does), _) => does.to_owned(),
        (None, Direction::Lower) => format!("has the least {metric}"),
        (None, _) => format!("has the most {metric}"),
    }
}

pub(super) fn quoted(label: &str) -> String {
    format!("\u{201c}{label}\u{201d}")
}

pub(super) fn and(labels: &[&str]) -> String {
    joined(labels, "and")
}

pub(super) fn or(labels: &[&str]) -> String {
    joined(labels, "or")
}

/// Joins labels as `“a”, “b” and “c”`. Of many, it names the first and the number of others.
fn joined(labels: &[&str], word: &str) -> String {
    let shown = match labels.len() {
        all if all > NAMED => NAMED - 1,
        all => all,
    };
    let mut names: Vec<String> = labels[..shown].iter().map(|label| quoted(label)).collect();
    if shown < labels.len() {
        names.push(format!("{} others", labels.len() - shown));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
