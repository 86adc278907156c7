//! The role of each column of a file, the reason for it, and the option that changes it.

use super::column::Column;
use super::guess::guess;
use super::names::{is_of_address, plain};
use super::outcome::OutcomeForm;
use super::role::{AttributeColumn, ColumnRole, GuessedRole, NamedRole};
use super::sheet::InitFile;
use kleroterion_core::problem::Problems;
use kleroterion_io::people::organisers::Categories;

/// Columns that are listed in one sentence.
const LISTED: usize = 20;

/// The roles of the columns of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roles {
    /// The role of each column.
    pub columns: Vec<ColumnRole>,
    /// The rule for good outcomes, if a column holds outcomes.
    pub outcomes: Option<OutcomeForm>,
}

impl Roles {
    /// Takes the roles that the user names, and guesses the others from names and cells. If there
    /// are `quotas`, they define the attributes.
    ///
    /// # Errors
    /// Roles that the cells of a column do not fit; all of them.
    pub fn guess(
        sheet: &InitFile,
        named: &[NamedRole],
        quotas: Option<&Categories>,
    ) -> Result<Self, Problems> {
        let (columns, outcomes) = guess(sheet, named, quotas)?;
        Ok(Self { columns, outcomes })
    }

    /// The columns of a role.
    pub(super) fn all(&self, role: GuessedRole) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter(move |(_, of)| of.role == role)
            .map(|(at, _)| at)
    }

    /// The column of ids, if there is one.
    #[must_use]
    pub fn id(&self) -> Option<usize> {
        self.all(GuessedRole::Id).next()
    }

    /// The column of outcomes, if there is one.
    #[must_use]
    pub fn outcome(&self) -> Option<usize> {
        self.all(GuessedRole::Outcome).next()
    }

    /// The column of scores, if there is one.
    #[must_use]
    pub fn score(&self) -> Option<usize> {
        self.all(GuessedRole::Score).next()
    }

    /// Returns the columns of numbers that describe a person.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        self.all(GuessedRole::Number).collect()
    }

    /// Returns the columns that are equal for people of one household.
    #[must_use]
    pub fn household(&self) -> Vec<usize> {
        self.all(GuessedRole::Household).collect()
    }

    /// Returns the attributes by which people are grouped.
    #[must_use]
    pub fn attributes(&self) -> Vec<AttributeColumn> {
        let columns = self.columns.iter().enumerate();
        let groups = columns
            .filter(|(_, of)| of.role == GuessedRole::AttributeColumn || !of.bands.is_empty());
        let attribute = |(column, of): (usize, &ColumnRole)| AttributeColumn {
            column,
            bands: of.bands.clone(),
        };
        groups.map(attribute).collect()
    }

    /// A sentence on the columns that no run reads. `None` if all are read.
    pub(super) fn unread(&self, sheet: &InitFile) -> Option<String> {
        let is_unread = |role: GuessedRole| {
            matches!(
                role,
                GuessedRole::Out | GuessedRole::Contact | GuessedRole::Counter
            )
        };
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

    /// Removes attributes with a single value among all people kept, and returns a sentence on
    /// each.
    pub fn drop_alike(&mut self, kept: &InitFile) -> Vec<String> {
        let mut said = Vec::new();
        for AttributeColumn { column, bands } in self.attributes() {
            let of = &kept.columns[column];
            if bands.is_empty() && of.different < 2 {
                said.push(format!(
                    "all who are kept have one `{}`, so it groups no one",
                    of.name
                ));
                self.columns[column] = ColumnRole::new(GuessedRole::Out, "one value is left");
            }
        }
        said
    }

    /// Returns a line for each column: its role, the reason, and the option that changes it.
    #[must_use]
    pub fn lines(&self, sheet: &InitFile, with_quotas: bool) -> Vec<String> {
        let columns = sheet.columns.iter().zip(&self.columns).enumerate();
        let line = |(at, (column, of)): (usize, (&Column, &ColumnRole))| {
            let ColumnRole {
                role, why, bands, ..
            } = of;
            let word = match role {
                GuessedRole::AttributeColumn if !bands.is_empty() => {
                    "attribute in bands".to_owned()
                }
                GuessedRole::Out => "left out".to_owned(),
                role if !bands.is_empty() => format!("{} and attribute in bands", role.word()),
                role => role.word().to_owned(),
            };
            let other = otherwise(column, of, with_quotas);
            let unsure = match role {
                GuessedRole::Number | GuessedRole::Score | GuessedRole::Outcome => sheet.unsure(at),
                _ if !bands.is_empty() => sheet.unsure(at),
                _ => None,
            };
            let unsure = unsure.map_or_else(String::new, |unsure| format!("; {unsure}"));
            let name = called(&column.name, at);
            format!("column {name}: {word}, {why}{unsure}{other}")
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

/// Returns the options that give a column another role. Empty if it can have none.
fn otherwise(column: &Column, of: &ColumnRole, with_quotas: bool) -> String {
    let is_of_numbers = column.numbers().is_some();
    let is_address = is_of_address(&plain(&column.name));
    // Of ten cells eight are no one else's.
    let is_nearly_own = column.different * 10 >= column.filled() * 8;
    let other = match of.role {
        _ if column.name.is_empty() || column.filled() == 0 => return String::new(),
        GuessedRole::AttributeColumn if with_quotas => {
            return " (otherwise: remove it from the quotas)".into();
        }
        GuessedRole::Out | GuessedRole::Contact if with_quotas && is_address => "household",
        GuessedRole::Out | GuessedRole::Contact if with_quotas && is_nearly_own => {
            let option = in_quotes(&column.name, is_plain);
            return format!(" (otherwise: --id {option})");
        }
        GuessedRole::Out if with_quotas => return " (otherwise: name it in the quotas)".into(),
        GuessedRole::Contact if with_quotas => "out",
        GuessedRole::Id => return " (otherwise: --id COLUMN)".into(),
        GuessedRole::AttributeColumn if is_of_numbers => "number",
        GuessedRole::AttributeColumn
        | GuessedRole::Household
        | GuessedRole::Outcome
        | GuessedRole::Score => "out",
        GuessedRole::Number => "attribute",
        GuessedRole::Contact | GuessedRole::Counter => "id",
        GuessedRole::Out if column.categories().is_some() || is_of_numbers => "attribute",
        GuessedRole::Out => "id",
    };
    format!(
        " (otherwise: --columns {})",
        option_of(&[&column.name], other)
    )
}

/// Columns of a role as an option names them.
pub(super) fn option_of(names: &[&str], role: &str) -> String {
    let entries: Vec<String> = names.iter().map(|name| format!("{name}={role}")).collect();
    in_quotes(&entries.join(","), is_plain)
}

/// Returns true if a shell takes a character as it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_-.=,".contains(c)
}

/// A word as a shell takes it.
fn in_quotes(word: &str, is_plain: impl Fn(char) -> bool) -> String {
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
