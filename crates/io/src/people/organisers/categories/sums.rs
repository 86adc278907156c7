//! A check that the quotas of each attribute leave a size for the committee, and those of all
//! attributes the same.

use super::rows::Listed;
use crate::people::organisers::{FlexibleQuota, QuotaSpec};
use crate::people::table::tally::{At, ProblemKind, ProblemTally};
use crate::record::fold;
use kleroterion_core::nearest::nearest;

/// The sums of an attribute whose every row could be read.
struct Sums<'a> {
    attribute: &'a Listed,
    min: u64,
    max: u64,
    /// The sums of the flexible minimums and maximums.
    flexible: [u64; 2],
}

impl<'a> Sums<'a> {
    /// The sums of an attribute; `None` where a row of it could not be read.
    fn of(attribute: &'a Listed) -> Option<Self> {
        let quotas = attribute.values.iter().map(|(_, _, quota)| *quota);
        let quotas: Vec<FlexibleQuota> = quotas.collect::<Option<_>>()?;
        let sum = |bound: fn(&FlexibleQuota) -> u32| -> u64 {
            quotas.iter().map(|quota| u64::from(bound(quota))).sum()
        };
        Some(Self {
            attribute,
            min: sum(|of| of.quota.min),
            max: sum(|of| of.quota.max),
            flexible: [sum(|of| of.flexible.min), sum(|of| of.flexible.max)],
        })
    }

    /// The sums that no committee may miss: those of the flexible bounds, where quotas are relaxed.
    fn settled(self, is_flexible: bool) -> Self {
        match (is_flexible, self.flexible) {
            (true, [min, max]) => Self { min, max, ..self },
            (false, _) => self,
        }
    }
}

/// The problems of sums, each noted at the line of its attribute.
struct Notes<'a> {
    listed: &'a [Listed],
    /// "flexible " where the bounds are the flexible ones.
    kind: &'static str,
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
            let kind = self.kind;
            let what = format!(
                "the {kind}maximums of `{name}` sum to {}, less than the {} that the {kind}minimums \
                 of `{other}` sum to",
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
        let [least, most] = sums.flexible;
        let kind = self.kind;
        let relaxed = |do_suffice: bool| match do_suffice {
            true => ", or set flexible = true in [target]: the flexible bounds allow it",
            false => "",
        };
        if sums.min > members {
            let what = format!(
                "the {kind}minimums of `{name}` sum to {}, more than the committee's {members}",
                sums.min
            );
            let help = format!("lower some of them{}", relaxed(least <= members));
            self.note(sums.attribute, min, what, help);
        }
        if sums.max < members {
            let what = format!(
                "the {kind}maximums of `{name}` sum to {}, less than the committee's {members}",
                sums.max
            );
            let help = format!("raise some of them{}", relaxed(most >= members));
            let help = slip(sums.attribute, self.listed, &help);
            self.note(sums.attribute, max, what, help);
        }
    }
}

/// Notes sums that no committee of the size can have, or where that is not known no committee at
/// all; `columns`: those of minimums and maximums.
pub(super) fn check(
    listed: &[Listed],
    columns: [Option<u64>; 2],
    spec: &QuotaSpec,
    tally: &mut ProblemTally,
) {
    let members = spec.members;
    let is_flexible = spec.is_flexible;
    let mut notes = Notes {
        listed,
        kind: if is_flexible { "flexible " } else { "" },
        columns,
        tally,
    };
    let sums = listed.iter().filter_map(Sums::of);
    let sums: Vec<Sums<'_>> = sums.map(|sums| sums.settled(is_flexible)).collect();
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
