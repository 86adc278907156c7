//! The assignment of roles to columns. Those that the user and the quotas name come first.

use super::classes::{attribute_bands, class, is_id, may_be_id, thirds};
use super::column::Column;
use super::names::{
    CONTACT_WORDS, CONTACTS, COUNTERS, HOUSE_NUMBERS, IDS, KNOWN_BEFORE, NAMES, OUTCOMES, PLACES,
    SCORES, STREETS, ends_with, is_of_address, plain, same,
};
use super::outcome::OutcomeForm;
use super::role::{ColumnBands, ColumnRole, GuessedRole, Misfit, NamedRole};
use super::sheet::InitFile;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::people::organisers::{Categories, Category};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::interval;
use kleroterion_io::record::words::Words;

/// Attributes that a config has at first: more make rare types that no target can be set for.
const ATTRIBUTES: usize = 6;

/// Features that a config has at first.
const FEATURES: usize = 20;

/// The role of each column, and which outcomes are good, where a column holds outcomes.
///
/// # Errors
/// Roles that the cells of a column do not fit; all of them.
pub(super) fn guess(
    sheet: &InitFile,
    named: &[NamedRole],
    quotas: Option<&Categories>,
) -> Result<(Vec<ColumnRole>, Option<OutcomeForm>), Problems> {
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
        guess.leave_other_outcomes();
        guess.take_score();
    }
    guess.take_rest(quotas.is_some());
    if quotas.is_none() {
        guess.limit();
    }
    let out = |of: Option<ColumnRole>| of.unwrap_or_else(|| ColumnRole::new(GuessedRole::Out, ""));
    let columns = guess.of.into_iter().map(out);
    Ok((columns.collect(), guess.outcomes))
}

/// The roles while they are dealt out.
struct Guess<'a> {
    sheet: &'a InitFile,
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

    /// The free columns of these names, in the order of the names.
    fn called(&self, names: Words) -> Vec<usize> {
        let free = self.free();
        let of_name = |name: &str| {
            let mut free = free.iter().copied();
            free.find(|at| plain(&self.column(*at).name) == name)
        };
        names.iter().filter_map(of_name).collect()
    }

    fn has(&self, role: GuessedRole) -> bool {
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
                GuessedRole::Id => fits_id(column),
                GuessedRole::AttributeColumn if quotas.is_none() => {
                    attribute_bands(column).map(|bands| of.bands = bands)
                }
                GuessedRole::Number | GuessedRole::Score => fits_numbers(column, self.sheet, *at),
                GuessedRole::Outcome => OutcomeForm::of(column, good).map(|form| {
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

    /// Gives the role of an attribute to the columns that the quotas name.
    fn take_quotas(&mut self, quotas: Option<&Categories>) {
        for category in quotas.into_iter().flat_map(Categories::attributes) {
            let Some(at) = self.sheet.column(&category.name) else {
                continue;
            };
            if self.of[at].is_none() {
                let mut of = ColumnRole::said(GuessedRole::AttributeColumn, "the quotas name it");
                of.bands = bands_of_quotas(self.column(at), category).unwrap_or_default();
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
        if self.has(GuessedRole::Id) {
            return;
        }
        let free = self.free();
        let is_named = |at: &usize| is_id(self.sheet, *at, true);
        let of_name = |names| self.called(names).into_iter().find(is_named);
        let name = |at: &usize| plain(&self.column(*at).name);
        let ends = |word: &str| {
            let mut free = free.iter().copied();
            free.find(|at| ends_with(&name(at), word) && is_named(at))
        };
        // A number of a list that counts its rows comes after other numbers.
        let is_own = |at: &usize| is_named(at) && !self.sheet.counts_rows(*at);
        let own = || {
            let mut called = self.called(IDS[1]).into_iter();
            let mut free = free.iter().copied();
            called.find(is_own).or_else(|| {
                free.find(|at| {
                    (ends_with_number(&name(at)) || is_compound_id(&name(at))) && is_own(at)
                })
            })
        };
        let by_name = of_name(IDS[0])
            .or_else(|| ends("id"))
            .or_else(own)
            .or_else(|| of_name(IDS[1]))
            .or_else(|| NUMBERS.iter().find_map(ends))
            .or_else(|| {
                let mut called = self.called(IDS[0]).into_iter();
                called.find(|at| may_be_id(self.sheet, *at))
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
        self.of[at] = Some(ColumnRole::new(GuessedRole::Id, why));
    }

    fn take_outcome(&mut self) {
        if self.has(GuessedRole::Outcome) {
            return;
        }
        for at in self.called(OUTCOMES) {
            match OutcomeForm::of(self.column(at), &[]) {
                Ok(form) => {
                    let why = match self.column(at).unknown.is_empty() {
                        true => "by its name".to_owned(),
                        false => "by its name; cells that say nothing are outcomes that never come"
                            .into(),
                    };
                    self.of[at] = Some(ColumnRole::new(GuessedRole::Outcome, why));
                    self.outcomes = Some(form);
                    return;
                }
                // Two values may be an outcome, and more are a group.
                Err(_) if self.column(at).different != 2 => {}
                Err((what, help)) => {
                    let why = format!("its name is that of an outcome, but {what}: {help}");
                    self.of[at] = Some(ColumnRole::new(GuessedRole::Out, why));
                }
            }
        }
    }

    /// Leaves out further columns that say what became of people: it is not known when they are
    /// chosen, so nothing may be learnt from it.
    fn leave_other_outcomes(&mut self) {
        let outcome = self.of.iter().position(|of| {
            let role = of.as_ref().map(|of| of.role);
            role == Some(GuessedRole::Outcome)
        });
        let Some(outcome) = outcome else {
            return;
        };
        for at in self.called(OUTCOMES) {
            let column = self.column(at);
            let is_known = KNOWN_BEFORE.has(&plain(&column.name));
            if column.different < 2 || (is_known && column.different > 2) {
                continue;
            }
            let why = format!(
                "its name is that of an outcome, as `{}` is, and what became of people is not known \
                 when they are chosen",
                self.column(outcome).name
            );
            self.of[at] = Some(ColumnRole::new(GuessedRole::Out, why));
        }
    }

    fn take_score(&mut self) {
        if self.has(GuessedRole::Score) {
            return;
        }
        let is_of_numbers = |at: &usize| self.column(*at).steps().len() > 2;
        if let Some(at) = self.called(SCORES).into_iter().find(is_of_numbers) {
            self.of[at] = Some(ColumnRole::new(GuessedRole::Score, "by its name"));
        }
    }

    /// The roles of columns that have none yet, one by one.
    fn take_rest(&mut self, with_quotas: bool) {
        self.take_address();
        let has_id = self.has(GuessedRole::Id);
        for at in self.free() {
            let of = class(self.sheet, at, has_id);
            self.of[at] = Some(match of.role {
                GuessedRole::AttributeColumn | GuessedRole::Number if with_quotas => {
                    ColumnRole::new(GuessedRole::Out, "the quotas do not name it")
                }
                _ => of,
            });
        }
        self.join_household();
    }

    /// A column of streets and one of the numbers of houses are an address.
    fn take_address(&mut self) {
        let free = self.free();
        let name = |at: usize| plain(&self.column(at).name);
        let is_street = |at: &usize| {
            let column = self.column(*at);
            STREETS.has(&name(*at)) && column.different > 1 && !column.has_house_numbers()
        };
        let Some(street) = free.iter().copied().find(is_street) else {
            return;
        };
        // A number next to a street is that of a house.
        let is_number = |at: &usize| {
            let is_next = at.abs_diff(street) == 1 && NUMBERS.has(&name(*at));
            (is_next || HOUSE_NUMBERS.has(&name(*at))) && self.column(*at).different > 1
        };
        let Some(number) = free.iter().copied().find(is_number) else {
            return;
        };
        for at in [street, number] {
            let why = "by its name: a street and the number of a house are an address";
            self.of[at] = Some(ColumnRole::new(GuessedRole::Household, why));
        }
    }

    /// Places go with an address: a household is of one street in one place. Without one, numbers
    /// of places are no numbers.
    fn join_household(&mut self) {
        let goes_along = |name: &str| PLACES.has(name) || HOUSE_NUMBERS.has(name);
        let has_household = self.has(GuessedRole::Household);
        for at in 0..self.of.len() {
            let name = plain(&self.column(at).name);
            let role = self.of[at]
                .as_ref()
                .filter(|of| !of.is_said)
                .map(|of| of.role);
            let of = match role {
                Some(GuessedRole::AttributeColumn | GuessedRole::Number | GuessedRole::Out)
                    if has_household && goes_along(&name) =>
                {
                    ColumnRole::new(
                        GuessedRole::Household,
                        "by its name: it goes with the address",
                    )
                }
                Some(GuessedRole::Number) if goes_along(&name) => ColumnRole::new(
                    GuessedRole::Out,
                    "by its name: its numbers are names of places",
                ),
                _ => continue,
            };
            self.of[at] = Some(of);
        }
    }

    fn of_role(&self, role: GuessedRole) -> Vec<usize> {
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
            (GuessedRole::AttributeColumn, ATTRIBUTES),
            (GuessedRole::Number, FEATURES),
        ] {
            for at in self.of_role(role).into_iter().skip(most) {
                let why = match role {
                    GuessedRole::AttributeColumn => {
                        format!("a first config has {most} attributes: more make rare types")
                    }
                    _ => format!("a first config has {most} features"),
                };
                self.of[at] = Some(ColumnRole::new(GuessedRole::Out, why));
            }
        }
        if self.has(GuessedRole::AttributeColumn) {
            return;
        }
        let candidates = [GuessedRole::Number, GuessedRole::Score]
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

/// Words at the end of a name that is one of a number.
const NUMBERS: Words = Words("nr, nummer, number, no, numero");

fn ends_with_number(name: &str) -> bool {
    NUMBERS.iter().any(|word| ends_with(name, word))
}

/// Returns true if a plain name is a single word for a number that identifies people, for example
/// "losnummer". Words for a house or telephone number do not count.
fn is_compound_id(name: &str) -> bool {
    let is_number = ["nummer", "kennung", "nr"]
        .iter()
        .any(|end| name.ends_with(end));
    let is_other = CONTACT_WORDS.are_in(name)
        || [CONTACTS, COUNTERS].iter().any(|list| list.has(name))
        || is_of_address(name);
    is_number && !name.contains(' ') && !is_other
}

/// Checks that a column can name people.
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

/// Checks that a column holds numbers.
fn fits_numbers(column: &Column, sheet: &InitFile, at: usize) -> Result<(), Misfit> {
    if column.numbers().is_some() {
        return Ok(());
    }
    let name = &column.name;
    let Some((row, cell)) = sheet.first_word(at) else {
        let what = format!("no cell of `{name}` holds a number");
        return Err((what, "name a column of numbers".into()));
    };
    if let Some(what) = sheet.either(at) {
        let help = "write 1.5 or 1500, or separate the columns by semicolons or tabs";
        return Err((format!("in `{name}` {what}"), help.into()));
    }
    let what = format!("{} in line {row} of `{name}` is not a number", shown(cell));
    Err((what, "correct the cell, or name a column of numbers".into()))
}

/// Returns the bands of a column of numbers for a category whose values are all ranges. `None` if a
/// value is not a range, ranges overlap, or the cells are the values themselves.
fn bands_of_quotas(column: &Column, category: &Category) -> Option<ColumnBands> {
    if !column.is_mostly_of_numbers() {
        return None;
    }
    let is_value = |cell: &String| category.values.iter().any(|value| same(&value.name, cell));
    let mut cells = column.cells.iter();
    if cells.all(|cell| cell.is_empty() || is_value(cell)) {
        return None;
    }
    interval::bands(category.values.iter().map(|value| &*value.name))
}
