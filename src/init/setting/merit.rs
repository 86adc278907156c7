//! One of several chosen each round, whose outcome is learnt.

use super::people;
use super::wishes::Wishes;
use crate::init::column::Column;
use crate::init::draft::{Draft, list, table, text};
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
    draft.key("replications", "150", "how often the stream is drawn anew");
    let order = (
        "resampled",
        "each round draws anew from all people of the file",
    );
    people::write(draft, wishes, order, |_| {})?;
    let group = people::name(&sheet.columns[roles.attributes[0].column]);
    features(draft, wishes, &group);
    let column = &sheet.columns[outcome];
    let side = Side::of(column);
    outcomes(draft, column, side);
    let (fair, bound) = match side {
        Side::Ones | Side::Zeros => ("true_positive_rate_gap", "<= 0.1"),
        Side::More => ("impact_ratio", ">= 0.8"),
    };
    let template = include_str!("../template/merit.toml");
    let values = [
        ("judge", list(["outcome_mean", fair])),
        ("bound", table([(fair.to_owned(), text(bound))])),
        ("direction", text(side.direction())),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, &**value));
    draft.rest(template, &values);
    draft.assume(format!(
        "groups are those of {group}; of the rest, one is as good as another"
    ));
    draft.assume("ten people come at once and one is chosen, whose recorded outcome is learnt");
    Ok(())
}

/// Which outcomes are good.
#[derive(Clone, Copy)]
enum Side {
    /// Of zeros and ones the ones.
    Ones,
    /// Of zeros and ones the zeros.
    Zeros,
    /// Of other numbers, the more the better.
    More,
}

impl Side {
    /// Of ones of a column called after defaults the zeros are good.
    fn of(column: &Column) -> Self {
        let is_of_defaults = column.name.to_lowercase().contains("default");
        match (column.is_zero_or_one(), is_of_defaults) {
            (true, true) => Self::Zeros,
            (true, false) => Self::Ones,
            (false, _) => Self::More,
        }
    }

    fn direction(self) -> &'static str {
        match self {
            Self::Zeros => "lower",
            Self::Ones | Self::More => "higher",
        }
    }

    /// Which outcomes are good, in words of a config.
    fn good(self) -> Option<&'static str> {
        match self {
            Self::Zeros => Some("<= 0"),
            Self::Ones => Some(">= 1"),
            Self::More => None,
        }
    }
}

/// Writes where outcomes come from, and which are good.
fn outcomes(draft: &mut Draft, column: &Column, side: Side) {
    let name = &column.name;
    draft.section("[feedback.outcome]");
    draft.key(
        "type",
        &text("recorded"),
        "the outcome of the chosen is that of their record",
    );
    draft.key("column", &text(name), "what became of people");
    if let Some(good) = side.good() {
        draft.key("good", &text(good), "which outcomes are good");
        draft.assume(format!("{name} {good} is a good outcome"));
    } else {
        draft.assume(format!("the more {name} the better"));
    }
    if column.blank > 0 {
        draft.assume(format!(
            "{} people have no {name}: choosing one of them teaches nothing",
            column.blank
        ));
    }
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
