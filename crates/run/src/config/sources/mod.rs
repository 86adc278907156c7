//! The section `[source]`: the origin of candidates. Each kind has a file, and this one lists all
//! kinds.

mod admissions;
mod arms;
mod categorical;
pub(super) mod feed;
mod file;
mod gaussian_groups;
mod kind;
mod linear_groups;
mod order;
mod people;
mod population;
mod respondents;

use self::kind::{SourceForm, SourceKind};
use super::context::{Built, Context};
use super::joint::JOINT;
use super::keys::people::{PACE, RATE, TYPE};
use super::plan::{Pace, World};
use super::values::values_of;
use crate::document::param::{Entry, Param};
use crate::document::range::PART;
use crate::document::{Field, Reader, Value};
use crate::keys;
use kleroterion_core::score::Volunteering;

/// All kinds, in the order of their names.
const KINDS: [SourceKind; 13] = [
    admissions::KIND,
    arms::KIND,
    categorical::KIND,
    file::KIND,
    gaussian_groups::KIND,
    feed::HTTP,
    linear_groups::KIND,
    feed::NATS,
    population::KIND,
    respondents::KIND,
    feed::STDIN,
    feed::TAPE,
    feed::TCP,
];

/// Returns the kinds of sources, with an entry for each of their forms and all its keys. The first
/// of several forms has the description.
#[must_use]
pub fn source_entries() -> Vec<Entry> {
    let of_kind = |kind: &SourceKind| {
        let (name, about) = (kind.name, kind.about);
        let forms = kind.forms.iter().enumerate();
        let entries = forms.map(move |(at, form)| Entry {
            name,
            about: if at == 0 { about } else { "" },
            params: params(form),
        });
        entries.collect::<Vec<_>>()
    };
    KINDS.iter().flat_map(of_kind).collect()
}

/// The keys of a form.
fn params(form: &SourceForm) -> Vec<Param> {
    let common = [RATE.param, PACE.param];
    match form {
        SourceForm::Own(own) => [&common, *own].concat(),
        SourceForm::Feed(own) => [&common, *own, &feed::READ, keys![JOINT]].concat(),
    }
}

/// Reads `[source]`.
pub(super) fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let (kind, rate) = (TYPE.field(&mut table), RATE.field(&mut table));
    let paced = PACE.field(&mut table);
    let pace = PACE.given(&paced);
    check_pool(&kind, context);
    let kinds: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind)).collect();
    let kind = kind.choice(&kinds)?;
    if let Some(unique) = context.unique.filter(|_| !kind.has_columns()) {
        unique.refuse(kind.name);
    }
    if let [form] = kind.forms {
        table.declare([&[TYPE.param][..], &params(form)].concat());
    }
    let mut built = (kind.read)(table, context);
    let known = built.as_ref().map(|built| &built.world);
    let rate = rate.optional(|rate| volunteering(rate, known));
    if let Some(built) = &mut built {
        built.world.volunteering = rate.unless_bad()?;
        match pace.unless_bad()? {
            Some(_) if built.world.pace.is_some() => {
                return paced.refused(
                    "a pace, and arrivals that say when each person comes",
                    "keep one of them",
                );
            }
            Some(pace) => built.world.pace = Some(Pace::Persons(pace)),
            None => {}
        }
    }
    built
}

/// Reads the volunteering rate: one number, or one for each value of one or several attributes.
fn volunteering(field: &Field<'_>, world: Option<&World>) -> Option<Volunteering> {
    let Some(Value::Table(_)) = field.value() else {
        return field.number_in(&PART).map(Volunteering::of_all);
    };
    let schema = world.map(|world| &*world.schema);
    let by = values_of(field, schema, true, |rate| rate.number_in(&PART))?;
    let example = "for example: volunteering_rate = { gender = { F = 0.02, M = 0.03 } }";
    if by.is_empty() && schema.is_some() {
        return field.refused(
            "rates are of the values of attributes, and here are none",
            example,
        );
    }
    let rates = by.into_iter().map(|(attribute, rates)| {
        let rates = rates.into_iter().collect::<Option<_>>()?;
        Some((attribute, rates))
    });
    let rates: Vec<_> = rates.collect::<Option<_>>()?;
    let world = world?;
    let law = world.known.law.get().map(|law| &**law);
    let found = Volunteering::by(rates, &world.schema, law);
    found.or_else(|| {
        field.refused(
            "rates of several attributes are combined by the law of those who come, and this \
             source does not say it, or has too many kinds of people",
            format!("give the rates of one attribute; {example}"),
        )
    })
}

/// Refuses a pool of a source that shows only those who apply.
fn check_pool(kind: &Field<'_>, context: &Context<'_>) {
    let Some((pool, name)) = context.pool.zip(kind.text()) else {
        return;
    };
    let known = KINDS.iter().find(|known| known.name == name);
    if known.is_some_and(|kind| !kind.can_be_pooled && !kind.is_feed()) {
        let able = KINDS.iter().filter(|kind| kind.can_be_pooled);
        let able: Vec<&str> = able.map(|kind| kind.name).collect();
        pool.refuse(
            format!(
                "a pool lets some of many apply, and a source of type {name:?} has only those it \
                 shows"
            ),
            format!(
                "leave [pool] out, or take a source of type {}, or a feed",
                able.join(" or ")
            ),
        );
    }
}

/// Returns true if the source can't be built without a target.
pub(super) fn needs_target(mut table: Reader<'_>) -> bool {
    let respondents = Value::Text("respondents".into());
    TYPE.param.again(&mut table).value() == Some(&respondents)
        || categorical::has_weights(&mut table)
}
