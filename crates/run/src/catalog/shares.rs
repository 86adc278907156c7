//! Shares by group.

use crate::document::Field;

/// A number for a message: ten digits, no trailing noise.
pub(crate) fn short(x: f64) -> f64 {
    (x * 1e10).round() / 1e10
}

/// A number of each group that is named, by the groups' order; that a group is no group is noted.
pub(crate) fn by_group(field: &Field<'_>, values: &[String]) -> Option<Vec<Option<f64>>> {
    let mut numbers = vec![None; values.len()];
    let mut whole = true;
    for (key, number) in field.table()?.rest() {
        match values.iter().position(|value| *value == key.name) {
            Some(at) => {
                numbers[at] = number.not_negative();
                whole &= numbers[at].is_some();
            }
            None => {
                number.refuse(
                    format!("there is no group `{}`", key.name),
                    format!("the groups are {}", values.join(", ")),
                );
                whole = false;
            }
        }
    }
    whole.then_some(numbers)
}

/// Shares that sum to 1, of which one may be left to take the rest.
pub(crate) fn shares(field: &Field<'_>, values: &[String]) -> Option<Vec<f64>> {
    const SLACK: f64 = 1e-9;
    let given = by_group(field, values)?;
    let missing: Vec<usize> = (0..given.len()).filter(|&at| given[at].is_none()).collect();
    let sum: f64 = given.iter().flatten().sum();
    let help = "give each group but one a share; the rest is the last one's: { u = 0.4 }";
    if sum > 1.0 + SLACK || (missing.is_empty() && sum < 1.0 - SLACK) {
        return field.refused(format!("the shares sum to {}, not to 1", short(sum)), help);
    }
    if missing.len() > 1 {
        let names: Vec<_> = missing.iter().map(|&at| values[at].as_str()).collect();
        return field.refused(format!("{} have no share", names.join(" and ")), help);
    }
    let rest = (1.0 - sum).max(0.0);
    Some(
        given
            .into_iter()
            .map(|share| share.unwrap_or(rest))
            .collect(),
    )
}
