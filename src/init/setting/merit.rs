//! One of several chosen each round, whose outcome is learnt.

use super::people;
use super::wishes::Wishes;
use crate::init::draft::{Draft, list, text};
use crate::init::roles::Roles;
use crate::init::sheet::{Sheet, problem};
use crate::problem::Problem;

/// The column of the outcome where it is a number.
pub(super) fn outcome(sheet: &Sheet, roles: &Roles) -> Option<usize> {
    let is_number = |at: &usize| {
        let column = &sheet.columns[*at];
        column.numbers().is_some() || column.is_zero_or_one()
    };
    roles.outcome.filter(is_number)
}

pub(super) fn write(draft: &mut Draft, wishes: &Wishes<'_>) -> Result<(), Problem> {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    let Some(outcome) = outcome(sheet, roles) else {
        let what = "no column says by a number what became of people";
        let help = "name it: --outcome COLUMN (0 and 1, or any number)";
        return Err(problem(&sheet.path, what).help(help));
    };
    let name = |at: usize| &*sheet.columns[at].name;
    draft.key("replications", "50", "how often the stream is drawn anew");
    let order = (
        "resampled",
        "each round draws anew from all people of the file",
    );
    people::write(draft, wishes, order, |_| {})?;
    let group = people::name(&sheet.columns[roles.attributes[0].column]);
    features(draft, wishes, &group);
    let template = include_str!("../template/merit.toml");
    draft.rest(template, &[("outcome", &text(name(outcome)))]);
    draft.assume(format!(
        "groups are those of {group}; of the rest, one is as good as another"
    ));
    draft.assume("ten people come at once and one is chosen; outcomes are a linear fit and noise");
    Ok(())
}

/// Writes the features of people, and the attribute that makes their groups.
fn features(draft: &mut Draft, wishes: &Wishes<'_>, group: &str) {
    let (sheet, roles) = (wishes.sheet, wishes.roles);
    let name = |at: usize| &*sheet.columns[at].name;
    let numbers: Vec<usize> = roles.numbers.iter().copied().chain(roles.score).collect();
    draft.section("[source.features]");
    draft.key("constant", "true", "a feature that is 1");
    draft.key(
        "numeric",
        &list(numbers.iter().map(|at| name(*at))),
        "columns of numbers",
    );
    let hot = roles
        .attributes
        .iter()
        .filter(|attribute| attribute.bands.is_empty());
    let hot: Vec<&str> = hot.map(|attribute| name(attribute.column)).collect();
    draft.key(
        "one_hot",
        &list(hot),
        "columns of which each value is a feature",
    );
    draft.key("standardise", "true", "to mean 0 and standard deviation 1");
    if numbers.iter().any(|at| sheet.columns[*at].blank > 0) {
        draft.key("missing", "0", "the number that takes a blank cell's place");
        draft.assume("blank numbers count as 0");
    }
    draft.key(
        "group",
        &text(group),
        "the attribute that makes the groups: merit is a rank within one's own",
    );
}
