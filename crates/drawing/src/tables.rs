//! The tables of a draw: the panel, the others with reasons, and the alternates.

use std::collections::BTreeMap;

use super::alternates::likest;
use super::chances::Chances;
use super::code::Codes;
use super::draw::FinishedDraw;
use super::lists::CODE;
use super::play::{PassedOver, Why};
use super::question::DrawQuestion;
use super::reasons::{Reasons, terms};
use super::rows::Rows;
use kleroterion_io::record::shortest;

/// The table of the members, with their codes.
pub const PANEL: &str = "panel.csv";

/// The table of all who are not on the panel, with the reasons.
pub const PASSED: &str = "passed-over.csv";

/// The table of the alternates.
pub const ALTERNATES: &str = "alternates.csv";

/// The table of every respondent's chance, if chances were requested.
pub const CHANCES: &str = "chances.csv";

/// The tables of the members and of all others, in the columns of the people's file.
pub const SELECTED: [&str; 2] = ["selected.csv", "remaining.csv"];

/// Returns the tables of a draw, by name.
#[must_use]
pub fn tables(drawn: &FinishedDraw) -> BTreeMap<String, Vec<u8>> {
    let whole = drawn.stage.whole();
    let [selected, remaining] = SELECTED;
    let mut left = Rows::new(whole, &[]);
    for one in in_file_order(&drawn.passed) {
        if one.why != Why::Out && drawn.kin(one.respondent).is_none() {
            left.add(&[], one.respondent);
        }
    }
    let mut members = Rows::new(whole, &[]);
    drawn.members.iter().for_each(|one| members.add(&[], *one));
    let tables = [
        (PANEL, panel(drawn)),
        (PASSED, passed(drawn)),
        (
            ALTERNATES,
            alternates(
                whole,
                &drawn.stage.codes,
                &drawn.members,
                &drawn.alternates.who,
            ),
        ),
        (selected, members.finish()),
        (remaining, left.finish()),
    ];
    let mut tables: BTreeMap<String, Vec<u8>> =
        tables.map(|(name, bytes)| (name.to_owned(), bytes)).into();
    if let Some(chances) = &drawn.chances {
        tables.insert(CHANCES.to_owned(), table_of_chances(drawn, chances));
    }
    tables
}

/// The chances, in the order of the file.
fn table_of_chances(drawn: &FinishedDraw, chances: &Chances) -> Vec<u8> {
    let own = [CODE, "selected", "replications", "share"];
    let mut rows = Rows::new(drawn.stage.whole(), &own);
    let replications = chances.summary.replications;
    for (one, count) in (0..).zip(&chances.counts) {
        let one = drawn.stage.in_whole(one);
        let own = [
            drawn.stage.codes.code(one).to_owned(),
            count.to_string(),
            replications.to_string(),
            shortest(*count as f64 / replications as f64),
        ];
        rows.add(&own, one);
    }
    rows.finish()
}

fn panel(drawn: &FinishedDraw) -> Vec<u8> {
    let again = drawn.stage.again.is_some();
    let own = ["order", CODE, "drawn"];
    let mut rows = Rows::new(drawn.stage.whole(), &own[..own.len() - usize::from(!again)]);
    for (at, member) in drawn.members.iter().enumerate() {
        let drawn_now = if at < drawn.kept { "earlier" } else { "now" };
        let code = drawn.stage.codes.code(*member).to_owned();
        let mut own = vec![(at + 1).to_string(), code];
        own.extend(again.then(|| drawn_now.to_owned()));
        rows.add(&own, *member);
    }
    rows.finish()
}

/// The columns of all others, where the rule met them one by one.
const MET: [&str; 6] = [CODE, "why", "came", "household_of", "p", "reason"];

/// The columns of all others if the rule drew or built the panel as a whole, so that no one was met
/// or refused.
const WHOLE: [&str; 5] = [CODE, "why", "household_of", "chance", "reason"];

fn passed(drawn: &FinishedDraw) -> Vec<u8> {
    match Reasons::of(drawn) {
        reasons if reasons.is_of_whole_panels() => not_drawn(drawn, &reasons),
        reasons => met(drawn, &reasons),
    }
}

/// The order of the member who lives with one, where that is why they are not on the panel.
fn household_of(drawn: &FinishedDraw, why: &Why) -> Option<String> {
    let Why::Household { member } = why else {
        return None;
    };
    let place = |member: u32| drawn.members.iter().position(|other| *other == member);
    member.and_then(place).map(|at| (at + 1).to_string())
}

/// Returns the table of all others for a panel that was drawn or built as a whole.
fn not_drawn(drawn: &FinishedDraw, reasons: &Reasons<'_>) -> Vec<u8> {
    let mut rows = Rows::new(drawn.stage.whole(), &WHOLE);
    for one in &drawn.passed {
        let why = match &one.why {
            Why::Refused { .. } | Why::Full | Why::Unmet => "not_drawn",
            why => why.word(),
        };
        let own = [
            drawn.stage.codes.code(one.respondent).to_owned(),
            why.to_owned(),
            household_of(drawn, &one.why).unwrap_or_default(),
            reasons
                .chance(one.respondent)
                .map(shortest)
                .unwrap_or_default(),
            reasons.why(one),
        ];
        rows.add(&own, one.respondent);
    }
    rows.finish()
}

/// Returns the table of all others for a panel of people who were met one by one.
fn met(drawn: &FinishedDraw, reasons: &Reasons<'_>) -> Vec<u8> {
    let mut rows = Rows::new(drawn.stage.whole(), &MET);
    for one in &drawn.passed {
        let p = match &one.why {
            Why::Refused { p, .. } => p.map(shortest),
            _ => None,
        };
        let reason = match drawn.commitment.is_of_whole_files() {
            true => terms(&one.why),
            false => reasons.why(one),
        };
        let own = [
            Some(drawn.stage.codes.code(one.respondent).to_owned()),
            Some(one.why.word().to_owned()),
            one.round.map(|round| round.to_string()),
            household_of(drawn, &one.why),
            p,
            Some(reason),
        ];
        rows.add(&own.map(Option::unwrap_or_default), one.respondent);
    }
    rows.finish()
}

/// Returns the table of the alternates, in the order in which they are asked.
pub(super) fn alternates(
    whole: &DrawQuestion,
    codes: &Codes,
    members: &[u32],
    who: &[u32],
) -> Vec<u8> {
    let mut rows = Rows::new(whole, &["order", CODE, "like"]);
    for (at, one) in who.iter().enumerate() {
        let like = likest(&whole.panel, members, *one).into_iter();
        let like: Vec<String> = like.map(|at| (at + 1).to_string()).collect();
        let code = codes.code(*one).to_owned();
        rows.add(&[(at + 1).to_string(), code, like.join(" ")], *one);
    }
    rows.finish()
}

/// Returns the people who are not on the panel, in the order of the file.
fn in_file_order(passed: &[PassedOver]) -> Vec<&PassedOver> {
    let mut all: Vec<&PassedOver> = passed.iter().collect();
    all.sort_by_key(|one| one.respondent);
    all
}
