//! The objective that a config names: what a cohort is to be best at.

use std::sync::Arc;

use crate::document::Field;
use crate::policy::Brief;
use crate::policy::cohort::{Diverse, Quotas, TopK};
use crate::protocol::{CohortObjective, Quota, Schema};

/// What a cohort is to be best at; groups are the values of an attribute of the schema.
pub(crate) enum Aim {
    TopK,
    Diverse(usize),
    Quota(usize, Vec<Quota>),
}

impl Aim {
    /// The objective for scorers. With several attributes its name names the one that makes the
    /// groups.
    pub(crate) fn objective(&self, schema: &Schema) -> CohortObjective {
        let attributes = schema.attributes();
        let by = |word: &str, at: usize| match attributes.len() {
            1 => word.to_owned(),
            _ => format!("{word}:{}", attributes[at].name),
        };
        match self {
            Self::TopK => CohortObjective {
                name: "top_k".into(),
                worth: Arc::new(TopK),
            },
            Self::Diverse(at) => CohortObjective {
                name: by("diverse", *at).into(),
                worth: Arc::new(Diverse::new(*at)),
            },
            Self::Quota(at, quotas) => CohortObjective {
                name: by("quota", *at).into(),
                worth: Arc::new(Quotas::new(*at, quotas.clone())),
            },
        }
    }
}

pub(crate) const NO_GROUPS: &str = "the objective is about groups, and the applicants have none";
pub(crate) const NOT_SAID: &str =
    "the objective is about groups, and it is not said which attribute makes them";

/// The objective of a word (`top_k`, `diverse`, `quota`); `by`: the attribute that makes the
/// groups, where it is given. `lacks` notes that no attribute follows, of those named (in quotes).
pub(crate) fn aim(
    word: &str,
    objective: &Field<'_>,
    brief: &Brief<'_>,
    by: &Field<'_>,
    lacks: impl FnOnce(&[String]),
) -> Option<Aim> {
    match word {
        "top_k" => Some(Aim::TopK),
        "diverse" => attribute(by, brief, None, lacks).map(Aim::Diverse),
        _ => {
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
