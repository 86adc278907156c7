//! One board for all viewers, made while there is one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use maud::Markup;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::decisions::BoardColumn;
use super::moment::{History, Moment};
use super::patch::cost;
use super::{decisions, end, interviews, lanes, lead, lines, seats};
use crate::watch::Watched;

/// The least time between two boards.
const OFTEN: Duration = Duration::from_millis(500);
/// Making boards takes at most 1/SHARE of the time.
const SHARE: u32 = 5;

/// Bytes a second that a section may take: a larger change waits for longer, so that all together
/// leave room on a slow line.
const BYTES_A_SECOND: f64 = 1300.0;
/// A change of at most this many bytes never waits.
const SMALL: usize = 600;
/// The section of the headlines, and the least time between two of them: who reads one is not to
/// lose it.
const HEADLINES: (&str, Duration) = ("lead", Duration::from_secs(5));

/// A part of the page.
#[derive(Clone, Debug)]
pub(super) struct BoardSection {
    /// The id of its place.
    pub(super) name: &'static str,
    /// Its contents.
    pub(super) html: Arc<str>,
    /// The number of the board in which it last changed.
    pub(super) changed: u64,
    /// What it was before, and the number of the board in which it had become so.
    pub(super) before: Option<(u64, Arc<str>)>,
    /// When it last changed.
    at: Instant,
}

impl BoardSection {
    /// The section with its new contents; as it was where nothing has changed, or where a change of
    /// this size is not due yet.
    fn becoming(self, html: Arc<str>, number: u64, now: Instant) -> Self {
        let cost = cost(&self.html, &html);
        let pause = match (self.name, cost) {
            (name, _) if name == HEADLINES.0 => HEADLINES.1,
            (_, cost) if cost <= SMALL => Duration::ZERO,
            (_, cost) => Duration::from_secs_f64(cost as f64 / BYTES_A_SECOND),
        };
        let is_due = now.saturating_duration_since(self.at) >= pause;
        if self.html == html || !is_due {
            return self;
        }
        Self {
            name: self.name,
            before: Some((self.changed, self.html)),
            html,
            changed: number,
            at: now,
        }
    }
}

/// The page at a moment.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// From 1.
    pub(super) number: u64,
    pub(super) sections: Vec<BoardSection>,
    /// The labels in their order, each with the number of its look.
    pub(super) lanes: Vec<(String, Option<usize>)>,
    /// The last rounds, in order.
    pub(super) columns: Vec<BoardColumn>,
    /// How many people came.
    pub(super) people: u64,
}

impl Board {
    /// The board of a moment, after another.
    pub(super) fn of(moment: &Moment<'_>, before: Option<&Self>) -> Self {
        let number = before.map_or(0, |board| board.number) + 1;
        let figures = lines::figures(moment);
        let known = before.map_or(&[][..], |board| &board.columns);
        let columns = decisions::columns(moment, known, number);
        let made = [
            ("stage", lead::stage(moment)),
            ("end", end::end(moment)),
            ("alerts", end::alerts(moment)),
            ("interviews", interviews::interviews(moment)),
            ("lead", lead::lead(moment)),
            ("flow", lanes::flow(moment)),
            (
                "course",
                lines::figure_html("course", figures.course.as_ref()),
            ),
            (
                "lines",
                lines::figure_html("lines", figures.courses.as_ref()),
            ),
            (
                "shares",
                lines::figure_html("shares", figures.shares.as_ref()),
            ),
            ("seats", seats::committees(moment)),
            ("lanes", lanes::lanes(moment, &figures.looks)),
            ("verdicts", lead::verdicts(moment)),
            ("streams", lead::streams(moment)),
            ("latest", decisions::newest(moment, &columns)),
        ];
        let section = |(name, html): (&'static str, Markup)| {
            let html: Arc<str> = html.into_string().into();
            let known = before.and_then(|board| board.sections.iter().find(|s| s.name == name));
            match known {
                Some(known) => known.clone().becoming(html, number, moment.at),
                None => BoardSection {
                    name,
                    html,
                    changed: number,
                    before: None,
                    at: moment.at,
                },
            }
        };
        let look = |label: &str| {
            let mut looks = figures.looks.iter();
            looks.find(|(name, _)| name == label).map(|(_, look)| *look)
        };
        let labels = moment.order.iter().map(|lane| moment.label(*lane));
        Self {
            number,
            sections: made.into_iter().map(section).collect(),
            lanes: labels
                .map(|label| (label.to_owned(), look(label)))
                .collect(),
            columns,
            people: moment.watched.gauges.accepted.get(),
        }
    }
}

/// The most who follow the board at once. Each keeps a connection.
pub(super) const VIEWERS: usize = 64;

/// What all viewers share.
pub(super) struct BoardShared {
    /// The last board made; none while there is no viewer. A slow viewer misses some.
    boards: watch::Sender<Option<Arc<Board>>>,
    is_made: Mutex<bool>,
}

impl Default for BoardShared {
    fn default() -> Self {
        Self {
            boards: watch::Sender::new(None),
            is_made: Mutex::new(false),
        }
    }
}

impl BoardShared {
    /// The board as it is made for others, or one made now.
    pub(super) async fn board(&self, watched: &Arc<Watched>) -> Arc<Board> {
        let made = self.boards.borrow().clone();
        match made {
            Some(board) => board,
            None => make(watched, History::default(), None).await.0,
        }
    }

    /// The boards from now on; none where as many look as may.
    pub(super) fn follow(
        self: &Arc<Self>,
        watched: &Arc<Watched>,
    ) -> Option<WatchStream<Option<Arc<Board>>>> {
        let mut is_made = self.is_made.lock().unwrap_or_else(PoisonError::into_inner);
        if self.boards.receiver_count() >= VIEWERS {
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
        *self.is_made.lock().unwrap_or_else(PoisonError::into_inner)
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
            tokio::time::sleep(OFTEN.max(SHARE * begun.elapsed())).await;
            let mut is_made = self.is_made.lock().unwrap_or_else(PoisonError::into_inner);
            if self.boards.receiver_count() == 0 {
                *is_made = false;
                self.boards.send_replace(None);
                return;
            }
        }
    }
}

/// A board, made on a thread where it delays no request.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A headline stays for 5 s at least, however short the new one; other small changes never wait.
    #[test]
    fn headlines_change_at_most_every_five_seconds() {
        let begun = Instant::now();
        let after = |seconds: f64| begun + Duration::from_secs_f64(seconds);
        for (name, waits) in [("lead", true), ("stage", false)] {
            let mut section = BoardSection {
                name,
                html: "0".into(),
                changed: 1,
                before: None,
                at: begun,
            };
            let mut changes = Vec::new();
            for half in 1..=60_u64 {
                let now = after(half as f64 / 2.0);
                let html: Arc<str> = half.to_string().into();
                let next = section.clone().becoming(Arc::clone(&html), half + 1, now);
                if next.html == html {
                    changes.push(half);
                }
                section = next;
            }
            match waits {
                true => assert_eq!(changes, [10, 20, 30, 40, 50, 60]),
                false => assert_eq!(changes.len(), 60),
            }
        }
    }
}
