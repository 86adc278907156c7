//! The contexts and rewards of a config, built from the people of a file.

use std::sync::Arc;

use super::super::context::Context;
use super::super::located::{find, load};
use super::{Contexts, Standard};
use crate::document::Field;
use kleroterion_core::protocol::GroupTruth;
use kleroterion_core::source::EmpiricalCdf;
use kleroterion_io::people::table::{NumberColumns, PeopleTable, TableSpec};
use kleroterion_io::people::{BadContexts, ContextScale, Design, LinearReward};

/// The tables by whose rows contexts and rewards are standardised, where they are not the people's
/// own.
pub(in crate::config) struct Fits {
    features: Option<Arc<PeopleTable>>,
    reward: Option<Arc<PeopleTable>>,
}

/// The people's contexts and what they are worth.
pub(in crate::config) struct Made {
    pub(in crate::config) design: Design,
    /// A number a row, or none at all.
    pub(in crate::config) merits: Vec<f64>,
    pub(in crate::config) truth: Option<GroupTruth>,
    pub(in crate::config) notes: Vec<String>,
}

impl Contexts<'_> {
    /// The tables of other files that numbers are standardised by; `spec`: how the people's own
    /// file is read.
    pub(in crate::config) fn fits(&self, spec: &TableSpec, context: &Context<'_>) -> Option<Fits> {
        let NumberColumns {
            reward, missing, ..
        } = &self.columns;
        let standard = self.reward.as_ref().map(|(_, standard)| standard);
        if let (Standard::Other(one), Some(Standard::Other(two))) = (&self.standard, standard)
            && one.text() == two.text()
        {
            let both = other(Some(&self.standard), self.columns.clone(), spec, context)?;
            return Some(Fits {
                features: both.clone(),
                reward: both,
            });
        }
        let features = NumberColumns {
            reward: None,
            ..self.columns.clone()
        };
        let rewards = NumberColumns {
            reward: reward.clone(),
            missing: *missing,
            ..NumberColumns::default()
        };
        let features = other(Some(&self.standard), features, spec, context);
        let reward = other(standard, rewards, spec, context);
        Some(Fits {
            features: features?,
            reward: reward?,
        })
    }

    /// The contexts of these people; `weights`: how likely each row is drawn, where not all are as
    /// likely.
    pub(in crate::config) fn make(
        &self,
        people: &PeopleTable,
        fits: &Fits,
        group: Option<usize>,
        weights: Option<&[f64]>,
    ) -> Option<Made> {
        let fit = match self.standard {
            Standard::No => None,
            Standard::Own => Some(people),
            Standard::Other(_) => fits.features.as_deref(),
        };
        let design = Design::new(&self.columns, people, self.constant, fit);
        let design = sound(design, &self.features)?;
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
        let scale =
            |table: &PeopleTable| ContextScale::of(column, table.numbers.rewards.iter().copied());
        let scale = match (standard, &fits.reward) {
            (Standard::No, _) => ContextScale::NONE,
            (Standard::Other(_), Some(other)) => sound(scale(other), field)?,
            (Standard::Own | Standard::Other(_), _) => sound(scale(people), field)?,
        };
        let fit = sound(LinearReward::fit(people, &made.design, scale), field)?;
        made.notes.push(sentence(&fit, column, &made.design));
        if let Some(group) = group {
            made.notes.extend(empty_groups(people, group));
            made.truth = Some(truth(people, &fit.merits, group, weights));
        }
        made.merits = fit.merits;
        Some(made)
    }
}

/// The other table, where there is one; the outer `None`: it can't be read.
fn other(
    standard: Option<&Standard<'_>>,
    numbers: NumberColumns,
    spec: &TableSpec,
    context: &Context<'_>,
) -> Option<Option<Arc<PeopleTable>>> {
    let Some(Standard::Other(field)) = standard else {
        return Some(None);
    };
    let found = find(field, None, context.inputs)?;
    let spec = TableSpec {
        how: found.how(spec.how.clone()),
        path: found.path,
        columns: spec.columns.clone(),
        filters: spec.filters.clone(),
        id: None,
        attributes: Vec::new(),
        weight: None,
        unique: Vec::new(),
        numbers,
    };
    load(&spec, field, field).map(|table| Some(Arc::new(table)))
}

/// Returns the built value, or notes the problem and returns `None`.
fn sound<T>(made: Result<T, BadContexts>, field: &Field<'_>) -> Option<T> {
    field.sound(made, "give the column in greater units")
}

/// F_g: the share of all kept rows of group g, or of their weight, that are worth no more.
fn truth(
    people: &PeopleTable,
    merits: &[f64],
    group: usize,
    weights: Option<&[f64]>,
) -> GroupTruth {
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

/// The groups that have no row.
fn empty_groups(people: &PeopleTable, group: usize) -> Option<String> {
    let (name, values) = &people.attributes()[group];
    let shares = people.shares(false);
    let empty = values.iter().zip(&shares[group]);
    let empty = empty.filter(|(_, share)| **share == 0.0);
    let empty: Vec<_> = empty.map(|(value, _)| value.as_str()).collect();
    let what = format!(
        "nobody of the rows kept is of {name} = {}",
        empty.join(", ")
    );
    (!empty.is_empty()).then_some(what)
}

fn notes(columns: &NumberColumns, people: &PeopleTable, design: &Design) -> Vec<String> {
    let mut notes = Vec::new();
    let filled = columns.numeric.iter().zip(&people.numbers.filled);
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

/// Returns the sentence that describes a fit.
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
