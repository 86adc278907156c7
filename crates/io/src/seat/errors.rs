//! The standard error of programs. Its lines are handed on, bounded in length and rate. The last line
//! is kept, to explain why a program failed.

use std::sync::{Arc, Mutex, OnceLock};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::{MissedTickBehavior, interval};

use super::words::ProgramWords;
use crate::limits::{
    ERROR_LINES_PERIOD, ERRORS_READ_BYTES, MOST_ERROR_BYTES, MOST_ERROR_LINES,
    MOST_ERROR_LINES_LATER,
};
use kleroterion_core::lock::locked;

/// Receives lines of programs' standard error, without their line ends.
type Taker = Box<dyn Fn(&str) + Send + Sync>;

static TAKER: OnceLock<Taker> = OnceLock::new();

/// Hands the lines of programs' standard error to `take` from now on, in all runs of this process.
/// Without a call they go nowhere. Only the first call counts.
pub fn hand_errors_to(take: impl Fn(&str) + Send + Sync + 'static) {
    // One who came first stays.
    drop(TAKER.set(Box::new(take)));
}

fn hand_on(line: &str) {
    if let Some(take) = TAKER.get() {
        take(line);
    }
}

/// The last line that a policy's programs wrote to standard error, and the number of lines that may
/// still be handed on.
#[derive(Debug, Default)]
pub struct LastError {
    line: Mutex<Option<String>>,
    allowance: Mutex<Allowance>,
}

impl LastError {
    /// Returns the line without control characters, cut where it is long; `None` if nothing was
    /// written.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        locked(&self.line).clone()
    }

    /// Keeps the last of these lines that is not blank.
    pub fn note(&self, bytes: &[u8], words: ProgramWords) {
        let lines = bytes.split(is_end).map(<[u8]>::trim_ascii);
        if let Some(last) = lines.rev().find(|line| !line.is_empty()) {
            *locked(&self.line) = Some(words.line(last));
        }
    }

    fn allowance(&self) -> std::sync::MutexGuard<'_, Allowance> {
        locked(&self.allowance)
    }
}

/// Returns true for a byte that ends a line. A program that draws its progress ends lines with a
/// carriage return.
fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A reader of a program's standard error that hands on its lines.
struct Follower<'a, H> {
    /// The label of the lane that the program plays.
    label: &'a str,
    words: ProgramWords,
    last: &'a LastError,
    hand: H,
    /// The beginning of the line that has not ended.
    line: Vec<u8>,
}

impl<H: Fn(&str)> Follower<'_, H> {
    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(is_end) {
            self.keep(&bytes[..end]);
            self.end_line();
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MOST_ERROR_BYTES.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = line.trim_ascii_end();
        if line.trim_ascii().is_empty() {
            return;
        }
        self.last.note(line, self.words);
        if self.words == ProgramWords::Hidden {
            return;
        }
        let allowed = self.last.allowance().takes();
        if let Some(left_out) = allowed {
            self.say_left_out(left_out);
            (self.hand)(&format!("{}: {}", self.label, self.words.error_line(line)));
        }
    }

    fn close(&mut self) {
        self.end_line();
        let left_out = self.last.allowance().closes();
        self.say_left_out(left_out);
    }

    fn say_left_out(&self, left_out: u64) {
        if left_out > 0 {
            let many = if left_out == 1 { "line" } else { "lines" };
            (self.hand)(&format!(
                "{}: … {left_out} {many} more on its stderr",
                self.label
            ));
        }
    }
}

/// Reads a program's standard error to its end. If the program's words are hidden, no line is
/// handed on. `label` is the label of its lane.
pub(super) async fn follow(
    mut stderr: impl AsyncRead + Unpin,
    label: String,
    last: Arc<LastError>,
    words: ProgramWords,
) {
    let label = words.text(&label);
    let mut follower = Follower {
        label: &label,
        words,
        last: &last,
        hand: hand_on,
        line: Vec::new(),
    };
    let mut seconds = interval(ERROR_LINES_PERIOD);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut unread = Vec::with_capacity(ERRORS_READ_BYTES);
    loop {
        tokio::select! {
            read = stderr.read_buf(&mut unread) => match read {
                Ok(n) if n > 0 => {
                    follower.take(&unread);
                    unread.clear();
                }
                _ => break,
            },
            _ = seconds.tick() => last.allowance().refill(),
        }
    }
    follower.close();
}

/// The number of lines that may still be handed on, and of those left out since the last one.
#[derive(Debug)]
struct Allowance {
    left: u32,
    left_out: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            left: MOST_ERROR_LINES,
            left_out: 0,
        }
    }
}

impl Allowance {
    /// Asks to hand a line on. Returns the number of lines left out before it, or `None` if it is
    /// left out too.
    fn takes(&mut self) -> Option<u64> {
        // One more is kept for the end, which says how many were left out.
        if self.left < 2 {
            self.left_out += 1;
            return None;
        }
        self.left -= 1;
        Some(std::mem::take(&mut self.left_out))
    }

    /// Returns the number of lines left out, if a message about them may be written now, else 0.
    fn closes(&mut self) -> u64 {
        if self.left == 0 || self.left_out == 0 {
            return 0;
        }
        self.left -= 1;
        std::mem::take(&mut self.left_out)
    }

    /// Adds the lines that one more second allows.
    fn refill(&mut self) {
        self.left = (self.left + MOST_ERROR_LINES_LATER).min(MOST_ERROR_LINES);
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
                Some("⟨U+001B⟩[31mTypeError⟨U+0007⟩: <b>"),
            ),
            ("\n", Some("⟨U+001B⟩[31mTypeError⟨U+0007⟩: <b>")),
        ] {
            follow(
                text.as_bytes(),
                "a".into(),
                Arc::clone(&last),
                ProgramWords::Shown,
            )
            .await;
            assert_eq!(last.line().as_deref(), line, "{text:?}");
        }
        let long = "x".repeat(3 * ERRORS_READ_BYTES);
        follow(
            long.as_bytes(),
            "a".into(),
            Arc::clone(&last),
            ProgramWords::Shown,
        )
        .await;
        let line = last.line().expect("a line");
        assert!(line.chars().count() < 300, "{}", line.len());
        follow(
            &b"p17 is odd\n"[..],
            "a".into(),
            Arc::clone(&last),
            ProgramWords::Hidden,
        )
        .await;
        let line = last.line().expect("something was said");
        assert!(!line.contains("p17"), "{line}");
    }

    /// The lines handed on of some reads of a program's standard error.
    fn handed(reads: &[&[u8]], words: ProgramWords) -> Vec<String> {
        let (last, handed) = (LastError::default(), Mutex::new(Vec::new()));
        let mut follower = Follower {
            label: "odd",
            words,
            last: &last,
            hand: |line: &str| handed.lock().unwrap().push(line.to_owned()),
            line: Vec::new(),
        };
        reads.iter().for_each(|read| follower.take(read));
        follower.close();
        handed.into_inner().unwrap()
    }

    #[test]
    fn lines_are_handed_on_one_by_one_with_their_label_and_legible() {
        let shown = ProgramWords::Shown;
        for (reads, lines) in [
            (
                &[&b"one\ntw"[..], b"o\n\nthree"][..],
                &["odd: one", "odd: two", "odd: three"][..],
            ),
            (
                &[b"  File x\n\tat y\r\n"],
                &["odd:   File x", "odd:     at y"],
            ),
            (&[b"10 %\r20 %\r"], &["odd: 10 %", "odd: 20 %"]),
            (
                &[b"\x1b[2J\x1b[31mred\x07\n"],
                &["odd: ⟨U+001B⟩[2J⟨U+001B⟩[31mred⟨U+0007⟩"],
            ),
            (
                &["a\u{202e}b\u{200b}\n".as_bytes()],
                &["odd: a⟨U+202E⟩b⟨U+200B⟩"],
            ),
            (&[b"\xff\n"], &["odd: \u{fffd}"]),
            (&[b"\n \n"], &[]),
            (&[], &[]),
        ] {
            assert_eq!(handed(reads, shown), lines, "{reads:?}");
        }
        assert_eq!(handed(&[b"p17 is odd\n"], ProgramWords::Hidden), [""; 0]);
    }

    #[test]
    fn neither_a_long_line_nor_a_flood_of_lines_is_handed_on_as_a_whole() {
        let long = vec![b'x'; 1 << 20];
        let lines = handed(&[&long, &long, b"\nend\n"], ProgramWords::Shown);
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].chars().count() < 600 && lines[0].ends_with('…'),
            "{}",
            lines[0]
        );
        assert_eq!(lines[1], "odd: end");
        let flood = b"flood\n".repeat(100_000);
        let lines = handed(&[&flood], ProgramWords::Shown);
        assert!((100..1000).contains(&lines.len()), "{}", lines.len());
        let left_out: u64 = lines
            .iter()
            .filter_map(|line| {
                line.strip_prefix("odd: … ")?
                    .split(' ')
                    .next()?
                    .parse::<u64>()
                    .ok()
            })
            .sum();
        let handed = lines.iter().filter(|line| *line == "odd: flood").count() as u64;
        assert_eq!(handed + left_out, 100_000);
    }

    #[test]
    fn a_flood_is_cut_and_counted_and_a_trickle_is_not() {
        let mut allowance = Allowance::default();
        let taken = |allowance: &mut Allowance, lines: u32| {
            (0..lines).filter_map(|_| allowance.takes()).count()
        };
        assert_eq!(taken(&mut allowance, 1000), 199);
        allowance.refill();
        assert_eq!(allowance.takes(), Some(801));
        allowance.refill();
        assert_eq!(taken(&mut allowance, 1000), 39);
        assert_eq!(allowance.closes(), 961);
        assert_eq!(allowance.closes(), 0);
        // After a while all is as at first.
        (0..60).for_each(|_| allowance.refill());
        assert_eq!(taken(&mut allowance, 1000), 199);
        for _ in 0..100 {
            allowance.refill();
            assert_eq!(taken(&mut allowance, 10), 10);
        }
    }
}
