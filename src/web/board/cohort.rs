//! Who was interviewed and chosen in the last round that was decided.

use maud::{Markup, html};

use super::moment::Moment;
use crate::report::cohort::CohortAccount;
use crate::report::figure::Cell;
use crate::report::markup::text;
use crate::report::number::brief;
use crate::report::page::{card_cell, card_heads};

/// The account of the policy that acts, or of the first; empty before a round with interviews or
/// offers is decided.
pub(super) fn cohort(moment: &Moment<'_>) -> Markup {
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
    html! {
        @for (caption, table) in tables.iter().take(1) {
            table class="claims interviews" role="table" {
                caption { "Who was interviewed and chosen: " (caption) }
                (card_heads(table.headers.iter().map(String::as_str)))
                tbody role="rowgroup" {
                    @for row in &table.rows {
                        tr role="row" {
                            @for (head, cell) in table.headers.iter().zip(row) {
                                (card_cell(head, html! { (shown(cell)) }))
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}

fn shown(cell: &Cell) -> Markup {
    match cell {
        Cell::Text(words) => text(words),
        Cell::Number(number) => html! { (brief(*number, 4)) },
        Cell::Empty => html! {},
    }
}
