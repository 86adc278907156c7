//! The people interviewed and chosen in the last decided round.

use super::model::{Model, Rows, Words};
use super::moment::Moment;
use kleroterion_report::report::cohort::CohortAccount;
use kleroterion_report::report::figure::FigureTable;

/// Fills the account of the acting policy, or of the first one. It is empty before the first round
/// with interviews or offers.
pub(super) fn cohort(model: &mut Model, moment: &Moment<'_>) {
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
