//! Whether the quotas of each attribute leave a size for the committee, and those of all attributes
//! the same.

use super::rows::Listed;
use crate::nearest::nearest;
use crate::source::table::sheet::fold;
use crate::source::table::tally::{At, ProblemKind, ProblemTally};

/// The sums of an attribute whose every row could be read.
struct Sums<'a> {
    attribute: &'a Listed,
    min: u64,
    max: u64,
}

/// Notes sums that no committee of `members` can have, or without `members` no committee at all;
/// `columns`: those of minimums and maximums.
pub(super) fn check(
    listed: &[Listed],
    columns: [Option<u64>; 2],
    members: Option<u64>,
    tally: &mut ProblemTally,
) {
    let [min, max] = columns;
    let mut note = |attribute: &Listed, column: Option<u64>, what: String, help: String| {
        let at = At::cell(attribute.line, column);
        tally.note(ProblemKind::Whole, at, || (what, help));
    };
    let sums: Vec<Sums> = listed
        .iter()
        .filter_map(|attribute| {
            let quotas = attribute.quotas()?;
            Some(Sums {
                attribute,
                min: quotas.iter().map(|quota| u64::from(quota.min)).sum(),
                max: quotas.iter().map(|quota| u64::from(quota.max)).sum(),
            })
        })
        .collect();
    for Sums {
        attribute,
        max: sum,
        ..
    } in &sums
    {
        if attribute.values.len() > usize::from(u16::MAX) {
            let what = format!("`{}` has more than 65,535 values", attribute.name);
            let help = "perhaps a column of names or ids was taken for an attribute";
            note(attribute, None, what, help.into());
        }
        if *sum == 0 {
            let what = format!("every maximum of `{}` is 0", attribute.name);
            let help = "nobody could be chosen: raise one, or leave out the attribute";
            note(attribute, max, what, help.into());
        }
    }
    let sums: Vec<&Sums> = sums.iter().filter(|sums| sums.max > 0).collect();
    let Some(members) = members else {
        // The greatest sum of minimums is the least size; whoever's maximums sum to less can't
        // agree with it.
        let Some(most) = sums.iter().rev().max_by_key(|sums| sums.min) else {
            return;
        };
        for Sums {
            attribute,
            max: sum,
            ..
        } in sums.iter().filter(|sums| sums.max < most.min)
        {
            let (name, other, least) = (&attribute.name, &most.attribute.name, most.min);
            let what = format!(
                "the maximums of `{name}` sum to {sum}, less than the {least} that the minimums of `{other}` sum to"
            );
            let help = slip(attribute, listed, "raise the former or lower the latter");
            note(attribute, max, what, help);
        }
        return;
    };
    for sums in sums {
        let name = &sums.attribute.name;
        if sums.min > members {
            let what = format!(
                "the minimums of `{name}` sum to {}, more than the committee's {members}",
                sums.min
            );
            note(sums.attribute, min, what, "lower some of them".into());
        }
        if sums.max < members {
            let what = format!(
                "the maximums of `{name}` sum to {}, less than the committee's {members}",
                sums.max
            );
            let help = slip(sums.attribute, listed, "raise some of them");
            note(sums.attribute, max, what, help);
        }
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
