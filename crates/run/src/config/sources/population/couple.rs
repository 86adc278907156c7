//! The section `[source.copula]`: the dependence between attributes and numbers.

use super::keys::{COPULA, CORRELATIONS, COUPLED};
use super::numbers::NamedFeature;
use crate::document::Field;
use kleroterion_core::nearest::advice;
use kleroterion_core::protocol::{Attribute, Law};
use kleroterion_core::source::population::{
    Copula, Coupled, FeatureLaw, MeritLaw, ScoreOf, Traits,
};

/// The names of all that can be coupled.
fn names(
    attributes: &[Attribute],
    features: &[NamedFeature],
    traits: &Traits,
) -> Vec<(String, Coupled)> {
    let independent = matches!(traits.law, Law::Product(_));
    let attributes = attributes.iter().enumerate().filter(|_| independent);
    let attributes = attributes.map(|(at, one)| (one.name.clone(), Coupled::Attribute(at)));
    let mut at = 0;
    let features = features.iter().filter_map(|feature| {
        let place = at;
        at += feature.columns.len();
        let is_one = matches!(feature.law, FeatureLaw::Number(_));
        is_one.then(|| (feature.name.clone(), Coupled::Feature(place)))
    });
    let merit = matches!(traits.merit, Some(MeritLaw::Law(_)));
    let score = matches!(traits.score, Some(ScoreOf::Law(_)));
    attributes
        .chain(features)
        .chain(merit.then(|| ("merit".to_owned(), Coupled::Merit)))
        .chain(score.then(|| ("score".to_owned(), Coupled::Score)))
        .collect()
}

/// Reads the copula of people of these traits. `group`: the attribute that is drawn first.
pub(super) fn copula(
    field: &Field<'_>,
    attributes: &[Attribute],
    features: &[NamedFeature],
    traits: &Traits,
    group: Option<usize>,
) -> Option<Copula> {
    let mut table = COPULA.reader(field)?;
    let (of, rows) = (COUPLED.field(&mut table), CORRELATIONS.field(&mut table));
    table.finish();
    let correlations = rows.each(|row| row.each(Field::finite));
    let all = names(attributes, features, traits);
    let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let mut coupled: Vec<Coupled> = Vec::new();
    let members = of.members()?;
    for member in &members {
        let name = member.text()?;
        match all.iter().find(|(known, _)| known == name) {
            Some((_, one)) if coupled.contains(one) => {
                member.refuse(format!("{name} is coupled twice"), "name it once");
            }
            Some((_, one)) => coupled.push(*one),
            None => member.refuse(
                format!(
                    "{name} can't be coupled: it is no attribute of its own shares and no number \
                     of its own law"
                ),
                advice(name, &known, "what can be coupled"),
            ),
        }
    }
    let is_sound = coupled.len() == members.len();
    if coupled.len() < 2 && is_sound {
        return of.refused(
            "a copula couples two at least",
            "name another, or leave it out",
        );
    }
    let correlations = correlations.filter(|_| is_sound)?;
    let copula = Copula::new(&coupled, &correlations, group.map(Coupled::Attribute));
    copula
        .map_err(|error| {
            let help = "give a row for each of `of`, symmetric, with 1 on the diagonal; weaken \
                        correlations that can't hold together";
            rows.refuse(error.to_string(), help);
        })
        .ok()
}
