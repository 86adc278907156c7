//! The account of a hiring round, read from the files of its run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use csv::StringRecord;

use super::super::finished::{CONFIG, value};
use super::super::number::brief;
use super::{CohortAccount, CohortLane, CohortPerson, LANES};
use kleroterion_io::record::read_row;
use kleroterion_io::trace::ListedPeople;
use kleroterion_run::config::Document;
use kleroterion_run::document::{Node, Value, read_text};

/// The most marks of a kind that are named of a person.
const MARKS: usize = 4;

/// The columns of `cohort.csv` before those of the attributes.
const OWN: usize = 9;

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Whole(whole) => Some(*whole as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn is_people(config: &Document, path: &[&str]) -> bool {
    matches!(value(config, path), Some(Value::Text(kind)) if kind == "people")
}

/// A kind of interview with its gain.
fn kind(node: &Node) -> Option<(String, Option<f64>)> {
    let Value::Table(kind) = &node.value else {
        return None;
    };
    let Value::Text(name) = &kind.get("name")?.value else {
        return None;
    };
    let gain = kind.get("gain").map(|gain| number(&gain.value));
    Some((name.clone(), gain.unwrap_or(Some(1.0))))
}

impl CohortAccount {
    /// Reads the account of the first replication in a run's folder, with the acting policy first.
    /// `None` if there is no cohort.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let config = read_text(&folder.join(CONFIG)).ok();
        let config = config.and_then(|text| Document::parse(&text).ok());
        let mut account = config.as_ref().map_or_else(Self::default, Self::of);
        let acting = match config
            .as_ref()
            .and_then(|config| value(config, &["live", "acting"]))
        {
            Some(Value::Text(label)) => Some(label.clone()),
            _ => None,
        };
        rows(&folder.join(ListedPeople::Cohort.file()), |row| {
            account.add_person(row)
        })
        .ok()?;
        account
            .lanes
            .sort_by_key(|lane| Some(&lane.policy) != acting.as_ref());
        account.others = account.lanes.len().saturating_sub(LANES);
        account.lanes.truncate(LANES);
        let mut marks = Marks::default();
        let looked = rows(&folder.join(ListedPeople::Interviews.file()), |row| {
            marks.add(row)
        });
        // A run may make offers and hold no interviews.
        match looked {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return None,
            _ => account.note(&marks),
        }
        let lanes = std::mem::take(&mut account.lanes).into_iter();
        account.lanes = lanes.map(CohortLane::sorted).collect();
        (!account.lanes.is_empty()).then_some(account)
    }

    /// An account without people, with the interviews of a config.
    fn of(config: &Document) -> Self {
        let kinds = match value(config, &["rules", "interviews"]) {
            Some(Value::List(kinds)) => kinds.iter().filter_map(kind).collect(),
            _ => Vec::new(),
        };
        let sd = value(config, &["feedback", "interview", "sd"]).and_then(number);
        let asked = [&["feedback", "interview", "type"][..], &["yield", "type"]];
        Self {
            proposes: asked.iter().any(|path| is_people(config, path)),
            sd: sd.filter(|sd| *sd > 0.0),
            kinds,
            ..Self::default()
        }
    }

    /// Takes in a row of `cohort.csv`.
    fn add_person(&mut self, row: &NamedRow<'_>) {
        let (Some(policy), Some(round)) = (row.get("policy"), row.number("round")) else {
            return;
        };
        if self.attributes.is_empty() {
            let names = row.columns.iter().skip(OWN);
            let is_attribute =
                |name: &&str| !(["score", "at"].contains(name) || name.starts_with("feature."));
            self.attributes = names.take_while(is_attribute).map(str::to_owned).collect();
        }
        let at = self.lanes.iter().position(|lane| lane.policy == policy);
        let at = at.unwrap_or_else(|| {
            self.lanes.push(CohortLane {
                policy: policy.to_owned(),
                ..CohortLane::default()
            });
            self.lanes.len() - 1
        });
        let lane = &mut self.lanes[at];
        if lane.round != round as u64 {
            (lane.round, lane.people) = (round as u64, Vec::new());
        }
        let values = self
            .attributes
            .iter()
            .map(|name| row.get(name).unwrap_or_default().to_owned());
        lane.people.push(CohortPerson {
            id: row.get("id").unwrap_or_default().to_owned(),
            values: values.collect(),
            mark: row.number("mark"),
            cost: row.number("spent").unwrap_or_default(),
            became: became(
                row.get("chosen") == Some("1"),
                row.get("reply").unwrap_or_default(),
            ),
            ..CohortPerson::default()
        });
    }

    /// Notes the marks of the people listed.
    fn note(&mut self, marks: &Marks) {
        let kinds = &self.kinds;
        for lane in &mut self.lanes {
            for one in &mut lane.people {
                let of = (lane.policy.clone(), lane.round, one.id.clone());
                let held = marks.0.get(&of);
                let of_kind = |name: &str| held.and_then(|held| held.get(name));
                let lines = kinds
                    .iter()
                    .map(|(name, _)| of_kind(name).map_or_else(|| "-".to_owned(), Held::line));
                one.marks = lines.collect();
                let gain = |(name, gain): &(String, Option<f64>)| match of_kind(name) {
                    Some(held) => gain.map(|gain| gain * held.answered as f64),
                    None => Some(0.0),
                };
                one.weight = kinds.iter().map(gain).sum();
            }
        }
    }
}

fn became(chosen: bool, reply: &str) -> &'static str {
    match (chosen, reply) {
        (_, "accepted") => "accepted",
        (_, "declined") => "declined",
        (true, _) => "chosen",
        (false, _) => "not chosen",
    }
}

/// The interviews of a person of one kind.
#[derive(Default)]
struct Held {
    /// The first marks, each with the interviewer if known.
    marks: Vec<String>,
    all: usize,
    answered: usize,
}

impl Held {
    fn line(&self) -> String {
        let mut line = self.marks.join(", ");
        if self.all > self.marks.len() {
            line += &format!(" and {} more", self.all - self.marks.len());
        }
        line
    }
}

/// The interviews of each person, by policy, round and id, then by kind.
#[derive(Default)]
struct Marks(BTreeMap<(String, u64, String), BTreeMap<String, Held>>);

impl Marks {
    /// Takes in a row of `interviews.csv`.
    fn add(&mut self, row: &NamedRow<'_>) {
        let text = |name: &str| row.get(name).unwrap_or_default().to_owned();
        let of = (
            text("policy"),
            row.number("round").unwrap_or_default() as u64,
            text("id"),
        );
        let held = self
            .0
            .entry(of)
            .or_default()
            .entry(text("kind"))
            .or_default();
        held.all += 1;
        let value = row.number("value");
        held.answered += usize::from(value.is_some());
        if held.marks.len() == MARKS {
            return;
        }
        let mark = match (value, row.number("cost")) {
            (Some(value), _) => brief(value, 4).replace('-', "\u{2212}"),
            // Marks of hidden people are not in the file.
            (None, Some(cost)) if cost > 0.0 => "\u{2713}".into(),
            (None, _) => "not held".into(),
        };
        let by = match &*text("by") {
            "" | "generated" | "program" => String::new(),
            by => format!(" ({by})"),
        };
        held.marks.push(mark + &by);
    }
}

/// A row whose cells are found by the names of their columns.
struct NamedRow<'a> {
    columns: &'a StringRecord,
    row: &'a StringRecord,
}

impl NamedRow<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let at = self.columns.iter().position(|column| column == name)?;
        self.row.get(at)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.parse().ok()
    }
}

/// Reads the rows of the first replication of a table, one at a time.
fn rows(path: &Path, mut each: impl FnMut(&NamedRow<'_>)) -> io::Result<()> {
    let file = BufReader::new(File::open(path)?);
    let mut table = csv::Reader::from_reader(file);
    let columns = table.headers()?.clone();
    for row in table.records() {
        let row = row?;
        // The first column is the replication.
        if row.get(0) != Some("0") {
            break;
        }
        let row = read_row(&row);
        each(&NamedRow {
            columns: &columns,
            row: &row,
        });
    }
    Ok(())
}
