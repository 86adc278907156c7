//! The form of a column of outcomes, which defines the good ones.

use super::column::Column;
use super::names::{UNKNOWN, plain, same};
use super::role::Misfit;
use kleroterion_io::record::cell::shown;

/// The rule for which outcomes are good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutcomeForm {
    /// All cells are zeros or ones, and the ones are good.
    Ones,
    /// All cells are zeros or ones, and the zeros are good.
    Zeros,
    /// The cells are other numbers, and higher is better.
    More,
    /// The cells are texts, listed as good or bad.
    Cells {
        /// The good texts.
        good: Vec<String>,
        /// All other texts.
        bad: Vec<String>,
    },
}

impl OutcomeForm {
    /// The form of a column's outcomes; `named`: the good values that the user names.
    ///
    /// # Errors
    /// Where the cells do not say which are good, or the values that are named are not there: what
    /// is wrong, and what to write.
    pub(super) fn of(column: &Column, named: &[String]) -> Result<Self, Misfit> {
        let name = &column.name;
        if !named.is_empty() {
            return Self::of_named(column, named);
        }
        // Ones of a column called after defaults are bad.
        let is_of_defaults = plain(name).contains("default");
        if column.is_zero_or_one() {
            return Ok(if is_of_defaults {
                Self::Zeros
            } else {
                Self::Ones
            });
        }
        if column.steps().len() > 2 {
            return Ok(Self::More);
        }
        if let Some((yes, no)) = column.yes_and_no() {
            let (good, bad) = if is_of_defaults { (no, yes) } else { (yes, no) };
            return Ok(Self::Cells {
                good: vec![good.to_owned()],
                bad: vec![bad.to_owned()],
            });
        }
        let values = known(column);
        Err(match values.first() {
            Some((first, _)) if values.len() > 1 => {
                let list: Vec<String> = values.iter().map(|(value, _)| shown(value)).collect();
                let what = format!(
                    "`{name}` has the values {}, and which is good is not known",
                    list.join(", ")
                );
                (
                    what,
                    format!("say which is good: --outcome '{name}={first}'"),
                )
            }
            Some(_) => (
                format!("`{name}` has one value"),
                "name a column in which outcomes differ".into(),
            ),
            None => (
                format!(
                    "`{name}` has {} different texts, and no numbers",
                    column.different
                ),
                format!(
                    "name a column of numbers, or say which texts are good: --outcome '{name}=TEXT'"
                ),
            ),
        })
    }

    fn of_named(column: &Column, named: &[String]) -> Result<Self, Misfit> {
        let name = &column.name;
        let values = known(column);
        let has = |good: &&String| values.iter().any(|(value, _)| same(value, good));
        if let Some(stranger) = named.iter().find(|good| !has(good)) {
            let list: Vec<String> = values.iter().map(|(value, _)| shown(value)).collect();
            let help = match list.is_empty() {
                true => "name a column with few different values".into(),
                false => format!("its values are {}", list.join(", ")),
            };
            return Err((format!("`{name}` has no value {}", shown(stranger)), help));
        }
        let is_good = |value: &str| named.iter().any(|good| same(value, good));
        let of = |wanted: bool| {
            let values = values.iter().map(|(value, _)| value.clone());
            values
                .filter(|value| is_good(value) == wanted)
                .collect::<Vec<_>>()
        };
        let (good, bad) = (of(true), of(false));
        if bad.is_empty() {
            let help = format!("name the good ones alone: --outcome '{name}={}'", good[0]);
            return Err((format!("all values of `{name}` would be good"), help));
        }
        Ok(Self::Cells { good, bad })
    }
}

/// The values of a column but those that say nothing.
fn known(column: &Column) -> Vec<(String, usize)> {
    let values = column.categories().unwrap_or_default().iter();
    let says = |(value, _): &&(String, usize)| !UNKNOWN.has(&plain(value));
    values.filter(says).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(cells: &str, good: &[&str]) -> Result<OutcomeForm, Misfit> {
        let cells = cells.split(' ').map(|cell| cell.replace('_', ""));
        let good: Vec<String> = good.iter().map(|good| (*good).to_owned()).collect();
        OutcomeForm::of(
            &Column::new("hired".into(), cells.collect(), Some(b';')),
            &good,
        )
    }

    fn cells(good: &str, bad: &[&str]) -> OutcomeForm {
        OutcomeForm::Cells {
            good: vec![good.into()],
            bad: bad.iter().map(|bad| (*bad).to_owned()).collect(),
        }
    }

    #[test]
    fn cells_say_which_outcomes_are_good_or_the_user_does() {
        for (text, named, due) in [
            ("0 1 1 0", &[][..], OutcomeForm::Ones),
            ("0 1 NA 1 0 1", &[], OutcomeForm::Ones),
            ("0,5 1,5 2,5", &[], OutcomeForm::More),
            ("1 2 3 4 5", &[], OutcomeForm::More),
            ("yes no yes no", &[], cells("yes", &["no"])),
            ("Nein Ja Ja Nein", &[], cells("Ja", &["Nein"])),
            ("oui non oui non", &[], cells("oui", &["non"])),
            ("1 2 2 1", &["1"], cells("1", &["2"])),
            ("a b c a b c", &["B"], cells("b", &["a", "c"])),
        ] {
            assert_eq!(form(text, named), Ok(due), "{text}");
        }
    }

    #[test]
    fn what_can_not_be_told_is_refused_with_what_to_write() {
        for (text, named, what, help) in [
            ("1 2 2 1", &[][..], "'1', '2'", "--outcome 'hired=1'"),
            ("a b c a b c", &[], "which is good", "--outcome 'hired=a'"),
            ("a a a a", &[], "one value", "outcomes differ"),
            (
                "a b c d e f",
                &[],
                "6 different texts",
                "--outcome 'hired=TEXT'",
            ),
            ("1 2 2 1", &["3"], "no value '3'", "'1', '2'"),
            ("yes no yes no", &["yes", "no"], "all values", "hired=no"),
            (
                "a b c d e f",
                &["x"],
                "no value 'x'",
                "few different values",
            ),
        ] {
            let (said, advice) = form(text, named).expect_err(text);
            assert!(
                said.contains(what) && advice.contains(help),
                "{text}: {said} {advice}"
            );
        }
    }
}
