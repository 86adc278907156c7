//! One board for all viewers, made only while there are viewers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::charts::{Followed, funnel, lines};
use super::committee::{committees, groups};
use super::decisions::{self, BoardColumn, newest};
use super::model::{Chart, ChartPoint, HELD, Model, Rows, Words};
use super::moment::Moment;
use super::{answer, end, health, interviews, lanes, pairs};
use crate::limits::{BOARD_PERIOD, HEADLINE_PERIOD, MOST_RECENT_POINTS, MOST_VIEWERS};
use crate::watch::rates::History;
use crate::watch::{Stage, Watched};
use kleroterion_core::lock::locked;

/// The inverse of the largest share of the time that making boards may take.
const SHARE: u32 = 5;

/// A value, and the number of the board in which it became so.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Since<T> {
    pub(super) value: T,
    pub(super) changed: u64,
}

impl<T: PartialEq + Clone> Since<T> {
    fn after(before: Option<&Self>, value: T, number: u64) -> Self {
        match before {
            Some(before) if before.value == value => before.clone(),
            _ => Self {
                value,
                changed: number,
            },
        }
    }
}

/// A chart as viewers know it.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardChart {
    pub(super) of: Since<String>,
    pub(super) marks: Since<Vec<(u64, String)>>,
    pub(super) until: Since<Option<u64>>,
    pub(super) points: Vec<ChartPoint>,
    /// The latest points, each with the number of the board in which it came.
    recent: VecDeque<(u64, ChartPoint)>,
}

impl BoardChart {
    fn after(before: Option<&Self>, chart: Chart, number: u64) -> Self {
        let mut next = Self {
            of: Since::after(before.map(|before| &before.of), chart.of, number),
            marks: Since::after(before.map(|before| &before.marks), chart.marks, number),
            until: Since::after(before.map(|before| &before.until), chart.until, number),
            points: chart.points,
            recent: VecDeque::new(),
        };
        let same = before.filter(|before| before.of == next.of);
        next.recent = same.map_or_else(VecDeque::new, |before| before.recent.clone());
        let newest = next.recent.back().map(|(_, point)| point);
        if let Some(last) = next.points.last().filter(|last| Some(*last) != newest) {
            next.recent.push_back((number, last.clone()));
        }
        while next.recent.len() > MOST_RECENT_POINTS {
            next.recent.pop_front();
        }
        next
    }

    /// The points added after board `known`; `None` if some of them are no longer kept, so that all
    /// points must be sent.
    pub(super) fn since(&self, known: u64) -> Option<Vec<&ChartPoint>> {
        let all = self.recent.len() == MOST_RECENT_POINTS;
        let oldest = self.recent.front().map(|(number, _)| *number);
        let is_missed = all && oldest > Some(known + 1);
        let is_known = known >= self.of.changed && !is_missed;
        let new = self.recent.iter().filter(|(number, _)| *number > known);
        is_known.then(|| new.map(|(_, point)| point).collect())
    }
}

/// A table as viewers know it.
#[derive(Clone, Debug, Default)]
pub(super) struct BoardTable {
    pub(super) rows: Vec<Vec<Since<Words>>>,
    /// The number of rows.
    pub(super) many: Since<usize>,
}

/// The page at one moment.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The number of the board, from 1.
    pub(super) number: u64,
    /// The number of the person or round up to which the board counts.
    pub(super) n: u64,
    pub(super) texts: BTreeMap<String, Since<Words>>,
    pub(super) tables: BTreeMap<String, BoardTable>,
    pub(super) charts: BTreeMap<String, BoardChart>,
    pub(super) order: Since<Vec<usize>>,
    pub(super) foremost: Since<usize>,
    /// The columns of the last rounds, in order.
    pub(super) columns: Vec<BoardColumn>,
    /// The number of people who came.
    pub(super) people: u64,
    /// The time at which the headline last changed.
    headline: Instant,
    /// The comparison whose course is drawn.
    followed: Option<Followed>,
}

impl Board {
    /// Makes the board of a moment from the board before it.
    pub(super) fn of(moment: &Moment<'_>, before: Option<&Self>) -> Self {
        let number = before.map_or(0, |board| board.number) + 1;
        let followed = Followed::of(moment, before.and_then(|board| board.followed.as_ref()));
        let known = before.map_or(&[][..], |board| &board.columns);
        let columns = decisions::columns(moment, known, number);
        let mut model = filled(moment, followed.as_ref(), &columns);
        let headline = held(moment, &mut model, before);
        let texts = before.map(|board| &board.texts);
        let tables = before.map(|board| &board.tables);
        let charts = before.map(|board| &board.charts);
        Self {
            number,
            n: moment.cut.round,
            texts: each(texts, model.texts, number, Since::after),
            tables: each(tables, model.tables, number, cells),
            charts: each(charts, model.charts, number, BoardChart::after),
            order: Since::after(before.map(|board| &board.order), model.order, number),
            foremost: Since::after(before.map(|board| &board.foremost), model.foremost, number),
            columns,
            people: moment.watched.gauges.accepted.get(),
            headline,
            followed,
        }
    }
}

/// All parts of one kind, each after the part of the same id of the board before.
fn each<T, B>(
    before: Option<&BTreeMap<String, B>>,
    parts: BTreeMap<String, T>,
    number: u64,
    after: impl Fn(Option<&B>, T, u64) -> B,
) -> BTreeMap<String, B> {
    let parts = parts.into_iter();
    let parts = parts.map(|(id, part)| {
        let part = after(before.and_then(|all| all.get(&id)), part, number);
        (id, part)
    });
    parts.collect()
}

/// Builds the content of the page at a moment.
fn filled(moment: &Moment<'_>, followed: Option<&Followed>, columns: &[BoardColumn]) -> Model {
    let mut model = Model::default();
    answer::stage(&mut model, moment);
    end::end(&mut model, moment);
    end::alerts(&mut model, moment);
    answer::answer(&mut model, moment);
    interviews::interviews(&mut model, moment);
    funnel(&mut model, moment, followed);
    lanes::lanes(&mut model, moment);
    committees(&mut model, moment);
    newest(&mut model, moment, columns);
    pairs::pairs(&mut model, moment);
    lines(&mut model, moment);
    groups(&mut model, moment);
    health::health(&mut model, moment);
    model
}

/// Keeps the headline of the board before while it is young, unless it says what to do next. Returns
/// the time since which the shown headline has been shown.
fn held(moment: &Moment<'_>, model: &mut Model, before: Option<&Board>) -> Instant {
    let Some((board, shown)) = before.and_then(|board| Some((board, board.texts.get(HELD)?)))
    else {
        return moment.at;
    };
    let is_held = moment.stage != Stage::Over && moment.watched.desk.is_none();
    let is_young = moment.at.saturating_duration_since(board.headline) < HEADLINE_PERIOD;
    let now = model.texts.entry(HELD.to_owned()).or_default();
    if *now == shown.value || is_young && is_held {
        now.clone_from(&shown.value);
        return board.headline;
    }
    moment.at
}

/// The cells of a table, each with the number of the board in which it became so.
fn cells(before: Option<&BoardTable>, rows: Rows, number: u64) -> BoardTable {
    let many = Since::after(before.map(|table| &table.many), rows.len(), number);
    let row = |(at, row): (usize, Vec<Words>)| {
        let before = before.and_then(|table| table.rows.get(at));
        let cells = row.into_iter().enumerate();
        let since = |(at, cell)| Since::after(before.and_then(|row| row.get(at)), cell, number);
        cells.map(since).collect()
    };
    let rows = rows.into_iter().enumerate().map(row).collect();
    BoardTable { rows, many }
}

/// The state that all viewers share.
#[derive(Default)]
pub(super) struct BoardShared {
    /// The last board made; `None` without viewers. A slow viewer misses some boards.
    boards: watch::Sender<Option<Arc<Board>>>,
    is_made: Mutex<bool>,
}

impl BoardShared {
    /// The board that other viewers have, or a new one.
    pub(super) async fn board(&self, watched: &Arc<Watched>) -> Arc<Board> {
        let made = self.boards.borrow().clone();
        match made {
            Some(board) => board,
            None => make(watched, History::default(), None).await.0,
        }
    }

    /// Follows the boards from now on; `None` if there are as many viewers as allowed.
    pub(super) fn follow(
        self: &Arc<Self>,
        watched: &Arc<Watched>,
    ) -> Option<WatchStream<Option<Arc<Board>>>> {
        let mut is_made = locked(&self.is_made);
        if self.boards.receiver_count() >= MOST_VIEWERS {
            return None;
        }
        let boards = self.boards.subscribe();
        if !*is_made {
            *is_made = true;
            tokio::spawn(Arc::clone(self).make(Arc::clone(watched)));
        }
        Some(WatchStream::new(boards))
    }

    #[cfg(test)]
    pub(super) fn is_making(&self) -> bool {
        *locked(&self.is_made)
    }

    /// Makes boards until no viewer is left.
    async fn make(self: Arc<Self>, watched: Arc<Watched>) {
        let mut history = History::default();
        let mut board = None;
        loop {
            let begun = Instant::now();
            let (made, seen) = make(&watched, history, board).await;
            history = seen;
            self.boards.send_replace(Some(Arc::clone(&made)));
            board = Some(made);
            tokio::time::sleep(BOARD_PERIOD.max(SHARE * begun.elapsed())).await;
            let mut is_made = locked(&self.is_made);
            if self.boards.receiver_count() == 0 {
                *is_made = false;
                self.boards.send_replace(None);
                return;
            }
        }
    }
}

/// Makes a board, on a thread where it delays no request.
async fn make(
    watched: &Arc<Watched>,
    mut history: History,
    before: Option<Arc<Board>>,
) -> (Arc<Board>, History) {
    let watched = Arc::clone(watched);
    let work = move || {
        let moment = Moment::of(&watched, &mut history, Instant::now());
        (Arc::new(Board::of(&moment, before.as_deref())), history)
    };
    let made = tokio::task::spawn_blocking(work).await;
    made.expect("a board can be made of any moment")
}
