//! The `[source]` of a config that reads people from a file.

use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, key, list, number, table, text};
use crate::init::role::{AttributeColumn, ColumnBands};
use crate::init::sheet::TableLayout;
use kleroterion_core::problem::Problem;

/// Writes `[source]` and its attributes; `order` as the setting needs it.
pub(super) fn write(
    draft: &mut Draft,
    wishes: &Wishes<'_>,
    order: (&str, &str),
    more: impl FnOnce(&mut Draft),
) -> Result<(), Problem> {
    let attributes = wishes.roles.attributes();
    if attributes.is_empty() {
        return Err(no_attribute(wishes));
    }
    draft.section("[source]");
    draft.key(
        "type",
        &text("file"),
        "people from a table: text, a workbook, JSON",
    );
    file(draft, wishes);
    draft.key("order", &text(order.0), order.1);
    more(draft);
    draft.section("[source.attributes]");
    draft.comment("What people are grouped by. `values = { \"1\" = \"women\" }` renames cells.");
    for attribute in &attributes {
        let column = &wishes.sheet.columns[attribute.column];
        draft.key(
            &key(&name(column)),
            &described(attribute, column),
            &counts(column),
        );
    }
    Ok(())
}

/// Writes which file it is, how it is laid out, who is named in which column, and who is kept.
pub(super) fn file(draft: &mut Draft, wishes: &Wishes<'_>) {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    draft.key(
        "path",
        &text(wishes.people),
        "the file, looked for next to this config",
    );
    layout(draft, wishes);
    match roles.id() {
        Some(id) => draft.key(
            "id",
            &text(&sheet.columns[id].name),
            "the column that names people",
        ),
        None => {
            draft.assume("no column names people, so they are called by the numbers of their rows")
        }
    }
    if !wishes.filters.is_empty() {
        let filters = wishes.filters.iter().map(String::as_str);
        draft.key(
            "where",
            &list(filters),
            "the rows that are kept; `klero init` says why it leaves out the others",
        );
        draft.assume(format!(
            "`where` leaves rows out; {} people are kept, and all numbers here are theirs",
            sheet.people
        ));
    }
}

/// The name of an attribute: that of its column.
pub(super) fn name(column: &Column) -> String {
    column.name.trim().to_owned()
}

/// The attribute in words of a config, by the name that it has there.
pub(super) fn described(attribute: &AttributeColumn, column: &Column) -> String {
    let mut entries = vec![("column".to_owned(), text(&column.name))];
    if !attribute.bands.is_empty() {
        entries.push(("bands".into(), bands(&attribute.bands)));
    }
    table(entries)
}

/// Ranges of numbers as a TOML table.
pub(super) fn bands(bands: &ColumnBands) -> String {
    let range = |(name, from, below): &(String, f64, f64)| {
        let range = format!("[{}, {}]", number(*from), number(*below));
        (name.clone(), range)
    };
    table(bands.iter().map(range))
}

/// Returns the counts of people by value, or the range of the numbers, as a comment.
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
    let header = match &wishes.sheet.layout {
        TableLayout::Records => return,
        TableLayout::Csv { delimiter, header } => {
            if *delimiter != b',' {
                let delimiter = text(&char::from(*delimiter).to_string());
                draft.key("delimiter", &delimiter, "between the columns");
            }
            header
        }
        TableLayout::Workbook { sheet, header } => {
            draft.key("sheet", &text(sheet), "the sheet of the workbook");
            header
        }
    };
    if !header {
        let names = wishes.sheet.columns.iter().map(|column| &*column.name);
        draft.key(
            "columns",
            &list(names),
            "the file has no header: names for its columns, in order",
        );
        draft.assume("the first row is a person, and columns are called by their numbers");
    }
}

fn no_attribute(wishes: &Wishes<'_>) -> Problem {
    let columns = wishes.sheet.columns.iter().take(20);
    let names: Vec<&str> = columns.map(|column| &*column.name).collect();
    let what = "no column groups people: none has 2 to 16 different values in several rows each";
    let help = format!(
        "add a column like gender or region, or name one: --columns NAME=attribute; the columns are {}",
        names.join(", ")
    );
    Problem::of_file(&wishes.sheet.path, what).help(help)
}
