//! The source `type = "respondents"`: volunteers from an organiser's file.

use super::kind::{SourceForm, SourceKind, SourceReader};
use super::order::{self, ORDER, OrderWord};
use super::people::PeopleOfFile;
use crate::config::attributes::bands_of;
use crate::config::context::{Built, Context};
use crate::config::keys::people::{self, ABOUT, ID};
use crate::config::layout::{DELIMITER, SHEET, WHERE, filters, how};
use crate::config::located::{find, loaded_or_note};
use crate::config::plan::PeopleFile;
use crate::config::target::Wanted;
use crate::document::param::{Param, Shape};
use crate::document::{ConfigKey, Later, Reader, all_read};
use crate::keys;
use kleroterion_core::nearest::nearest_value;
use kleroterion_io::people::organisers::{Categories, RespondentsSpec};
use kleroterion_io::record::Levels;
use kleroterion_io::record::alike::alike;

const PATH: ConfigKey<Later> = people::PATH.like("path = \"respondents.csv\"");

/// The order: each person once where none is given, since a committee has no member twice.
const ORDER_ONCE: ConfigKey<OrderWord> = ORDER.or_word("shuffled");

const BANDS: ConfigKey<Later> = ConfigKey::later(
    "bands",
    Shape::Map(&Shape::Map(&Shape::Tuple(&Shape::Any, 2))),
)
.about("of attributes whose cells are numbers, the ranges of their values, [from, to)");

/// The respondents of a file, their attributes and values those of the target's categories.
const KEYS: &[Param] = keys! {
    PATH, ABOUT, ORDER_ONCE, ID, DELIMITER, SHEET, WHERE, BANDS,
};

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "respondents",
    about: "an organiser's volunteers, with the attributes of [target] categories = \
         \"categories.csv\": resampled, shuffled, or in their order",
    forms: &[SourceForm::Own(KEYS)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(world),
};

fn world(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let path = PATH.field(&mut table);
    let about = ABOUT.read(&mut table).is();
    let order = ORDER_ONCE.value(&mut table);
    let id = ID.read(&mut table).is();
    let how = how(&mut table, &path, context.inputs);
    let organiser = context.wanted.and_then(Wanted::organiser);
    let is_exact = organiser.is_some_and(|target| target.categories.is_exact());
    let filters = filters(&WHERE.field(&mut table), is_exact);
    let bands = BANDS.section(&mut table, |table| bands(table, context));
    let categories = categories(&table, context);
    table.finish();
    let found = find(&path, about.as_deref(), context.inputs)?;
    let (how, filters, bands) = (found.how(how?), filters?, bands.or(Vec::new())?);
    let unread = Categories::default();
    let spec = RespondentsSpec {
        path: &found.path,
        how: &how,
        categories: categories.unwrap_or(&unread),
        id: id.as_deref(),
        unique: context.unique.map_or(&[], |unique| &unique.columns),
        filters: &filters,
        bands: &bands,
        keeps_others: organiser.is_some_and(|target| !target.refuses_others()),
    };
    let people = loaded_or_note(spec.load(), &path);
    categories?;
    let word = order?;
    let order = order::of(word, None, &path)?;
    let people = people?;
    let rows = (0..people.len()).map(|row| people.number(row)).collect();
    let (is_named, doubles) = (people.has_ids(), people.doubles.clone());
    let mut built = PeopleOfFile::new(people, order)
        .filtered(&filters)
        .built(&path, context)?;
    built.world.file = Some(PeopleFile {
        path: found.path,
        how,
        columns: None,
        rows,
        is_named,
        doubles,
    });
    if word == OrderWord::Resampled {
        built.world.disclosures.push(RESAMPLED.into());
    }
    Some(built)
}

/// The disclosure shown with every result.
const RESAMPLED: &str = "The respondents are drawn with replacement (order = \"resampled\"): one person can sit \
     on a committee twice";

/// The bands of attributes whose cells are numbers; that the quotas lack the attribute, or a value
/// that a band has, is noted.
fn bands(mut table: Reader<'_>, context: &Context<'_>) -> Option<Vec<(String, Levels)>> {
    let categories = context.wanted.and_then(Wanted::categories);
    let rest = table.rest();
    let read = rest.iter().map(|(key, field)| {
        let levels = bands_of(field)?;
        let Some(categories) = categories else {
            return Some((key.name.clone(), levels));
        };
        let known = || categories.attributes().iter();
        let Some(category) = known().find(|one| alike(&one.name, &key.name)) else {
            let what = format!("the quotas have no attribute {}", key.name);
            let names = known().map(|one| one.name.as_str());
            return field.refused(what, advice(&key.name, names.collect()));
        };
        let mut is_sound = true;
        for name in levels.names().unwrap_or_default() {
            let values = || category.values.iter().map(|value| value.name.as_str());
            if !values().any(|value| alike(value, name)) {
                let what = format!("the quotas have no {} {name}", category.name);
                field.refuse(what, advice(name, values().collect()));
                is_sound = false;
            }
        }
        is_sound.then(|| (category.name.clone(), levels))
    });
    all_read(read)
}

/// The nearest of the known names, or all of them.
fn advice(name: &str, known: Vec<&str>) -> String {
    let list = known.join(", ");
    match nearest_value(name, known) {
        Some(near) => format!("did you mean `{near}`? There are: {list}"),
        None => format!("there are: {list}"),
    }
}

/// The target's categories; that it has none is noted.
fn categories<'a>(table: &Reader<'_>, context: &Context<'a>) -> Option<&'a Categories> {
    let categories = context.wanted.and_then(Wanted::categories);
    if categories.is_none() && !context.unread {
        table.refuse(
            "the respondents' attributes come from a categories file, and [target] names none",
            "for example: [target] with categories = \"categories.csv\"",
        );
    }
    categories
}
