//! Interrupts by the user.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

/// The first interrupt ends the run early with what there is; the second ends the program. None is
/// missed once this returns.
pub(super) fn watch_for_interrupts(interrupt: Arc<AtomicBool>) {
    let (listening, listens) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let mut heard = pin!(tokio::signal::ctrl_c());
            // It listens once it has been asked.
            let first = poll_fn(|context| Poll::Ready(heard.as_mut().poll(context))).await;
            drop(listening);
            let mut heard = match first {
                Poll::Ready(heard) => heard,
                Poll::Pending => heard.await,
            };
            while heard.is_ok() {
                if interrupt.swap(true, Ordering::Relaxed) {
                    kleroterion::seat::end_programs();
                    std::process::exit(130);
                }
                heard = tokio::signal::ctrl_c().await;
            }
        });
    });
    // Nothing is ever sent: that it is dropped is the word, also where no runtime could be had.
    let _ = listens.recv();
}
