//! Interrupts: Ctrl-C by the user, SIGTERM by a service manager or a container. Also signals that
//! end the program at once, for example the hangup of its terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use crate::cli::limits::SAME_INTERRUPT;

/// Handles interrupts: the first one ends the run early with its results so far, the second one
/// ends the program. No interrupt is missed once this returns.
pub(super) fn watch_for_interrupts(interrupt: Arc<AtomicBool>) {
    listen(|listening| async move {
        let Ok(mut signals) = Signals::listen() else {
            return;
        };
        drop(listening);
        let mut last: Option<Instant> = None;
        while signals.next().await.is_some() {
            let is_another = last.is_none_or(|last| last.elapsed() > SAME_INTERRUPT);
            last = Some(Instant::now());
            if is_another && interrupt.swap(true, Ordering::Relaxed) {
                end_at_once();
            }
        }
    });
}

/// Makes SIGHUP and SIGQUIT end the program after restoring the terminal. No signal is missed once
/// this returns.
#[cfg(unix)]
pub(super) fn give_back_on_hangup() {
    use std::sync::Once;

    use tokio::signal::unix::{SignalKind, signal};

    static LISTENING: Once = Once::new();

    LISTENING.call_once(|| {
        listen(|listening| async move {
            let hangup = signal(SignalKind::hangup());
            let quit = signal(SignalKind::quit());
            let (Ok(mut hangup), Ok(mut quit)) = (hangup, quit) else {
                return;
            };
            drop(listening);
            // The exit code is that which a shell reports for a program killed by the signal.
            let signal = tokio::select! {
                _ = hangup.recv() => SignalKind::hangup(),
                _ = quit.recv() => SignalKind::quit(),
            };
            end(128 + signal.as_raw_value())
        });
    });
}

/// Does nothing, since there is no screen on this system.
#[cfg(not(unix))]
pub(super) fn give_back_on_hangup() {}

/// Plays a task on a thread of its own. Returns once the task drops what it is given, which says
/// that it listens.
fn listen<T: Future<Output = ()>>(task: impl FnOnce(Sender<()>) -> T + Send + 'static) {
    let (listening, listens) = channel::<()>();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        if let Ok(runtime) = runtime {
            runtime.block_on(task(listening));
        }
    });
    // Nothing is ever sent: that it is dropped is the word, also where no runtime could be had.
    let _ = listens.recv();
}

/// Ends the program as an interrupted one.
pub(super) fn end_at_once() -> ! {
    end(130)
}

/// Ends the programs of policies, gives the terminal back, and ends the program.
fn end(code: i32) -> ! {
    kleroterion::seat::end_programs();
    super::held::restore();
    std::process::exit(code);
}

/// The signals that interrupt a run, received from the moment that this is created.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        // A file that grows beyond its limit (`ulimit -f`) is then an error of the write, as a
        // full disk is, and no longer the end of the program without a word.
        let too_large = rustix::process::Signal::XFSZ.as_raw();
        drop(signal(SignalKind::from_raw(too_large))?);
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> Option<()> {
        tokio::select! {
            heard = self.interrupt.recv() => heard,
            heard = self.terminate.recv() => heard,
        }
    }
}

/// Ctrl-C, received from the moment that this is created.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> Option<()> {
        self.0.recv().await
    }
}
