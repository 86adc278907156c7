//! `type = "file"`: people from a file.

use std::sync::Arc;

use super::located::{find, load};
use super::plan::World;
use super::target::Wanted;
use super::world::{Built, Context};
use super::{Field, Reader};
use crate::policy::committee::feasibility::Supply;
use crate::protocol::{Attribute, Fact, Known, Law, Schema};
use crate::source::table::{AttributeSpec, Filter, Layout, Levels, Table, TableSpec};
use crate::source::{Order, RowStream, Rows, SourceMaker};

/// `order`, before the file has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderWord {
    File,
    Shuffled,
    Resampled,
}

/// The people of a file.
pub(super) fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let path = table.need("path", "path = \"people.csv\"");
    let about = table.get("about").text();
    let layout = layout(&mut table, path.text());
    let filters = filters(&table.get("where"));
    let order = order(&mut table, OrderWord::File);
    let by = table.get("resample_by");
    let (by_given, by_column) = (by.is_given(), by.text().map(str::to_owned));
    if by_given && order.is_some_and(|order| order != OrderWord::Resampled) {
        by.refuse(
            "resample_by without resampling",
            "set order = \"resampled\", or drop resample_by",
        );
    }
    let weight = table.get("weight");
    let (weight_given, weight) = (weight.is_given(), weight.text().map(str::to_owned));
    let id = table.get("id");
    let (id_given, id) = (id.is_given(), id.text().map(str::to_owned));
    let example = "[source.attributes] with sex = { column = \"SEX\", values = { \"1\" = \"male\", \"2\" = \"female\" } }";
    let attributes = table.need("attributes", example);
    let attributes = attributes.table().and_then(attributes_of);
    table.finish();
    let found = find(&path, about, context.folder)?;
    let order = order?;
    if (by_given && by_column.is_none())
        || (weight_given && weight.is_none())
        || (id_given && id.is_none())
    {
        return None;
    }
    let mut spec = TableSpec {
        path: found,
        layout: layout?,
        filters: filters?,
        id,
        attributes: attributes?,
        weight: weight.clone(),
        unique: context
            .unique
            .map_or_else(Vec::new, |unique| unique.columns.clone()),
    };
    let people = load(&spec, &path)?;
    let resampled = match by_column {
        None => None,
        Some(column) if weight.as_ref() == Some(&column) => Some(people.clone()),
        Some(column) => {
            spec.weight = Some(column);
            Some(load(&spec, &path)?)
        }
    };
    let order = order_of(order, resampled.as_ref(), &by)?;
    finish(people, order, resampled.as_ref(), &path, context)
}

/// `order`, or a default.
pub(super) fn order(table: &mut Reader<'_>, default: OrderWord) -> Option<OrderWord> {
    let field = table.get("order");
    if !field.is_given() {
        return Some(default);
    }
    field.choice(&[
        ("file", OrderWord::File),
        ("shuffled", OrderWord::Shuffled),
        ("resampled", OrderWord::Resampled),
    ])
}

pub(super) fn order_of(word: OrderWord, by: Option<&Table>, field: &Field<'_>) -> Option<Order> {
    match (word, by.and_then(Table::weights)) {
        (OrderWord::File, _) => Some(Order::File),
        (OrderWord::Shuffled, _) => Some(Order::Shuffled),
        (OrderWord::Resampled, None) => Some(Order::Resampled),
        (OrderWord::Resampled, Some(weights)) => match Order::weighted(weights) {
            Ok(order) => Some(order),
            Err(error) => {
                field.refuse(
                    format!("nobody can be drawn: {error}"),
                    "choose a column of positive weights",
                );
                None
            }
        },
    }
}

/// A world of these people; `field`: the file's.
pub(super) fn finish(
    people: Table,
    order: Order,
    by_weights: Option<&Table>,
    field: &Field<'_>,
    context: &Context<'_>,
) -> Option<Built> {
    let attributes = people.attributes().iter().map(|(name, values)| Attribute {
        name: name.clone(),
        values: values.clone(),
    });
    let schema = match Schema::new(attributes.collect(), vec![], false) {
        Ok(schema) => Arc::new(schema),
        Err(error) => {
            field.refuse(error.to_string(), "merge rare values, or drop an attribute");
            return None;
        }
    };
    let joint = by_weights.map_or_else(|| people.joint(false), |by| by.joint(true));
    let law = Arc::new(Law::Cells(
        joint.into_iter().filter(|(_, p)| *p > 0.0).collect(),
    ));
    let fixed = matches!(order, Order::File);
    let known = Known {
        // Without replacement the shares drift as people are used up.
        law: if order.is_finite() {
            Fact::Fitted(law)
        } else {
            Fact::Exact(law)
        },
        group: None,
    };
    let weighted = people.weights().map(|_| people.shares(true));
    let mut notes = vec![format!(
        "{}: {} of {} rows kept",
        field.text().unwrap_or_default(),
        people.len(),
        people.rows_read()
    )];
    notes.extend(households(&people));
    // Only quotas ask who there are.
    let asked = context.wanted.and_then(Wanted::categories);
    let values = (0..people.len()).map(|row| people.values(row));
    let supply = asked.map(|_| Supply::people(values, people.households()));
    let rows = Arc::new(Rows::new(Arc::clone(&schema), people));
    let slate = context.slate;
    let source: SourceMaker =
        Arc::new(move |key| Box::new(RowStream::new(Arc::clone(&rows), order.clone(), key, slate)));
    Some(Built {
        world: World {
            schema,
            known,
            source,
            fixed,
            volunteering_rate: None,
            truth: None,
        },
        weighted,
        supply,
        notes,
    })
}

/// What is to be known of the households, where they matter.
fn households(people: &Table) -> Option<String> {
    let (households, blank) = people.household_counts()?;
    let mut note = format!(
        "at most one of each of {households} households is accepted; what is known of the law is that of all rows"
    );
    if blank > 0 {
        note += &format!(" ({blank} rows that name no household count as one each)");
    }
    Some(note)
}

fn layout(table: &mut Reader<'_>, path: Option<&str>) -> Option<Layout> {
    let header = table.get("header");
    let (header_given, header) = (header.is_given(), header.flag());
    let columns = table.get("columns");
    let (columns_given, columns_read) = (columns.is_given(), columns.texts());
    let delimiter = table.get("delimiter");
    let (delimiter_given, delimiter) = (delimiter.is_given(), delimiter_of(&delimiter));
    if path.is_some_and(|path| path.ends_with(".ndjson") || path.ends_with(".jsonl")) {
        for (given, key) in [
            (header_given, "header"),
            (columns_given, "columns"),
            (delimiter_given, "delimiter"),
        ] {
            if given {
                table.get(key).refuse(
                    format!("`{key}` is for CSV files; this one is NDJSON"),
                    "leave it out",
                );
            }
        }
        return Some(Layout::Ndjson);
    }
    let header = if header_given {
        header?
    } else {
        !columns_given
    };
    if header && columns_given {
        columns.refuse(
            "a file with a header needs no `columns`",
            "set header = false, or leave `columns` out",
        );
        return None;
    }
    if !header && !columns_given {
        table.refuse(
            "a file without a header needs the names of its columns",
            "for example: columns = [\"age\", \"workclass\"]",
        );
        return None;
    }
    Some(Layout::Csv {
        header,
        columns: if columns_given { columns_read? } else { vec![] },
        delimiter: if delimiter_given { delimiter? } else { b',' },
    })
}

fn delimiter_of(field: &Field<'_>) -> Option<u8> {
    match field.text()?.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Some(*byte),
        _ => {
            field.refuse(
                "a delimiter is one ASCII character",
                "for example: delimiter = \"\\t\"",
            );
            None
        }
    }
}

fn filters(field: &Field<'_>) -> Option<Vec<Filter>> {
    if !field.is_given() {
        return Some(Vec::new());
    }
    field.each(|member| {
        let text = member.text()?;
        match Filter::parse(text) {
            Ok(filter) => Some(filter),
            Err(error) => {
                let what = format!("{} at character {} of {text:?}", error.what, error.at + 1);
                member.refuse(what, error.help);
                None
            }
        }
    })
}

fn attributes_of(mut table: Reader<'_>) -> Option<Vec<AttributeSpec>> {
    let rest = table.rest();
    if rest.is_empty() {
        table.refuse(
            "no attribute is named",
            "for example: sex = { column = \"SEX\" }",
        );
        return None;
    }
    let read: Vec<_> = rest
        .iter()
        .map(|(key, field)| {
            let mut table = field.table()?;
            let column = table.need("column", "column = \"SEX\"").text();
            let levels = levels(&mut table);
            table.finish();
            Some(AttributeSpec {
                name: key.name.clone(),
                column: column?.to_owned(),
                levels: levels?,
            })
        })
        .collect();
    read.into_iter().collect()
}

fn levels(table: &mut Reader<'_>) -> Option<Levels> {
    let (values, bands) = (table.get("values"), table.get("bands"));
    let made = match (values.is_given(), bands.is_given()) {
        (false, false) => return Some(Levels::Distinct),
        (true, true) => {
            bands.refuse("values and bands can't both be given", "keep one of them");
            return None;
        }
        (true, false) => {
            let pairs = values.pairs(|value| value.text().map(str::to_owned))?;
            Levels::values(pairs)
        }
        (false, true) => {
            let pairs = bands.pairs(|band| {
                let ends = band.each(Field::number)?;
                let [from, to] = ends[..] else {
                    return band.expected("two numbers, [from, to)");
                };
                Some((from, to))
            })?;
            Levels::bands(
                pairs
                    .into_iter()
                    .map(|(name, (from, to))| (name, from, to))
                    .collect(),
            )
        }
    };
    match made {
        Ok(levels) => Some(levels),
        Err(errors) => {
            let field = if values.is_given() { values } else { bands };
            for error in errors {
                field.refuse(error.what, error.help);
            }
            None
        }
    }
}
