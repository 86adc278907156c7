//! `type = "file"`: people from a file.

use std::sync::Arc;

use super::feed;
use super::kind::{SourceForm, SourceKind};
use super::linear_groups::slate_of_each;
use crate::catalog::param::{Param, Shape, TEXTS};
use crate::compare::GroupScores;
use crate::config::applicants;
use crate::config::attributes::attributes_of;
use crate::config::context::{Built, Context};
use crate::config::contexts::{self, Made};
use crate::config::keys::people::{
    ABOUT, ATTRIBUTES, DELIMITER, FEATURES, ID, ORDER, PATH, SCORE, STANDARDISE, UTILITY, WHERE,
};
use crate::config::layout::{codec, filters};
use crate::config::located::{find, load};
use crate::config::plan::{Merits, World};
use crate::config::target::Wanted;
use crate::document::{Field, Reader};
use crate::policy::committee::feasibility::Supply;
use crate::protocol::{Attribute, Fact, Known, Law, Schema, ScoreLaw};
use crate::score::Utilities;
use crate::source::table::{NumberColumns, Table, TableSpec};
use crate::source::{Order, RowStream, Rows, Sizes, SourceMaker};

/// `order`, before the file has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderWord {
    File,
    Shuffled,
    Resampled,
}

const FILE: &[Param] = &[
    PATH,
    ABOUT,
    Param::new("follow", Shape::Flag, "read on as the file grows (live)").or("false"),
    Param::new(
        "header",
        Shape::Flag,
        "whether the first line names the columns",
    ),
    Param::new("columns", TEXTS, "the columns of a file without a header"),
    DELIMITER,
    WHERE,
    ORDER,
    Param::new(
        "resample_by",
        Shape::Text,
        "the column of weights to draw by",
    ),
    Param::new("weight", Shape::Text, "the column of weights of the shares"),
    ID,
    ATTRIBUTES,
    FEATURES,
    Param::new(
        "reward",
        Shape::Table(&[Param::new("column", Shape::Text, "").needed(), STANDARDISE]),
        "the column that merits are fitted to",
    ),
    UTILITY,
    SCORE,
    Param::new(
        "reviews",
        Shape::OneOf(&[
            TEXTS,
            Shape::Table(&[
                Param::new("path", Shape::Text, "").needed(),
                Param::new("applicant", Shape::Text, ""),
                Param::new("score", Shape::Text, ""),
            ]),
        ]),
        "what reviewers said: columns, or a file",
    ),
    Param::new("one_per_group", Shape::Flag, "one of each group a round"),
];

/// The keys of a file that is read on as it grows.
const FOLLOWED: &[Param] = &[
    Param::new("follow", Shape::True, "read on as the file grows").needed(),
    PATH,
];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "file",
    about: "people from a CSV or NDJSON file: in its order, shuffled, or resampled; with utility, score and reviews where they have such; with follow = true, as it grows (live)",
    forms: &[SourceForm::Own(FILE), SourceForm::Feed(FOLLOWED)],
    can_be_pooled: true,
    read: people,
};

/// The people of a file.
fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let follow = table.get("follow");
    // Which other keys there may be depends on it.
    if follow.is_given() && follow.flag()? {
        return feed::tail(table, context);
    }
    let path = table.need("path", "path = \"people.csv\"");
    let about = table.get("about").text();
    let codec = codec(&mut table, path.text());
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
    if by_given && context.pool.is_some() {
        by.refuse(
            "a pool is offered as many of each group, each of a group as likely",
            "leave out resample_by, or [pool]",
        );
    }
    let weight = table.get("weight");
    let (weight_given, weight) = (weight.is_given(), weight.text().map(str::to_owned));
    let id_field = table.get("id");
    let (id_given, id) = (id_field.is_given(), id_field.text().map(str::to_owned));
    let example = "[source.attributes] with sex = { column = \"SEX\", values = { \"1\" = \"male\", \"2\" = \"female\" } }";
    let attributes = table.need("attributes", example);
    let described = attributes.clone();
    let attributes = attributes.table().and_then(attributes_of);
    let (features, reward) = (table.get("features"), table.get("reward"));
    let applicants = applicants::read(&mut table, &reward, &id_field, context);
    let wishes = contexts::read(&features, &reward, &table.get("utility"));
    let each = table.get("one_per_group");
    let (each_given, one_of_each) = (each.is_given(), each.flag());
    table.finish();
    let each = each_given.then_some(&each);
    let each = each.filter(|_| one_of_each != Some(false));
    if let Some(each) = each
        && context.pool.is_some()
    {
        each.refuse(
            "a pool decides how many of each group apply",
            "leave out one_per_group, or [pool]",
        );
    }
    if let (Some(each), Some(order)) = (each, order)
        && (order != OrderWord::Resampled || by_given)
    {
        each.refuse(
            "one of each group is drawn anew in every round, each of the group as likely",
            "set order = \"resampled\" without resample_by, or leave out one_per_group",
        );
    }
    let ranked = wishes.iter().flatten().find_map(|wishes| wishes.ranked());
    let group = attributes
        .as_ref()
        .and_then(|attributes| contexts::group(&features, ranked.or(each), attributes));
    let found = find(&path, about, context.folder)?;
    let order = order?;
    if (by_given && by_column.is_none())
        || (weight_given && weight.is_none())
        || (id_given && id.is_none())
        || (each_given && one_of_each.is_none())
    {
        return None;
    }
    let (wishes, group) = (wishes?, group?);
    let mut spec = TableSpec {
        path: found,
        codec: codec?,
        filters: filters?,
        id,
        attributes: attributes?,
        weight: weight.clone(),
        unique: context
            .unique
            .map_or_else(Vec::new, |unique| unique.columns.clone()),
        numbers: wishes
            .as_ref()
            .map(|wishes| wishes.columns.clone())
            .unwrap_or_default(),
    };
    applicants.ask(&mut spec.numbers);
    let people = load(&spec, &path, &described);
    let fits = wishes.as_ref().map(|wishes| wishes.fits(&spec, context));
    let people = people?;
    // Read though they may be wrong, so that the file's own faults are reported with theirs.
    let records = applicants.records(&people);
    let resampled = match by_column {
        None => None,
        Some(column) if weight.as_ref() == Some(&column) => Some(people.clone()),
        Some(column) => {
            spec.weight = Some(column);
            spec.numbers = NumberColumns::default();
            Some(load(&spec, &path, &described)?)
        }
    };
    let mut order = order_of(order, resampled.as_ref(), &by)?;
    if let (Some(each), Some(group)) = (each, group) {
        let rows = one_of_each_of(&people, group, each);
        let sized = slate_of_each(people.attributes()[group].1.len(), each, context);
        order = Order::OnePerGroup(Arc::new(sized.and(rows)?));
    }
    let made = match (wishes, fits) {
        (Some(wishes), Some(fits)) => {
            let weights = resampled.as_ref().and_then(Table::weights);
            Some(wishes.make(&people, &fits?, group, weights)?)
        }
        _ => None,
    };
    let (records, notes) = records?;
    let details = PeopleDetails {
        contexts: made.map(|made| (made, group)),
        records,
        notes,
    };
    finish(people, order, resampled.as_ref(), details, &path, context)
}

/// The rows of each group, all of which must have some.
fn one_of_each_of(people: &Table, group: usize, field: &Field<'_>) -> Option<Vec<Vec<u32>>> {
    let (name, values) = &people.attributes()[group];
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); values.len()];
    for row in 0..people.len() {
        rows[usize::from(people.values(row)[group])].push(row as u32);
    }
    let empty = values.iter().zip(&rows).filter(|(_, rows)| rows.is_empty());
    for (value, _) in empty {
        field.refuse(
            format!("nobody of the rows kept is {name} = {value}, and every round needs one of each group"),
            format!("take {value} out of the attribute {name}, or loosen `where`"),
        );
    }
    rows.iter().all(|rows| !rows.is_empty()).then_some(rows)
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

/// What a config says of people apart from their attributes.
#[derive(Default)]
pub(super) struct PeopleDetails {
    /// Their contexts, and which attribute makes the groups.
    contexts: Option<(Made, Option<usize>)>,
    /// What reviewers said of each; empty where nothing was recorded.
    records: Vec<Vec<f64>>,
    /// Notes on them.
    notes: Vec<String>,
}

/// A world of these people; `field`: the file's.
pub(super) fn finish(
    people: Table,
    order: Order,
    by_weights: Option<&Table>,
    details: PeopleDetails,
    field: &Field<'_>,
    context: &Context<'_>,
) -> Option<Built> {
    let attributes = people.attributes().iter().map(|(name, values)| Attribute {
        name: name.clone(),
        values: values.clone(),
    });
    let (made, group) = details.contexts.unzip();
    let group = group.flatten();
    let features = made.iter().flat_map(|made| made.design.names()).cloned();
    let scored = !people.numbers().scores().is_empty();
    let schema = match Schema::new(attributes.collect(), features.collect(), scored) {
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
    let pooled = context.pool.and_then(|pool| {
        let names = schema.attributes().iter().map(|one| one.name.as_str());
        pool.groups(&names.collect::<Vec<_>>(), group)
    });
    let known = Known {
        // A pool decides who applies. Without replacement the shares drift as people are used up.
        law: match order {
            _ if pooled.is_some() => Fact::Unknown,
            Order::File | Order::Shuffled => Fact::Fitted(law),
            Order::Resampled | Order::Weighted(_) => Fact::Exact(law),
            Order::OnePerGroup(_) => Fact::Unknown,
        },
        group,
        scores: match pooled {
            Some(at) if scored => Fact::Fitted(score_laws(&people, at)),
            _ => Fact::Unknown,
        },
        ..Known::default()
    };
    let weighted = people.weights().map(|_| people.shares(true));
    let mut notes = vec![format!(
        "{}: {} of {} rows kept",
        field.text().unwrap_or_default(),
        people.len(),
        people.rows_read()
    )];
    notes.extend(unnamed(&people, field));
    notes.extend(households(&people));
    notes.extend(details.notes);
    // Only quotas ask who there are.
    let asked = context.wanted.and_then(Wanted::categories);
    let values = (0..people.len()).map(|row| people.values(row));
    let supply = asked.map(|_| Supply::people(values, people.households()));
    let mut merits = people.numbers().utilities().to_vec();
    let mut rows = Rows::new(Arc::clone(&schema), people);
    let mut truth = None;
    if let Some(made) = made {
        notes.extend(made.notes);
        if merits.is_empty() {
            merits = made.merits;
        }
        truth = made.truth;
        rows = rows.with_contexts(made.design);
    }
    let reviewed = !details.records.is_empty();
    let worth = match merits.is_empty() {
        true => Merits::None,
        false => Merits::known(Utilities::new(merits.clone(), !order.is_finite())),
    };
    let rows = Arc::new(rows.with_merits(merits).with_records(details.records));
    let each = pooled.map_or(1, |at| schema.attributes()[at].values.len());
    let order = match (pooled, order) {
        (Some(at), Order::Resampled) => {
            Order::OnePerGroup(Arc::new(one_of_each_of(rows.table(), at, field)?))
        }
        (_, order) => order,
    };
    let roster = match &order {
        // A pool's rosters are `each` times the size of its rounds.
        Order::File | Order::Shuffled => u32::try_from((rows.table().len() / each).max(1)).ok(),
        Order::OnePerGroup(groups) if pooled.is_none() => Some(groups.len() as u32),
        Order::Resampled | Order::Weighted(_) | Order::OnePerGroup(_) => None,
    };
    let sizes = context.slate.sizes(roster)?;
    let worth = match (worth, &sizes) {
        (Merits::Known(all), Sizes::Constant(slate)) if pooled.is_none() => {
            Merits::Known(all.in_slates(Some(*slate)))
        }
        (worth, _) => worth,
    };
    let people = order.is_finite().then_some(rows.table().len() as u64);
    let source: SourceMaker = Arc::new(move |key| {
        let (rows, order) = (Arc::clone(&rows), order.clone());
        Box::new(RowStream::new(rows, order, key, sizes.clone(), each))
    });
    Some(Built {
        world: World {
            fixed,
            people,
            merits: worth,
            records: reviewed,
            truth,
            ..World::new(schema, known, source)
        },
        weighted,
        supply,
        notes,
        sound: true,
    })
}

/// The normal laws of the scores of each group; of nobody all are 0.
fn score_laws(people: &Table, attribute: usize) -> Vec<ScoreLaw> {
    let mut parts = vec![Vec::new(); people.attributes()[attribute].1.len()];
    for (row, score) in people.numbers().scores().iter().enumerate() {
        parts[usize::from(people.values(row)[attribute])].push(*score);
    }
    let law = |scores: &Vec<f64>| {
        let of = (!scores.is_empty()).then(|| GroupScores::of(scores));
        of.map_or(ScoreLaw::of_variance(0.0, 0.0), |of| {
            ScoreLaw::of_variance(of.mean, of.variance)
        })
    };
    parts.iter().map(law).collect()
}

/// Why the ids of a file name no one, where it has some.
fn unnamed(people: &Table, field: &Field<'_>) -> Option<String> {
    let (why, path) = (people.unnamed()?, field.text().unwrap_or_default());
    Some(format!(
        "{path}: {why}: people are named by the numbers of their rows; set `id` to name them by another column"
    ))
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
