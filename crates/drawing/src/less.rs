//! A question reduced by the members who stay: fewer people, lower quotas and fewer places.

use std::path::PathBuf;

use super::inputs::{EARLIER, Inputs, KEEP, WITHOUT, stem};
use super::left;
use super::question::DrawQuestion;
use super::rows::Rows;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_run::document::{Document, Node, Table, Value};

/// The inputs of the whole panel with a policy that needs nothing: to ask who there is and what
/// the quotas are. Without a report, which might judge measures of the policy.
pub(super) fn everybody(inputs: &Inputs) -> Inputs {
    let mut inputs = first(inputs);
    let root = inputs.document.root_mut();
    root.remove("report");
    let kind = |policy: &mut Node| {
        if let Value::Table(table) = &mut policy.value {
            let kept = table.iter().filter(|(key, _)| key.name == "label");
            let mut kept: Table = kept
                .map(|(key, node)| (key.clone(), node.clone()))
                .collect();
            kept.put("kind", Value::Text("accept_all".into()));
            *table = kept;
        }
    };
    root.replace("policy", |policies| {
        if let Value::List(policies) = &mut policies.value {
            policies.iter_mut().for_each(kind);
        }
    });
    inputs
}

/// Returns the inputs without the parts that make them those of a second draw.
#[must_use]
pub fn first(inputs: &Inputs) -> Inputs {
    let mut inputs = inputs.clone();
    for list in [KEEP, WITHOUT, EARLIER] {
        inputs.files.remove(list);
    }
    inputs
}

/// The inputs of the question that is left: `people` of the whole may join those `kept`.
pub(super) fn less(
    inputs: &Inputs,
    whole: &DrawQuestion,
    kept: &[u32],
    people: &[u32],
) -> Result<Inputs, Problems> {
    let members = whole.panel.members;
    let places = members.saturating_sub(kept.len() as u32);
    if places == 0 {
        let what = format!(
            "{} members stay, and the panel has {members} places",
            kept.len()
        );
        let help = "a second draw fills places that are empty: check the list of --keep";
        return Err(Problem::of_request(what).help(help).into());
    }
    let counts = counts(whole, kept);
    left::crowded(whole, &counts, is_flexible(&inputs.document))?;
    let mut reduced = first(inputs);
    if let Some((name, _)) = inputs.people() {
        let mut rows = Rows::of_inputs(whole);
        people.iter().for_each(|one| rows.add(&[], *one));
        reduced.put(name, rows.finish(), PathBuf::from(name));
    }
    for (role, bytes) in left::files(whole, &counts) {
        if let Some(name) = inputs.files.keys().find(|name| stem(name) == role) {
            reduced.put(name, bytes, PathBuf::from(name));
        }
    }
    reduced.document = reduced.document.of_plain_quotas();
    let root = reduced.document.root_mut();
    root.edit(&["rules", "until", "accepted"], |node| {
        node.value = Value::Whole(places.into())
    });
    root.edit(&["report", "at"], |node| {
        if let Value::List(moments) = &mut node.value {
            moments.retain(|at| !matches!(at.value, Value::Whole(at) if at > i64::from(places)));
        }
    });
    root.edit(&["rules", "quota"], |node| {
        lower_quotas(node, whole, &counts)
    });
    root.edit(&["target"], |node| {
        lower_shares(node, whole, &counts, places)
    });
    Ok(reduced)
}

/// Returns the number of members with each value, as a row for each attribute.
fn counts(whole: &DrawQuestion, members: &[u32]) -> Vec<Vec<u32>> {
    let attributes = whole.plan.world.schema.attributes().iter();
    let mut counts: Vec<Vec<u32>> = attributes.map(|a| vec![0; a.values.len()]).collect();
    for member in members {
        let values = whole.panel.respondents.values(*member);
        for (row, value) in counts.iter_mut().zip(values) {
            row[usize::from(*value)] += 1;
        }
    }
    counts
}

/// Returns true if conflicting quotas are relaxed within their flexible bounds.
fn is_flexible(document: &Document) -> bool {
    let target = document.root().get("target").map(|node| &node.value);
    let Some(Value::Table(target)) = target else {
        return false;
    };
    let flexible = target.get("flexible").map(|node| &node.value);
    matches!(flexible, Some(Value::Flag(true)))
}

/// Lowers the quotas of the rules.
fn lower_quotas(node: &mut Node, whole: &DrawQuestion, counts: &[Vec<u32>]) {
    each_value(node, whole, |node, attribute, value| {
        if let Value::List(ends) = &mut node.value {
            for end in ends {
                if let Value::Whole(end) = &mut end.value {
                    let count = i64::from(counts[attribute][value]);
                    *end = (*end - count).max(0);
                }
            }
        }
    });
}

/// Sets the shares of the places that are left to what is missing: of each value its share of the
/// whole panel less the members who stay.
fn lower_shares(node: &mut Node, whole: &DrawQuestion, counts: &[Vec<u32>], left: u32) {
    let members = f64::from(whole.panel.members);
    let mut sums = vec![0.0; counts.len()];
    each_value(node, whole, |node, attribute, value| {
        let share = match node.value {
            Value::Number(share) => share,
            Value::Whole(share) => share as f64,
            _ => return,
        };
        let missing = (share * members - f64::from(counts[attribute][value])).max(0.0);
        sums[attribute] += missing;
        node.value = Value::Number(missing / f64::from(left));
    });
    each_value(node, whole, |node, attribute, _| {
        if let Value::Number(share) = &mut node.value
            && sums[attribute] > 0.0
        {
            *share = *share * f64::from(left) / sums[attribute];
        }
    });
}

/// Each value of a table of attributes that are tables, by the numbers of both in the schema.
fn each_value(
    node: &mut Node,
    whole: &DrawQuestion,
    mut change: impl FnMut(&mut Node, usize, usize),
) {
    let Value::Table(table) = &mut node.value else {
        return;
    };
    for (at, attribute) in whole.plan.world.schema.attributes().iter().enumerate() {
        table.replace(&attribute.name, |row| {
            if let Value::Table(row) = &mut row.value {
                for (value, name) in attribute.values.iter().enumerate() {
                    row.replace(name, |node| change(node, at, value));
                }
            }
        });
    }
}
