//! The interviews to hold next, each with its kind, its policies and the time of asking; the people
//! interviewed and chosen last; and the open slate.

use chrono::{DateTime, Utc};

use super::model::{Model, Rows, Words};
use super::moment::Moment;
use crate::looks::{DeskView, ListedLook, LookState};
use crate::watch::Watched;
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_report::report::figure::FigureTable;
use kleroterion_report::report::number::grouped;

/// The most interviews listed.
const LISTED: usize = 50;

const HEADS: [&str; 5] = ["Candidate", "Interview", "Cost", "For", "Since"];

/// Fills the section. It is empty if no person holds interviews or closes slates.
pub(super) fn interviews(model: &mut Model, moment: &Moment<'_>) {
    let watched = moment.watched;
    model.text("slate", slate(watched).unwrap_or_default());
    match &watched.desk {
        Some(desk) => open(model, watched, desk),
        None => {
            model.text("waits", "");
            model.text("looks", "");
            model.table("interviews", Vec::new());
        }
    }
    cohort(model, moment);
}

/// The progress of the slates as a sentence.
fn slate(watched: &Watched) -> Option<String> {
    let slate = (*watched.slate.borrow())?;
    let round = slate.closed + 1;
    Some(match (slate.closed < slate.last, slate.people) {
        (false, _) => "The last slate is closed.".into(),
        (true, 1) => format!("The slate of round {round} is open, with 1 candidate so far."),
        (true, people) => {
            let people = grouped(people);
            format!("The slate of round {round} is open, with {people} candidates so far.")
        }
    })
}

/// Fills the open interviews, the oldest first.
fn open(model: &mut Model, watched: &Watched, desk: &DeskView) {
    let listed = desk.listed(LookState::Open..=LookState::Open);
    let [open, answered, missed] = desk.counts();
    let waits = match (listed.is_empty(), desk.offers()) {
        (false, _) => "",
        (true, false) => "No policy waits for an interview.",
        (true, true) => "No policy waits for an interview or for a reply to an offer.",
    };
    model.text("waits", waits);
    let mut rows = Vec::new();
    if !listed.is_empty() {
        rows.push(HEADS.map(Words::from).into());
    }
    rows.extend(
        listed
            .iter()
            .take(LISTED)
            .map(|look| row(look, watched, desk)),
    );
    model.table("interviews", rows);
    let mut about = format!("{} open", grouped(open));
    if listed.len() > LISTED {
        about += &format!(", of which the oldest {LISTED} are listed");
    }
    about += &format!(", {} answered", grouped(answered));
    if missed > 0 {
        about += &format!(", {} not answered in time", grouped(missed));
    }
    model.text("looks", about + ". Answers go to POST /v1/looks.");
}

fn row(listed: &ListedLook, watched: &Watched, desk: &DeskView) -> Vec<Words> {
    let kind = &desk.kinds()[listed.look.kind];
    let nth = match listed.look.nth + 1 {
        1 => String::new(),
        nth => format!(" (no. {nth})"),
    };
    let labels = listed.wanted_by.iter().map(|lane| &*watched.labels[*lane]);
    let labels = labels.collect::<Vec<_>>().join(", ");
    vec![
        desk.called(&listed.look.candidate).to_string().into(),
        format!("{}{nth}", kind.name).into(),
        kind.cost.to_string().into(),
        labels.into(),
        since(listed.since).into(),
    ]
}

/// An instant to the minute, in UTC.
fn since(millis: u64) -> String {
    let at = DateTime::<Utc>::from_timestamp_millis(millis as i64).unwrap_or_default();
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// Fills the account of the acting policy, or of the first one. It is empty before the first round
/// with interviews or offers.
fn cohort(model: &mut Model, moment: &Moment<'_>) {
    let watched = moment.watched;
    let lanes = watched.labels.len();
    let next = *watched.decisions.watch().borrow();
    let latest = watched
        .decisions
        .since(next.saturating_sub(lanes as u64), lanes);
    let acting = watched.acting.and_then(|lane| watched.labels.get(lane));
    let by = |candidate: &str, kind: &str, nth: u64| {
        let desk = watched.desk.as_ref();
        desk.map_or_else(String::new, |desk| desk.by(candidate, kind, nth))
    };
    let decisions = latest.iter().map(|one| &one.event.decision);
    let account = CohortAccount::now(decisions, acting.map(|label| &**label), by);
    let tables = account
        .as_ref()
        .map_or_else(Vec::new, CohortAccount::tables);
    let first = tables.first();
    let caption = first.map(|(caption, _)| format!("Who was interviewed and chosen: {caption}"));
    model.text("cohort-about", caption.unwrap_or_default());
    model.table(
        "cohort",
        first.map_or_else(Vec::new, |(_, table)| rows(table)),
    );
}

/// The rows of a table, with its head.
pub(super) fn rows(table: &FigureTable) -> Rows {
    let head = table.headers.iter().map(|head| Words::from(&**head));
    let body = table.rows.iter();
    let body = body.map(|row| row.iter().map(|cell| Words::new(cell.brief())).collect());
    std::iter::once(head.collect()).chain(body).collect()
}
