//! The screen of a live run, drawn repeatedly on the terminal while the run goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use kleroterion::live::glance::{GlanceView, Glances, ansi, drawn};
use kleroterion::watch::Watched;

use super::interrupts::{end_at_once, give_back_on_hangup};
use super::terminal::Terminal;
use super::{held, log};
use crate::cli::limits::SCREEN_PERIOD;

/// The inverse of the largest share of the time that drawing may take.
const SHARE: u32 = 10;

/// A screen that is shown until it is dropped.
pub struct Screen {
    is_over: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl Screen {
    /// Shows the screen if stderr is a terminal that can show one.
    pub fn start(watched: Arc<Watched>, interrupt: Arc<AtomicBool>) -> Option<Self> {
        if !log::shows_progress() {
            return None;
        }
        give_back_on_hangup();
        let terminal = Terminal::enter()?;
        held::start();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let draw = move || Drawing::new(terminal, watched, interrupt).go_on(&over);
        let drawing = thread::Builder::new().name("screen".into()).spawn(draw);
        let Ok(drawing) = drawing else {
            held::restore();
            return None;
        };
        Some(Self {
            is_over,
            drawing: Some(drawing),
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(drawing) = self.drawing.take() {
            // What goes wrong in drawing changes no result.
            drop(drawing.join());
        }
        held::restore();
    }
}

/// The state of the screen's thread.
struct Drawing {
    terminal: Terminal,
    watched: Arc<Watched>,
    interrupt: Arc<AtomicBool>,
    glances: Glances,
    view: GlanceView,
    /// True if the reader has just chosen another measure.
    has_chosen: bool,
}

impl Drawing {
    fn new(terminal: Terminal, watched: Arc<Watched>, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            terminal,
            watched,
            interrupt,
            glances: Glances::default(),
            view: GlanceView::default(),
            has_chosen: false,
        }
    }

    /// Draws and reads keys until the run is over.
    fn go_on(mut self, is_over: &AtomicBool) {
        let mut glance = self.glances.see(&self.watched, Instant::now());
        let mut next = Instant::now();
        while !is_over.load(Ordering::Relaxed) {
            let is_pressed = self.keys();
            let begun = Instant::now();
            if begun < next && !is_pressed {
                continue;
            }
            let has_chosen = std::mem::take(&mut self.has_chosen);
            if !self.view.is_paused || has_chosen {
                glance = self.glances.see(&self.watched, begun);
            }
            (self.view.columns, self.view.rows) = self.terminal.size();
            self.view.is_stopping = self.interrupt.load(Ordering::Relaxed);
            let lines = drawn(&glance, &held::lines(self.view.rows), &self.view);
            self.show(&ansi(&lines, log::has_colour()));
            next = begun + SCREEN_PERIOD.max(SHARE * begun.elapsed());
        }
    }

    /// Shows lines, unless the terminal was given back meanwhile.
    fn show(&self, text: &str) {
        held::while_up(|| self.terminal.show(text));
    }

    /// Waits briefly for keys and acts on them. Returns true if there was a key.
    fn keys(&mut self) -> bool {
        let keys = self.terminal.keys();
        for key in &keys {
            match key {
                b'q' | b'Q' => self.stop(),
                b'p' | b'P' => self.view.is_paused = !self.view.is_paused,
                b'1'..=b'9' => {
                    self.glances.chosen = Some(usize::from(key - b'1'));
                    self.has_chosen = true;
                }
                b'?' | b'h' => self.view.has_help = !self.view.has_help,
                _ => {}
            }
        }
        !keys.is_empty()
    }

    /// Stops the run as Ctrl-C does. The first time, all records that have come are played; the
    /// second time the program ends at once.
    fn stop(&self) {
        if self.interrupt.swap(true, Ordering::Relaxed) {
            end_at_once();
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
