//! The values of attributes as the public reads them.
//!
//! A value that the config does not name is a cell of the people's file. Where few people have it, it
//! can tell who they are: the public reads one word for all such values of an attribute.

use std::collections::BTreeMap;

use super::hidden::FEW;
use super::question::DrawQuestion;
use kleroterion_stats::{ChanceSummary, GroupChances};

/// The word for values that are not published.
const OTHERS: &str = "(other)";

/// A value, or several, that the public reads under one name.
pub(super) struct PublicValue {
    /// The name.
    pub(super) name: String,
    /// The places of those that it stands for.
    pub(super) values: Vec<usize>,
}

impl DrawQuestion {
    /// The values of an attribute as they are published.
    pub(super) fn public_values(&self, attribute: usize) -> Vec<PublicValue> {
        let names = &self.plan.world.schema.attributes()[attribute].values;
        let is_hidden = |value: &usize| self.is_hidden(attribute, *value);
        let (hidden, open): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(is_hidden);
        let open = open.into_iter().map(|value| PublicValue {
            name: names[value].clone(),
            values: vec![value],
        });
        let others = (!hidden.is_empty()).then(|| PublicValue {
            name: OTHERS.to_owned(),
            values: hidden,
        });
        open.chain(others).collect()
    }

    /// The public name of a value.
    pub(super) fn public_value(&self, attribute: usize, value: usize) -> &str {
        match self.is_hidden(attribute, value) {
            true => OTHERS,
            false => &self.plan.world.schema.attributes()[attribute].values[value],
        }
    }

    /// Returns true if no quota and no target names the value, and few people have it. Draws of
    /// whole files publish every value.
    fn is_hidden(&self, attribute: usize, value: usize) -> bool {
        let named = &self.plan.world.schema.attributes()[attribute];
        let name = (&*named.name, &*named.values[value]);
        let quota = self.panel.quotas[attribute].get(value);
        let is_wanted =
            quota.is_some_and(|quota| quota.min > 0 || (1..u32::MAX).contains(&quota.max));
        let mut shares = self.plan.target.iter().flat_map(|target| target.rows());
        let share = shares.find(|(at, _)| *at == attribute);
        let share = share.and_then(|(_, shares)| shares.get(value).copied());
        if self.is_whole
            || is_wanted
            || share > Some(0.0)
            || self.flexible(name.0, name.1).is_some()
        {
            return false;
        }
        let people = &self.panel.respondents;
        let everyone = 0..people.len() as u32;
        let has = |one: &u32| usize::from(people.values(*one)[attribute]) == value;
        everyone.filter(has).count() < FEW
    }

    /// Chances by group as they are published.
    pub(super) fn public_chances(&self, mut summary: ChanceSummary) -> ChanceSummary {
        for (at, attribute) in self.plan.world.schema.attributes().iter().enumerate() {
            let Some(groups) = summary.groups.get_mut(&attribute.name) else {
                continue;
            };
            let values = self.public_values(at).into_iter();
            let joined: BTreeMap<String, GroupChances> = values
                .filter_map(|value| {
                    let names = value.values.iter().map(|at| &attribute.values[*at]);
                    let found = names.filter_map(|name| groups.get(name)).copied();
                    Some((value.name, found.reduce(joined)?))
                })
                .collect();
            *groups = joined;
        }
        summary
    }
}

/// Two groups as one.
fn joined(one: GroupChances, other: GroupChances) -> GroupChances {
    let people = one.people + other.people;
    let sum = |group: &GroupChances| group.mean * group.people as f64;
    GroupChances {
        people,
        mean: match people {
            0 => 0.0,
            people => (sum(&one) + sum(&other)) / people as f64,
        },
        least: one.least.min(other.least),
        largest: one.largest.max(other.largest),
        never: one.never + other.never,
    }
}
