//! Messages of the program while a screen is shown. They are held, displayed on the screen, and
//! written to stderr after it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once};

use super::terminal;
use crate::cli::limits::MOST_HELD_TEXTS;
use kleroterion_core::lock::locked;

/// The texts held while the screen is shown.
#[derive(Default)]
struct HeldTexts {
    texts: VecDeque<String>,
    /// The number of texts dropped.
    dropped: u64,
}

/// The held texts; `None` while no screen is shown.
static HELD: Mutex<Option<HeldTexts>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<HeldTexts>> {
    locked(&HELD)
}

/// Starts holding texts, because a screen is shown.
pub fn start() {
    *held() = Some(HeldTexts::default());
    hold_panics();
}

/// Calls `act` if the screen is shown, and keeps it shown meanwhile.
pub fn while_up(act: impl FnOnce()) {
    let up = held();
    if up.is_some() {
        act();
    }
}

/// Holds a text if the screen is shown. Returns true if it did.
pub fn holds(text: &str) -> bool {
    match &mut *held() {
        Some(held) => {
            held.hold(text);
            true
        }
        None => false,
    }
}

impl HeldTexts {
    fn hold(&mut self, text: &str) {
        if self.texts.len() == MOST_HELD_TEXTS {
            self.texts.pop_front();
            self.dropped += 1;
        }
        self.texts.push_back(text.to_owned());
    }

    /// Writes the held texts, after the screen is gone.
    fn write(self, mut to: impl Write) -> io::Result<()> {
        if self.dropped > 0 {
            writeln!(
                to,
                "note: {} earlier messages are not kept: the screen holds the last {MOST_HELD_TEXTS}",
                self.dropped
            )?;
        }
        let mut texts = self.texts.iter();
        texts.try_for_each(|text| to.write_all(text.as_bytes()))
    }
}

/// The last held lines, as many as a screen can show.
pub fn lines(rows: usize) -> Vec<String> {
    let held = held();
    let texts = held.iter().flat_map(|held| &held.texts);
    let mut lines: Vec<String> = texts
        .rev()
        .flat_map(|text| text.lines().rev())
        .take(rows)
        .map(str::to_owned)
        .collect();
    lines.reverse();
    lines
}

/// Restores the terminal and writes the held texts. Does nothing if no screen is shown.
pub fn restore() {
    let mut up = held();
    let Some(held) = up.take() else {
        return;
    };
    terminal::leave();
    // A terminal that has gone away hears nothing.
    drop(held.write(io::stderr().lock()));
}

/// A writer to stderr, or to the screen while it is shown.
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

/// Holds the messages of panics while the screen is shown.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_texts_are_held_and_the_rest_is_counted() {
        let mut held = HeldTexts::default();
        (0..MOST_HELD_TEXTS + 3).for_each(|n| held.hold(&format!("text {n}\n")));
        let mut written = Vec::new();
        held.write(&mut written).expect("there is room");
        let written = String::from_utf8(written).expect("UTF-8");
        assert!(written.starts_with("note: 3 earlier messages are not kept"));
        assert!(written.contains("\ntext 3\n") && !written.contains("\ntext 2\n"));
        assert_eq!(written.lines().count(), MOST_HELD_TEXTS + 1);
    }
}
