//! What the program says while a screen is up: held, shown on the screen, and written to stderr once
//! it has gone.

use std::io::{self, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use super::terminal;

/// What was said while the screen is up; none while it is not.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<String>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a screen is up.
pub fn start() {
    *held() = Some(Vec::new());
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
        Some(lines) => {
            lines.push(text.to_owned());
            true
        }
        None => false,
    }
}

/// The lines that are held.
pub fn lines() -> Vec<String> {
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
