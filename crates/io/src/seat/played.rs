//! Programs that tests play in memory, behind the same pipes.

use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::io::{BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;

use super::process::{Process, Running};

/// The number of bytes that a pipe holds.
const PIPE: usize = 4096;

/// The program's ends of its pipes.
pub struct ProgramPipes {
    /// The input that the program reads.
    pub input: BufReader<DuplexStream>,
    /// The output that the program writes.
    pub output: DuplexStream,
}

/// The run of a played program; it gives the program's exit.
pub type PlayedExit = Pin<Box<dyn Future<Output = Exit> + Send>>;

/// The exit of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The program ended with this code.
    Code(u8),
    /// The program was ended by this signal.
    Signal(u8),
}

/// A double that is played in memory in the place of a program.
#[derive(Clone)]
pub struct PlayedProgram(Arc<dyn Fn(ProgramPipes) -> io::Result<PlayedExit> + Send + Sync>);

impl PlayedProgram {
    /// Makes a double that `start` starts.
    pub fn new(
        start: impl Fn(ProgramPipes) -> io::Result<PlayedExit> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(start))
    }

    pub(super) fn start(&self) -> io::Result<Process> {
        let ((stdin, input), (output, stdout)) = (duplex(PIPE), duplex(PIPE));
        let input = BufReader::new(input);
        let play = self.0(ProgramPipes { input, output })?;
        let task = tokio::spawn(play);
        Ok(Process::new(PlayedTask { task, exit: None }, stdin, stdout))
    }
}

struct PlayedTask {
    task: JoinHandle<Exit>,
    exit: Option<Exit>,
}

#[async_trait]
impl Running for PlayedTask {
    async fn wait(&mut self) -> io::Result<ExitStatus> {
        let exit = match self.exit {
            Some(exit) => exit,
            None => match (&mut self.task).await {
                Ok(exit) => exit,
                Err(ended) if ended.is_cancelled() => Exit::Signal(9),
                Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
            },
        };
        self.exit = Some(exit);
        Ok(status(exit))
    }

    async fn kill(&mut self) {
        self.task.abort();
        drop(self.wait().await);
    }
}

impl Drop for PlayedTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(unix)]
fn status(exit: Exit) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt;
    ExitStatus::from_raw(match exit {
        Exit::Code(code) => i32::from(code) << 8,
        Exit::Signal(signal) => i32::from(signal),
    })
}

#[cfg(windows)]
fn status(exit: Exit) -> ExitStatus {
    use std::os::windows::process::ExitStatusExt;
    let (Exit::Code(code) | Exit::Signal(code)) = exit;
    ExitStatus::from_raw(u32::from(code))
}
