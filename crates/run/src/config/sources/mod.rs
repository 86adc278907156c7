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

use self::kind::SourceForm;
pub use self::kind::SourceKind;
use super::context::{Built, Context};
use super::joint::JOINT;
use super::keys::people::{RATE, TYPE};
use super::plan::{Pace, World};
use super::values::values_of;
use crate::document::param::{Entry, Param, Shape};
use crate::document::range::{PART, POSITIVE};
use crate::document::{ConfigKey, Field, Reader, Value};
use crate::keys;
use kleroterion_core::score::Volunteering;

const PACE: ConfigKey<f64> = ConfigKey::of(
    "pace",
    Shape::OneOf(&[Shape::Number(POSITIVE), Shape::Text]),
    feed::pace,
)
.about("persons a second, or a text such as \"30/min\"");

/// All kinds, in the order of their names.
const KINDS: [SourceKind; 14] = [
    admissions::KIND,
    arms::KIND,
    categorical::KIND,
    file::KIND,
    gaussian_groups::KIND,
    feed::HTTP,
    linear_groups::KIND,
    feed::MEMORY,
    feed::NATS,
    population::KIND,
    respondents::KIND,
    feed::STDIN,
    feed::TAPE,
    feed::TCP,
];

/// Returns the built-in kinds of sources.
pub(crate) fn kinds() -> impl Iterator<Item = SourceKind> {
    KINDS.into_iter()
}

/// Returns the entries of a kind's forms, each with all its keys. The first has the description.
pub(crate) fn entries(kind: &SourceKind) -> Vec<Entry> {
    let entry = |(at, form)| Entry {
        name: kind.name,
        about: if at == 0 { kind.about } else { "" },
        params: params(form),
    };
    kind.forms().iter().enumerate().map(entry).collect()
}

/// The keys of a form, but the one that names the kind.
fn params(form: &SourceForm) -> Vec<Param> {
    let common = [RATE.param, PACE.param];
    match form {
        SourceForm::Own(own) => [&common, *own].concat(),
        SourceForm::Feed(own) => [&common, *own, &feed::READ, keys![JOINT]].concat(),
    }
}

/// Reads `[source]`.
pub(super) fn world(
    mut table: Reader<'_>,
    kinds: &[SourceKind],
    context: &Context<'_>,
) -> Option<Built> {
    let (kind, rate) = (TYPE.field(&mut table), RATE.field(&mut table));
    let paced = PACE.field(&mut table);
    let pace = PACE.given(&paced);
    check_pool(&kind, kinds, context);
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
    let kind = kind.choice(&kinds)?;
    if let Some(unique) = context.unique.filter(|_| !kind.has_columns()) {
        unique.refuse(kind.name);
    }
    if let [form] = kind.forms() {
        let keys = [&[TYPE.param][..], &params(form)].concat();
        match kind.is_built_in() {
            true => table.declare(keys),
            false => table.declare_own(keys),
        }
    }
    let mut built = kind.read(table, context);
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
fn check_pool(kind: &Field<'_>, kinds: &[SourceKind], context: &Context<'_>) {
    let Some((pool, name)) = context.pool.zip(kind.text()) else {
        return;
    };
    let known = kinds.iter().find(|known| known.name == name);
    if known.is_some_and(|kind| !kind.can_be_pooled && !kind.is_feed()) {
        let able = kinds.iter().filter(|kind| kind.can_be_pooled);
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
