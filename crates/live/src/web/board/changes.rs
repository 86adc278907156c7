//! The changes of a board since the version that a viewer knows, as JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::decisions::BoardColumn;
use super::model::ChartPoint;
use super::shared::{Board, BoardChart, BoardTable};
use crate::watch::Watched;
use kleroterion_io::record::legible;

/// The most strip columns in an event, except the first: two seconds at 25 people a second.
const COLUMNS_AN_EVENT: usize = 52;

/// The parts of the board that a viewer looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// The policy whose committee is shown, by its place among the labels.
    pub(super) lane: Option<usize>,
    /// True if the tables of rates and outcomes are open.
    pub(super) groups: bool,
}

/// A hash that distinguishes this run from another at the same address, whose page differs.
pub(super) fn run_of(watched: &Watched) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (&watched.name, &watched.labels, &watched.judge.metrics).hash(&mut hasher);
    watched.kinds.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

/// The changes since board number `known`; `None` without changes. All of them are of the same
/// moment.
pub(super) fn changes(board: &Board, known: u64, view: View, ago: Option<u64>) -> Option<Value> {
    let mut parts = Map::new();
    let mut add = |name: &str, part: Map<String, Value>| {
        if !part.is_empty() {
            parts.insert(name.to_owned(), part.into());
        }
    };
    let is_seen = |id: &str| view.groups || !id.starts_with("group-");
    let texts = board.texts.iter().filter(|(id, _)| is_seen(id));
    let texts = texts.filter(|(_, words)| words.changed > known);
    add(
        "texts",
        texts
            .map(|(id, words)| (id.clone(), value(&words.value)))
            .collect(),
    );
    let shown = format!("committee-{}", view.lane.unwrap_or(board.foremost.value));
    let tables = board.tables.iter().filter(|(id, _)| is_seen(id));
    let tables = tables.filter_map(|(id, rows)| match id.starts_with("committee-") {
        false => Some((id.clone(), cells(rows, known)?)),
        true if *id != shown => None,
        // Another policy's than before: all of it.
        true if view.lane.is_none() && board.foremost.changed > known => {
            Some(("committee".into(), cells(rows, 0)?))
        }
        true => Some(("committee".into(), cells(rows, known)?)),
    });
    add("tables", tables.collect());
    let charts = board.charts.iter();
    let charts = charts.filter_map(|(id, chart)| Some((id.clone(), points(chart, known)?)));
    add("charts", charts.collect());
    let mut put = |name: &str, part: Value| parts.insert(name.to_owned(), part);
    if board.order.changed > known {
        put("order", json!(board.order.value));
    }
    if board.foremost.changed > known && view.lane.is_none() {
        put("lane", board.foremost.value.into());
    }
    let columns = columns(&board.columns, known);
    if !columns.is_empty() {
        put("columns", columns.into());
    }
    if parts.is_empty() {
        return None;
    }
    parts.insert("n".into(), board.n.into());
    parts.insert("ago".into(), json!(ago));
    parts.insert("people".into(), board.people.into());
    if known == 0 {
        parts.insert("whole".into(), true.into());
    }
    Some(as_read(parts.into()))
}

/// Makes all texts in a value legible, since the page's script inserts them as they come.
fn as_read(value: Value) -> Value {
    match value {
        Value::String(text) => legible(&text).into(),
        Value::Array(all) => all.into_iter().map(as_read).collect(),
        Value::Object(all) => all
            .into_iter()
            .map(|(name, one)| (name, as_read(one)))
            .collect(),
        other => other,
    }
}

fn value(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

/// The number of rows, then each run of changed cells with its row and first column; `None` without
/// changes.
fn cells(table: &BoardTable, known: u64) -> Option<Value> {
    let mut sent = vec![json!(table.rows.len())];
    for (at, row) in table.rows.iter().enumerate() {
        let is_new: Vec<bool> = row.iter().map(|cell| cell.changed > known).collect();
        let mut column = 0;
        for run in is_new.chunk_by(|one, other| one == other) {
            let cells = &row[column..column + run.len()];
            if run[0] {
                let cells: Value = cells.iter().map(|cell| value(&cell.value)).collect();
                sent.extend([json!(at), json!(column), cells]);
            }
            column += run.len();
        }
    }
    (sent.len() > 1 || table.many.changed > known).then(|| sent.into())
}

/// A chart's new points; all points if the chart now shows another thing than the viewer knows.
fn points(chart: &BoardChart, known: u64) -> Option<Value> {
    let flat = |(n, values): &ChartPoint| {
        let values = values.iter().map(|value| json!(value));
        std::iter::once(json!(n)).chain(values).collect::<Value>()
    };
    let mut sent = Map::new();
    match chart.since(known) {
        Some(new) => {
            let new: Vec<Value> = new.into_iter().map(flat).collect();
            if !new.is_empty() {
                sent.insert("add".into(), new.into());
            }
        }
        None => {
            sent.insert("of".into(), json!(chart.of.value));
            sent.insert("all".into(), chart.points.iter().map(flat).collect());
        }
    }
    if chart.marks.changed > known {
        sent.insert("marks".into(), json!(chart.marks.value));
    }
    if chart.until.changed > known {
        sent.insert("until".into(), json!(chart.until.value));
    }
    (!sent.is_empty()).then(|| sent.into())
}

/// The new columns, or the last ones if there are too many.
fn columns(all: &[BoardColumn], known: u64) -> Vec<Value> {
    let new = all.iter().filter(|column| column.changed > known);
    let new: Vec<&BoardColumn> = new.collect();
    let skipped = new.len().saturating_sub(COLUMNS_AN_EVENT);
    let column = |column: &&BoardColumn| {
        let BoardColumn {
            round,
            who,
            groups,
            letters,
            is_lit,
            ..
        } = column;
        let lit = if *is_lit { "1" } else { "" };
        let parts = [&round.to_string(), who, groups, letters, lit];
        match parts.iter().any(|part| part.contains('|')) {
            false => json!(parts.join("|")),
            true => json!(parts),
        }
    };
    new[skipped..].iter().map(column).collect()
}
