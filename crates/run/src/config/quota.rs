//! The key `[rules] quota`: the minimum and maximum of each value per round, or per run if people
//! are chosen one by one.

use super::rules::RulesSection;
use crate::document::Field;
use kleroterion_core::protocol::{Choose, Places, Quota, Schema};
use kleroterion_core::score::QuotaSpan;

/// `quota = { gender = { F = [2, 3] } }`: a row for each attribute of the schema, an empty row sets
/// none; values without a quota have any number. The outer `None`: it is wrong, which is noted.
/// Where the schema is not known, the numbers alone are checked.
pub(super) fn read(setting: &RulesSection<'_>, schema: Option<&Schema>) -> Option<Vec<Vec<Quota>>> {
    let field = &setting.quota;
    let Some(schema) = schema else {
        let tables = field.table()?.rest();
        let tables = tables.iter().filter_map(|(_, of)| of.table());
        let bounds = tables.flat_map(|mut of| of.rest());
        for (_, bounds) in bounds {
            ends(&bounds);
        }
        return None;
    };
    let attributes = schema.attributes();
    let mut rows = vec![Vec::new(); attributes.len()];
    let mut whole = true;
    for (key, of) in field.table()?.rest() {
        let Some(at) = attributes.iter().position(|a| a.name == key.name) else {
            let names: Vec<_> = attributes.iter().map(|a| a.name.as_str()).collect();
            of.refuse(
                format!("there is no attribute `{}` to set quotas for", key.name),
                format!("the attributes are {}", names.join(", ")),
            );
            whole = false;
            continue;
        };
        let values = &attributes[at].values;
        let any = Quota {
            min: 0,
            max: u32::MAX,
        };
        rows[at] = vec![any; values.len()];
        for (key, bounds) in of.table()?.rest() {
            let value = values.iter().position(|value| *value == key.name);
            let quota = ends(&bounds);
            match (value, quota) {
                (Some(value), Some(quota)) => rows[at][value] = quota,
                (None, _) => {
                    bounds.refuse(
                        format!("{} has no value `{}`", attributes[at].name, key.name),
                        format!("its values are {}", values.join(", ")),
                    );
                    whole = false;
                }
                (_, None) => whole = false,
            }
        }
        whole &= whole_fits(&rows[at], &of, setting);
    }
    whole.then_some(rows)
}

/// Returns the span over which quotas are counted. It is the whole run if a round chooses at most
/// one person, and a note says so.
pub(super) fn span(setting: &RulesSection<'_>, notes: &mut Vec<String>) -> QuotaSpan {
    let slate = setting.slate.constant().unwrap_or(u32::MAX);
    if setting.written.choose.places(slate, None).max > 1 {
        return QuotaSpan::Round;
    }
    if setting.quota.is_given() {
        notes.push(
            "a round chooses at most one, so the quotas of [rules] are held against all who \
             are chosen in the whole run"
                .into(),
        );
    }
    QuotaSpan::Run
}

/// Returns true if some choice can keep the quotas of one attribute. It checks only quotas that are
/// enforced, since others may be missed.
fn whole_fits(row: &[Quota], field: &Field<'_>, setting: &RulesSection<'_>) -> bool {
    let (Choose::Exactly(_) | Choose::AtMost(_)) = setting.written.choose else {
        return true;
    };
    let Places { min, max } = setting.written.choose.places(u32::MAX, None);
    let sum = |end: fn(&Quota) -> u32| row.iter().map(|quota| u64::from(end(quota))).sum::<u64>();
    let (fewest, most) = (sum(|quota| quota.min), sum(|quota| quota.max));
    if !setting.enforce || (fewest <= u64::from(max) && most >= u64::from(min)) {
        return true;
    }
    let what = match fewest > u64::from(max) {
        true => format!("the quotas ask for at least {fewest}, and at most {max} are chosen"),
        false => format!("the quotas allow at most {most}, and {min} are to be chosen"),
    };
    field.refuse(
        what,
        "change the quotas or `choose`, or leave `enforce` out: then breaking them is \
         scored, not a foul",
    );
    false
}

fn ends(bounds: &Field<'_>) -> Option<Quota> {
    let most = u64::from(u32::MAX);
    match bounds.each(|end| end.whole_in(..=most))?[..] {
        [min, max] if min <= max => Some(Quota {
            min: min as u32,
            max: max as u32,
        }),
        _ => bounds.refused(
            "a quota is the fewest and the most",
            "for example: F = [2, 3]",
        ),
    }
}
