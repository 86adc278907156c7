//! A check that the quotas of each attribute leave a size for the committee, and those of all
//! attributes the same.

use super::rows::Listed;
use crate::nearest::nearest;
use crate::record::fold;
use crate::source::table::tally::{At, ProblemKind, ProblemTally};

/// The sums of an attribute whose every row could be read.
struct Sums<'a> {
    attribute: &'a Listed,
    min: u64,
    max: u64,
}

impl<'a> Sums<'a> {
    /// The sums of an attribute; `None` where a row of it could not be read.
    fn of(attribute: &'a Listed) -> Option<Self> {
        let quotas = attribute.quotas()?;
        Some(Self {
            attribute,
            min: quotas.iter().map(|quota| u64::from(quota.min)).sum(),
            max: quotas.iter().map(|quota| u64::from(quota.max)).sum(),
        })
    }
}

/// The problems of sums, each noted at the line of its attribute.
struct Notes<'a> {
    listed: &'a [Listed],
    /// The columns of minimums and maximums.
    columns: [Option<u64>; 2],
    tally: &'a mut ProblemTally,
}

impl Notes<'_> {
    fn note(&mut self, attribute: &Listed, column: Option<u64>, what: String, help: String) {
        let at = At::cell(attribute.line, column);
        self.tally.note(ProblemKind::Whole, at, || (what, help));
    }

    /// Notes attributes that no file of quotas can have.
    fn check_alone(&mut self, sums: &Sums<'_>) {
        let name = &sums.attribute.name;
        if sums.attribute.values.len() > usize::from(u16::MAX) {
            let what = format!("`{name}` has more than 65,535 values");
            let help = "perhaps a column of names or ids was taken for an attribute";
            self.note(sums.attribute, None, what, help.into());
        }
        if sums.max == 0 {
            let what = format!("every maximum of `{name}` is 0");
            let help = "no candidate could be chosen: raise one, or leave out the attribute";
            self.note(sums.attribute, self.columns[1], what, help.into());
        }
    }

    /// Notes maximums that sum to less than the greatest sum of minimums, which is the least size:
    /// no committee satisfies both.
    fn check_each_other(&mut self, sums: &[&Sums<'_>]) {
        let Some(most) = sums.iter().rev().max_by_key(|sums| sums.min) else {
            return;
        };
        for sums in sums.iter().filter(|sums| sums.max < most.min) {
            let (name, other) = (&sums.attribute.name, &most.attribute.name);
            let what = format!(
                "the maximums of `{name}` sum to {}, less than the {} that the minimums of \
                 `{other}` sum to",
                sums.max, most.min
            );
            let help = "raise the former or lower the latter";
            let help = slip(sums.attribute, self.listed, help);
            self.note(sums.attribute, self.columns[1], what, help);
        }
    }

    /// Notes sums that leave no committee of `members`.
    fn check_size(&mut self, sums: &Sums<'_>, members: u64) {
        let name = &sums.attribute.name;
        let [min, max] = self.columns;
        if sums.min > members {
            let what = format!(
                "the minimums of `{name}` sum to {}, more than the committee's {members}",
                sums.min
            );
            self.note(sums.attribute, min, what, "lower some of them".into());
        }
        if sums.max < members {
            let what = format!(
                "the maximums of `{name}` sum to {}, less than the committee's {members}",
                sums.max
            );
            let help = slip(sums.attribute, self.listed, "raise some of them");
            self.note(sums.attribute, max, what, help);
        }
    }
}

/// Notes sums that no committee of `members` can have, or without `members` no committee at all;
/// `columns`: those of minimums and maximums.
pub(super) fn check(
    listed: &[Listed],
    columns: [Option<u64>; 2],
    members: Option<u64>,
    tally: &mut ProblemTally,
) {
    let mut notes = Notes {
        listed,
        columns,
        tally,
    };
    let sums: Vec<Sums<'_>> = listed.iter().filter_map(Sums::of).collect();
    sums.iter().for_each(|sums| notes.check_alone(sums));
    let sums: Vec<&Sums<'_>> = sums.iter().filter(|sums| sums.max > 0).collect();
    match members {
        None => notes.check_each_other(&sums),
        Some(members) => sums.iter().for_each(|sums| notes.check_size(sums, members)),
    }
}

/// An attribute of one value is often another one's value under a mistyped name.
fn slip(attribute: &Listed, listed: &[Listed], help: &str) -> String {
    let others = listed.iter().map(|other| other.name.as_str());
    let others = others.filter(|other| fold(other) != fold(&attribute.name));
    match nearest(&attribute.name, others) {
        Some(near) if attribute.values.len() == 1 => {
            format!("{help}; it has one value only: did you mean `{near}`?")
        }
        _ => help.to_owned(),
    }
}
