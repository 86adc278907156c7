//! The account of a hiring round: the interviews with interviewers and marks, the people chosen and
//! those who declined.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use csv::StringRecord;

use super::figure::{Cell, FigureTable};
use super::grid::table_text;
use super::medium::Medium;
use super::number::brief;
use super::plain;
use kleroterion_io::record::read_row;
use kleroterion_io::trace::{Decision, ListedPeople};

/// The most policies of which there is an account.
const LANES: usize = 3;

/// The most people of a policy.
const PEOPLE: usize = 24;

/// The most interviews named of a person.
const NAMED: usize = 4;

/// The heads of the columns.
const HEADS: [&str; 5] = ["person", "became", "mark", "interviews", "cost"];

/// The last round of some policies, person by person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CohortAccount {
    /// The policies shown.
    pub lanes: Vec<CohortLane>,
    /// The number of other policies.
    pub others: usize,
}

/// The last round of a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CohortLane {
    /// The label of the policy.
    pub policy: String,
    /// The round, from 1.
    pub round: u64,
    /// The people: those chosen first, then by mark.
    pub people: Vec<CohortPerson>,
    /// The number of people who are not listed.
    pub more: usize,
}

/// A person of a cohort.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CohortPerson {
    /// The person's id or name.
    pub id: String,
    /// The interviews: the kind, the observed value, and the interviewer if known.
    pub interviews: Vec<String>,
    /// The number of interviews that are not listed.
    pub more: usize,
    /// The mean of the observed values, weighted by gain. `None` if there is none or it is not
    /// shown.
    pub mark: Option<f64>,
    /// The total cost of the interviews.
    pub cost: f64,
    /// The person's outcome, in a word.
    pub became: &'static str,
}

impl CohortPerson {
    fn add(&mut self, kind: &str, value: Option<f64>, by: &str) {
        if self.interviews.len() >= NAMED {
            self.more += 1;
            return;
        }
        let value = value.map_or(String::new(), |value| format!(" {}", brief(value, 4)));
        let by = match by {
            "" | "generated" | "program" => String::new(),
            by => format!(" ({by})"),
        };
        self.interviews.push(format!("{kind}{value}{by}"));
    }

    /// The interviews in a line.
    fn told(&self) -> String {
        let mut told = self.interviews.join(", ");
        if self.more > 0 {
            told += &format!(" and {} more", self.more);
        }
        told
    }

    fn rank(&self) -> usize {
        BECAME
            .iter()
            .position(|word| *word == self.became)
            .unwrap_or_default()
    }
}

/// The outcomes of people, in the order in which they are listed.
const BECAME: [&str; 4] = ["accepted", "chosen", "declined", "not chosen"];

fn became(chosen: bool, reply: &str) -> &'static str {
    match (chosen, reply) {
        (_, "accepted") => "accepted",
        (_, "declined") => "declined",
        (true, _) => "chosen",
        (false, _) => "not chosen",
    }
}

impl CohortLane {
    /// Sorts the people of the account, and keeps the first of them only.
    fn sorted(mut self) -> Self {
        let mark = |person: &CohortPerson| person.mark.unwrap_or(f64::NEG_INFINITY);
        self.people
            .sort_by(|a, b| a.rank().cmp(&b.rank()).then(mark(b).total_cmp(&mark(a))));
        self.more = self.people.len().saturating_sub(PEOPLE);
        self.people.truncate(PEOPLE);
        self
    }

    fn table(&self) -> FigureTable {
        let row = |person: &CohortPerson| {
            vec![
                Cell::text(&person.id),
                Cell::text(person.became),
                Cell::known(person.mark),
                Cell::Text(person.told()),
                Cell::Number(person.cost),
            ]
        };
        FigureTable::of(HEADS, self.people.iter().map(row))
    }
}

impl CohortAccount {
    /// Makes the account of the last decisions of some policies. `by` returns who answered, from a
    /// candidate, a kind and the number within the kind.
    #[must_use]
    pub fn now<'a>(
        decisions: impl Iterator<Item = &'a Decision>,
        acting: Option<&str>,
        by: impl Fn(&str, &str, u64) -> String,
    ) -> Option<Self> {
        let lanes =
            decisions.filter(|decision| !(decision.looks.is_empty() && decision.offers.is_empty()));
        Self::of(lanes.map(|decision| lane(decision, &by)).collect(), acting)
    }

    fn of(mut lanes: Vec<CohortLane>, acting: Option<&str>) -> Option<Self> {
        lanes.sort_by_key(|lane| Some(&*lane.policy) != acting);
        let others = lanes.len().saturating_sub(LANES);
        lanes.truncate(LANES);
        let lanes: Vec<_> = lanes.into_iter().map(CohortLane::sorted).collect();
        (!lanes.is_empty()).then_some(Self { lanes, others })
    }

    /// Returns a sentence on the people left out of a policy's table. Empty if there are none.
    fn left_out(lane: &CohortLane) -> String {
        match lane.more {
            0 => String::new(),
            more => format!("\u{2026} and {more} more people: cohort.csv"),
        }
    }

    /// Returns the account as text.
    #[must_use]
    pub fn text(&self, medium: &Medium) -> String {
        let mut text = String::new();
        for lane in &self.lanes {
            let title = format!(
                "Who was interviewed and chosen by {}, round {}",
                lane.policy, lane.round
            );
            text += &(medium.title(&plain(&title)) + "\n");
            let show = |at: usize, cell: &Cell| match cell {
                Cell::Text(text) => text.clone(),
                Cell::Number(number) if HEADS[at] == "mark" => brief(*number, 4),
                Cell::Number(number) => brief(*number, 6),
                Cell::Empty => "-".into(),
            };
            text += &table_text(&lane.table(), 1, show, medium);
            let more = Self::left_out(lane);
            if !more.is_empty() {
                text += &(more + "\n");
            }
            text.push('\n');
        }
        if self.others > 0 {
            text += &format!(
                "cohort.csv has the cohorts of {} more policies.\n\n",
                self.others
            );
        }
        medium.finished(&text)
    }

    /// Returns the account as tables, each with its caption.
    #[must_use]
    pub fn tables(&self) -> Vec<(String, FigureTable)> {
        let table = |lane: &CohortLane| {
            let more = Self::left_out(lane);
            let caption = format!("{}, round {}. {more}", lane.policy, lane.round);
            (caption.trim_end().to_owned(), lane.table())
        };
        self.lanes.iter().map(table).collect()
    }
}

/// The cohort of a decision.
fn lane(decision: &Decision, by: &impl Fn(&str, &str, u64) -> String) -> CohortLane {
    let mut people: Vec<CohortPerson> = Vec::new();
    let mut places = BTreeMap::new();
    for (at, id) in decision.shown.iter().enumerate() {
        places.insert(id.as_str(), at);
        let mut offers = decision.offers.iter();
        let reply = offers.find(|offer| offer.candidate == *id);
        let reply = reply.map_or(
            "",
            |offer| if offer.takes { "accepted" } else { "declined" },
        );
        people.push(CohortPerson {
            id: id.clone(),
            became: became(decision.chosen.contains(id), reply),
            ..CohortPerson::default()
        });
    }
    let mut sums = vec![(0.0, 0_u32); people.len()];
    let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    for look in &decision.looks {
        let Some(&at) = places.get(look.candidate.as_str()) else {
            continue;
        };
        let nth = counts.entry((at, &look.kind)).or_default();
        people[at].add(
            &look.kind,
            look.value,
            &by(&look.candidate, &look.kind, *nth),
        );
        *nth += 1;
        people[at].cost += look.cost;
        if let Some(value) = look.value {
            sums[at] = (sums[at].0 + value, sums[at].1 + 1);
        }
    }
    for (person, (sum, count)) in people.iter_mut().zip(sums) {
        person.mark = (count > 0).then(|| sum / f64::from(count));
    }
    CohortLane {
        policy: decision.policy.clone(),
        round: decision.round,
        people,
        more: 0,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const COHORT: &str = "replication,policy,round,id,interviews,mark,spent,chosen,reply,sex\n\
        0,swap,1,old,1,9,1,1,,F\n\
        0,swap,2,ann,2,7.75,4,1,declined,F\n\
        0,swap,2,bob,1,3.5,1,0,,M\n\
        0,swap,2,'=cem,1,8,1,1,accepted,M\n\
        0,turns,2,ann,0,,0,0,,F\n\
        1,swap,2,other,1,9,1,1,,F\n";
    const INTERVIEWS: &str = "replication,policy,round,id,kind,nth,value,cost,by,asked\n\
        0,swap,1,old,phone,1,9,1,Mira,\n\
        0,swap,2,ann,phone,1,9,1,Mira,\n\
        0,swap,2,ann,visit,1,7.5,3,Jo,\n\
        0,swap,2,'=cem,phone,1,8,1,generated,\n";

    fn read(files: &[(&str, &str)], acting: Option<&str>) -> Option<CohortAccount> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        CohortAccount::read(folder.path(), acting)
    }

    #[test]
    fn it_is_of_the_last_round_with_the_chosen_first() {
        let files = [("cohort.csv", COHORT), ("interviews.csv", INTERVIEWS)];
        let account = read(&files, Some("turns")).unwrap();
        let lanes: Vec<_> = account
            .lanes
            .iter()
            .map(|lane| (&*lane.policy, lane.round))
            .collect();
        assert_eq!(lanes, [("turns", 2), ("swap", 2)], "who acts is first");
        let people: Vec<_> = account.lanes[1]
            .people
            .iter()
            .map(|one| (&*one.id, one.became, one.mark, one.told(), one.cost))
            .collect();
        let known = [
            ("=cem", "accepted", Some(8.0), "phone 8".to_owned(), 1.0),
            (
                "ann",
                "declined",
                Some(7.75),
                "phone 9 (Mira), visit 7.5 (Jo)".to_owned(),
                4.0,
            ),
            ("bob", "not chosen", Some(3.5), String::new(), 1.0),
        ];
        assert_eq!(people, known);
    }

    #[test]
    fn there_is_none_without_a_cohort_and_one_without_interviews() {
        assert_eq!(read(&[], None), None);
        assert_eq!(
            read(&[("cohort.csv", "replication,policy,round,id\n")], None),
            None
        );
        let account = read(&[("cohort.csv", COHORT)], None).unwrap();
        assert_eq!(account.lanes.len(), 2);
    }

    #[test]
    fn a_large_cohort_is_shown_in_part() {
        let rows = (0..40).map(|n| format!("0,swap,1,p{n},1,{n},1,0,\n"));
        let text = "replication,policy,round,id,interviews,mark,spent,chosen,reply\n".to_owned();
        let text = text + &rows.collect::<String>();
        let account = read(&[("cohort.csv", &text)], None).unwrap();
        let lane = &account.lanes[0];
        assert_eq!(
            (lane.people.len(), lane.more, &*lane.people[0].id),
            (PEOPLE, 40 - PEOPLE, "p39")
        );
        assert!(
            account
                .text(&Medium::markdown())
                .contains("and 16 more people")
        );
    }
}
