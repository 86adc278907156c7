//! `klero work --run RUN --lane LABEL`: plays one lane of a live run on another machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::args::inputs;
use super::super::failure::{Failure, failed};
use super::super::interrupts::watch_for_interrupts;
use super::super::show;
use kleroterion::live::elsewhere::{self, WorkEnd, WorkError, Worker};

/// Plays a lane.
pub fn work(url: String, run: String, lane: String, quiet: bool) -> Result<(), Failure> {
    let interrupt = Arc::<AtomicBool>::default();
    watch_for_interrupts(Arc::clone(&interrupt));
    let worker = Worker {
        url,
        run,
        lane,
        interrupt,
        inputs: inputs(),
    };
    let say = |text: &str| {
        if !quiet {
            show::say(text);
        }
    };
    match elsewhere::work(&worker, &say) {
        Ok(WorkEnd::Ended(stop)) => {
            let detail = stop
                .detail
                .map_or_else(String::new, |why| format!(": {why}"));
            say(&format!(
                "the lane has ended, {}{detail}",
                stop.ending.word()
            ));
            Ok(())
        }
        Ok(WorkEnd::Before) => {
            say("the lane had ended before: nothing is to be played");
            Ok(())
        }
        Ok(WorkEnd::Interrupted) => Err(Failure::Interrupted),
        Err(WorkError::Asked(problems)) => Err(problems.into()),
        Err(WorkError::Failed(why)) => Err(failed(&why)),
    }
}
