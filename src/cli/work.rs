//! `klero work`: one lane of a live run, played where the run is not.

use clap::Args;

use super::failure::Failure;

/// Options of `klero work`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero work --run spring --lane queue                         the server of this machine
  klero work --nats nats://a:4222,nats://b:4222 --run spring --lane mine")]
pub struct WorkArgs {
    /// The servers, separated by commas
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    nats: String,
    /// The run's name there: `run` in [live.nats] of its config
    #[arg(long, value_name = "RUN")]
    run: String,
    /// The label of the policy, which has where = "remote"
    #[arg(long, value_name = "LABEL")]
    lane: String,
    /// No notes
    #[arg(long, short)]
    quiet: bool,
}

/// Plays a lane.
#[cfg(feature = "nats")]
pub fn work(args: WorkArgs) -> Result<(), Failure> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::failure::{failed, wrong};
    use super::interrupts::watch_for_interrupts;
    use super::show;
    use kleroterion::live::elsewhere::{WorkEnd, WorkError, Worker, work};

    let interrupt = Arc::<AtomicBool>::default();
    watch_for_interrupts(Arc::clone(&interrupt));
    let worker = Worker {
        url: args.nats,
        run: args.run,
        lane: args.lane,
        interrupt,
    };
    let say = |text: &str| {
        if !args.quiet {
            show::say(text);
        }
    };
    match work(&worker, &say) {
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
        Err(WorkError::Asked(problems)) => Err(wrong(problems)),
        Err(WorkError::Failed(why)) => Err(failed(&why)),
    }
}

/// Says that this program can't.
#[cfg(not(feature = "nats"))]
pub fn work(args: WorkArgs) -> Result<(), Failure> {
    use super::failure::wrong;
    use kleroterion::problem::Problem;

    let WorkArgs {
        nats,
        run,
        lane,
        quiet: _,
    } = args;
    let what =
        format!("this klero was built without NATS: it can't play {lane:?} of {run} at {nats}");
    let help = "install it with: cargo install kleroterion --features nats";
    Err(wrong(Problem::of_request(what).help(help)))
}
