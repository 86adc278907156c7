//! The account of a hiring round: the interviews with interviewers and marks, the people chosen and
//! those who declined.

mod read;

use super::figure::{Cell, FigureTable};
use super::grid::table_text;
use super::medium::{Medium, hung};
use super::number::{brief, fixed, telling};
use super::plain;

/// The most policies of which there is an account.
const LANES: usize = 3;

/// The most people of a policy.
const PEOPLE: usize = 24;

/// The most people named in a sentence.
const NAMED: usize = 12;

/// The width of an interval of 95 % around a mean, in standard errors to each side.
const SIDES: f64 = 1.959_963_984_540_054;

/// The last round of some policies, person by person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CohortAccount {
    /// The policies shown.
    pub lanes: Vec<CohortLane>,
    /// The number of other policies.
    pub others: usize,
    /// True if people held the interviews or replied to offers: a person then decides, and a policy
    /// only proposes.
    pub proposes: bool,
    /// The names of the attributes that the files show.
    attributes: Vec<String>,
    /// The kinds of interview with their gains. A gain is unknown if it depends on the person.
    kinds: Vec<(String, Option<f64>)>,
    /// The standard deviation of an interview of gain 1, if it is known.
    sd: Option<f64>,
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
    /// The values of the attributes that are shown.
    pub values: Vec<String>,
    /// The marks of each kind of interview, with the interviewer if known.
    pub marks: Vec<String>,
    /// The mean of the observed values, weighted by gain. `None` if there is none or it is not
    /// shown.
    pub mark: Option<f64>,
    /// The sum of the gains of the interviews. `None` if some gain is unknown.
    weight: Option<f64>,
    /// The total cost of the interviews.
    pub cost: f64,
    /// The person's outcome, in a word.
    pub became: &'static str,
}

/// The outcomes of people, in the order in which they are listed.
const BECAME: [&str; 4] = ["accepted", "chosen", "declined", "not chosen"];

impl CohortPerson {
    fn rank(&self) -> usize {
        let mut words = BECAME.iter();
        words
            .position(|word| *word == self.became)
            .unwrap_or_default()
    }

    /// Half the width of the mark's interval of 95 %.
    fn half(&self, sd: Option<f64>) -> Option<f64> {
        let weight = self.weight.filter(|weight| *weight > 0.0)?;
        self.mark.and(sd).map(|sd| SIDES * sd / weight.sqrt())
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

    /// Returns a sentence on the people left out of the table. Empty if there are none.
    fn left_out(&self) -> String {
        match self.more {
            0 => String::new(),
            more => format!("\u{2026} and {more} more people: cohort.csv"),
        }
    }

    /// The people chosen, best first, in a line.
    fn chosen(&self) -> String {
        let chosen = |one: &&CohortPerson| ["accepted", "chosen"].contains(&one.became);
        let chosen: Vec<&str> = self
            .people
            .iter()
            .filter(chosen)
            .map(|one| &*one.id)
            .collect();
        match chosen.len() {
            0 => "no one".into(),
            many if many > NAMED => format!("{} and others", chosen[..NAMED].join(", ")),
            _ => chosen.join(", "),
        }
    }
}

impl CohortAccount {
    /// Returns whom the first policy proposes, as a sentence, and who decides. `None` if it does not
    /// only propose.
    #[must_use]
    pub fn proposal(&self) -> Option<(String, String)> {
        let lane = self.lanes.first().filter(|_| self.proposes)?;
        let decides = format!(
            "\u{201c}{}\u{201d} proposes this. A person decides, outside this program: nothing here \
             hires anyone.",
            lane.policy
        );
        Some((format!("Proposed: {}", lane.chosen()), decides))
    }

    /// The outcome of a person, as it is said where policies only propose.
    fn became(&self, person: &CohortPerson) -> &'static str {
        match (self.proposes, person.became) {
            (true, "accepted") => "takes the place",
            (true, "chosen") => "proposed",
            (true, "not chosen") => "not proposed",
            (_, became) => became,
        }
    }

    fn table(&self, lane: &CohortLane) -> FigureTable {
        let halves = lane.people.iter().filter_map(|one| one.half(self.sd));
        let decimals = halves
            .reduce(f64::max)
            .and_then(|half| telling(-half, half));
        let estimate = |one: &CohortPerson| match (one.mark, one.half(self.sd), decimals) {
            (Some(mark), Some(half), Some(decimals)) => {
                let around = format!("{} \u{b1} {}", fixed(mark, decimals), fixed(half, decimals));
                Cell::Text(around.replace('-', "\u{2212}"))
            }
            (mark, ..) => Cell::known(mark),
        };
        let row = |person: &CohortPerson| {
            let mut row = vec![Cell::text(&person.id)];
            row.extend(person.values.iter().map(Cell::text));
            row.push(Cell::text(self.became(person)));
            row.extend(person.marks.iter().map(Cell::text));
            row.extend([estimate(person), Cell::Number(person.cost)]);
            row
        };
        let attributes = self.attributes.iter().map(String::as_str);
        let kinds = self.kinds.iter().map(|(name, _)| &**name);
        let heads = std::iter::once("person").chain(attributes);
        let heads = heads.chain(["became"]).chain(kinds).chain(["mark", "cost"]);
        FigureTable::of(heads, lane.people.iter().map(row))
    }

    /// The title of a policy's table.
    fn title(&self, lane: &CohortLane) -> String {
        let (policy, round) = (&lane.policy, lane.round);
        match self.proposes {
            true => format!("Proposed by {policy}, round {round}: {}", lane.chosen()),
            false => format!("Who was interviewed and chosen by {policy}, round {round}"),
        }
    }

    /// The meaning of a mark. Empty where no interval is known.
    fn about(&self) -> String {
        let halves = self.lanes.iter().flat_map(|lane| &lane.people);
        let is_known = halves.filter_map(|one| one.half(self.sd)).next().is_some();
        let sd = self.sd.filter(|_| is_known);
        sd.map_or_else(String::new, |sd| {
            let sd = brief(sd, 3);
            format!(
                "Mark: the mean weighted by gain \u{b1} 95 % of the noise that the config assumes \
                 (sd {sd} of an interview of gain 1)"
            )
        })
    }

    /// Returns the account as text.
    #[must_use]
    pub fn text(&self, medium: &Medium) -> String {
        let mut text = String::new();
        for lane in &self.lanes {
            text += &(medium.title(&plain(&self.title(lane))) + "\n");
            let table = self.table(lane);
            let show = |at: usize, cell: &Cell| match cell {
                Cell::Text(text) => text.clone(),
                Cell::Number(number) if table.headers[at] == "mark" => brief(*number, 4),
                Cell::Number(number) => brief(*number, 6),
                Cell::Empty => "-".into(),
            };
            text += &table_text(&table, 1, show, medium);
            for line in [lane.left_out(), self.about()] {
                text += &wrapped(&line, medium);
            }
            text.push('\n');
        }
        if self.others > 0 {
            text += &format!(
                "cohort.csv has the cohorts of {} more policies.\n\n",
                self.others
            );
        }
        if let Some((_, decides)) = self.proposal() {
            text += &wrapped(&decides, medium);
        }
        medium.finished(&text)
    }

    /// Returns the account as tables, each with its caption.
    #[must_use]
    pub fn tables(&self) -> Vec<(String, FigureTable)> {
        let table = |lane: &CohortLane| {
            let parts = [
                format!("{}, round {}", lane.policy, lane.round),
                lane.left_out(),
                self.about(),
            ];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            (parts.join(". "), self.table(lane))
        };
        self.lanes.iter().map(table).collect()
    }
}

/// A paragraph with a line end. Empty if it has no words.
fn wrapped(words: &str, medium: &Medium) -> String {
    match words {
        "" => String::new(),
        words => hung(&plain(words), medium.width(), "").join("\n") + "\n",
    }
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

    const CONFIG: &str = "[rules]\ninterviews = [{ name = \"phone\" }, { name = \"visit\", gain = 5 }]\n\
        [feedback.interview]\ntype = \"TYPE\"\nsd = 1.5\n[live]\nacting = \"ACTING\"\n";

    fn config(kind: &str, acting: &str) -> String {
        CONFIG.replace("TYPE", kind).replace("ACTING", acting)
    }

    fn read(files: &[(&str, &str)]) -> Option<CohortAccount> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        CohortAccount::read(folder.path())
    }

    #[test]
    fn it_is_of_the_last_round_with_the_chosen_first() {
        let config = config("gaussian_looks", "turns");
        let files = [
            ("cohort.csv", COHORT),
            ("interviews.csv", INTERVIEWS),
            ("config.toml", &config),
        ];
        let account = read(&files).unwrap();
        let lanes: Vec<_> = account
            .lanes
            .iter()
            .map(|lane| (&*lane.policy, lane.round))
            .collect();
        assert_eq!(lanes, [("turns", 2), ("swap", 2)], "who acts is first");
        let rows = account.tables()[1].1.clone();
        assert_eq!(
            rows.headers,
            ["person", "sex", "became", "phone", "visit", "mark", "cost"]
        );
        let text = |row: &Vec<Cell>| row.iter().map(Cell::brief).collect::<Vec<_>>().join("|");
        let rows: Vec<String> = rows.rows.iter().map(text).collect();
        let known = [
            "=cem|M|accepted|8|-|8.0 \u{b1} 2.9|1",
            "ann|F|declined|9 (Mira)|7.5 (Jo)|7.8 \u{b1} 1.2|4",
            "bob|M|not chosen|-|-|3.5|1",
        ];
        assert_eq!(rows, known);
        assert_eq!(account.proposal(), None);
    }

    #[test]
    fn where_people_answer_a_policy_proposes_and_a_person_decides() {
        let config = config("people", "swap");
        let files = [
            ("cohort.csv", COHORT),
            ("interviews.csv", INTERVIEWS),
            ("config.toml", &config),
        ];
        let account = read(&files).unwrap();
        let (answer, decides) = account.proposal().expect("people decide");
        assert_eq!(answer, "Proposed: =cem");
        assert!(decides.contains("A person decides"), "{decides}");
        let text = account.text(&Medium::default());
        assert!(
            text.starts_with("Proposed by swap, round 2: =cem\n"),
            "{text}"
        );
        assert!(text.contains("takes the place"), "{text}");
        assert!(
            text.trim_end().ends_with("nothing here hires anyone."),
            "{text}"
        );
    }

    #[test]
    fn marks_of_hidden_people_are_ticks() {
        let config = config("people", "swap");
        let cohort = COHORT.replace(",7.75,", ",,");
        let hidden = INTERVIEWS
            .replace(",9,1,Mira", ",,1,")
            .replace(",7.5,3,Jo", ",,3,");
        let files = [
            ("cohort.csv", &*cohort),
            ("interviews.csv", &hidden),
            ("config.toml", &config),
        ];
        let account = read(&files).unwrap();
        let ann = account.lanes[0]
            .people
            .iter()
            .find(|one| one.id == "ann")
            .unwrap();
        assert_eq!(ann.marks, ["\u{2713}", "\u{2713}"]);
        assert_eq!((ann.mark, ann.half(account.sd)), (None, None));
    }

    #[test]
    fn there_is_none_without_a_cohort_and_one_without_interviews() {
        assert_eq!(read(&[]), None);
        assert_eq!(
            read(&[("cohort.csv", "replication,policy,round,id\n")]),
            None
        );
        let account = read(&[("cohort.csv", COHORT)]).unwrap();
        assert_eq!(account.lanes.len(), 2);
    }

    #[test]
    fn a_large_cohort_is_shown_in_part() {
        let rows = (0..40).map(|n| format!("0,swap,1,p{n},1,{n},1,0,\n"));
        let text = "replication,policy,round,id,interviews,mark,spent,chosen,reply\n".to_owned();
        let text = text + &rows.collect::<String>();
        let account = read(&[("cohort.csv", &text)]).unwrap();
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
