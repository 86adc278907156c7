//! One board for all viewers, made while there is one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use maud::Markup;
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;

use super::moment::{History, Moment};
use super::{interviews, lanes, latest, lead, lines};
use crate::watch::Watched;

/// The least time between two boards.
const OFTEN: Duration = Duration::from_millis(500);
/// Making boards takes at most 1/SHARE of the time.
const SHARE: u32 = 5;

/// A part of the page.
#[derive(Clone, Debug)]
pub(super) struct BoardSection {
    /// The id of its place.
    pub(super) name: &'static str,
    /// Its contents.
    pub(super) html: Arc<str>,
    /// The number of the board in which it last changed.
    pub(super) changed: u64,
}

/// The page at a moment.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// From 1.
    pub(super) number: u64,
    pub(super) sections: Vec<BoardSection>,
}

impl Board {
    /// The board of a moment, after another.
    pub(super) fn of(moment: &Moment<'_>, before: Option<&Self>) -> Self {
        let number = before.map_or(0, |board| board.number) + 1;
        let figures = lines::figures(moment);
        let made = [
            ("stage", lead::stage(moment)),
            ("interviews", interviews::interviews(moment)),
            ("lead", lead::lead(moment)),
            ("flow", lanes::flow(moment)),
            (
                "intervals",
                lines::figure_html("intervals", figures.intervals.as_ref()),
            ),
            (
                "course",
                lines::figure_html("course", figures.course.as_ref()),
            ),
            (
                "lines",
                lines::figure_html("lines", figures.courses.as_ref()),
            ),
            ("lanes", lanes::lanes(moment, &figures.looks)),
            ("verdicts", lead::verdicts(moment)),
            ("streams", lead::streams(moment)),
            ("latest", latest::latest(moment, &figures.looks)),
        ];
        let section = |(name, html): (&'static str, Markup)| {
            let html = html.into_string();
            let known = before.and_then(|board| board.sections.iter().find(|s| s.name == name));
            match known.filter(|known| *known.html == *html) {
                Some(known) => known.clone(),
                None => BoardSection {
                    name,
                    html: html.into(),
                    changed: number,
                },
            }
        };
        Self {
            number,
            sections: made.into_iter().map(section).collect(),
        }
    }
}

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

    /// The boards from now on.
    pub(super) fn follow(
        self: &Arc<Self>,
        watched: &Arc<Watched>,
    ) -> WatchStream<Option<Arc<Board>>> {
        let boards = self.boards.subscribe();
        let mut is_made = self.is_made.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_made {
            *is_made = true;
            tokio::spawn(Arc::clone(self).make(Arc::clone(watched)));
        }
        WatchStream::new(boards)
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
