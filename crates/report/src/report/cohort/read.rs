//! The account of a cohort, read from the tables of a finished run.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use csv::StringRecord;

use super::{CohortAccount, CohortLane, CohortPerson, became};
use kleroterion_io::record::read_row;
use kleroterion_io::trace::ListedPeople;

impl CohortAccount {
    /// Reads the account of the first replication in a run's folder, with the acting policy first.
    /// `None` if there is no cohort.
    #[must_use]
    pub fn read(folder: &Path, acting: Option<&str>) -> Option<Self> {
        let mut lanes: Vec<CohortLane> = Vec::new();
        rows(&folder.join(ListedPeople::Cohort.file()), |row| {
            let (Some(policy), Some(round)) = (row.get("policy"), row.number("round")) else {
                return;
            };
            let lane = match lanes.iter().position(|lane| lane.policy == policy) {
                Some(at) => &mut lanes[at],
                None => {
                    let policy = policy.to_owned();
                    lanes.push(CohortLane {
                        policy,
                        ..CohortLane::default()
                    });
                    lanes.last_mut().expect("it was pushed")
                }
            };
            if lane.round != round as u64 {
                (lane.round, lane.people) = (round as u64, Vec::new());
            }
            lane.people.push(CohortPerson {
                id: row.get("id").unwrap_or_default().to_owned(),
                mark: row.number("mark"),
                cost: row.number("spent").unwrap_or_default(),
                became: became(
                    row.get("chosen") == Some("1"),
                    row.get("reply").unwrap_or_default(),
                ),
                ..CohortPerson::default()
            });
        })
        .ok()?;
        let mut account = Self::of(lanes, acting)?;
        let looked = rows(&folder.join(ListedPeople::Interviews.file()), |row| {
            account.add(row)
        });
        // A run may make offers and hold no interviews.
        looked
            .or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .ok()?;
        Some(account)
    }

    /// Takes in an interview.
    fn add(&mut self, row: &NamedRow<'_>) {
        let (Some(policy), Some(round)) = (row.get("policy"), row.number("round")) else {
            return;
        };
        let mut lanes = self.lanes.iter_mut();
        let lane = lanes.find(|lane| lane.policy == policy && lane.round == round as u64);
        let id = row.get("id").unwrap_or_default();
        if let Some(person) = lane.and_then(|lane| lane.people.iter_mut().find(|one| one.id == id))
        {
            let (kind, by) = (row.get("kind"), row.get("by"));
            person.add(
                kind.unwrap_or_default(),
                row.number("value"),
                by.unwrap_or_default(),
            );
        }
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
