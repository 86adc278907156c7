//! `type = "respondents"`: those who volunteered, from an organiser's file.

use super::kind::{SourceForm, SourceKind};
use super::order::{self, OrderWord};
use super::people::PeopleOfFile;
use crate::catalog::param::Param;
use crate::config::context::{Built, Context};
use crate::config::keys::people::{ABOUT, DELIMITER, ID, ORDER, PATH, SHEET};
use crate::config::layout::how;
use crate::config::located::{find, loaded_or_note};
use crate::config::plan::PeopleFile;
use crate::config::target::Wanted;
use crate::document::Reader;
use crate::source::organisers::{Categories, RespondentsSpec};

/// The respondents of a file, their attributes and values those of the target's categories.
const RESPONDENTS: &[Param] = &[PATH, ABOUT, ORDER, ID, DELIMITER, SHEET];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "respondents",
    about: "an organiser's volunteers, with the attributes of [target] categories = \
         \"categories.csv\": resampled, shuffled, or in their order",
    forms: &[SourceForm::Own(RESPONDENTS)],
    can_be_pooled: false,
    read: people,
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let path = table.need("path", "path = \"respondents.csv\"");
    let about = table.get("about").text();
    // Each person once, since a committee has no member twice.
    let order = order::read(&mut table, OrderWord::Shuffled);
    let id = table.get("id").text();
    let how = how(&mut table);
    let categories = categories(&table, context);
    table.finish();
    let found = find(&path, about, context.folder)?;
    let how = how?;
    let unread = Categories::default();
    let spec = RespondentsSpec {
        path: &found,
        how: &how,
        categories: categories.unwrap_or(&unread),
        id,
        unique: context.unique.map_or(&[], |unique| &unique.columns),
    };
    let people = loaded_or_note(spec.load(), &path);
    categories?;
    let word = order?;
    let order = order::of(word, None, &path)?;
    let people = people?;
    let rows = (0..people.len()).map(|row| people.number(row)).collect();
    let mut built = PeopleOfFile::new(people, order).built(&path, context)?;
    built.world.file = Some(PeopleFile {
        path: found,
        how,
        columns: None,
        rows,
    });
    if word == OrderWord::Resampled {
        built.world.disclosures.push(RESAMPLED.into());
    }
    Some(built)
}

/// What is to be said wherever results are shown.
const RESAMPLED: &str = "The respondents are drawn with replacement (order = \"resampled\"): one person can sit \
     on a committee twice";

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
