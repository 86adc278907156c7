//! A file of a lottery over panels, in the forms that tools write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::lists::{NamingColumns, Roster, Unnamed};
use crate::people::table::LoadError;
use crate::people::table::sheet::{Sheet, SheetRow};
use crate::people::table::tally::{At, CellRole, ProblemKind};
use crate::record::cell::shown;
use crate::record::decimal::stated;
use crate::record::file::How;

/// The known names of the column of probabilities.
const PROBABILITY: [&str; 4] = ["probability", "prob", "p", "weight"];
/// The known names of the column that numbers panels.
const PANEL: [&str; 3] = ["panel", "committee", "panel_id"];
/// The name of the column with the policy, in a file with the lotteries of several policies.
const POLICY: &str = "policy";
/// The known names of a column that holds all members of a panel.
const MEMBERS: [&str; 3] = ["members", "ids", "people"];

/// A panel of a lottery file, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPanel {
    /// The line of the panel's first row.
    pub line: u64,
    /// The panel's probability; any number, not checked.
    pub probability: f64,
    /// The names of its members.
    pub members: Vec<String>,
}

/// The columns of a lottery file, and its form.
struct Columns {
    probability: usize,
    panel: Option<usize>,
    form: Form,
}

enum Form {
    /// One row per member, in these columns, each with the panel's probability.
    Long(NamingColumns),
    /// One row per panel, with all members in this column.
    Joined(usize),
    /// One row per panel, with one member in each of these columns.
    Wide(Vec<usize>),
}

/// Reads a lottery: a row a member (`panel,probability,id`), or a row a panel with its probability
/// and its members in columns of their own (also without a header) or in one column `members`,
/// separated by blanks, semicolons or bars. Of a file with the lotteries of several policies, as a
/// run writes it, that of the `policy`. Members are named as the `roster` has them, by id or by
/// code; a name that it has not stays as it is written.
///
/// # Errors
/// All that is wrong with the file: columns that are missing, probabilities that are no numbers or
/// differ within a panel, a code and an id that are two respondents', and whatever keeps the file
/// from being read. Problems say where a name is, and not the name.
pub fn listed_panels(
    path: &Path,
    policy: Option<&str>,
    roster: &Roster,
) -> Result<Vec<ListedPanel>, LoadError> {
    let mut sheet = open(path)?;
    let Some(columns) = Columns::find(&mut sheet, roster) else {
        return Err(sheet.tally.finish().into());
    };
    let all: Vec<usize> = (0..sheet.columns().len()).collect();
    let rows = sheet.rows(&all);
    let rows = of_policy(rows, policy, &mut sheet);
    sheet.note_marks(&rows, columns.probability, columns.probability);
    let panels = match &columns.form {
        Form::Long(member) => {
            let member = member.of_rows(&rows, roster);
            long(&rows, &columns, member, roster, &mut sheet)
        }
        Form::Joined(_) | Form::Wide(_) => {
            let panel = |row: &SheetRow| columns.panel_of(row, roster, &mut sheet);
            rows.iter().filter_map(panel).collect()
        }
    };
    sheet.tally.finish().or(panels).map_err(LoadError::from)
}

/// Opens a file; where its first line begins with a number, it has no header, and each row is a
/// probability and the names of members.
fn open(path: &Path) -> Result<Sheet, LoadError> {
    let sheet = Sheet::open(path, "each panel", &How::default())?;
    let first = sheet.columns().first();
    let is_number = |name: &String| probability(name, sheet.delimiter()).is_ok();
    match first.is_some_and(is_number) {
        true => Sheet::open_as(path, "each panel", &How::default(), false),
        false => Ok(sheet),
    }
}

impl Columns {
    /// Finds the columns of a lottery file. Notes it if probabilities or members are missing.
    fn find(sheet: &mut Sheet, roster: &Roster) -> Option<Self> {
        let of = |sheet: &Sheet, names: &[&str]| names.iter().find_map(|name| sheet.find(name));
        let probability = match of(sheet, &PROBABILITY) {
            Some(column) => column,
            None if sheet.header_line().is_none() => 0,
            None => sheet.need(PROBABILITY[0], "the panels")?,
        };
        let panel = of(sheet, &PANEL);
        if let Some(members) = of(sheet, &MEMBERS) {
            return Some(Self {
                probability,
                panel,
                form: Form::Joined(members),
            });
        }
        let policy = sheet.find(POLICY);
        let is_other = |at: &usize| *at != probability && Some(*at) != panel && Some(*at) != policy;
        let others: Vec<usize> = (0..sheet.columns().len()).filter(is_other).collect();
        let form = match (panel, &others[..]) {
            (Some(_), [member]) => Form::Long(NamingColumns::alone(*member)),
            (_, []) => {
                sheet.need("id", "the members of panels");
                return None;
            }
            (Some(_), _) => match NamingColumns::of(sheet, roster) {
                Some(named) => Form::Long(named),
                None => Form::Wide(others),
            },
            (None, _) => Form::Wide(others),
        };
        Some(Self {
            probability,
            panel,
            form,
        })
    }

    /// The panel of a row of its own.
    fn panel_of(&self, row: &SheetRow, roster: &Roster, sheet: &mut Sheet) -> Option<ListedPanel> {
        let members: Vec<String> = match &self.form {
            Form::Joined(column) => {
                let cell = &row.cells[*column];
                let is_mark = |c: char| matches!(c, ';' | '|' | ',');
                let parted = match cell.contains(is_mark) {
                    true => cell.split(is_mark).map(str::trim).collect::<Vec<_>>(),
                    false => cell.split_whitespace().collect(),
                };
                parted.into_iter().map(str::to_owned).collect()
            }
            Form::Wide(columns) => columns.iter().map(|at| row.cells[*at].clone()).collect(),
            Form::Long(_) => return None,
        };
        Some(ListedPanel {
            line: row.line,
            probability: self.probability(row, sheet)?,
            members: members
                .into_iter()
                .filter(|name| !name.is_empty())
                .inspect(|name| self.note_lost_zeros(name, row, roster, sheet))
                .map(|name| roster.called(name))
                .collect(),
        })
    }

    /// Notes a name that a spreadsheet has taken the zeros at its front from.
    fn note_lost_zeros(&self, name: &str, row: &SheetRow, roster: &Roster, sheet: &mut Sheet) {
        if roster.find(name).is_none() && roster.without_zeros(name).is_some() {
            let kind = ProblemKind::Cell(self.probability, CellRole::Id);
            let explain = || Unnamed::Stranger.explain(name, roster);
            sheet.tally.note(kind, At::line(row.line), explain);
        }
    }

    /// The probability of a row; that it is no number is noted.
    fn probability(&self, row: &SheetRow, sheet: &mut Sheet) -> Option<f64> {
        stated_chance(row, self.probability, "probability", sheet)
    }
}

/// Returns the chance that a row states in a column; that it states none is noted. `called`: the
/// word for it in the note.
pub(super) fn stated_chance(
    row: &SheetRow,
    column: usize,
    called: &str,
    sheet: &mut Sheet,
) -> Option<f64> {
    let cell = row.cells[column].as_str();
    let stated = probability(cell, sheet.delimiter());
    stated
        .map_err(|why| {
            let what = match cell {
                "" => format!("the {called} is blank"),
                _ => format!("the {called} {} {why}", shown(cell)),
            };
            note(row, column, what, "write a number from 0 to 1", sheet);
        })
        .ok()
}

/// Notes what is wrong with a row's cell in a column of probabilities.
pub(super) fn note(row: &SheetRow, column: usize, what: String, help: &str, sheet: &mut Sheet) {
    let at = At::cell(row.line, Some(column as u64 + 1));
    let kind = ProblemKind::Cell(column, CellRole::Number(0));
    sheet.tally.note(kind, at, || (what, help.into()));
}

/// The probability or the chance that a cell states, as a number or as percent; any number.
///
/// # Errors
/// Why it states none, as in "is not a number".
pub(super) fn probability(cell: &str, delimiter: u8) -> Result<f64, String> {
    match cell.strip_suffix('%') {
        Some(percent) => Ok(stated(percent.trim(), delimiter)? / 100.0),
        None => stated(cell, delimiter),
    }
}

/// The rows of a policy, of a file with those of several; that it is not said which, or has none,
/// is noted.
pub(super) fn of_policy(
    rows: Vec<SheetRow>,
    policy: Option<&str>,
    sheet: &mut Sheet,
) -> Vec<SheetRow> {
    let column = sheet.find(POLICY);
    let mut refuse = |what: String, help: String| {
        sheet.tally.note_whole(what, help);
        Vec::new()
    };
    let labels: BTreeSet<&str> = column
        .iter()
        .flat_map(|at| rows.iter().map(|row| row.cells[*at].as_str()))
        .collect();
    let listed = || labels.iter().copied().collect::<Vec<_>>().join(", ");
    match (column, policy) {
        (None, Some(_)) => {
            let what = "the file has no column `policy`, so it can't be asked for one".into();
            refuse(what, "leave out --policy".into())
        }
        (Some(_), None) if labels.len() > 1 => {
            let what = "the file has the lotteries of several policies".to_owned();
            refuse(what, format!("name one by --policy: {}", listed()))
        }
        (Some(_), Some(policy)) if !labels.contains(policy) => {
            let what = format!("the file has no policy {}", shown(policy));
            refuse(what, format!("its policies are {}", listed()))
        }
        (Some(column), Some(policy)) => {
            let rows = rows.into_iter();
            rows.filter(|row| row.cells[column] == policy).collect()
        }
        (_, None) => rows,
    }
}

/// The panels of a file with a row a member, in the order of their first rows.
fn long(
    rows: &[SheetRow],
    columns: &Columns,
    member: NamingColumns,
    roster: &Roster,
    sheet: &mut Sheet,
) -> Vec<ListedPanel> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut panels: Vec<ListedPanel> = Vec::new();
    for row in rows {
        let number = columns.panel.map_or("", |panel| row.cells[panel].as_str());
        let Some(probability) = columns.probability(row, sheet) else {
            continue;
        };
        let place = *places.entry(number).or_insert(panels.len());
        if place == panels.len() {
            panels.push(ListedPanel {
                line: row.line,
                probability,
                members: Vec::new(),
            });
        }
        let panel = &mut panels[place];
        if panel.probability != probability {
            let what = format!(
                "the panel of line {} has another probability here",
                panel.line
            );
            let help = "write one probability a panel";
            note(row, columns.probability, what, help, sheet);
        }
        panel.members.extend(member.name(row, roster, sheet));
    }
    panels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(f64, Vec<String>)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("panels.csv");
        std::fs::write(&path, text).unwrap();
        let panels = listed_panels(&path, None, &Roster::default()).map_err(|error| {
            let problems = error.problems.0.iter();
            problems
                .map(|problem| problem.what.clone())
                .collect::<Vec<_>>()
                .join("; ")
        })?;
        Ok(panels
            .into_iter()
            .map(|panel| (panel.probability, panel.members))
            .collect())
    }

    #[test]
    fn all_forms_give_the_same_panels() {
        let panels = vec![
            (0.25, vec!["a".to_owned(), "b".to_owned()]),
            (0.75, vec!["c".to_owned()]),
        ];
        for text in [
            "panel,probability,id\n1,0.25,a\n1,0.25,b\n2,0.75,c\n",
            "Panel;Prob;nationbuilder_id\nx;.25;a\ny;.75;c\nx;.25;b\n",
            "probability,member 1,member 2\n0.25,a,b\n0.75,c,\n",
            "members\tp\na b\t25 %\nc\t75%\n",
            "probability,members\n0.25,a; b\n0.75,c\n",
            "panel,probability,members\n1,0.25,a|b\n2,0.75,c\n",
            "0.25,a,b\n.75,c,\n",
            "panel;probability;id\n1;0,25;a\n1;0,25;b\n2;0,75;c\n",
            "probability\tmembers\n,25\ta b\n75,0 %\tc\n",
            "probability,member 1,member 2\n\"0,25\",a,b\n\"0,75\",c,\n",
            "0,25;a;b\n0,75;c;\n",
        ] {
            let mut read = read(text).expect(text);
            read.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert_eq!(read, panels, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_without_names() {
        for (text, why) in [
            ("id,panel\na,1\n", "no column `probability`"),
            ("probability\n1\n", "no column `id`"),
            ("probability,members\nmuch,a\n", "'much' is not a number"),
            (
                "probability;members\n0,25;a\n0.75;c\n",
                "has decimal points",
            ),
            (
                "probability,members\n\"1,234\",a\n",
                "may be '1.234' or '1234'",
            ),
            ("probability,members\n,a\n", "blank"),
            ("probability,members\nnan,a\n", "not a number"),
            (
                "panel,probability,id\n1,0.5,secret\n1,0.4,b\n",
                "another probability here",
            ),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(why), "{text}: {said}");
            assert!(!said.contains("secret"), "{said}");
        }
    }
}
