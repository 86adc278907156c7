//! What the program says while a screen is up: held, shown on the screen, and written to stderr once
//! it has gone.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once};

use super::terminal;
use kleroterion_core::lock::locked;

/// The most texts that are held; of more the first are dropped.
const MOST: usize = 2000;

/// What was said while the screen is up.
#[derive(Default)]
struct HeldTexts {
    texts: VecDeque<String>,
    /// How many texts were dropped.
    dropped: u64,
}

/// None while no screen is up.
static HELD: Mutex<Option<HeldTexts>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<HeldTexts>> {
    locked(&HELD)
}

/// From now on a screen is up.
pub fn start() {
    *held() = Some(HeldTexts::default());
    hold_panics();
}

/// Does something where the screen is up; meanwhile nothing is held and it stays up.
pub fn while_up(act: impl FnOnce()) {
    let up = held();
    if up.is_some() {
        act();
    }
}

/// Holds a text while the screen is up; whether it did.
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
        if self.texts.len() == MOST {
            self.texts.pop_front();
            self.dropped += 1;
        }
        self.texts.push_back(text.to_owned());
    }

    /// What is written once the screen has gone.
    fn write(self, mut to: impl Write) -> io::Result<()> {
        if self.dropped > 0 {
            writeln!(
                to,
                "note: {} earlier messages are not kept: the screen holds the last {MOST}",
                self.dropped
            )?;
        }
        let mut texts = self.texts.iter();
        texts.try_for_each(|text| to.write_all(text.as_bytes()))
    }
}

/// The last lines that are held, as many as a screen can show.
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

/// Gives the terminal back as it was, and writes what was held. Does nothing where no screen is up.
pub fn restore() {
    let mut up = held();
    let Some(held) = up.take() else {
        return;
    };
    terminal::leave();
    // A terminal that has gone away hears nothing.
    drop(held.write(io::stderr().lock()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_texts_are_held_and_the_rest_is_counted() {
        let mut held = HeldTexts::default();
        (0..MOST + 3).for_each(|n| held.hold(&format!("text {n}\n")));
        let mut written = Vec::new();
        held.write(&mut written).expect("there is room");
        let written = String::from_utf8(written).expect("UTF-8");
        assert!(written.starts_with("note: 3 earlier messages are not kept"));
        assert!(written.contains("\ntext 3\n") && !written.contains("\ntext 2\n"));
        assert_eq!(written.lines().count(), MOST + 1);
    }
}
