//! A program and its pipes, written and read at the same time, so that neither side waits for the
//! other for ever.

use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use crate::limits::{MOST_LINE, PROGRAM_GRACE, READ_BYTES};
use crate::record::framing::{Frame, Frames};

/// A line or the end of a program's output.
pub(super) enum Heard {
    /// A line, without its newline; the program's lines are counted from 1.
    Line { number: u64, bytes: Vec<u8> },
    /// The end of the output.
    Closed,
    /// A line of more than [`MOST_LINE`] bytes.
    TooLong,
}

impl From<Frame<'_>> for Heard {
    fn from(Frame { line, bytes, fault }: Frame<'_>) -> Self {
        match fault {
            None => Self::Line {
                number: line,
                bytes: bytes.to_vec(),
            },
            Some(_) => Self::TooLong,
        }
    }
}

/// A program behind its pipes.
#[async_trait]
pub(super) trait Running: Send {
    /// Waits until the program has ended, and returns its exit status.
    async fn wait(&mut self) -> io::Result<ExitStatus>;

    /// Kills the program, if it still runs, and the processes that it started.
    async fn kill(&mut self);
}

/// The input of a program, as it is written to.
type ProgramInput = Box<dyn AsyncWrite + Send + Unpin>;

/// A program that runs. It is killed when this is dropped.
pub(super) struct Process {
    running: Box<dyn Running>,
    stdin: Option<ProgramInput>,
    stdout: Box<dyn AsyncRead + Send + Unpin>,
    /// The bytes to be written; those before `written` are written already.
    unsent: Vec<u8>,
    written: usize,
    /// The bytes that were read last.
    chunk: Vec<u8>,
    frames: Frames,
    /// The lines that have come and are not taken yet.
    come: VecDeque<Heard>,
}

impl Process {
    /// Wraps a running program and its pipes.
    pub(super) fn new(
        running: impl Running + 'static,
        stdin: impl AsyncWrite + Send + Unpin + 'static,
        stdout: impl AsyncRead + Send + Unpin + 'static,
    ) -> Self {
        Self {
            running: Box::new(running),
            stdin: Some(Box::new(stdin)),
            stdout: Box::new(stdout),
            unsent: Vec::new(),
            written: 0,
            chunk: Vec::new(),
            frames: Frames::new(MOST_LINE, None, 1),
            come: VecDeque::new(),
        }
    }

    /// Puts a line into the program's mail; [`Process::hear`] delivers it.
    pub(super) fn say(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// Returns the next line that is not blank, and delivers mail meanwhile. Dropping the future
    /// loses nothing.
    pub(super) async fn hear(&mut self) -> Heard {
        loop {
            if let Some(heard) = self.come.pop_front() {
                return heard;
            }
            if !self.carry().await {
                return Heard::Closed;
            }
        }
    }

    /// Returns true if the program has closed its input, so that it receives no more messages.
    pub(super) fn is_deaf(&self) -> bool {
        self.stdin.is_none()
    }

    /// Moves some bytes in either direction. Returns false once the program's output has ended.
    async fn carry(&mut self) -> bool {
        self.chunk.reserve(READ_BYTES);
        let mail = &self.unsent[self.written..];
        tokio::select! {
            // There is an end of mail.
            biased;
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
            read = self.stdout.read_buf(&mut self.chunk) => {
                self.frames.push(&self.chunk, |frame| self.come.push_back(frame.into()));
                self.chunk.clear();
                matches!(read, Ok(n) if n > 0)
            }
        }
    }

    /// Returns the exit status of the program. Returns `None`, and kills the program, if it still
    /// runs after [`PROGRAM_GRACE`] though its output has ended.
    pub(super) async fn fate(&mut self) -> Option<ExitStatus> {
        let ended = timeout(PROGRAM_GRACE, self.running.wait()).await;
        self.kill().await;
        ended.ok()?.ok()
    }

    /// Delivers the remaining mail, closes the program's input, and waits for its end. Returns
    /// false if it had to be killed, and the lines that it still wrote.
    pub(super) async fn finish(&mut self) -> (bool, Vec<Vec<u8>>) {
        let mut said = Vec::new();
        let ended = timeout(PROGRAM_GRACE, async {
            loop {
                if self.unsent.is_empty() {
                    self.stdin = None;
                }
                // Unasked lines are not kept beyond what an examiner shows.
                for heard in self.come.drain(..) {
                    if let Heard::Line { bytes, .. } = heard
                        && said.len() < 8
                    {
                        said.push(bytes);
                    }
                }
                if !self.carry().await {
                    break;
                }
            }
            self.running.wait().await.is_ok()
        });
        let ended = ended.await.unwrap_or(false);
        self.kill().await;
        (ended, said)
    }

    /// Kills the program, if it still runs, and the processes that it started.
    pub(super) async fn kill(&mut self) {
        self.running.kill().await;
    }
}

async fn send(stdin: &mut Option<ProgramInput>, mail: &[u8]) -> io::Result<usize> {
    match stdin {
        Some(stdin) => match stdin.write(mail).await? {
            0 => Err(io::ErrorKind::WriteZero.into()),
            n => Ok(n),
        },
        None => Ok(0),
    }
}
