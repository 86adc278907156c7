//! The lists of a second draw, checked against the panel of the draw before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::code::Codes;
use super::earlier::Earlier;
use super::inputs::{Inputs, KEEP, WITHOUT};
use super::question::DrawQuestion;
use kleroterion_core::problem::{Place, Problem, Problems};
use kleroterion_io::people::organisers::{ListKind, Listed, PeopleList, Roster};
use kleroterion_io::people::table::tally::{At, CellRole, ProblemKind, ProblemTally};
use kleroterion_io::record::cell::shown;
use kleroterion_io::record::file::{Grid, How};

pub(super) use kleroterion_io::people::organisers::CODE;

/// The people who stay and those who left, as respondents of the first draw.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The members who stay, in the order of their list.
    pub(super) kept: Vec<u32>,
    /// The number of them who stepped in as alternates of the draw before.
    pub(super) stepped_in: usize,
    /// The people who no longer take part, members of the draw before among them, in the order of
    /// the file.
    pub(super) out: Vec<u32>,
    /// Notes on the lists.
    pub(super) notes: Vec<String>,
    /// The problems found in the lists.
    pub(super) problems: Problems,
}

impl Lists {
    /// The lists among some inputs.
    pub(super) fn of(inputs: &Inputs, whole: &DrawQuestion, earlier: &Earlier) -> Self {
        let codes = Codes::of(inputs, &whole.panel.respondents);
        let roster = whole.roster(&codes);
        let people = |ids: &[String]| -> BTreeSet<u32> {
            ids.iter().filter_map(|name| roster.find(name)).collect()
        };
        let members = people(&earlier.members);
        let alternates = people(earlier.alternates.as_deref().unwrap_or_default());
        let due = members.union(&alternates).copied().collect();
        let mut lists = Self::default();
        let stay = lists.read(KEEP, inputs, &roster, Some(&due));
        let left = lists.read(WITHOUT, inputs, &roster, None);
        lists.refuse_strangers(&inputs.origin(KEEP), &stay, &due, &roster);
        lists.step_in(&inputs.origin(KEEP), &stay, &members, &alternates);
        lists.refuse_both(inputs, &stay, &left);
        lists.kept = stay.iter().map(|listed| listed.one).collect();
        let left = left.iter().map(|listed| listed.one);
        let out: BTreeSet<u32> = left.chain(members).collect();
        let out = out.into_iter().filter(|one| !lists.kept.contains(one));
        lists.out = out.collect();
        lists
    }

    /// The people on one list. Empty if there is no list, or an empty one.
    fn read(
        &mut self,
        name: &str,
        inputs: &Inputs,
        roster: &Roster,
        due: Option<&BTreeSet<u32>>,
    ) -> Vec<Listed> {
        let bytes = inputs.files.get(name);
        let Some(bytes) = bytes.filter(|bytes| !bytes.trim_ascii().is_empty()) else {
            return Vec::new();
        };
        let path = inputs.origin(name);
        let grid = match Grid::of(&path, bytes.clone(), &How::default()) {
            Ok(grid) => grid,
            Err(error) => {
                self.problems.0.extend(error.problems.0);
                return Vec::new();
            }
        };
        let list = PeopleList::of(ListKind::People, &path, &grid, roster, due);
        let again = list.again.iter().map(|[first, again]| {
            let path = called(&path);
            format!("{path}: line {again} names the person of line {first} again, who counts once")
        });
        self.notes.extend(again);
        self.problems.0.extend(list.problems.0);
        list.people
    }

    /// Refuses people who stay and were neither members nor alternates of the draw before.
    fn refuse_strangers(
        &mut self,
        path: &Path,
        stay: &[Listed],
        due: &BTreeSet<u32>,
        roster: &Roster,
    ) {
        let mut tally = ProblemTally::new(path);
        for listed in stay.iter().filter(|listed| !due.contains(&listed.one)) {
            let kind = ProblemKind::Cell(0, CellRole::Id);
            tally.note(kind, At::line(listed.line), || {
                let id = shown(roster.id(listed.one));
                let what = format!(
                    "{id} is no member of the draw before and no alternate of it, so can't stay"
                );
                let help = "list members of the draw that --after names, as its panel.csv has them, \
                            and alternates who have stepped in, as its alternates.csv has them";
                (what, help.into())
            });
        }
        self.problems.0.extend(tally.finish().0);
    }

    /// Counts the alternates who stay, each in the place of a member who left, and says who they are.
    fn step_in(
        &mut self,
        path: &Path,
        stay: &[Listed],
        members: &BTreeSet<u32>,
        alternates: &BTreeSet<u32>,
    ) {
        let is_alternate =
            |listed: &&Listed| !members.contains(&listed.one) && alternates.contains(&listed.one);
        let lines = stay.iter().filter(is_alternate);
        let lines: Vec<String> = lines.map(|listed| listed.line.to_string()).collect();
        let stayed = stay.iter().filter(|listed| members.contains(&listed.one));
        let left = members.len() - stayed.count();
        self.stepped_in = lines.len();
        let place = called(path);
        match lines.len() {
            0 => {}
            more if more > left => {
                let what = format!(
                    "{more} alternates of the draw before are to stay, and only {left} of its members \
                     left: lines {}",
                    lines.join(", ")
                );
                let help = "take off the members who left, or the alternates who did not step in";
                self.problems
                    .0
                    .push(Problem::of_file(path, what).help(help));
            }
            1 => self.notes.push(format!(
                "{place}: line {} names an alternate of the draw before, who has stepped in for a \
                 member who left",
                lines[0]
            )),
            more => self.notes.push(format!(
                "{place}: lines {} name {more} alternates of the draw before, who have stepped in \
                 for members who left",
                lines.join(", ")
            )),
        }
    }

    /// Refuses people who are on both lists.
    fn refuse_both(&mut self, inputs: &Inputs, stay: &[Listed], left: &[Listed]) {
        let lines = stay.iter().map(|listed| (listed.one, listed.line));
        let lines: BTreeMap<u32, u64> = lines.collect();
        let keep = inputs.origin(KEEP);
        let mut tally = ProblemTally::new(&inputs.origin(WITHOUT));
        for listed in left {
            let Some(line) = lines.get(&listed.one) else {
                continue;
            };
            tally.note(ProblemKind::Whole, At::line(listed.line), || {
                let what = format!(
                    "a respondent is on the list of those who stay and of those who left: line \
                     {line} of {} names the same person",
                    called(&keep)
                );
                (what, "take them off one of the lists".into())
            });
        }
        self.problems.0.extend(tally.finish().0);
    }
}

/// The path of a list as messages have it. A list from memory has none.
fn called(path: &Path) -> String {
    let place = Place::file(path).to_string();
    place.trim_end_matches(": ").to_owned()
}
