//! The screen of a live run: drawn over and over on the terminal while the run goes on. Lines that
//! the program says meanwhile are held, shown on it, and written once it has gone.

mod terminal;

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kleroterion::live::glance::{GlanceView, Glances, ansi, drawn};
use kleroterion::watch::Watched;

use super::log;
use terminal::Terminal;

/// The screen is drawn at most this often.
const OFTEN: Duration = Duration::from_millis(250);

/// Drawing takes at most this share of the time.
const SHARE: u32 = 10;

/// What was said while the screen is up; none while it is not.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<String>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds a text while the screen is up; whether it did.
pub fn holds(text: &str) -> bool {
    match &mut *held() {
        Some(lines) => {
            lines.push(text.to_owned());
            true
        }
        None => false,
    }
}

/// The lines that are held.
fn notes() -> Vec<String> {
    let held = held();
    let lines = held.iter().flatten().flat_map(|text| text.lines());
    lines.map(str::to_owned).collect()
}

/// Gives the terminal back as it was, and writes what was held. Does nothing where no screen is up.
pub fn restore() {
    let mut up = held();
    let Some(lines) = up.take() else {
        return;
    };
    terminal::leave();
    let mut stderr = io::stderr().lock();
    for line in lines {
        // A terminal that has gone away hears nothing.
        drop(stderr.write_all(line.as_bytes()));
    }
}

/// Stderr, or the screen while it is up.
pub struct HeldStderr;

impl Write for HeldStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match holds(&String::from_utf8_lossy(bytes)) {
            true => Ok(bytes.len()),
            false => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// A screen that is up until it is dropped.
pub struct Screen {
    is_over: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl Screen {
    /// Puts the screen up, where stderr is a terminal that can show one.
    pub fn start(watched: Arc<Watched>, interrupt: Arc<AtomicBool>) -> Option<Self> {
        if !log::shows_progress() {
            return None;
        }
        let terminal = Terminal::enter()?;
        *held() = Some(Vec::new());
        hold_panics();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let draw = move || Drawing::new(terminal, watched, interrupt).go_on(&over);
        let drawing = thread::Builder::new().name("screen".into()).spawn(draw);
        let Ok(drawing) = drawing else {
            restore();
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
        restore();
    }
}

/// Holds what panics say while the screen is up.
fn hold_panics() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !holds(&format!("{panic}\n")) {
                usual(panic);
            }
        }));
    });
}

/// What the screen's thread works on.
struct Drawing {
    terminal: Terminal,
    watched: Arc<Watched>,
    interrupt: Arc<AtomicBool>,
    glances: Glances,
    view: GlanceView,
}

impl Drawing {
    fn new(terminal: Terminal, watched: Arc<Watched>, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            terminal,
            watched,
            interrupt,
            glances: Glances::default(),
            view: GlanceView::default(),
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
            if !self.view.is_paused {
                glance = self.glances.see(&self.watched, begun);
            }
            (self.view.columns, self.view.rows) = self.terminal.size();
            self.view.is_stopping = self.interrupt.load(Ordering::Relaxed);
            let lines = drawn(&glance, &notes(), &self.view);
            self.show(&ansi(&lines, log::has_colour()));
            next = begun + OFTEN.max(SHARE * begun.elapsed());
        }
    }

    /// Shows lines, unless the terminal was given back meanwhile.
    fn show(&self, text: &str) {
        let up = held();
        if up.is_some() {
            self.terminal.show(text);
        }
    }

    /// Waits a little for keys and does what they ask for; whether there was one.
    fn keys(&mut self) -> bool {
        let keys = self.terminal.keys();
        for key in &keys {
            match key {
                b'q' | b'Q' => self.stop(),
                b'p' | b'P' => self.view.is_paused = !self.view.is_paused,
                b'?' | b'h' => self.view.has_help = !self.view.has_help,
                _ => {}
            }
        }
        !keys.is_empty()
    }

    /// As Ctrl-C: the first time what has come is played, the second time all ends at once.
    fn stop(&self) {
        if self.interrupt.swap(true, Ordering::Relaxed) {
            super::interrupts::end_at_once();
        }
    }
}
