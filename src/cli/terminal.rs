//! The terminal under a screen: entered, read key by key, and restored.

use std::io::{self, Write};

/// The escape sequence that enters the alternate screen without a cursor.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

use keyboard::Keyboard;

/// A terminal that shows a screen.
pub(super) struct Terminal {
    keyboard: Keyboard,
}

impl Terminal {
    /// Enters the alternate screen; `None` if the terminal can't show one.
    pub(super) fn enter() -> Option<Self> {
        if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return None;
        }
        let keyboard = Keyboard::enter()?;
        write(ENTER);
        Some(Self { keyboard })
    }

    /// The numbers of its columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        let size = terminal_size::terminal_size_of(io::stderr());
        size.map_or((80, 24), |(columns, rows)| {
            (usize::from(columns.0), usize::from(rows.0))
        })
    }

    /// Shows lines.
    pub(super) fn show(&self, text: &str) {
        write(text);
    }

    /// The keys pressed within a tenth of a second.
    pub(super) fn keys(&mut self) -> Vec<u8> {
        self.keyboard.read()
    }
}

/// Leaves the alternate screen and restores the terminal.
pub(super) fn leave() {
    write(LEAVE);
    keyboard::leave();
}

fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    // A terminal that has gone away shows nothing.
    drop(stderr.write_all(text.as_bytes()));
    drop(stderr.flush());
}

#[cfg(unix)]
mod keyboard {
    use std::fs::File;
    use std::io::Read;
    use std::sync::Mutex;

    use crate::cli::limits::TERMINAL_PAUSE;
    use kleroterion_core::lock::locked;
    use rustix::termios::{
        LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
    };

    /// The terminal and its earlier settings, while keys are read one by one.
    static BEFORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);

    /// The keyboard of the terminal that controls the program, whatever stdin is.
    pub(super) struct Keyboard(File);

    impl Keyboard {
        /// Starts reading keys without a line end and without an echo. Ctrl-C still interrupts.
        /// Ctrl-Z does nothing, since the screen would stay.
        pub(super) fn enter() -> Option<Self> {
            let tty = File::open("/dev/tty").ok()?;
            let before = tcgetattr(&tty).ok()?;
            let mut raw = before.clone();
            raw.local_modes
                .remove(LocalModes::ICANON | LocalModes::ECHO);
            raw.special_codes[SpecialCodeIndex::VMIN] = 0;
            raw.special_codes[SpecialCodeIndex::VTIME] = 1;
            raw.special_codes[SpecialCodeIndex::VSUSP] = 0;
            let kept = tty.try_clone().ok()?;
            tcsetattr(&tty, OptionalActions::Now, &raw).ok()?;
            *locked(&BEFORE) = Some((kept, before));
            Some(Self(tty))
        }

        /// The keys pressed within a tenth of a second.
        pub(super) fn read(&mut self) -> Vec<u8> {
            let mut keys = [0; 16];
            match self.0.read(&mut keys) {
                Ok(read) => keys[..read].to_vec(),
                Err(_) => {
                    // The terminal has gone away: without this the thread would never rest.
                    std::thread::sleep(TERMINAL_PAUSE);
                    Vec::new()
                }
            }
        }
    }

    /// Restores the settings of the terminal.
    pub(super) fn leave() {
        let before = locked(&BEFORE).take();
        if let Some((tty, before)) = before {
            // A terminal that has gone away needs nothing.
            let _ = tcsetattr(&tty, OptionalActions::Now, &before);
        }
    }
}

#[cfg(not(unix))]
mod keyboard {
    /// A stand-in for the keyboard: this system has no screen.
    pub(super) struct Keyboard;

    impl Keyboard {
        pub(super) fn enter() -> Option<Self> {
            None
        }

        pub(super) fn read(&mut self) -> Vec<u8> {
            Vec::new()
        }
    }

    pub(super) fn leave() {}
}
