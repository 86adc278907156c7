//! Names and measures within a headline, and its versions from the fullest to the shortest.

use crate::judge::Judge;
use crate::limits::MOST_ANSWER;
use crate::pair::Pair;
use kleroterion_core::number::{decimals, of_column};
use kleroterion_core::score::{Direction, MeasureWords};

/// The most labels that a list names.
const NAMED: usize = 4;

/// The lengths to which labels are cut, one after the other, until a sentence fits.
const LABELS: [usize; 5] = [usize::MAX, 24, 16, 10, 6];

/// Returns the first version that is short enough. `versions` makes them for labels of at most a
/// length, from the fullest to the shortest.
pub(super) fn fitting(versions: impl Fn(Names) -> Vec<String>) -> String {
    let mut all = LABELS.into_iter().flat_map(|most| versions(Names(most)));
    let is_short = |text: &String| text.chars().count() < MOST_ANSWER;
    if let Some(text) = all.find(is_short) {
        return capital(&text);
    }
    let last = versions(Names(LABELS[0])).pop().unwrap_or_default();
    capital(&cut(&last, MOST_ANSWER - 1))
}

/// The text, cut where it is longer.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let short: String = text.chars().take(most - 1).collect();
    format!("{short}\u{2026}")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Labels as a sentence names them: of at most some characters.
#[derive(Clone, Copy)]
pub(super) struct Names(usize);

impl Names {
    /// Labels in full.
    #[cfg(test)]
    pub(super) const WHOLE: Self = Self(usize::MAX);

    pub(super) fn quoted(self, label: &str) -> String {
        format!("\u{201c}{}\u{201d}", cut(label, self.0))
    }

    pub(super) fn and(self, labels: &[&str]) -> String {
        self.joined(labels, "and")
    }

    pub(super) fn or(self, labels: &[&str]) -> String {
        self.joined(labels, "or")
    }

    /// Joins labels as `“a”, “b” and “c”`. Of many, it names the first and the number of others.
    fn joined(self, labels: &[&str], word: &str) -> String {
        let most = if self.0 == usize::MAX { NAMED } else { 2 };
        let shown = match labels.len() {
            all if all > most => most - 1,
            all => all,
        };
        let names = labels[..shown].iter().map(|label| self.quoted(label));
        let mut names: Vec<String> = names.collect();
        if shown < labels.len() {
            names.push(format!("{} others", labels.len() - shown));
        }
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => {
                format!("{} {word} {last}", rest.join(", "))
            }
            _ => names.concat(),
        }
    }
}

/// Returns a predicate for the policy that is best on a metric.
pub(super) fn does(metric: &str, judge: &Judge) -> String {
    let directions = &judge.directions;
    let short = words(metric, judge).short;
    match (directions.best(metric), directions.of(metric)) {
        (Some(does), _) => does.to_owned(),
        (None, Direction::Lower) => format!("has the least {short}"),
        (None, _) => format!("has the most {short}"),
    }
}

/// Returns the name, the unit and the format of a metric.
pub(super) fn words(metric: &str, judge: &Judge) -> MeasureWords {
    judge.info(metric).words(metric)
}

/// Returns by how much the better of a pair is ahead: `96 fewer people screened`. `None` if they
/// differ by nothing that can be shown.
pub(super) fn lead(pair: &Pair, judge: &Judge) -> Option<String> {
    let words = words(&pair.metric, judge);
    let mean = pair.mean.filter(|mean| *mean != 0.0)?;
    let error = pair.se.map(|se| words.scale() * se);
    let of_error = of_column(error.into_iter());
    let digits = of_error.or_else(|| decimals(Some((words.scale() * mean).abs())));
    let amount = words.amount(mean, digits);
    let is_seen = amount.contains(|c: char| c.is_ascii_digit() && c != '0');
    let ahead = words.ahead(pair.direction);
    is_seen.then(|| format!("{amount} {ahead} {}", words.short))
}
