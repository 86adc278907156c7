//! What programs write to their standard error: handed on to ours line by line, and its last line
//! kept for whoever asks why a program failed.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

use super::words::ProgramWords;

/// How much is read at once, in bytes, and the longest line that is handed on as a whole.
const CHUNK: usize = 1 << 14;

/// Takes bytes of programs' standard error.
type Taker = Box<dyn Fn(&[u8]) + Send + Sync>;

static TAKER: OnceLock<Taker> = OnceLock::new();

/// Hands what programs write to their standard error to `take` from now on, in place of our own
/// standard error. The first call counts.
pub fn hand_errors_to(take: impl Fn(&[u8]) + Send + Sync + 'static) {
    // One who came first stays.
    drop(TAKER.set(Box::new(take)));
}

fn hand_on(bytes: &[u8]) {
    match TAKER.get() {
        Some(take) => take(bytes),
        // A stderr that is closed hears nothing.
        None => drop(io::stderr().write_all(bytes)),
    }
}

/// The last line that the programs of a policy wrote to their standard error.
#[derive(Debug, Default)]
pub struct LastError(Mutex<Option<String>>);

impl LastError {
    /// The line without control characters, cut where it is long; none where nothing was written.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.clone()
    }

    pub(crate) fn note(&self, bytes: &[u8], words: ProgramWords) {
        let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        if let Some(last) = lines.rev().find(|line| !line.is_empty()) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(words.line(last));
        }
    }
}

/// Reads a program's standard error to its end; where its words are hidden none is handed on.
pub(super) async fn follow(
    mut stderr: impl AsyncRead + Unpin,
    last: Arc<LastError>,
    words: ProgramWords,
) {
    let mut unread = Vec::new();
    let hand = |bytes: &[u8]| {
        last.note(bytes, words);
        if words == ProgramWords::Shown {
            hand_on(bytes);
        }
    };
    loop {
        unread.reserve(CHUNK);
        match stderr.read_buf(&mut unread).await {
            Ok(n) if n > 0 => {}
            _ => break,
        }
        let whole = unread.iter().rposition(|byte| *byte == b'\n');
        let end = whole.map_or(0, |at| at + 1);
        let end = if unread.len() > CHUNK {
            unread.len()
        } else {
            end
        };
        if end > 0 {
            hand(&unread[..end]);
            unread.drain(..end);
        }
    }
    if !unread.is_empty() {
        unread.push(b'\n');
        hand(&unread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_line_is_kept_and_neutralised() {
        hand_errors_to(|_| {});
        let last = Arc::new(LastError::default());
        assert_eq!(last.line(), None);
        for (text, line) in [
            ("", None),
            ("one\ntwo\n\n  \n", Some("two")),
            (
                "one\n\u{1b}[31mTypeError\u{7}: <b>",
                Some("\u{fffd}[31mTypeError\u{fffd}: <b>"),
            ),
            ("\n", Some("\u{fffd}[31mTypeError\u{fffd}: <b>")),
        ] {
            follow(text.as_bytes(), Arc::clone(&last), ProgramWords::Shown).await;
            assert_eq!(last.line().as_deref(), line, "{text:?}");
        }
        let long = "x".repeat(3 * CHUNK);
        follow(long.as_bytes(), Arc::clone(&last), ProgramWords::Shown).await;
        let line = last.line().expect("a line");
        assert!(line.chars().count() < 300, "{}", line.len());
        follow(
            &b"p17 is odd\n"[..],
            Arc::clone(&last),
            ProgramWords::Hidden,
        )
        .await;
        let line = last.line().expect("something was said");
        assert!(!line.contains("p17"), "{line}");
    }
}
