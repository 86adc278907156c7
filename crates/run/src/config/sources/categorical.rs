//! The source `type = "categorical"`: people drawn from shares, weights or a joint law.

use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::context::{Built, Context};
use crate::config::joint::{JOINT, joint};
use crate::config::keys::people;
use crate::config::plan::World;
use crate::config::shares::{Shares, shares};
use crate::config::target::Wanted;
use crate::document::param::Param;
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::problem::Place;
use kleroterion_core::protocol::{Attribute, Fact, Known, Law, Schema};
use kleroterion_core::source::{Generated, People, SourceMaker};

pub(super) const SHARES: ConfigKey<Later> =
    ConfigKey::later("shares", people::SHARES).about("shares of each attribute's values");

const WEIGHTS: ConfigKey<Later> = ConfigKey::later("weights", people::SHARES)
    .about("how readily each value volunteers, against the target");

const KEYS: &[Param] = keys![SHARES, WEIGHTS, JOINT];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "categorical",
    about: "generated people: shares (product of marginals), weights relative to the target, \
         or a joint table",
    forms: &[SourceForm::Own(KEYS)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(world),
};

fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let example = "shares = { gender = { M = 0.5, F = 0.5 } }";
    let given = table.need_one(KEYS, example);
    table.finish();
    let (key, field) = given?;
    let is_weighted = key == WEIGHTS.name();
    let ((attributes, law), sound) = match is_weighted {
        true if context.unread => return None,
        true => product(weighted(&field, context.wanted)?),
        false => read_law(key, &field, context)?,
    };
    let schema = Schema::new(attributes, vec![], false);
    let schema = Arc::new(field.sound(schema, "merge rare values, or drop an attribute")?);
    let people = People::new(Arc::clone(&schema), &law);
    let people = people.map_err(|error| format!("no candidate can be drawn: {error}"));
    let people = Arc::new(field.sound(people, example)?);
    let slate = context.slate.of(None)?;
    let source: SourceMaker =
        Arc::new(move |key| Box::new(Generated::new(Arc::clone(&people), key, slate)));
    let known = Known {
        law: Fact::Exact(Arc::new(law)),
        ..Known::default()
    };
    Some(Built {
        sound,
        ..Built::of(World::new(schema, known, source))
    })
}

/// Returns true if the table is one of weights, which are relative to a target.
pub(super) fn has_weights(table: &mut Reader<'_>) -> bool {
    WEIGHTS.field(table).is_given()
}

/// Attributes and their law, and true if the shares are as written.
type SoundLaw = ((Vec<Attribute>, Law), bool);

/// Reads `shares` or `joint`.
pub(super) fn read_law(key: &str, field: &Field<'_>, context: &Context<'_>) -> Option<SoundLaw> {
    match key == JOINT.name() {
        true => Some((joint(field, context.inputs)?, true)),
        false => Some(product(shares(field.table()?, "`shares`")?)),
    }
}

fn product(shares: Vec<Shares>) -> SoundLaw {
    let sound = shares.iter().all(|shares| shares.sound);
    let mut attributes = Vec::new();
    let mut marginals = Vec::new();
    for Shares {
        attribute, values, ..
    } in shares
    {
        let (names, row) = values.into_iter().unzip();
        attributes.push(Attribute {
            name: attribute,
            values: names,
        });
        marginals.push(row);
    }
    ((attributes, Law::Product(marginals)), sound)
}

/// Volunteers come in proportion to target times weight: q^i_j = rho^i_j W^i_j / sum_j rho^i_j
/// W^i_j.
fn weighted(field: &Field<'_>, wanted: Option<&Wanted>) -> Option<Vec<Shares>> {
    let mut table = field.table()?;
    let rows: Vec<_> = table
        .rest()
        .iter()
        .map(|(key, field)| weighted_one(&key.name, field, wanted))
        .collect();
    if rows.is_empty() {
        return table.refused(
            "the weights name no attribute",
            "for example: gender = { M = 1.0, F = 0.75 }",
        );
    }
    rows.into_iter().collect()
}

fn weighted_one(name: &str, field: &Field<'_>, wanted: Option<&Wanted>) -> Option<Shares> {
    let weights = field.pairs(Field::not_negative)?;
    let Some(target) = wanted.and_then(|wanted| wanted.of(name)) else {
        return field.refused(
            format!("the weights of {name} are relative to a target that [target] does not give"),
            format!("add {name} to [target], or give the source `shares`"),
        );
    };
    let mut sound = true;
    let mut values = Vec::new();
    for (value, share) in &target.values {
        match weights.iter().find(|(named, _)| named == value) {
            Some((_, weight)) => values.push((value.clone(), share * weight)),
            None => {
                field.refuse(
                    format!("{name} = {value} has a target but no weight"),
                    format!("add {value} to the weights of {name} (1.0 = volunteers as others do)"),
                );
                sound = false;
            }
        }
    }
    for (value, _) in &weights {
        if !target.values.iter().any(|(named, _)| named == value) {
            field.refuse(
                format!("{name} = {value} has a weight but no target"),
                format!("add {value} to [target], or drop its weight"),
            );
            sound = false;
        }
    }
    let total: f64 = values.iter().map(|(_, mass)| mass).sum();
    if sound && total <= 0.0 {
        field.refuse(
            format!("no one volunteers: all weights of {name} are 0"),
            "give at least one value with a positive target a positive weight",
        );
        sound = false;
    }
    let place: Place = field.place().clone();
    sound.then(|| Shares {
        attribute: name.to_owned(),
        place,
        values: values
            .into_iter()
            .map(|(v, mass)| (v, mass / total))
            .collect(),
        sound: target.sound,
    })
}
