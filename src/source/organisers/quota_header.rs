//! The usual names of the columns of quotas, and what to write where a header has others.

use crate::record::fold;
use crate::source::table::sheet::Sheet;

/// The usual names of minimums and of maximums; the first is what messages call them.
pub(super) const MIN: &[&str] = &["min", "minimum", "mínimo", "minimal"];
pub(super) const MAX: &[&str] = &["max", "maximum", "máximo", "maximal"];

/// The usual names of a column with both bounds in a cell.
pub(super) const QUOTA: &[&str] = &[
    "quota", "number", "seats", "anzahl", "plätze", "sitze", "soll", "nombre", "quotas", "número",
    "plazas", "cantidad",
];

/// The usual names of a column of shares of the seats.
pub(super) const SHARE: &[&str] = &[
    "share",
    "percent",
    "percentage",
    "%",
    "anteil",
    "prozent",
    "part",
    "pourcentage",
    "proportion",
    "porcentaje",
];

/// What to write where the header of a categories file names no column as it usually is: the first
/// columns of which nothing else is read, in the order of the usual ones.
pub(super) fn named_columns(sheet: &Sheet) -> Option<String> {
    named(sheet, &["category", "name"], |names| names)
}

/// The same of an intersections file, whose columns are named alike but for a number at their end.
pub(super) fn named_pairs(sheet: &Sheet) -> Option<String> {
    named(sheet, &["category", "name"], |names| {
        let plain = |name: &String| {
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || " _-".contains(c));
            name.to_owned()
        };
        let mut plain: Vec<String> = names.iter().map(plain).collect();
        plain.dedup();
        let mut met: Vec<String> = Vec::new();
        for name in plain {
            if !met.contains(&name) {
                met.push(name);
            }
        }
        met
    })
}

fn named(
    sheet: &Sheet,
    keys: &[&'static str],
    plain: impl Fn(Vec<String>) -> Vec<String>,
) -> Option<String> {
    if sheet.columns().len() < 2 {
        return None;
    }
    let has = |usual: &[&str]| {
        let columns = sheet.columns().iter();
        columns
            .map(|name| fold(name))
            .any(|name| usual.contains(&&*name))
    };
    let is_usual = |name: &String| {
        let name = fold(name);
        let flexible = ["min_flex", "max_flex"].contains(&&*name);
        flexible
            || [MIN, MAX, QUOTA, SHARE]
                .iter()
                .any(|usual| usual.contains(&&*name))
    };
    let columns = sheet.columns().iter().filter(|name| !name.is_empty());
    let free: Vec<String> = columns.filter(|name| !is_usual(name)).cloned().collect();
    let mut keys = keys.to_vec();
    if !has(QUOTA) && !has(SHARE) {
        keys.extend(
            [("min", MIN), ("max", MAX)]
                .iter()
                .filter(|(_, usual)| !has(usual))
                .map(|(key, _)| *key),
        );
    }
    let pairs = keys.iter().zip(plain(free));
    let pairs: Vec<String> = pairs
        .map(|(key, name)| format!("{key} = {name:?}"))
        .collect();
    let list = sheet.columns().join(", ");
    (!pairs.is_empty()).then(|| {
        format!(
            "name them in [target], as in columns = {{ {} }}; the columns are {list}",
            pairs.join(", ")
        )
    })
}
