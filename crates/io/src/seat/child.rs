//! A program as a child of this process.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;

use async_trait::async_trait;
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::errors::{LastError, follow};
use super::groups::Group;
use super::process::{Process, Running};
use super::words::ProgramWords;
use crate::limits::PROGRAM_GRACE;
use crate::secrets::VARIABLES;

/// A child process and the processes that it started. All are killed when this is dropped.
struct ChildProgram {
    child: Child,
    group: Group,
    /// The task that hands on the program's standard error.
    errors: JoinHandle<()>,
}

/// Starts a program. Its standard error goes to klero's own behind the label, unless its words are
/// hidden. `last` keeps the last line.
pub(super) fn start(
    command: &[String],
    label: &str,
    last: &Arc<LastError>,
    words: ProgramWords,
) -> io::Result<Process> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    // No program needs klero's own secrets.
    for name in VARIABLES {
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
    let errors = tokio::spawn(follow(stderr, label.to_owned(), Arc::clone(last), words));
    let running = ChildProgram {
        child,
        group,
        errors,
    };
    Ok(Process::new(running, stdin, stdout))
}

#[async_trait]
impl Running for ChildProgram {
    async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills the program. All its standard error is handed on by then, unless a process that it
    /// started has left its group and lives on.
    async fn kill(&mut self) {
        self.kill_group();
        // One that has ended already is none to kill.
        drop(self.child.kill().await);
        self.group.forget();
        if !self.errors.is_finished() {
            drop(timeout(PROGRAM_GRACE, &mut self.errors).await);
        }
    }
}

impl ChildProgram {
    fn kill_group(&self) {
        // Only while the child is not reaped is its number surely its own.
        if self.child.id().is_some() {
            self.group.kill();
        }
    }
}

impl Drop for ChildProgram {
    fn drop(&mut self) {
        self.kill_group();
    }
}
