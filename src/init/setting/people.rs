//! The `[source]` of a config that reads people from a file.

use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, key, list, number, table, text};
use crate::init::roles::Attribute;
use crate::init::sheet::{Layout, problem};
use crate::problem::Problem;

/// Writes `[source]` and its attributes; `order` as the setting needs it.
pub(super) fn write(
    draft: &mut Draft,
    wishes: &Wishes<'_>,
    order: (&str, &str),
    more: impl FnOnce(&mut Draft),
) -> Result<(), Problem> {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    if roles.attributes.is_empty() {
        return Err(no_attribute(wishes));
    }
    draft.section("[source]");
    draft.key("type", &text("file"), "people from a CSV or NDJSON file");
    draft.key(
        "path",
        &text(wishes.people),
        "the file, looked for next to this config",
    );
    layout(draft, wishes);
    match roles.id {
        Some(id) => draft.key(
            "id",
            &text(&sheet.columns[id].name),
            "the column that names people",
        ),
        None => {
            draft.assume("no column names people, so they are called by the numbers of their rows")
        }
    }
    draft.key("order", &text(order.0), order.1);
    filters(draft, wishes);
    more(draft);
    draft.section("[source.attributes]");
    draft.comment("What people are grouped by. `values = { \"1\" = \"women\" }` renames cells.");
    for attribute in &roles.attributes {
        let column = &sheet.columns[attribute.column];
        draft.key(
            &key(&name(column)),
            &described(attribute, column),
            &counts(column),
        );
    }
    Ok(())
}

/// The name of an attribute: that of its column.
pub(super) fn name(column: &Column) -> String {
    column.name.trim().to_owned()
}

fn described(attribute: &Attribute, column: &Column) -> String {
    let mut entries = vec![("column".to_owned(), text(&column.name))];
    if !attribute.bands.is_empty() {
        let band = |(name, from, below): &(String, f64, f64)| {
            (
                name.clone(),
                format!("[{}, {}]", number(*from), number(*below)),
            )
        };
        entries.push(("bands".into(), table(attribute.bands.iter().map(band))));
    }
    table(entries)
}

/// How many have each value, or how numbers spread.
fn counts(column: &Column) -> String {
    match (column.categories(), column.numbers()) {
        (Some(values), _) => {
            let each: Vec<String> = values.iter().map(|(v, n)| format!("{v} {n}")).collect();
            format!("people: {}", each.join(", "))
        }
        (_, Some([least, .., greatest])) => {
            format!("from {least} to {greatest}; bands are [from, below)")
        }
        _ => "a range".into(),
    }
}

fn layout(draft: &mut Draft, wishes: &Wishes<'_>) {
    let Layout::Csv { delimiter, header } = wishes.sheet.layout else {
        return;
    };
    if delimiter != b',' {
        let delimiter = text(&char::from(delimiter).to_string());
        draft.key("delimiter", &delimiter, "between the columns");
    }
    if !header {
        let names = wishes.sheet.columns.iter().map(|column| &*column.name);
        draft.key(
            "columns",
            &list(names),
            "the file has no header: names for its columns, in order",
        );
        draft.assume("the first row is a person, since it holds numbers or values of other rows");
    }
}

/// Rows that lack an attribute can't be grouped: filters leave them out.
fn filters(draft: &mut Draft, wishes: &Wishes<'_>) {
    let columns = wishes.roles.attributes.iter();
    let columns = columns.map(|attribute| &wishes.sheet.columns[attribute.column]);
    let lacking: Vec<&Column> = columns.filter(|column| column.blank > 0).collect();
    if lacking.is_empty() {
        return;
    }
    let clauses: Vec<String> = lacking
        .iter()
        .map(|c| format!("{} != ''", quoted(&c.name)))
        .collect();
    draft.key(
        "where",
        &list(clauses.iter().map(String::as_str)),
        "only people who have these",
    );
    for column in lacking {
        let (blank, name) = (column.blank, &column.name);
        draft.assume(format!(
            "{blank} of {} people have no {name}: they are left out",
            wishes.sheet.people
        ));
    }
}

/// A column's name in a filter.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => format!("`{name}`"),
    }
}

fn no_attribute(wishes: &Wishes<'_>) -> Problem {
    let names: Vec<&str> = wishes
        .sheet
        .columns
        .iter()
        .take(20)
        .map(|c| &*c.name)
        .collect();
    let what = "no column groups people: none has 2 to 16 different values in several rows each";
    let help = format!(
        "add a column such as gender or region; the columns are {}",
        names.join(", ")
    );
    problem(&wishes.sheet.path, what).help(help)
}
