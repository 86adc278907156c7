//! Words and numbers for verdicts, and the settings of a finished run's config.

use super::super::finished::{self, Finished};
use super::super::number::{brief, shown};
use kleroterion_run::document::Value;
use kleroterion_stats::Estimand;

/// The most names listed one by one; of more the first, and the number of the rest.
pub(super) const NAMED: usize = 4;

/// A difference with its sign.
pub(super) fn signed(value: f64, digits: Option<i32>) -> String {
    let text = shown(value, digits);
    let is_plus = value > 0.0 && text.contains(|c: char| c.is_ascii_digit() && c != '0');
    if is_plus { format!("+{text}") } else { text }
}

/// Returns the names in quotes, with `and` before the last. A long list ends in the number of the
/// others.
pub fn list(names: &[impl AsRef<str>], and: &str) -> String {
    let most = if names.len() > NAMED {
        NAMED - 1
    } else {
        names.len()
    };
    let rest = names.len() - most;
    let listed = names.iter().take(most);
    let mut listed: Vec<String> = listed.map(|name| quoted(name.as_ref())).collect();
    if rest > 0 {
        listed.push(format!("{rest} more"));
    }
    match listed.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        _ => listed.concat(),
    }
}

/// The difference of two policies, in words.
pub(super) fn a_less_b(a: &str, b: &str) -> String {
    format!("{a} \u{2212} {b}")
}

/// Returns the label in quotes, so that its end is visible.
pub fn quoted(label: &str) -> String {
    format!("\u{201c}{label}\u{201d}")
}

/// Returns the words with a capital at their beginning.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", brief(100.0 * share, 4))
}

/// A value of the config.
pub(super) fn value<'a>(run: &'a Finished, path: &[&str]) -> Option<&'a Value> {
    finished::value(&run.config, path)
}

/// A number of the config.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The margin stated for a measure.
pub(super) fn margin(run: &Finished, metric: &str) -> Option<f64> {
    let mut pairs = run.pairs.iter().filter(|pair| pair.metric == metric);
    let told = pairs.find_map(|pair| pair.margin);
    let scale = run.catalogue.words(metric).scale();
    told.or_else(|| Some(scale * number(value(run, &["report", "margin", metric])?)?))
}

/// Returns the unit over which series run.
pub(super) fn moments(run: &Finished) -> &'static str {
    let by = |path: &[&str]| value(run, path).is_some();
    let accepted = match value(run, &["report", "at"]) {
        Some(Value::Table(_)) => by(&["report", "at", "accepted"]),
        _ => by(&["rules", "until", "accepted"]),
    };
    if accepted { "accepted" } else { "round" }
}

/// Returns the unit counted in a comparison, in singular and plural. A round of one person is a
/// person.
pub(super) fn units(run: &Finished, estimand: Estimand) -> (&'static str, &'static str) {
    estimand.counted(run.one_by_one)
}

/// Returns the unit over which means are taken, in singular and plural: of a table's cases, or of
/// replications.
pub(super) fn counted(run: &Finished) -> (&'static str, &'static str) {
    let is_of_cases = run
        .pairs
        .iter()
        .any(|pair| pair.estimand == Estimand::Cases);
    let estimand = match is_of_cases {
        true => Estimand::Cases,
        false => Estimand::Replications,
    };
    (estimand.unit(), estimand.units())
}

/// Returns true if a run was to stop once all was decided. Its number of replications was then not
/// fixed beforehand, as t requires.
pub(super) fn is_stopping(run: &Finished) -> bool {
    value(run, &["report", "until"]).is_some()
}
