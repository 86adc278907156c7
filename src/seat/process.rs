//! A program and its pipes, written and read at once, so that neither side waits for the other for
//! ever.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::errors::{LastError, follow};
use super::groups::Group;
use super::words::ProgramWords;

/// The longest line that a program may write, in bytes, without its newline.
pub const MOST_LINE: usize = 1 << 20;

/// How long a program has to end once its output has ended, or once it was sent `bye`; then it is
/// killed.
pub const GRACE: Duration = Duration::from_secs(2);

/// How much is read at once, in bytes.
const CHUNK: usize = 1 << 16;

/// What the environment says of secrets of klero's own: no program needs them.
const SECRETS: [&str; 4] = [
    "KLERO_TOKEN",
    "KLERO_NATS_TOKEN",
    "KLERO_NATS_USER",
    "KLERO_NATS_PASSWORD",
];

/// A line or the end of a program's output.
pub(super) enum Heard {
    /// A line, without its newline; the program's lines are counted from 1.
    Line { number: u64, bytes: Vec<u8> },
    /// Nothing more will come.
    Closed,
    /// More than [`MOST_LINE`] without a newline.
    TooLong,
}

/// A program that runs.
pub(super) struct Process {
    child: Child,
    group: Group,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// Hands on its standard error.
    errors: JoinHandle<()>,
    /// What is still to be written, from `written` on.
    unsent: Vec<u8>,
    written: usize,
    /// What was read; of it what comes after `taken` was not taken yet, with no newline before
    /// `scanned`.
    unread: Vec<u8>,
    taken: usize,
    scanned: usize,
    lines: u64,
}

impl Process {
    /// Starts a program; what it writes to its standard error goes to ours behind its label unless
    /// it is hidden, and `last` keeps the last line. It is killed when this is dropped.
    pub(super) fn start(
        command: &[String],
        label: &str,
        last: &Arc<LastError>,
        words: ProgramWords,
    ) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        for name in SECRETS {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let (mut child, group) = Group::start(&mut command)?;
        let pipe = || io::Error::other("it has no pipes");
        let stdin = child.stdin.take().ok_or_else(pipe)?;
        let stdout = child.stdout.take().ok_or_else(pipe)?;
        let stderr = child.stderr.take().ok_or_else(pipe)?;
        Ok(Self {
            child,
            group,
            stdin: Some(stdin),
            stdout,
            errors: tokio::spawn(follow(stderr, label.to_owned(), Arc::clone(last), words)),
            unsent: Vec::new(),
            written: 0,
            unread: Vec::new(),
            taken: 0,
            scanned: 0,
            lines: 0,
        })
    }

    /// Puts a line into the program's mail; [`Process::hear`] delivers it.
    pub(super) fn say(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// The next line that is not blank, delivering mail meanwhile. Nothing is lost where it is not
    /// waited for to the end.
    pub(super) async fn hear(&mut self) -> Heard {
        loop {
            if let Some(heard) = self.take_line() {
                return heard;
            }
            if !self.carry().await {
                return Heard::Closed;
            }
        }
    }

    /// Whether the program reads no more, and mail waits for it.
    pub(super) fn is_deaf(&self) -> bool {
        self.stdin.is_none()
    }

    /// Moves some bytes in either direction; false once the program's output has ended.
    async fn carry(&mut self) -> bool {
        // Once a read, not once a line: of many short lines each would move all that follow.
        self.unread.drain(..self.taken);
        self.scanned -= self.taken;
        self.taken = 0;
        self.unread.reserve(CHUNK);
        let mail = &self.unsent[self.written..];
        tokio::select! {
            written = send(&mut self.stdin, mail), if self.stdin.is_some() && !mail.is_empty() => {
                match written {
                    Ok(n) => self.written += n,
                    // It may have answered before it closed its input: what it has said still
                    // counts.
                    Err(_) => self.stdin = None,
                }
                if self.written == self.unsent.len() {
                    self.unsent.clear();
                    self.written = 0;
                }
                true
            }
            read = self.stdout.read_buf(&mut self.unread) => matches!(read, Ok(n) if n > 0),
        }
    }

    fn take_line(&mut self) -> Option<Heard> {
        loop {
            let fresh = &self.unread[self.scanned..];
            let Some(at) = fresh.iter().position(|&byte| byte == b'\n') else {
                self.scanned = self.unread.len();
                let length = self.scanned - self.taken;
                return (length > MOST_LINE).then_some(Heard::TooLong);
            };
            let end = self.scanned + at;
            if end - self.taken > MOST_LINE {
                return Some(Heard::TooLong);
            }
            self.lines += 1;
            let line = &self.unread[self.taken..end];
            let heard = (!line.trim_ascii().is_empty()).then(|| Heard::Line {
                number: self.lines,
                bytes: line.to_vec(),
            });
            self.taken = end + 1;
            self.scanned = self.taken;
            if heard.is_some() {
                return heard;
            }
        }
    }

    /// Throws away what was read.
    fn forget(&mut self) {
        self.unread.clear();
        (self.taken, self.scanned) = (0, 0);
    }

    /// How the program ended; `None` where it goes on for a while though its output has ended. Then
    /// it is killed.
    pub(super) async fn fate(&mut self) -> Option<ExitStatus> {
        let ended = timeout(GRACE, self.child.wait()).await;
        self.kill().await;
        ended.ok()?.ok()
    }

    /// Delivers what mail is left, closes the program's input, and waits for it to end; what it
    /// still says is returned. False where it did not end in time and was killed.
    pub(super) async fn finish(&mut self) -> (bool, Vec<Vec<u8>>) {
        let mut said = Vec::new();
        let ended = timeout(GRACE, async {
            loop {
                if self.unsent.is_empty() {
                    self.stdin = None;
                }
                // Unasked lines are not kept beyond what an examiner shows.
                match self.take_line() {
                    Some(Heard::Line { bytes, .. }) if said.len() < 8 => said.push(bytes),
                    Some(Heard::Line { .. }) => {}
                    Some(_) => self.forget(),
                    None if !self.carry().await => break,
                    None => {}
                }
            }
            self.child.wait().await.is_ok()
        });
        let ended = ended.await.unwrap_or(false);
        self.kill().await;
        (ended, said)
    }

    /// Ends the program, if it still runs, and what it started. All that it wrote to its standard
    /// error is handed on by then, unless something that it started has left its group and lives.
    pub(super) async fn kill(&mut self) {
        self.kill_group();
        // One that has ended already is none to kill.
        drop(self.child.kill().await);
        self.group.forget();
        if !self.errors.is_finished() {
            drop(timeout(GRACE, &mut self.errors).await);
        }
    }

    fn kill_group(&self) {
        // Only while the child is not reaped is its number surely its own.
        if self.child.id().is_some() {
            self.group.kill();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

async fn send(stdin: &mut Option<ChildStdin>, mail: &[u8]) -> io::Result<usize> {
    match stdin {
        Some(stdin) => match stdin.write(mail).await? {
            0 => Err(io::ErrorKind::WriteZero.into()),
            n => Ok(n),
        },
        None => Ok(0),
    }
}
