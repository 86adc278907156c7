//! The role of each column of a file, why it has it, and how to say otherwise.

use super::classes::{attribute_bands, class, is_id, is_place, thirds};
use super::column::Column;
use super::names::{IDS, NAMES, OUTCOMES, SCORES, ends_with, plain};
use super::outcome::OutcomeForm;
use super::role::{Attribute, ColumnRole, Misfit, NamedRole, Role};
use super::sheet::Sheet;
use crate::problem::{Problem, Problems};
use crate::record::cell::shown;
use crate::source::organisers::Categories;

/// Attributes that a config has at first: more make rare types that no target can be set for.
const MOST_ATTRIBUTES: usize = 6;

/// Columns that are listed in one sentence.
const LISTED: usize = 20;

/// Features that a config has at first.
const MOST_FEATURES: usize = 20;

/// What the columns of a sheet are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// Of each column its role.
    pub columns: Vec<ColumnRole>,
    /// Which outcomes are good, where a column holds outcomes.
    pub outcomes: Option<OutcomeForm>,
}

impl Roles {
    /// The roles that the user names, and those that names and cells suggest for the others.
    /// `quotas`: where there are any, they say what people are grouped by.
    ///
    /// # Errors
    /// Roles that the cells of a column do not fit; all of them.
    pub fn guess(
        sheet: &Sheet,
        named: &[NamedRole],
        quotas: Option<&Categories>,
    ) -> Result<Self, Problems> {
        let mut guess = Guess {
            sheet,
            of: vec![None; sheet.columns.len()],
            outcomes: None,
        };
        guess.take_named(named, quotas)?;
        guess.take_quotas(quotas);
        guess.take_id();
        if quotas.is_none() {
            guess.take_outcome();
            guess.take_score();
        }
        guess.take_rest(quotas.is_some());
        if quotas.is_none() {
            guess.limit();
        }
        let columns = guess
            .of
            .into_iter()
            .map(|of| of.unwrap_or_else(|| ColumnRole::new(Role::Out, "")));
        Ok(Self {
            columns: columns.collect(),
            outcomes: guess.outcomes,
        })
    }

    fn all(&self, role: Role) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter(move |(_, of)| of.role == role)
            .map(|(at, _)| at)
    }

    /// The column that names people.
    #[must_use]
    pub fn id(&self) -> Option<usize> {
        self.all(Role::Id).next()
    }

    /// The column that says what became of people.
    #[must_use]
    pub fn outcome(&self) -> Option<usize> {
        self.all(Role::Outcome).next()
    }

    /// The column of a score.
    #[must_use]
    pub fn score(&self) -> Option<usize> {
        self.all(Role::Score).next()
    }

    /// Columns of numbers that say something of a person.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        self.all(Role::Number).collect()
    }

    /// The columns that are alike for people of one household.
    #[must_use]
    pub fn household(&self) -> Vec<usize> {
        self.all(Role::Household).collect()
    }

    /// What people are grouped by.
    #[must_use]
    pub fn attributes(&self) -> Vec<Attribute> {
        let columns = self.columns.iter().enumerate();
        let groups = columns.filter(|(_, of)| of.role == Role::Attribute || !of.bands.is_empty());
        let attribute = |(column, of): (usize, &ColumnRole)| Attribute {
            column,
            bands: of.bands.clone(),
        };
        groups.map(attribute).collect()
    }

    /// A sentence on the columns that no run reads; none where all are read.
    pub(super) fn unread(&self, sheet: &Sheet) -> Option<String> {
        let is_unread = |role: Role| matches!(role, Role::Out | Role::Contact | Role::Counter);
        let columns = sheet.columns.iter().zip(&self.columns).enumerate();
        let names = columns.filter(|(_, (_, of))| is_unread(of.role));
        let mut names: Vec<String> = names
            .map(|(at, (column, _))| called(&column.name, at))
            .collect();
        let more = names.len().saturating_sub(LISTED);
        names.truncate(LISTED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        (!names.is_empty()).then(|| format!("not read: {}{more}", names.join(", ")))
    }

    /// Leaves out attributes of which all people who are kept have one value; a sentence each.
    pub fn drop_alike(&mut self, kept: &Sheet) -> Vec<String> {
        let mut said = Vec::new();
        for Attribute { column, bands } in self.attributes() {
            let of = &kept.columns[column];
            if bands.is_empty() && of.different < 2 {
                said.push(format!(
                    "all who are kept have one `{}`, so it groups no one",
                    of.name
                ));
                self.columns[column] = ColumnRole::new(Role::Out, "one value is left");
            }
        }
        said
    }

    /// A line a column: its role, why, and how to say otherwise.
    #[must_use]
    pub fn lines(&self, sheet: &Sheet, with_quotas: bool) -> Vec<String> {
        let columns = sheet.columns.iter().zip(&self.columns).enumerate();
        let line = |(at, (column, of)): (usize, (&Column, &ColumnRole))| {
            let ColumnRole {
                role, why, bands, ..
            } = of;
            let word = match role {
                Role::Attribute if !bands.is_empty() => "attribute in bands".to_owned(),
                Role::Out => "left out".to_owned(),
                role if !bands.is_empty() => format!("{} and attribute in bands", role.word()),
                role => role.word().to_owned(),
            };
            let other = otherwise(column, of, with_quotas);
            format!("column {}: {word}, {why}{other}", called(&column.name, at))
        };
        columns.map(line).collect()
    }
}

/// A column as a message names it.
pub(super) fn called(name: &str, at: usize) -> String {
    match name {
        "" => format!("{} (without a name)", at + 1),
        name => format!("`{name}`"),
    }
}

/// How a column gets another role; empty where it can have none.
fn otherwise(column: &Column, of: &ColumnRole, with_quotas: bool) -> String {
    let is_of_numbers = column.numbers().is_some();
    let other = match of.role {
        _ if column.name.is_empty() || column.filled() == 0 => return String::new(),
        Role::Attribute if with_quotas => return " (otherwise: remove it from the quotas)".into(),
        Role::Out | Role::Contact if with_quotas => "household",
        Role::Id => return " (otherwise: --id COLUMN)".into(),
        Role::Attribute if is_of_numbers => "number",
        Role::Attribute | Role::Household | Role::Outcome | Role::Score => "out",
        Role::Number => "attribute",
        Role::Contact | Role::Counter => "id",
        Role::Out if column.categories().is_some() || is_of_numbers => "attribute",
        Role::Out => "id",
    };
    let is_plain = |c: char| c.is_alphanumeric() || "_-.=".contains(c);
    let option = in_quotes(&format!("{}={other}", column.name), is_plain);
    format!(" (otherwise: --columns {option})")
}

/// A word as a shell takes it.
fn in_quotes(word: &str, is_plain: impl Fn(char) -> bool) -> String {
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The roles while they are dealt out.
struct Guess<'a> {
    sheet: &'a Sheet,
    of: Vec<Option<ColumnRole>>,
    outcomes: Option<OutcomeForm>,
}

impl Guess<'_> {
    fn column(&self, at: usize) -> &Column {
        &self.sheet.columns[at]
    }

    fn free(&self) -> Vec<usize> {
        (0..self.of.len())
            .filter(|at| self.of[*at].is_none())
            .collect()
    }

    fn has(&self, role: Role) -> bool {
        self.of.iter().flatten().any(|of| of.role == role)
    }

    /// Deals out the roles that the user names.
    fn take_named(
        &mut self,
        named: &[NamedRole],
        quotas: Option<&Categories>,
    ) -> Result<(), Problems> {
        let mut problems = Problems::default();
        for NamedRole {
            column: at,
            role,
            option,
            good,
        } in named
        {
            let column = self.column(*at);
            let mut of = ColumnRole::said(*role, format!("as {option} says"));
            let fits = match role {
                Role::Id => fits_id(column),
                Role::Attribute if quotas.is_none() => {
                    attribute_bands(column).map(|bands| of.bands = bands)
                }
                Role::Number | Role::Score => fits_numbers(column, self.sheet, *at),
                Role::Outcome => OutcomeForm::of(column, good).map(|form| {
                    self.outcomes = Some(form);
                }),
                _ => Ok(()),
            };
            if let Err((what, help)) = fits {
                let problem = Problem::of_request(format!("{option}: {what}"));
                problems.push(problem.help(help));
            }
            self.of[*at] = Some(of);
        }
        problems.or(())
    }

    /// What the quotas name groups people.
    fn take_quotas(&mut self, quotas: Option<&Categories>) {
        for category in quotas.into_iter().flat_map(Categories::attributes) {
            let Some(at) = self.sheet.column(&category.name) else {
                continue;
            };
            if self.of[at].is_none() {
                let mut of = ColumnRole::said(Role::Attribute, "the quotas name it");
                of.bands = super::bands::of_quotas(self.column(at), category).unwrap_or_default();
                if !of.bands.is_empty() {
                    of.why = "the quotas name ranges of its numbers".into();
                }
                self.of[at] = Some(of);
            }
        }
    }

    /// The column that names people: by its name, the surest first; else one of names that differ
    /// in each row.
    fn take_id(&mut self) {
        if self.has(Role::Id) {
            return;
        }
        let free = self.free();
        let of_name = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| {
                free.iter()
                    .copied()
                    .find(|at| plain(&self.column(*at).name) == *name)
            });
            found.find(|at| is_id(self.sheet, *at, true))
        };
        let ends = |word: &str| {
            let mut free = free.iter().copied();
            free.find(|at| {
                ends_with(&plain(&self.column(*at).name), word) && is_id(self.sheet, *at, true)
            })
        };
        let by_name = of_name(IDS[0])
            .or_else(|| ends("id"))
            .or_else(|| of_name(IDS[1]))
            .or_else(|| {
                ["nr", "nummer", "number", "no", "numero"]
                    .into_iter()
                    .find_map(ends)
            });
        let by_cells = || {
            free.iter()
                .copied()
                .find(|at| is_id(self.sheet, *at, false))
        };
        let (at, why) = match by_name {
            Some(at) => (at, "by its name"),
            None => match by_cells().or_else(|| of_name(NAMES)) {
                Some(at) => (at, "its cells differ from row to row"),
                None => return,
            },
        };
        self.of[at] = Some(ColumnRole::new(Role::Id, why));
    }

    fn take_outcome(&mut self) {
        if self.has(Role::Outcome) {
            return;
        }
        for name in OUTCOMES {
            let mut free = self.free().into_iter();
            let Some(at) = free.find(|at| plain(&self.column(*at).name) == *name) else {
                continue;
            };
            match OutcomeForm::of(self.column(at), &[]) {
                Ok(form) => {
                    let why = match self.column(at).unknown.is_empty() {
                        true => "by its name".to_owned(),
                        false => "by its name; cells that say nothing are outcomes that never come"
                            .into(),
                    };
                    self.of[at] = Some(ColumnRole::new(Role::Outcome, why));
                    self.outcomes = Some(form);
                    return;
                }
                // Two values may be an outcome, and more are a group.
                Err(_) if self.column(at).different != 2 => {}
                Err((what, help)) => {
                    let why = format!("its name is that of an outcome, but {what}: {help}");
                    self.of[at] = Some(ColumnRole::new(Role::Out, why));
                }
            }
        }
    }

    fn take_score(&mut self) {
        if self.has(Role::Score) {
            return;
        }
        let free = self.free();
        let mut found = SCORES.iter().filter_map(|name| {
            free.iter()
                .copied()
                .find(|at| plain(&self.column(*at).name) == *name)
        });
        let is_of_numbers = |at: &usize| self.column(*at).steps().len() > 2;
        if let Some(at) = found.find(is_of_numbers) {
            self.of[at] = Some(ColumnRole::new(Role::Score, "by its name"));
        }
    }

    /// The roles of columns that have none yet, one by one.
    fn take_rest(&mut self, with_quotas: bool) {
        let has_id = self.has(Role::Id);
        for at in self.free() {
            let of = class(self.sheet, at, has_id);
            self.of[at] = Some(match of.role {
                Role::Attribute | Role::Number if with_quotas => {
                    ColumnRole::new(Role::Out, "the quotas do not name it")
                }
                _ => of,
            });
        }
        self.join_household();
    }

    /// Places go with an address: a household is of one street in one place. Without one, numbers
    /// of places are no numbers.
    fn join_household(&mut self) {
        let has_household = self.has(Role::Household);
        for at in 0..self.of.len() {
            let name = plain(&self.column(at).name);
            let role = self.of[at]
                .as_ref()
                .filter(|of| !of.is_said)
                .map(|of| of.role);
            let of = match role {
                Some(Role::Attribute | Role::Number | Role::Out)
                    if has_household && is_place(&name) =>
                {
                    ColumnRole::new(Role::Household, "by its name: it goes with the address")
                }
                Some(Role::Number) if is_place(&name) => {
                    ColumnRole::new(Role::Out, "by its name: its numbers are names of places")
                }
                _ => continue,
            };
            self.of[at] = Some(of);
        }
    }

    fn of_role(&self, role: Role) -> Vec<usize> {
        let is_of = |at: &usize| {
            self.of[*at]
                .as_ref()
                .is_some_and(|of| of.role == role && !of.is_said)
        };
        (0..self.of.len()).filter(is_of).collect()
    }

    /// Leaves out attributes and features beyond the most, unless the user names them; numbers in
    /// bands group people where nothing else does.
    fn limit(&mut self) {
        for (role, most) in [
            (Role::Attribute, MOST_ATTRIBUTES),
            (Role::Number, MOST_FEATURES),
        ] {
            for at in self.of_role(role).into_iter().skip(most) {
                let why = match role {
                    Role::Attribute => {
                        format!("a first config has {most} attributes: more make rare types")
                    }
                    _ => format!("a first config has {most} features"),
                };
                self.of[at] = Some(ColumnRole::new(Role::Out, why));
            }
        }
        if self.has(Role::Attribute) {
            return;
        }
        let candidates = [Role::Number, Role::Score]
            .into_iter()
            .flat_map(|role| self.of_role(role));
        let mut banded = candidates.filter_map(|at| Some((at, thirds(self.column(at))?)));
        if let Some((at, bands)) = banded.next()
            && let Some(of) = &mut self.of[at]
        {
            of.why += "; nothing else groups people, so thirds of it do";
            of.bands = bands;
        }
    }
}

/// Whether a column can name people: what is wrong and what to do where it can't.
fn fits_id(column: &Column) -> Result<(), Misfit> {
    if column.filled() == 0 {
        let what = format!("no cell of `{}` holds anything", column.name);
        return Err((what, "name a column that differs for each person".into()));
    }
    if column.different * 2 < column.filled() {
        let (name, different, filled) = (&column.name, column.different, column.filled());
        let what =
            format!("`{name}` has {different} different cells in {filled} rows, and names no one");
        return Err((what, "name a column that differs for each person".into()));
    }
    Ok(())
}

/// Whether a column is one of numbers.
fn fits_numbers(column: &Column, sheet: &Sheet, at: usize) -> Result<(), Misfit> {
    if column.numbers().is_some() {
        return Ok(());
    }
    let name = &column.name;
    let Some((row, cell)) = sheet.first_word(at) else {
        let what = format!("no cell of `{name}` holds a number");
        return Err((what, "name a column of numbers".into()));
    };
    let what = format!("{} in line {row} of `{name}` is not a number", shown(cell));
    Err((what, "correct the cell, or name a column of numbers".into()))
}
