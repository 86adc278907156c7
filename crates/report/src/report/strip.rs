//! The strip of decisions: a column for each round, a row for each policy, and a filled cell where
//! the policy chose. Columns on which policies disagree are lit. The pointer, a tap or the arrow
//! keys show the people and the reasons.

use std::collections::BTreeMap;
use std::io::BufRead;

use maud::{Markup, PreEscaped, html};

use super::figure::{PolicyLooks, class_of, sample_of};
use super::markup::text;
use super::number::{brief, grouped};
use super::why::sentence;
use crate::limits::{MOST_DECISIONS_READ, MOST_ROUNDS_READ};
use kleroterion_io::trace::{Decision, Event};

/// Columns in a row of the page.
const WIDE: usize = 60;

/// The most columns in a report.
const REPORTED: usize = 3 * WIDE;

/// The most people named of those chosen in a round.
const NAMED: usize = 3;

/// The script that shows the details of a strip's columns.
pub const STRIP_SCRIPT: &str = include_str!("strip/strip.js");

/// The style of strips.
pub const STRIP_STYLE: &str = include_str!("strip/strip.css");

/// The decisions of some rounds, to be drawn as a strip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// The labels of the policies, one for each row, with the number of the look if there is one.
    pub lanes: Vec<(String, Option<usize>)>,
    /// The rounds, in order.
    pub columns: Vec<StripColumn>,
    /// A note on the rounds shown, if they are not all.
    pub about: String,
    /// A note on which columns are lit.
    lit: &'static str,
}

/// A policy whose decisions are a row of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripLane<'a> {
    /// The label of the policy.
    pub label: &'a str,
    /// The kind of the policy. May be empty.
    pub kind: &'a str,
    /// True if the policy can be the answer. Yardsticks cannot.
    pub is_contender: bool,
    /// The number of its look, which the names of the rows and all figures share.
    look: Option<usize>,
}

impl<'a> StripLane<'a> {
    /// The rows of policies: the label of each, its kind, and whether it can be the answer.
    pub fn all(policies: impl IntoIterator<Item = (&'a str, &'a str, bool)>) -> Vec<Self> {
        let lane = |(label, kind, is_contender)| Self {
            label,
            kind,
            is_contender,
            look: None,
        };
        let mut lanes: Vec<Self> = policies.into_iter().map(lane).collect();
        let looks = PolicyLooks::of(lanes.iter().map(|lane| lane.label));
        for lane in &mut lanes {
            lane.look = looks.look(lane.label);
        }
        lanes
    }
}

/// The decisions of all policies in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct StripColumn {
    /// The round, from 1.
    pub round: u64,
    who: String,
    /// True if policies disagree on the round.
    pub is_lit: bool,
    cells: Vec<StripCell>,
}

/// The decision of one policy.
#[derive(Clone, Debug, PartialEq)]
struct StripCell {
    class: String,
    words: String,
}

impl StripColumn {
    /// Makes the column of one round from its decisions, one for each lane. A lane that had ended
    /// has none. `acting` is the place of the policy whose decision counts.
    pub fn of(
        lanes: &[StripLane<'_>],
        decisions: &[Option<&Decision>],
        acting: Option<usize>,
    ) -> Option<Self> {
        let there: Vec<&Decision> = decisions.iter().copied().flatten().collect();
        let first = there.first()?;
        let taken = acting.map(|lane| decisions[lane].map_or(&[][..], |one| &one.chosen));
        let cells = lanes.iter().zip(decisions).enumerate();
        let cells = cells.map(|(lane, (policy, decision))| match decision {
            None => StripCell {
                class: "e".into(),
                words: "had ended".into(),
            },
            Some(decision) => {
                let others = taken.filter(|_| acting != Some(lane));
                let is_unobserved = others
                    .is_some_and(|taken| !decision.chosen.iter().all(|id| taken.contains(id)));
                cell(policy, decision, is_unobserved)
            }
        });
        Some(Self {
            round: first.round,
            who: who(&there),
            is_lit: disagree(lanes, decisions),
            cells: cells.collect(),
        })
    }

    /// The round and who was shown.
    pub fn about(&self) -> String {
        format!("Round {}, {}", grouped(self.round), self.who)
    }

    /// Returns the decision of each policy and its reason, in words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|cell| cell.words.as_str())
    }

    /// A letter for each policy: `1` chosen, `u` chosen and unobserved, `0` not, `d` declined, `f`
    /// forfeit, `e` had ended.
    pub fn letters(&self) -> String {
        let letter = |cell: &StripCell| match cell.class.split(' ').collect::<Vec<_>>()[..] {
            ["y", "u", ..] => 'u',
            ["y", ..] => '1',
            ["d"] => 'd',
            ["f"] => 'f',
            ["e"] => 'e',
            _ => '0',
        };
        self.cells.iter().map(letter).collect()
    }

    /// The column: nothing in it is text, so that it is small; the script shows its words.
    fn html(&self) -> Markup {
        let about = self.about();
        html! {
            li class=[self.is_lit.then_some("x")] data-r=(self.round) data-w=(text(&about)) {
                @for cell in &self.cells {
                    i class=[Some(&cell.class).filter(|class| !class.is_empty())] data-y=(text(&cell.words)) {}
                }
            }
        }
    }
}

/// Returns true if yardsticks are ignored in the search for disagreements. They are ignored if at
/// least two contenders remain. A yardstick that accepts everyone differs from all others nearly
/// always.
fn leaves_out_yardsticks(lanes: &[StripLane<'_>]) -> bool {
    let contenders = lanes.iter().filter(|lane| lane.is_contender).count();
    (2..lanes.len()).contains(&contenders)
}

/// Returns the explanation of which columns are lit.
pub fn lit(lanes: &[StripLane<'_>]) -> &'static str {
    match leaves_out_yardsticks(lanes) {
        true => "underlined where policies disagree (yardsticks do not count)",
        false => "underlined where policies disagree",
    }
}

fn disagree(lanes: &[StripLane<'_>], decisions: &[Option<&Decision>]) -> bool {
    let all_count = !leaves_out_yardsticks(lanes);
    let counts = |lane: &StripLane<'_>| lane.is_contender || all_count;
    let all = lanes.iter().zip(decisions).filter(|(lane, _)| counts(lane));
    let mut chosen = all.filter_map(|(_, decision)| Some(&(*decision)?.chosen));
    let first = chosen.next();
    chosen.any(|other| Some(other) != first)
}

/// Returns the people shown in a round. Policies with different pools may see different people.
fn who(there: &[&Decision]) -> String {
    let first = there[0];
    if there.iter().any(|other| other.shown != first.shown) {
        return "other people for each".into();
    }
    match first.shown.as_slice() {
        [] => "nobody".into(),
        [one] => {
            let values = first
                .values(0)
                .map(|(name, value)| format!(", {name} {value}"));
            // A bare number could be taken for that of the round.
            let word = match one.bytes().all(|byte| byte.is_ascii_digit()) {
                true => "id",
                false => "person",
            };
            format!("{word} {one}{}", values.collect::<String>())
        }
        many => format!("{} people", grouped(many.len() as u64)),
    }
}

fn cell(policy: &StripLane<'_>, decision: &Decision, is_unobserved: bool) -> StripCell {
    let is_chosen = !decision.chosen.is_empty();
    let colour = policy.look.map_or("", class_of);
    let class = match () {
        () if decision.forfeit => "f".into(),
        () if is_unobserved => format!("y u {colour}"),
        () if is_chosen => format!("y {colour}"),
        () if !decision.declined.is_empty() => "d".into(),
        () => String::new(),
    };
    let why = sentence(policy.kind, decision);
    let p = match decision.p {
        Some(p) if why.is_empty() => format!("p {}", brief(p, 3)),
        _ => String::new(),
    };
    let unobserved = if is_unobserved { "unobserved" } else { "" };
    let reasons: Vec<&str> = [&*p, unobserved, &why]
        .into_iter()
        .filter(|why| !why.is_empty())
        .collect();
    let chosen = chosen(decision);
    StripCell {
        class,
        words: match reasons.is_empty() {
            true => chosen,
            false => format!("{chosen}: {}", reasons.join("; ")),
        },
    }
}

/// Returns the people whom a policy chose, in words.
fn chosen(decision: &Decision) -> String {
    match (decision.chosen.as_slice(), decision.shown.len()) {
        ([], _) if decision.forfeit => "forfeit".into(),
        ([], 1) if !decision.declined.is_empty() => "declined".into(),
        ([], _) if !decision.declined.is_empty() => "all chosen declined".into(),
        ([], _) => "not chosen".into(),
        (_, 1) => "chosen".into(),
        (chosen, all) => {
            let names = chosen.iter().take(NAMED).map(String::as_str);
            let names = names.collect::<Vec<_>>().join(", ");
            let more = if chosen.len() > NAMED {
                ", \u{2026}"
            } else {
                ""
            };
            format!("{} of {all} ({names}{more})", chosen.len())
        }
    }
}

impl Strip {
    /// Reads the strip of a finished run from `lines`, the decisions that it kept. It has all
    /// rounds of the first replication if these are few, else the first rounds on which policies
    /// disagree. `lanes` are in label order.
    pub fn read(lines: impl BufRead, lanes: &[StripLane<'_>]) -> Self {
        let places = lanes.iter().enumerate();
        let places: BTreeMap<&str, usize> = places.map(|(at, lane)| (lane.label, at)).collect();
        let mut columns = Vec::new();
        let mut round: Vec<Option<Decision>> = vec![None; lanes.len()];
        let mut has_more = false;
        let mut close = |round: &mut Vec<Option<Decision>>| {
            let decisions: Vec<Option<&Decision>> = round.iter().map(Option::as_ref).collect();
            columns.extend(StripColumn::of(lanes, &decisions, None));
            round.fill(None);
        };
        let most = MOST_ROUNDS_READ.min(MOST_DECISIONS_READ / lanes.len().max(1) as u64);
        let mut number = 0;
        // A broken line ends the strip, not the report.
        let events = lines.lines().map_while(Result::ok);
        for event in events.map_while(|line| line.parse::<Event>().ok()) {
            let decision = event.decision;
            if decision.replication > 0 || decision.round > most {
                has_more = decision.replication == 0;
                break;
            }
            if decision.round != number {
                close(&mut round);
                number = decision.round;
            }
            if let Some(lane) = places.get(&*decision.policy) {
                round[*lane] = Some(decision);
            }
        }
        close(&mut round);
        let all = columns.len();
        let mut about = String::new();
        if all > REPORTED || has_more {
            columns.retain(|column| column.is_lit);
            columns.truncate(REPORTED);
            let among = if has_more { "the first " } else { "" };
            about = format!(
                "Of {among}{} rounds, the first {} on which policies disagree.",
                grouped(all as u64),
                columns.len()
            );
        }
        let rows = lanes.iter();
        Self {
            lanes: rows
                .map(|lane| (lane.label.to_owned(), lane.look))
                .collect(),
            columns,
            about,
            lit: lit(lanes),
        }
    }

    /// The strip with some of its rows alone.
    pub(crate) fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let lanes = self.lanes.iter().enumerate();
        let kept = lanes.filter(|(_, (label, _))| is_kept(label));
        let kept: Vec<usize> = kept.map(|(place, _)| place).collect();
        let column = |column: &StripColumn| StripColumn {
            who: column.who.clone(),
            cells: kept.iter().map(|at| column.cells[*at].clone()).collect(),
            ..*column
        };
        Self {
            lanes: kept.iter().map(|at| self.lanes[*at].clone()).collect(),
            columns: self.columns.iter().map(column).collect(),
            about: self.about.clone(),
            lit: self.lit,
        }
    }

    /// The strip of a report, row by row.
    pub(crate) fn html(&self) -> Markup {
        html! {
            p.note {
                "A column a round, a row a policy, filled where it chose, striped where it had ended; " (self.lit) ". Point at a column, tap it or use the arrow keys (up and down: the next \
                 one underlined) to see who it was and why each policy decided so. " (self.about)
            }
            div.k-strip.klero-figure role="img" aria-label=(LABEL) {
                @for row in self.columns.chunks(WIDE) {
                    (block(&self.lanes, row[0].round, row.last().map_or(0, |last| last.round), row.iter().map(StripColumn::html)))
                }
            }
            (said())
        }
    }
}

/// The name of a strip for who can't see it.
pub const LABEL: &str = "Decisions: a column a round, a row a policy";

/// The place of what is under the pointer.
pub fn said() -> Markup {
    html! { div.k-said {} "\n" }
}

/// A row of the page: the names of the policies and [`WIDE`] columns, empty ones at its end.
fn block(
    lanes: &[(String, Option<usize>)],
    first: u64,
    last: u64,
    columns: impl Iterator<Item = Markup>,
) -> Markup {
    let mut columns: Vec<Markup> = columns.collect();
    columns.resize(WIDE, html! { li {} });
    html! {
        div data-first=(first) {
            p.k-from {
                "rounds " (grouped(first)) "\u{2013}" (grouped(last))
            }
            ul {
                @for (label, look) in lanes {
                    li {
                        @if let Some(look) = look { (PreEscaped(sample_of(*look))) }
                        span { (text(label)) }
                    }
                }
            }
            ol { @for column in columns { (column) } }
        } "\n"
    }
}

#[cfg(test)]
mod tests;
