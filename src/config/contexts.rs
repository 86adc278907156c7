//! `[source.features]` and `[source.reward]`: people of a file as contexts, and what they are worth.

use std::sync::Arc;

use super::located::{find, load};
use super::reader::Reader;
use super::world::Context;
use super::{Field, Value, nearest};
use crate::protocol::GroupTruth;
use crate::source::table::{AttributeSpec, NumberColumns, Table, TableSpec};
use crate::source::{Design, EmpiricalCdf, LinearReward, Scale};

/// What the config asks for, before a file has been read.
pub(super) struct Contexts<'a> {
    features: Field<'a>,
    reward: Option<(Field<'a>, Standard<'a>)>,
    constant: bool,
    pub(super) columns: NumberColumns,
    standard: Standard<'a>,
}

/// By whose mean and sd numbers are standardised.
#[derive(Clone)]
enum Standard<'a> {
    No,
    /// The kept rows'.
    Own,
    /// The kept rows' of another file.
    Other(Field<'a>),
}

/// The tables by whose rows contexts and rewards are standardised, where they are not the people's own.
pub(super) struct Fits {
    features: Option<Table>,
    reward: Option<Table>,
}

/// The people's contexts and what they are worth.
pub(super) struct Made {
    pub(super) design: Design,
    /// A number a row, or none at all.
    pub(super) merits: Vec<f64>,
    pub(super) truth: Option<GroupTruth>,
    pub(super) notes: Vec<String>,
}

/// Reads both sections; the inner `None`: the config asks for no contexts.
pub(super) fn read<'a>(features: &Field<'a>, reward: &Field<'a>) -> Option<Option<Contexts<'a>>> {
    let read_reward = reward.table().and_then(read_reward);
    if !features.is_given() {
        if reward.is_given() {
            reward.refuse(
                "a reward without contexts: it is fitted to the features, and there are none",
                "add [source.features], for example with numeric = [\"AGEP\"]",
            );
            return None;
        }
        return Some(None);
    }
    let mut table = features.table()?;
    let constant = table.get("constant");
    let (constant_given, constant) = (constant.is_given(), constant.flag());
    let (numeric_field, one_hot_field) = (table.get("numeric"), table.get("one_hot"));
    let mut known = Vec::new();
    let numeric = columns(&numeric_field, &mut known);
    let one_hot = columns(&one_hot_field, &mut known);
    let standard = standard(&table.get("standardise"));
    let missing = table.get("missing");
    let (missing_given, missing) = (missing.is_given(), missing.finite());
    table.get("group").text();
    table.finish();
    let column = read_reward.as_ref().map(|(column, _)| column.as_str());
    let mut leaks = false;
    for field in [numeric_field, one_hot_field] {
        for member in field.members().unwrap_or_default() {
            if column.is_some() && member.value().and_then(text_of) == column {
                member.refuse(
                    "the reward's own column is among the features: it would tell the reward",
                    "leave it out, or take another column for the reward",
                );
                leaks = true;
            }
        }
    }
    let (numeric, one_hot) = (numeric?, one_hot?);
    if numeric.is_empty() && one_hot.is_empty() {
        features.refuse(
            "the features name no column",
            "for example: numeric = [\"AGEP\"], one_hot = [\"SEX\"]",
        );
        return None;
    }
    if (constant_given && constant.is_none())
        || (missing_given && missing.is_none())
        || (reward.is_given() && read_reward.is_none())
        || leaks
    {
        return None;
    }
    let standard = standard?;
    Some(Some(Contexts {
        features: features.clone(),
        constant: constant.unwrap_or(false),
        columns: NumberColumns {
            numeric,
            one_hot,
            missing,
            reward: column.map(str::to_owned),
        },
        standard,
        reward: read_reward.map(|(_, standard)| (reward.clone(), standard)),
    }))
}

fn read_reward(mut table: Reader<'_>) -> Option<(String, Standard<'_>)> {
    let column = table.need("column", "column = \"PINCP\"").text();
    let standard = standard(&table.get("standardise"));
    table.finish();
    Some((column?.to_owned(), standard?))
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Names of columns, each once and none of those `known` already, to which they are added.
fn columns<'a>(field: &Field<'a>, known: &mut Vec<&'a str>) -> Option<Vec<String>> {
    if !field.is_given() {
        return Some(Vec::new());
    }
    field.each(|member| {
        let column = member.text()?;
        if known.contains(&column) {
            member.refuse(
                format!("the column {column} is among the features twice"),
                "name each column once",
            );
            return None;
        }
        known.push(column);
        Some(column.to_owned())
    })
}

fn standard<'a>(field: &Field<'a>) -> Option<Standard<'a>> {
    match field.value() {
        None | Some(Value::Flag(false)) => Some(Standard::No),
        Some(Value::Flag(true)) => Some(Standard::Own),
        Some(Value::Table(_)) => {
            let (_, file) = field.form(&[], &["fit"])?;
            file.text().map(|_| Standard::Other(file))
        }
        Some(_) => field.expected("true, false or { fit = \"other-year.csv\" }"),
    }
}

/// The attribute whose values are the groups, by its place: the one that `[source.features]` names, or the only one.
/// That neither says so is noted where someone needs it. The inner `None`: no one needs it.
pub(super) fn group(
    features: &Field<'_>,
    needed: Option<&Field<'_>>,
    attributes: &[AttributeSpec],
) -> Option<Option<usize>> {
    let names = || attributes.iter().map(|attribute| attribute.name.as_str());
    let list = names().collect::<Vec<_>>().join(", ");
    let field = features.is_given().then(|| features.table()).flatten();
    let field = field.map(|mut table| table.get("group"));
    if let Some(field) = field.filter(Field::is_given) {
        let name = field.text()?;
        let found = names().position(|known| known == name);
        if found.is_none() {
            let what = format!("there is no attribute `{name}` that could make the groups");
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`? The attributes are {list}"),
                None => format!("the attributes are {list}"),
            };
            field.refuse(what, help);
        }
        return found.map(Some);
    }
    match (attributes, needed) {
        ([_], _) => Some(Some(0)),
        (_, None) => Some(None),
        (_, Some(who)) => {
            who.refuse(
                "nothing says which of the attributes makes the groups",
                format!("name it in [source.features]: group = one of {list}"),
            );
            None
        }
    }
}

impl Contexts<'_> {
    /// The tables of other files that numbers are standardised by; `spec`: how the people's own file is read.
    pub(super) fn fits(&self, spec: &TableSpec, context: &Context<'_>) -> Option<Fits> {
        let NumberColumns {
            reward, missing, ..
        } = &self.columns;
        let features = NumberColumns {
            reward: None,
            ..self.columns.clone()
        };
        let rewards = NumberColumns {
            reward: reward.clone(),
            missing: *missing,
            ..NumberColumns::default()
        };
        let standard = self.reward.as_ref().map(|(_, standard)| standard);
        let features = other(Some(&self.standard), features, spec, context);
        let reward = other(standard, rewards, spec, context);
        Some(Fits {
            features: features?,
            reward: reward?,
        })
    }

    /// The contexts of these people; `weights`: how likely each row is drawn, where not all are as likely.
    pub(super) fn make(
        &self,
        people: &Table,
        fits: &Fits,
        group: Option<usize>,
        weights: Option<&[f64]>,
    ) -> Option<Made> {
        let fit = match self.standard {
            Standard::No => None,
            Standard::Own => Some(people),
            Standard::Other(_) => fits.features.as_ref(),
        };
        let design = Design::new(&self.columns, people, self.constant, fit);
        let design = told(design, &self.features)?;
        let mut made = Made {
            notes: notes(&self.columns, people, &design),
            design,
            merits: Vec::new(),
            truth: None,
        };
        let Some((field, standard)) = &self.reward else {
            return Some(made);
        };
        let column = self.columns.reward.as_deref().unwrap_or_default();
        let scale = |table: &Table| Scale::of(column, table.numbers().rewards().iter().copied());
        let scale = match (standard, &fits.reward) {
            (Standard::No, _) => Scale::NONE,
            (Standard::Other(_), Some(other)) => told(scale(other), field)?,
            (Standard::Own | Standard::Other(_), _) => told(scale(people), field)?,
        };
        let fit = told(LinearReward::fit(people, &made.design, scale), field)?;
        made.notes.push(sentence(&fit, column, &made.design));
        made.truth = group.map(|group| truth(people, &fit.merits, group, weights));
        made.merits = fit.merits;
        Some(made)
    }

    /// Who needs to know the groups.
    pub(super) fn ranked(&self) -> Option<&Field<'_>> {
        self.reward.as_ref().map(|_| &self.features)
    }
}

/// The other table, where there is one; the outer `None`: it can't be read.
fn other(
    standard: Option<&Standard<'_>>,
    numbers: NumberColumns,
    spec: &TableSpec,
    context: &Context<'_>,
) -> Option<Option<Table>> {
    let Some(Standard::Other(field)) = standard else {
        return Some(None);
    };
    let spec = TableSpec {
        path: find(field, None, context.folder)?,
        layout: spec.layout.clone(),
        filters: spec.filters.clone(),
        id: None,
        attributes: Vec::new(),
        weight: None,
        unique: Vec::new(),
        numbers,
    };
    load(&spec, field).map(Some)
}

/// What was made, or nothing after noting why not.
fn told<T>(made: Result<T, crate::source::BadContexts>, field: &Field<'_>) -> Option<T> {
    made.map_err(|error| field.refuse(error.to_string(), "give the column in greater units"))
        .ok()
}

/// F_g: the share of all kept rows of group g, or of their weight, that are worth no more.
fn truth(people: &Table, merits: &[f64], group: usize, weights: Option<&[f64]>) -> GroupTruth {
    let groups = people.attributes()[group].1.len();
    let mut samples: Vec<Vec<(f64, f64)>> = vec![Vec::new(); groups];
    for (row, merit) in merits.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        samples[usize::from(people.values(row)[group])].push((*merit, weight));
    }
    let cdfs = samples.into_iter().map(|sample| match weights {
        Some(_) => EmpiricalCdf::weighted(sample),
        None => EmpiricalCdf::new(sample.into_iter().map(|(merit, _)| merit).collect()),
    });
    let cdfs: Vec<EmpiricalCdf> = cdfs.collect();
    GroupTruth {
        attribute: group,
        cdf: Arc::new(move |group: usize, merit: f64| cdfs[group].cdf(merit)),
    }
}

fn notes(columns: &NumberColumns, people: &Table, design: &Design) -> Vec<String> {
    let mut notes = Vec::new();
    let filled = columns.numeric.iter().zip(people.numbers().filled());
    let filled = filled.filter(|(_, rows)| **rows > 0);
    let filled: Vec<_> = filled.map(|(c, rows)| format!("`{c}` in {rows}")).collect();
    if let (Some(missing), false) = (columns.missing, filled.is_empty()) {
        let filled = filled.join(", ");
        notes.push(format!(
            "{missing} stands for the cells that are no number: {filled} rows"
        ));
    }
    if !design.flat().is_empty() {
        let flat = design.flat().join(", ");
        notes.push(format!("features that do not vary, and are 0: {flat}"));
    }
    notes
}

/// What is to be said of a fit.
fn sentence(fit: &LinearReward, column: &str, design: &Design) -> String {
    let (rows, features) = (fit.merits.len(), design.names().len());
    let squared = match fit.r_squared {
        None => "no R^2, since it does not vary".to_owned(),
        Some(squared) if rows <= features => {
            format!("R^2 = {squared:.5}, which says nothing of so few rows")
        }
        Some(squared) => format!("R^2 = {squared:.5}"),
    };
    format!(
        "mu by least squares of `{column}` on {features} features over {rows} rows: {squared}; |mu| = {:.5}; the reward is mu.x as fitted, \
         no noise of the real `{column}`",
        fit.norm()
    )
}
