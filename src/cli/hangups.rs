//! Signals that end the program at once, such as the hangup of its terminal. A screen is removed
//! first.

/// Makes SIGHUP and SIGQUIT end the program after restoring the terminal. No signal is missed once
/// this returns.
#[cfg(unix)]
pub(super) fn give_back_on_hangup() {
    use std::sync::Once;
    use std::sync::mpsc::channel;
    use std::thread;

    use tokio::signal::unix::{SignalKind, signal};

    static LISTENING: Once = Once::new();

    LISTENING.call_once(|| {
        let (listening, listens) = channel::<()>();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                let hangup = signal(SignalKind::hangup());
                let quit = signal(SignalKind::quit());
                let (Ok(mut hangup), Ok(mut quit)) = (hangup, quit) else {
                    return;
                };
                drop(listening);
                tokio::select! {
                    _ = hangup.recv() => end(SignalKind::hangup()),
                    _ = quit.recv() => end(SignalKind::quit()),
                }
            });
        });
        // Nothing is ever sent: that it is dropped is the word, also where no runtime could be had.
        let _ = listens.recv();
    });
}

/// Ends the program with the exit code that a shell reports for a program killed by the signal.
#[cfg(unix)]
fn end(signal: tokio::signal::unix::SignalKind) -> ! {
    kleroterion::seat::end_programs();
    super::held::restore();
    std::process::exit(128 + signal.as_raw_value());
}

/// Does nothing, since there is no screen on this system.
#[cfg(not(unix))]
pub(super) fn give_back_on_hangup() {}
