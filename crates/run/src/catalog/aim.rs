//! The objective of a cohort, as a config names it.

use std::sync::Arc;

use crate::document::{Field, Value};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol::{CohortObjective, Quota, Schema};
use kleroterion_policies::cohort::{ByObjective, Diverse, Quotas, TopK};
use kleroterion_policies::limits::MOST_GROUPS;

/// The kind of a cohort's objective.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AimKind {
    TopK,
    Diverse,
    Quota,
}

/// The words of the kinds.
pub(crate) const AIMS: [(&str, AimKind); 3] = [
    ("top_k", AimKind::TopK),
    ("diverse", AimKind::Diverse),
    ("quota", AimKind::Quota),
];

/// The objective of a cohort. Groups are the values of an attribute of the schema, or the combined
/// values of several, in the schema's order.
pub(crate) enum Aim {
    TopK,
    Diverse(Vec<usize>),
    Quota(usize, Vec<Quota>),
}

impl Aim {
    /// The objective for scorers. Where the schema has several attributes its name names those that
    /// make the groups.
    pub(crate) fn objective(&self, schema: &Schema) -> CohortObjective {
        let by = |word: &str, attributes: &[usize]| match schema.attributes().len() {
            1 => word.to_owned(),
            _ => format!("{word}:{}", joined(schema, attributes)),
        };
        match self {
            Self::TopK => CohortObjective {
                name: "top_k".into(),
                worth: Arc::new(ByObjective(TopK)),
            },
            Self::Diverse(attributes) => CohortObjective {
                name: by("diverse", attributes).into(),
                worth: Arc::new(ByObjective(Diverse::crossed(schema, attributes))),
            },
            Self::Quota(at, quotas) => CohortObjective {
                name: by("quota", &[*at]).into(),
                worth: Arc::new(ByObjective(Quotas::new(*at, quotas.clone()))),
            },
        }
    }
}

pub(crate) const NO_GROUPS: &str = "the objective is about groups, and the applicants have none";
pub(crate) const NOT_SAID: &str =
    "the objective is about groups, and it is not said which attribute makes them";

/// The names of some attributes, as measures name them.
fn joined(schema: &Schema, attributes: &[usize]) -> String {
    let name = |&at: &usize| &*schema.attributes()[at].name;
    attributes.iter().map(name).collect::<Vec<_>>().join("+")
}

/// The objective of a kind; `by`: the attribute that makes the
/// groups, or of `diverse` a list of them, where it is given. `lacks` notes that no attribute
/// follows, of those named (in quotes).
pub(crate) fn aim(
    kind: AimKind,
    objective: &Field<'_>,
    brief: &Brief<'_>,
    by: &Field<'_>,
    lacks: impl FnOnce(&[String]),
) -> Option<Aim> {
    match kind {
        AimKind::TopK => Some(Aim::TopK),
        AimKind::Diverse if matches!(by.value(), Some(Value::List(_))) => {
            several(by, brief.schema?, lacks).map(Aim::Diverse)
        }
        AimKind::Diverse => attribute(by, brief, None, lacks).map(|at| Aim::Diverse(vec![at])),
        AimKind::Quota => {
            if brief.round_quotas.is_absent() {
                objective.refuse(
                    "the objective quota needs quotas, and the rules set none",
                    "for example: quota = { gender = { F = [2, 3] } } in [rules]",
                );
            }
            let quotas = brief.round_quotas.is()?;
            let attribute = attribute(by, brief, Some(quotas), lacks)?;
            Some(Aim::Quota(attribute, quotas[attribute].clone()))
        }
    }
}

/// The attributes of a list, in the schema's order.
fn several(list: &Field<'_>, schema: &Schema, lacks: impl FnOnce(&[String])) -> Option<Vec<usize>> {
    let all = schema.attributes();
    let Some(first) = all.first() else {
        lacks(&[]);
        return None;
    };
    let names: Vec<_> = (0..).zip(all).map(|(at, one)| (&*one.name, at)).collect();
    let mut listed: Vec<usize> = Vec::new();
    list.each(|member| {
        let at = member.choice(&names)?;
        if listed.contains(&at) {
            return member.refused(format!("{} is listed twice", all[at].name), "list it once");
        }
        listed.push(at);
        Some(())
    })?;
    listed.sort_unstable();
    let wrong = match listed.len() {
        0 => Some((
            "no attribute is listed".to_owned(),
            format!("list one, for example [{:?}]", first.name),
        )),
        1 => None,
        _ => uncrossable(schema, &listed),
    };
    let Some((what, help)) = wrong else {
        return Some(listed);
    };
    list.refused(what, help)
}

/// The reason why the combined values of some attributes can't be groups, and a remedy.
fn uncrossable(schema: &Schema, listed: &[usize]) -> Option<(String, String)> {
    let all = schema.attributes();
    let combinations: u64 = listed
        .iter()
        .map(|&at| all[at].values.len() as u64)
        .product();
    let name = joined(schema, listed);
    if combinations > MOST_GROUPS {
        return Some((
            format!("{name} has {combinations} combinations of values, more than {MOST_GROUPS}"),
            "list fewer attributes, or attributes of fewer values".into(),
        ));
    }
    // Of another one's name two measures would be one.
    let plus = (0..)
        .zip(all)
        .find(|(at, one)| one.name.contains('+') && (listed.contains(at) || one.name == name));
    plus.map(|(_, one)| {
        (
            format!(
                "measures name several attributes with a + between them, and {:?} has one",
                one.name
            ),
            "rename that attribute, or leave it out".into(),
        )
    })
}

/// The attribute whose values are the groups: `by`, what the source says, the only one that has
/// quotas, or the only one.
fn attribute(
    by: &Field<'_>,
    brief: &Brief<'_>,
    quotas: Option<&[Vec<Quota>]>,
    lacks: impl FnOnce(&[String]),
) -> Option<usize> {
    let attributes = brief.schema?.attributes();
    let quoted = |at: &usize| quotas.is_none_or(|quotas| !quotas[*at].is_empty());
    let able: Vec<usize> = (0..attributes.len()).filter(quoted).collect();
    let names: Vec<_> = able
        .iter()
        .map(|&at| (attributes[at].name.as_str(), at))
        .collect();
    if by.is_given() {
        return by.choice(&names);
    }
    let said = brief.known?.group.filter(|group| able.contains(group));
    match (said, &able[..]) {
        (Some(group), _) => Some(group),
        (None, [only]) => Some(*only),
        (None, _) => {
            let names = names.iter().map(|(name, _)| format!("{name:?}"));
            lacks(&names.collect::<Vec<_>>());
            None
        }
    }
}
