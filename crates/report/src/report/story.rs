//! The story of a candidate or of a round: decisions as a table, lane by lane.

use std::collections::BTreeMap;

use super::doings::doings;
use super::grid::{GAP, GridColumn, render, render_with_notes, wide};
use super::medium::Medium;
use super::number::brief;
use super::plain;
use super::why::sentence;
use crate::limits::MOST_STORY_DECISIONS;
use kleroterion_io::trace::read::{DecisionFilter, Seen};
use kleroterion_io::trace::{Decision, Event};

/// The most persons named of those chosen in a decision.
const NAMED: usize = 4;

/// The most replications of which it is said who a candidate is.
const REPLICATIONS: usize = 5;

/// The mark of a number that is not there.
const NONE: &str = "-";

/// A decision, as much of it as is shown.
struct StoryLine {
    replication: u64,
    round: u64,
    policy: String,
    shown: usize,
    chosen: String,
    fate: String,
    p: Option<f64>,
    cost: f64,
    why: String,
}

/// Counts of a lane's actions, or of a candidate's outcomes in it.
#[derive(Clone, Default)]
struct StoryLane {
    decisions: u64,
    shown: u64,
    chosen: u64,
    /// The number of times that people were shown and the policy did not answer in time.
    forfeits: u64,
    cost: f64,
    /// The replication and the round of the first choice.
    first: Option<(u64, u64)>,
}

/// Decisions collected one by one. The memory used does not grow with their number.
pub struct Story<'a> {
    filter: &'a DecisionFilter,
    /// The kinds of the policies, by label.
    kinds: BTreeMap<String, String>,
    /// The description of each requested candidate, in each replication.
    who: BTreeMap<(&'a str, u64), String>,
    lines: Vec<StoryLine>,
    /// The actions besides choosing, one sentence each, under the round and the lane.
    done: Vec<(String, Vec<String>)>,
    /// The number of these sentences that are kept.
    told: usize,
    found: u64,
    /// The counts by candidate and label. The candidate is `None` if none is requested.
    lanes: BTreeMap<(Option<&'a str>, String), StoryLane>,
}

impl<'a> Story<'a> {
    /// Makes an empty story for the decisions that a filter selects. `kinds` holds the kinds of the
    /// policies by label, as far as they are known.
    #[must_use]
    pub fn new(filter: &'a DecisionFilter, kinds: BTreeMap<String, String>) -> Self {
        Self {
            filter,
            kinds,
            who: BTreeMap::new(),
            lines: Vec::new(),
            done: Vec::new(),
            told: 0,
            found: 0,
            lanes: BTreeMap::new(),
        }
    }

    /// Adds a decision.
    pub fn take(&mut self, event: &Event) {
        let decision = &event.decision;
        let filter = self.filter;
        self.take_doings(decision);
        let shows = |id: &String| decision.shown.contains(id);
        if !filter.candidates.is_empty() && !filter.candidates.iter().any(shows) {
            // Something was heard of one, no more.
            return;
        }
        self.found += 1;
        if filter.candidates.is_empty() {
            self.lane(None, decision, decision.shown.len(), decision.chosen.len());
        }
        for candidate in &filter.candidates {
            let count = |ids: &[String]| ids.iter().filter(|id| *id == candidate).count();
            let shown = count(&decision.shown);
            if shown > 0 {
                let who = || who(decision, candidate);
                let replication = decision.replication;
                self.who.entry((candidate, replication)).or_insert_with(who);
                self.lane(Some(candidate), decision, shown, count(&decision.chosen));
            }
        }
        if self.lines.len() < MOST_STORY_DECISIONS {
            let kind = self.kinds.get(&decision.policy).map_or("", String::as_str);
            let line = StoryLine::of(decision, &filter.candidates, kind);
            self.lines.push(line);
        }
    }

    /// Takes in what was done besides choosing.
    fn take_doings(&mut self, decision: &Decision) {
        let mut done = doings(decision, &self.filter.candidates);
        done.truncate(MOST_STORY_DECISIONS.saturating_sub(self.told));
        if done.is_empty() {
            return;
        }
        self.told += done.len();
        let Decision { round, policy, .. } = decision;
        let of = match decision.replication {
            0 => String::new(),
            replication => format!(" of replication {replication}"),
        };
        self.done
            .push((format!("round {round}{of}, {policy}"), done));
    }

    /// Returns the actions besides choosing, under their rounds and lanes.
    fn told_doings(&self) -> String {
        let mut text = String::new();
        for (head, done) in &self.done {
            text += &format!("\n{}\n", plain(head));
            for sentence in done {
                text += &format!("  {}\n", plain(sentence));
            }
        }
        text
    }

    fn lane(
        &mut self,
        candidate: Option<&'a str>,
        decision: &Decision,
        shown: usize,
        chosen: usize,
    ) {
        let key = (candidate, decision.policy.clone());
        let lane = self.lanes.entry(key).or_default();
        lane.decisions += 1;
        lane.shown += shown as u64;
        lane.chosen += chosen as u64;
        lane.forfeits += match candidate {
            _ if !decision.forfeit => 0,
            Some(_) => shown as u64,
            None => 1,
        };
        lane.cost += decision.cost;
        if chosen > 0 {
            lane.first
                .get_or_insert((decision.replication, decision.round));
        }
    }

    /// Returns the decisions in the order of the file (only the first, if there are many), and then
    /// a summary by lane. The summary has every lane of the file if no policy is requested.
    #[must_use]
    pub fn text(mut self, seen: &Seen, medium: &Medium) -> String {
        for policy in seen.policies.keys() {
            if self.filter.policies.is_empty() || self.filter.policies.contains(policy) {
                let asked = self.filter.candidates.iter();
                let all = asked.map(|id| Some(id.as_str()));
                let none = self.filter.candidates.is_empty().then_some(None);
                for candidate in all.chain(none) {
                    self.lanes.entry((candidate, policy.clone())).or_default();
                }
            }
        }
        let all = seen.decisions();
        let title = format!(
            "{}: {} of {all} decisions",
            described(self.filter),
            self.found
        );
        let mut text = medium.title(&title) + "\n";
        for line in self.people() {
            text += &plain(&line);
            text.push('\n');
        }
        text.push('\n');
        text += &self.decisions(medium);
        let more = self.found - self.lines.len() as u64;
        if more > 0 {
            text += &format!(
                "\u{2026} and {more} more: narrow them by --round, --policy, --candidate or \
                 --replication, or take all with --format ndjson\n"
            );
        }
        text += &self.told_doings();
        if self.told >= MOST_STORY_DECISIONS {
            text += "\u{2026} and more was done: narrow it by --round, --policy or --candidate\n";
        }
        // Where each lane was shown the one person once, its line says it all.
        let is_said = self.filter.candidates.len() == 1 && more == 0;
        let more_to_say = |lane: &StoryLane| lane.shown != 1 || lane.forfeits > 0;
        if !is_said || self.lanes.values().any(more_to_say) {
            text.push('\n');
            text += &self.by_lane(medium);
        }
        medium.finished(&text)
    }

    /// Returns descriptions of the candidates: a line each, or one for each replication if the
    /// people differ.
    fn people(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for candidate in &self.filter.candidates {
            let them = self
                .who
                .iter()
                .filter(|((id, _), who)| id == candidate && !who.is_empty());
            let them: Vec<_> = them
                .map(|((_, replication), who)| (*replication, who))
                .collect();
            match them.as_slice() {
                [(_, one), rest @ ..] if rest.iter().all(|(_, who)| who == one) => {
                    lines.push(format!("person {candidate}: {one}"));
                }
                them => lines.extend(them.iter().take(REPLICATIONS).map(|(replication, who)| {
                    format!("person {candidate} of replication {replication}: {who}")
                })),
            }
        }
        lines
    }

    fn has_replications(&self) -> bool {
        let first = self.lines.first().map(|line| line.replication);
        self.lines
            .iter()
            .any(|line| Some(line.replication) != first)
    }

    /// A row for each decision. Reasons are a column where they have room; else each is below its
    /// row.
    fn decisions(&self, medium: &Medium) -> String {
        let mut columns = self.columns();
        let lead = 2 + usize::from(self.has_replications());
        let reasons: Vec<String> = self.lines.iter().map(|line| plain(&line.why)).collect();
        let column = GridColumn::words("why", reasons.clone());
        if wide(columns.iter()) + GAP.len() + column.width() <= medium.width() {
            columns.push(column);
            return render(&columns[..lead], &columns[lead..], medium);
        }
        let note = |reason: String| match reason.is_empty() {
            true => reason,
            false => format!("why: {reason}"),
        };
        let notes: Vec<String> = reasons.into_iter().map(note).collect();
        render_with_notes(&columns[..lead], &columns[lead..], &notes, medium)
    }

    /// The columns before the sentence.
    fn columns(&self) -> Vec<GridColumn> {
        let lines = &self.lines;
        let fate = match self.filter.candidates.as_slice() {
            [one] => format!("person {}", plain(one)),
            _ => "person".to_owned(),
        };
        let numbers = |head, number: &dyn Fn(&StoryLine) -> String| {
            GridColumn::numbers(head, lines.iter().map(number).collect())
        };
        let words = |head, word: &dyn Fn(&StoryLine) -> String| {
            GridColumn::words(head, lines.iter().map(|line| plain(&word(line))).collect())
        };
        let mut columns = Vec::new();
        if self.has_replications() {
            columns.push(numbers("replication", &|line| line.replication.to_string()));
        }
        columns.push(numbers("round", &|line| line.round.to_string()));
        columns.push(words("policy", &|line| line.policy.clone()));
        let candidates = &self.filter.candidates;
        let is_alone = lines.iter().all(|line| line.shown == 1);
        if !candidates.is_empty() {
            columns.push(words(&fate, &|line| line.fate.clone()));
        }
        if !is_alone {
            columns.push(numbers("shown", &|line| line.shown.to_string()));
        }
        if !is_alone || candidates.is_empty() {
            columns.push(words("chosen", &|line| line.chosen.clone()));
        }
        if lines.iter().any(|line| line.p.is_some()) {
            let p = |line: &StoryLine| line.p.map_or_else(|| NONE.to_owned(), |p| brief(p, 4));
            columns.push(numbers("p", &p));
        }
        if lines.iter().any(|line| line.cost > 0.0) {
            columns.push(numbers("cost", &|line| brief(line.cost, 6)));
        }
        columns
    }

    fn by_lane(&self, medium: &Medium) -> String {
        let several = self.filter.candidates.len() > 1;
        let rows: Vec<_> = self.lanes.iter().collect();
        let words = |head, word: &dyn Fn(Option<&str>, &str) -> String| {
            let cells = rows
                .iter()
                .map(|((who, label), _)| plain(&word(*who, label)));
            GridColumn::words(head, cells.collect())
        };
        let counts = |head, count: &dyn Fn(&StoryLane) -> String| {
            GridColumn::numbers(head, rows.iter().map(|(_, lane)| count(lane)).collect())
        };
        let mut columns = vec![words("by lane", &|_, label| label.to_owned())];
        if several {
            let who = |who: Option<&str>, _: &str| who.unwrap_or_default().to_owned();
            columns.insert(0, words("person", &who));
        }
        if self.filter.candidates.is_empty() {
            columns.push(counts("decisions", &|lane| lane.decisions.to_string()));
        }
        columns.push(counts("shown", &|lane| lane.shown.to_string()));
        columns.push(counts("chosen", &|lane| lane.chosen.to_string()));
        if rows.iter().any(|(_, lane)| lane.forfeits > 0) {
            columns.push(counts("forfeits", &|lane| lane.forfeits.to_string()));
        }
        if self.filter.candidates.is_empty() {
            if rows.iter().any(|(_, lane)| lane.cost > 0.0) {
                columns.push(counts("cost", &|lane| brief(lane.cost, 6)));
            }
        } else {
            let passed = |lane: &StoryLane| {
                let decided = lane.shown.saturating_sub(lane.forfeits);
                decided.saturating_sub(lane.chosen).to_string()
            };
            columns.push(counts("passed over", &passed));
            let several_replications = self.has_replications();
            let first = |lane: &StoryLane| match lane.first {
                Some((replication, round)) if several_replications => {
                    format!("round {round} of replication {replication}")
                }
                Some((_, round)) => format!("round {round}"),
                None if lane.shown == 0 => "never shown".into(),
                None => "never chosen".into(),
            };
            let cells = rows.iter().map(|(_, lane)| first(lane));
            columns.push(GridColumn::words("first chosen", cells.collect()));
        }
        let (lead, rest) = columns.split_at(if several { 2 } else { 1 });
        render(lead, rest, medium)
    }
}

impl StoryLine {
    fn of(decision: &Decision, candidates: &[String], kind: &str) -> Self {
        let named: Vec<&str> = decision
            .chosen
            .iter()
            .take(NAMED)
            .map(String::as_str)
            .collect();
        let chosen = match decision.chosen.len() {
            0 if decision.forfeit => "forfeit".into(),
            0 if !decision.declined.is_empty() => "all declined".into(),
            0 => "nobody".into(),
            n if n > NAMED => format!("{} and {} more", named.join(", "), n - NAMED),
            _ => named.join(", "),
        };
        let fate = |id: &String| match decision.chosen.contains(id) {
            true => "chosen",
            false if decision.forfeit => "forfeit",
            false if decision.declined.contains(id) => "declined",
            false => "passed over",
        };
        let there = candidates.iter().filter(|id| decision.shown.contains(id));
        let fates: Vec<String> = match candidates {
            [_] => there.map(|id| fate(id).to_owned()).collect(),
            _ => there.map(|id| format!("{id} {}", fate(id))).collect(),
        };
        Self {
            replication: decision.replication,
            round: decision.round,
            policy: decision.policy.clone(),
            shown: decision.shown.len(),
            chosen,
            fate: fates.join(", "),
            p: decision.p,
            cost: decision.cost,
            why: sentence(kind, decision),
        }
    }
}

/// Returns the values of a candidate of a slate, for example "gender F, age 55+". Empty if they are
/// not shown.
fn who(decision: &Decision, candidate: &str) -> String {
    let slot = decision.shown.iter().position(|id| id == candidate);
    let values = slot.into_iter().flat_map(|slot| decision.values(slot));
    let values = values.map(|(name, value)| format!("{name} {value}"));
    values.collect::<Vec<_>>().join(", ")
}

/// Returns the filter's conditions in words.
#[must_use]
pub fn described(filter: &DecisionFilter) -> String {
    fn part<T: ToString>(one: &str, wanted: &[T]) -> Option<String> {
        let all: Vec<String> = wanted.iter().map(T::to_string).collect();
        match all.len() {
            0 => None,
            1 => Some(format!("{one} {}", all[0])),
            _ => Some(format!("{one} {}", all.join(" or "))),
        }
    }
    let parts = [
        part("person", &filter.candidates),
        part("policy", &filter.policies),
        part("round", &filter.rounds),
        part("replication", &filter.replications),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => "everything".into(),
        false => plain(&parts.join(", ")),
    }
}
