//! The end of a live run: the time for which its servers stay, and its result.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{LOOK, RecorderThread, Session};
use crate::acting::Acting;
use crate::live::error::RecorderError;
use crate::live::opening::write_reported;
use crate::live::options::{LiveError, LiveResult};
use kleroterion_run::run::RunError;
use kleroterion_stats::RunResult;

impl Session<'_> {
    /// Keeps the servers until the user stops them or the recorder fails. `over` is called once all
    /// lanes have ended and their notes are committed.
    pub(super) fn stay(&self, recorder: &RecorderThread, wish: &AtomicBool, over: impl FnOnce()) {
        // A recorder that has failed ends it; one that has no more to take does not.
        let goes_on = || !wish.load(Ordering::Relaxed) && self.end.failed.get().is_none();
        let is_settled = || recorder.is_finished() || self.end.settled.load(Ordering::Relaxed);
        while goes_on() && !is_settled() {
            thread::sleep(Duration::from_millis(1));
        }
        if goes_on() {
            over();
        }
        while goes_on() {
            thread::sleep(LOOK);
        }
    }

    /// Stops the transports, waits for the recorder, and adds the last reports to the result.
    pub(super) fn finish(
        self,
        played: Result<RunResult, RunError>,
        recorder: RecorderThread,
        acting: &Acting,
    ) -> Result<LiveResult, LiveError> {
        self.stop.send_replace(true);
        let recorded = recorder.join();
        self.outside.shutdown_timeout(Duration::from_secs(3));
        let recorded = recorded.map_err(|_| io::Error::other("the recorder panicked"))?;
        let halted = match recorded {
            Ok(()) => None,
            // As the config has it: what came before counts.
            Err(halted @ RecorderError::Halted(..)) => Some(halted.to_string()),
            Err(error) => return Err(error.into()),
        };
        let mut result = played?;
        // What was reported after the lanes had ended.
        write_reported(self.plan, acting, &mut result);
        let gauges = &self.watched.gauges;
        Ok(LiveResult {
            result,
            refused: gauges.refused.get(),
            first_refused: self.watched.first_refused(),
            accepted: gauges.accepted.get(),
            duplicates: gauges.duplicates.get(),
            left_out: gauges.left_out.get(),
            halted,
        })
    }
}
