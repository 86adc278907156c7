//! The quotas that remain for a second draw: an organiser's files less the members who stay.

use super::question::DrawQuestion;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_core::protocol::Quota;
use kleroterion_io::people::organisers::{Categories, FlexibleQuota, QuotaNames};
use kleroterion_io::record::{SheetWriter, alike};

/// The files of quotas by what they are, with the members who stay taken out. `counts`: how many of
/// these have each value, a row for each attribute.
pub(super) fn files(whole: &DrawQuestion, counts: &[Vec<u32>]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = Vec::new();
    if let Some(categories) = &whole.categories {
        let names = categories.columns();
        let named = |name: &Option<String>, usual: &str| name.clone().unwrap_or(usual.into());
        let columns = [
            named(&names.category, "feature"),
            named(&names.name, "value"),
        ];
        let mut table = Table::new(&columns, names);
        for category in categories.attributes() {
            for value in &category.values {
                let count = count(whole, counts, &category.name, &value.name);
                let quota = FlexibleQuota {
                    quota: value.quota,
                    flexible: value.flexible,
                    is_unbounded: value.is_unbounded,
                };
                table.add(&[&*category.name, &*value.name], quota, count);
            }
        }
        files.push(("categories", table.finish()));
    }
    if let Some(intersections) = &whole.intersections {
        let names = whole.categories.as_ref().map(Categories::columns);
        let names = names.cloned().unwrap_or_default();
        let named = |name: &Option<String>, usual: &str| name.clone().unwrap_or(usual.into());
        let columns = [
            named(&names.category, "category"),
            named(&names.name, "feature"),
        ];
        let columns = [1, 2].map(|n| columns.each_ref().map(|name| format!("{name} {n}")));
        let mut table = Table::new(columns.as_flattened(), &names);
        for pair in intersections.pairs() {
            for value in &pair.values {
                let count = count(whole, counts, &pair.name(), &value.name());
                let [one, other] = &pair.of;
                let [first, second] = &value.of;
                table.add(&[one, first, other, second], value.quota, count);
            }
        }
        files.push(("intersections", table.finish()));
    }
    files
}

/// A file of quotas being written.
struct Table {
    rows: SheetWriter<Vec<u8>>,
    /// True if one column holds both bounds.
    is_one: bool,
}

impl Table {
    /// A table with the columns of quotas after these, called as the config calls them.
    fn new(columns: &[String], names: &QuotaNames) -> Self {
        let mut table = Self {
            rows: SheetWriter::to(Vec::new()),
            is_one: names.quota.is_some(),
        };
        let named = |name: &Option<String>, usual: &str| name.clone().unwrap_or(usual.into());
        let mut ends = match &names.quota {
            Some(quota) => vec![quota.clone()],
            None => vec![named(&names.min, "min"), named(&names.max, "max")],
        };
        ends.extend([
            named(&names.min_flex, "min_flex"),
            named(&names.max_flex, "max_flex"),
        ]);
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        table.write(&columns, &ends);
        table
    }

    /// Adds the quota of what has these names, less some members.
    fn add(&mut self, names: &[&str], quota: FlexibleQuota, count: u32) {
        let (quota, flexible) = (lower(quota.quota, count), lower(quota.flexible, count));
        let mut ends = match self.is_one {
            true => vec![format!("{}-{}", quota.min, quota.max)],
            false => vec![quota.min.to_string(), quota.max.to_string()],
        };
        ends.extend([flexible.min, flexible.max].map(|end| end.to_string()));
        self.write(names, &ends);
    }

    fn write(&mut self, names: &[&str], ends: &[String]) {
        let ends = ends.iter().map(String::as_str);
        let row = names.iter().copied().chain(ends);
        self.rows.row(row).expect("memory takes every row");
    }

    fn finish(self) -> Vec<u8> {
        self.rows.into_inner().expect("memory takes every row")
    }
}

/// A quota less members who stay.
fn lower(quota: Quota, count: u32) -> Quota {
    let max = match quota.max {
        u32::MAX => u32::MAX,
        max => max.saturating_sub(count),
    };
    Quota {
        min: quota.min.saturating_sub(count),
        max,
    }
}

/// Returns the number of members with a value.
fn count(whole: &DrawQuestion, counts: &[Vec<u32>], attribute: &str, value: &str) -> u32 {
    let schema = &whole.plan.world.schema;
    let found = || {
        let names = schema.attributes().iter().map(|one| one.name.as_str());
        let at = alike::find(attribute, names).ok()??;
        let values = schema.attributes()[at].values.iter();
        let value = alike::find(value, values.map(String::as_str)).ok()??;
        Some(counts[at][value])
    };
    found().unwrap_or(0)
}

/// Refuses members who are more than a quota allows; `is_flexible`: than its flexible bounds.
pub(super) fn crowded(
    whole: &DrawQuestion,
    counts: &[Vec<u32>],
    is_flexible: bool,
) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let attributes = whole.plan.world.schema.attributes();
    for ((attribute, row), quotas) in attributes.iter().zip(counts).zip(&whole.panel.quotas) {
        for ((value, count), quota) in attribute.values.iter().zip(row).zip(quotas) {
            let name = &attribute.name;
            let flexible = whole.flexible(name, value).filter(|_| is_flexible);
            let max = flexible.map_or(quota.max, |flexible| flexible.max.max(quota.max));
            if *count > max {
                let what = format!(
                    "{name} = {value}: {count} members stay, and at most {max} may be on the panel"
                );
                let help = "raise the maximum, or take some of them off the list of --keep";
                problems.push(Problem::of_request(what).help(help));
            }
        }
    }
    problems.or(())
}

/// The quotas that the whole panel is held against: those left may have been relaxed, so of each
/// value the members who stay and what is left for the others.
pub(super) fn whole_quotas(
    whole: &DrawQuestion,
    kept: &[u32],
    left: &DrawQuestion,
) -> Vec<Vec<Quota>> {
    let schema = &left.plan.world.schema;
    let mut rows = whole.panel.quotas.clone();
    for (at, attribute) in whole.plan.world.schema.attributes().iter().enumerate() {
        let named = schema.attribute(&attribute.name);
        for (value, quota) in rows[at].iter_mut().enumerate() {
            let has = |one: &&u32| usize::from(whole.panel.respondents.values(**one)[at]) == value;
            let count = kept.iter().filter(has).count() as u32;
            let left = named.and_then(|at| {
                let value = schema.attributes()[at].index(&attribute.values[value])?;
                left.panel.quotas[at].get(value)
            });
            // A value that no one left has keeps its quota.
            *quota = left.map_or(*quota, |left| Quota {
                min: match left.min {
                    0 => quota.min.min(count),
                    min => min + count,
                },
                max: left.max.saturating_add(count),
            });
        }
    }
    rows
}
