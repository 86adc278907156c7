//! The merit setting: one of several is chosen each round, and its outcome is observed.

use super::people;
use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, list, table, text};
use crate::init::outcome::OutcomeForm;
use kleroterion_core::problem::Problem;

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    let (outcome, form) = outcome(wishes)?;
    draft.key("replications", "150", "how often the stream is drawn anew");
    let order = (
        "resampled",
        "each round draws anew from all people of the file",
    );
    people::write(draft, wishes, order, |_| {})?;
    let group = people::name(&wishes.sheet.columns[wishes.roles.attributes()[0].column]);
    draft.section("[source.features]");
    features(draft, wishes);
    draft.key("standardise", "true", "to mean 0 and standard deviation 1");
    missing(draft, wishes);
    grouped(draft, &group);
    outcomes(draft, outcome, form);
    let (fair, bound) = match form {
        OutcomeForm::More => ("impact_ratio", ">= 0.8"),
        _ => ("true_positive_rate_gap", "<= 0.1"),
    };
    let values = [
        ("judge", list(["outcome_mean", fair])),
        ("bound", table([(fair.to_owned(), text(bound))])),
        ("direction", text(direction(form))),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, &**value));
    draft.rest(include_str!("../template/merit.toml"), &values);
    draft.assume("ten people come at once and one is chosen, whose recorded outcome is learnt");
    Ok(())
}

/// The column of outcomes, and which are good.
///
/// # Errors
/// Where no column has any.
pub(super) fn outcome<'w>(wishes: &Wishes<'w>) -> Result<(&'w Column, &'w OutcomeForm), Problem> {
    let found = wishes.roles.outcome().zip(wishes.roles.outcomes.as_ref());
    found.map(|(at, form)| (&wishes.sheet.columns[at], form)).ok_or_else(|| {
        let what = "no column says what became of people";
        let help = "name it: --outcome COLUMN, or --outcome COLUMN=GOOD where its cells are words or codes";
        Problem::of_file(&wishes.sheet.path, what).help(help)
    })
}

/// The better side of the mean outcome.
fn direction(form: &OutcomeForm) -> &'static str {
    match form {
        OutcomeForm::Zeros => "lower",
        OutcomeForm::Ones | OutcomeForm::More | OutcomeForm::Cells { .. } => "higher",
    }
}

/// Returns the condition for good outcomes, as a config writes it.
pub(super) fn good(form: &OutcomeForm) -> Option<&'static str> {
    match form {
        OutcomeForm::Zeros => Some("<= 0"),
        OutcomeForm::Ones | OutcomeForm::Cells { .. } => Some(">= 1"),
        OutcomeForm::More => None,
    }
}

/// Writes where outcomes come from, and which are good.
fn outcomes(draft: &mut Draft, column: &Column, form: &OutcomeForm) {
    let name = &column.name;
    draft.section("[feedback.outcome]");
    draft.key(
        "type",
        &text("recorded"),
        "the outcome of the chosen is that of their record",
    );
    draft.key("column", &text(name), "what became of people");
    if let OutcomeForm::Cells { good, bad } = form {
        let numbers = [(good, "1"), (bad, "0")];
        let values = numbers.iter().flat_map(|(cells, number)| {
            cells
                .iter()
                .map(|cell| (cell.clone(), (*number).to_owned()))
        });
        draft.key("values", &table(values), "the file's cell = the outcome");
        draft.assume(format!("{name} is good where it is {}", good.join(" or ")));
    }
    if !column.unknown.is_empty() {
        let cells = column.unknown.iter().map(String::as_str);
        draft.key(
            "missing",
            &list(cells),
            "cells that say nothing, as blank ones do",
        );
    }
    match good(form) {
        Some(good) => {
            draft.key("good", &text(good), "which outcomes are good");
            if !matches!(form, OutcomeForm::Cells { .. }) {
                draft.assume(format!("{name} {good} is a good outcome"));
            }
        }
        None => draft.assume(format!("the more {name} the better")),
    }
    let unknown = column
        .cells
        .iter()
        .filter(|cell| column.unknown.contains(*cell))
        .count();
    let without = column.blank + unknown;
    if without > 0 {
        draft.assume(format!(
            "{without} people have no {name}: choosing one of them teaches nothing"
        ));
    }
}

/// Writes the features of people: numbers, and the values of attributes that are no bands.
pub(super) fn features(draft: &mut Draft, wishes: &Wishes<'_>) {
    let name = |at: usize| &*wishes.sheet.columns[at].name;
    draft.key("constant", "true", "a feature that is 1");
    draft.key(
        "numeric",
        &list(numbers(wishes).iter().map(|at| name(*at))),
        "columns of numbers",
    );
    let attributes = wishes.roles.attributes();
    let hot = attributes
        .iter()
        .filter(|attribute| attribute.bands.is_empty());
    let hot: Vec<&str> = hot.map(|attribute| name(attribute.column)).collect();
    draft.key(
        "one_hot",
        &list(hot),
        "columns of which each value is a feature",
    );
}

/// The columns of numbers, the score among them.
pub(super) fn numbers(wishes: &Wishes<'_>) -> Vec<usize> {
    wishes
        .roles
        .numbers()
        .into_iter()
        .chain(wishes.roles.score())
        .collect()
}

/// Writes the number that takes the place of one that is not there, where some is not.
pub(super) fn missing(draft: &mut Draft, wishes: &Wishes<'_>) {
    let lacks = |at: &usize| {
        let column = &wishes.sheet.columns[*at];
        column.blank > 0 || !column.unknown.is_empty()
    };
    let names = numbers(wishes).into_iter().filter(lacks);
    let names: Vec<&str> = names.map(|at| &*wishes.sheet.columns[at].name).collect();
    if !names.is_empty() {
        draft.key(
            "missing",
            "0",
            "the number that takes a missing one's place",
        );
        draft.assume(format!(
            "people without {} count as 0 there",
            names.join(" or ")
        ));
    }
}

/// Writes the attribute that makes the groups.
pub(super) fn grouped(draft: &mut Draft, group: &str) {
    draft.key(
        "group",
        &text(group),
        "the attribute that makes the groups: merit is a rank within one's own",
    );
    draft.assume(format!(
        "groups are those of {group}; of the rest, one is as good as another"
    ));
}
