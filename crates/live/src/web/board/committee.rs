//! The people whom each policy has chosen so far, by group and against the target, with the
//! selection rates.

use super::model::{Model, Rows, Words};
use super::moment::Moment;
use crate::watch::Acts;
use kleroterion_report::report::figure::FigureTable;
use kleroterion_report::report::number::fixed;
use kleroterion_report::report::page::PagePart;
use kleroterion_stats::{AttributeRates, Composition, GroupRate};

/// The most groups shown of a committee. The tables have all of them.
const GROUPS: usize = 12;
/// The number of tables of rates and outcomes.
pub(super) const TABLES: usize = 4;
/// The length of a full bar, as a multiple of the largest target.
const ROOM: f64 = 1.5;

/// Fills the committee of each policy, and the policy shown first.
pub(super) fn committees(model: &mut Model, moment: &Moment<'_>) {
    let acting = match moment.watched.acts() {
        Acts::NotAsked => None,
        Acts::Plays(lane)
        | Acts::Done(lane, _)
        | Acts::TakenOver { lane, .. }
        | Acts::Broken { lane, .. } => moment.place(moment.label(lane)),
    };
    model.foremost = acting.or(model.order.first().copied()).unwrap_or(0);
    for (place, lane) in moment.order.iter().enumerate() {
        let composed = moment.composed.iter().find(|(one, _)| one == lane);
        let rows = composed.map_or_else(Vec::new, |(_, of)| committee(of));
        model.table(format!("committee-{place}"), rows);
    }
}

/// The rows of a committee, one per group: groups with a target, or all groups if none has one.
fn committee(of: &Composition) -> Rows {
    let has_target = |one: &&AttributeRates| one.groups.iter().any(|group| group.target.is_some());
    let any = of.attributes.iter().any(|one| has_target(&one));
    let shown = of.attributes.iter().filter(|one| !any || has_target(one));
    let groups: Vec<&GroupRate> = shown.flat_map(|one| &one.groups).take(GROUPS).collect();
    let most = groups.iter().filter_map(|group| group.target);
    let whole = match most.fold(0.0, f64::max) {
        most if most > 0.0 => (ROOM * most).min(1.0),
        _ => 1.0,
    };
    groups.into_iter().map(|group| row(group, whole)).collect()
}

fn row(group: &GroupRate, whole: f64) -> Vec<Words> {
    let share = group.share.unwrap_or(0.0);
    let words = match group.share {
        Some(share) => format!("{} %", fixed(100.0 * share, 0)),
        None => String::new(),
    };
    let off = group.share.zip(group.target).map(|(share, target)| {
        let points = fixed(100.0 * (share - target), 1);
        match points.strip_prefix('-') {
            Some(less) => format!("\u{2212}{less}"),
            None if points == "0.0" => points,
            None => format!("+{points}"),
        }
    });
    let bar = Words::new(words).below(off.unwrap_or_default());
    let tick = group.target.map(|target| target / whole);
    vec![
        group.group.as_str().into(),
        bar.share(share / whole).tick(tick),
    ]
}

/// Fills the tables of shares, selection rates and outcomes, each with its note.
pub(super) fn groups(model: &mut Model, moment: &Moment<'_>) {
    let mut tables: Vec<(&str, Rows, &str)> = Vec::new();
    for part in &moment.streams {
        match part {
            PagePart::Table { caption, table } => tables.push((caption, rows(table), "")),
            PagePart::Prose(note) => {
                if let Some(last) = tables.last_mut() {
                    last.2 = note;
                }
            }
            _ => {}
        }
    }
    tables.resize(TABLES, ("", Vec::new(), ""));
    for (at, (caption, rows, note)) in tables.into_iter().enumerate() {
        model.text(&format!("group-about-{at}"), caption);
        model.text(&format!("group-note-{at}"), note);
        model.table(format!("group-{at}"), rows);
    }
    let nothing = match moment.streams.is_empty() {
        true => "Nothing is known of groups or outcomes.",
        false => "",
    };
    model.text("group-nothing", nothing);
}

/// The rows of a table, with its head.
fn rows(table: &FigureTable) -> Rows {
    let head = table.headers.iter().map(|head| Words::from(&**head));
    let body = table.rows.iter();
    let body = body.map(|row| row.iter().map(|cell| Words::new(cell.brief())).collect());
    std::iter::once(head.collect()).chain(body).collect()
}
