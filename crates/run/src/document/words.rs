//! The expected form of a value, and the word that was meant, in words.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};

/// Returns advice on a wrong word: the word that was probably meant, if there is one, and the rest.
pub fn meant(near: Option<impl Display>, rest: impl Into<String>) -> String {
    let rest = rest.into();
    match near {
        Some(near) => format!("did you mean {near}? {rest}"),
        None => rest,
    }
}

/// `"a", "b" or { c = … }`
pub(super) fn list_of(words: &[&str], keys: &[&str]) -> String {
    let words = words.iter().map(|word| format!("{word:?}"));
    let mut forms: Vec<_> = words
        .chain(keys.iter().map(|key| format!("{{ {key} = … }}")))
        .collect();
    match forms.pop() {
        Some(last) if !forms.is_empty() => format!("{} or {last}", forms.join(", ")),
        Some(only) => only,
        None => "nothing".into(),
    }
}

/// `from 1 to 5`
pub(super) fn spoken(range: &impl RangeBounds<u64>) -> String {
    let low = match range.start_bound() {
        Bound::Included(low) => *low,
        Bound::Excluded(low) => low.saturating_add(1),
        Bound::Unbounded => 0,
    };
    match range.end_bound() {
        Bound::Included(high) => format!("from {low} to {high}"),
        Bound::Excluded(high) => format!("of at least {low} and below {high}"),
        Bound::Unbounded => format!("of at least {low}"),
    }
}
