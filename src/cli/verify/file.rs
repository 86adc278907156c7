//! Files of lotteries and of chances.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kleroterion::problem::{Place, Problem, Problems};

/// A lottery as a file has it.
pub(super) struct LotteryFile {
    pub(super) panels: Vec<FilePanel>,
}

/// A panel of a file.
pub(super) struct FilePanel {
    /// The line where it begins.
    pub(super) line: u64,
    /// None where it is no number.
    pub(super) probability: Option<f64>,
    pub(super) members: Vec<Member>,
}

/// A member as a file names them.
#[derive(Clone, Copy)]
pub(super) enum Member {
    Known(u32),
    /// No respondent has this id; the line and the field.
    Stranger(u64, usize),
}

struct Rows {
    header: Option<Vec<String>>,
    rows: Vec<(u64, Vec<String>)>,
}

impl LotteryFile {
    pub(super) fn read(
        path: &Path,
        names: &[Box<str>],
        policy: Option<&str>,
    ) -> Result<Self, Problems> {
        let rows = of_policy(rows(path, 0)?, path, policy)?;
        let known = numbers(names);
        let at = |name: &[&str]| {
            let header = rows.header.as_ref()?;
            header.iter().position(|cell| name.contains(&cell.as_str()))
        };
        let long = (
            at(&["panel"]),
            at(&["probability", "p"]),
            at(&["id", "respondent"]),
        );
        let panels = match long {
            (Some(panel), Some(probability), Some(id)) => {
                long_panels(&rows, [panel, probability, id], &known)
            }
            _ => wide_panels(&rows, at(&["probability", "p"]).unwrap_or(0), &known),
        };
        if panels.is_empty() {
            let problem = Problem::new(place(path, None), "the file has no panel");
            let help = "write a row a panel: its probability, then the ids of its members";
            return Err(problem.help(help).into());
        }
        Ok(Self { panels })
    }
}

/// The chance that is claimed of each respondent, where the file names them.
pub(super) fn chances(
    path: &Path,
    names: &[Box<str>],
    policy: Option<&str>,
) -> Result<BTreeMap<u32, f64>, Problems> {
    let rows = of_policy(rows(path, 1)?, path, policy)?;
    let known = numbers(names);
    let header = rows.header.unwrap_or_default();
    let column = |names: &[&str], otherwise| {
        let found = header
            .iter()
            .position(|cell| names.contains(&cell.as_str()));
        found.unwrap_or(otherwise)
    };
    let (id, chance) = (
        column(&["id", "respondent"], 0),
        column(&["chance", "probability"], 1),
    );
    let mut problems = Problems::default();
    let mut chances = BTreeMap::new();
    for (line, row) in &rows.rows {
        let who = row.get(id).and_then(|id| known.get(id.as_str()));
        let number = row.get(chance).and_then(|cell| number(cell));
        match (who, number) {
            (Some(who), Some(number)) => _ = chances.insert(*who, number),
            (None, _) => problems.0.push(
                Problem::new(place(path, Some(*line)), "no respondent has this id")
                    .help("take the ids of the config's file of respondents"),
            ),
            (_, None) => problems.0.push(
                Problem::new(place(path, Some(*line)), "the chance is no number")
                    .help("write it as 0.125"),
            ),
        }
    }
    match problems.0.is_empty() {
        true => Ok(chances),
        false => Err(problems),
    }
}

/// The rows of a policy, where the file has a column of policies.
fn of_policy(mut rows: Rows, path: &Path, policy: Option<&str>) -> Result<Rows, Problems> {
    let header = rows.header.iter().flatten();
    let column = header.enumerate().find(|(_, cell)| *cell == "policy");
    let Some(column) = column.map(|(column, _)| column) else {
        return Ok(rows);
    };
    let label = |row: &[String]| row.get(column).cloned().unwrap_or_default();
    let labels: BTreeSet<String> = rows.rows.iter().map(|(_, row)| label(row)).collect();
    let known = labels
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    let wanted = match (policy, labels.len()) {
        (Some(policy), _) if labels.contains(policy) => policy.to_owned(),
        (None, 0..=1) => return Ok(rows),
        (Some(policy), _) => {
            let what = format!("the file has no policy {policy:?}");
            return Err(Problem::new(place(path, None), what)
                .help(format!("it has {known}"))
                .into());
        }
        (None, _) => {
            let what = "the file has the lotteries of several policies";
            let help = format!("name one with --policy: {known}");
            return Err(Problem::new(place(path, None), what).help(help).into());
        }
    };
    rows.rows.retain(|(_, row)| label(row) == wanted);
    Ok(rows)
}

fn long_panels(rows: &Rows, columns: [usize; 3], known: &BTreeMap<&str, u32>) -> Vec<FilePanel> {
    let mut panels: Vec<FilePanel> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, row) in &rows.rows {
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
        let [panel, probability, id] = columns.map(cell);
        let place = *places.entry(panel).or_insert_with(|| {
            panels.push(FilePanel {
                line: *line,
                probability: number(probability),
                members: Vec::new(),
            });
            panels.len() - 1
        });
        let panel = &mut panels[place];
        if panel.probability != number(probability) {
            panel.probability = None;
        }
        panel.members.push(member(id, known, *line, columns[2]));
    }
    panels
}

fn wide_panels(rows: &Rows, first: usize, known: &BTreeMap<&str, u32>) -> Vec<FilePanel> {
    let panel = |(line, row): &(u64, Vec<String>)| {
        let members = row.iter().enumerate().skip(first + 1);
        // Ids may also be in one cell, apart by spaces.
        let members = members.flat_map(|(field, cell)| {
            let whole = known.contains_key(cell.as_str());
            let ids = if whole {
                vec![cell.as_str()]
            } else {
                cell.split_whitespace().collect()
            };
            ids.into_iter()
                .map(move |id| member(id, known, *line, field))
        });
        FilePanel {
            line: *line,
            probability: row.get(first).and_then(|cell| number(cell)),
            members: members.collect(),
        }
    };
    rows.rows.iter().map(panel).collect()
}

fn member(id: &str, known: &BTreeMap<&str, u32>, line: u64, field: usize) -> Member {
    let known = known.get(id).copied();
    known.map_or(Member::Stranger(line, field + 1), Member::Known)
}

fn number(cell: &str) -> Option<f64> {
    let percent = cell.strip_suffix('%');
    let number: f64 = percent.unwrap_or(cell).trim().parse().ok()?;
    let number = if percent.is_some() {
        number / 100.0
    } else {
        number
    };
    number.is_finite().then_some(number)
}

fn numbers(names: &[Box<str>]) -> BTreeMap<&str, u32> {
    names.iter().map(|name| &**name).zip(0..).collect()
}

/// The rows of a file; the first is its header where its field `probed` is no number.
fn rows(path: &Path, probed: usize) -> Result<Rows, Problems> {
    let text = std::fs::read(path).map_err(|error| {
        Problem::new(place(path, None), format!("can't be read: {error}"))
            .help("give the path of a file of separated text")
    })?;
    let text = String::from_utf8(text).map_err(|_| {
        Problem::new(place(path, None), "the file is not UTF-8").help("export it as UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let count = |mark: &u8| first.bytes().filter(|byte| byte == mark).count();
    let delimiter = [b'\t', b';', b',']
        .into_iter()
        .max_by_key(count)
        .unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            Problem::new(place(path, None), format!("can't be read: {error}"))
                .help("write separated text")
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        if !cells.is_empty() {
            rows.push((line, cells));
        }
    }
    let is_header = rows.first().is_some_and(|(_, row)| {
        let named = row
            .iter()
            .any(|cell| cell.eq_ignore_ascii_case("probability"));
        named || row.get(probed).is_none_or(|cell| number(cell).is_none())
    });
    let header = is_header.then(|| rows.remove(0).1);
    let header = header.map(|row| row.iter().map(|cell| cell.to_lowercase()).collect());
    Ok(Rows { header, rows })
}

fn place(path: &Path, line: Option<u64>) -> Place {
    Place::File {
        path: path.to_owned(),
        line,
        column: None,
    }
}
