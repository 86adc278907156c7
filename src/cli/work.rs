//! `klero work`: plays units of sweeps, or one lane of a live run, for whoever asks over NATS.

#[cfg(feature = "nats")]
mod lane;
#[cfg(feature = "nats")]
mod units;

use clap::Args;
use kleroterion::problem::Problem;

use super::args::{at_least, whole};
use super::failure::Failure;

/// The servers if the user names none.
pub const SERVERS: &str = "nats://127.0.0.1:4222";

/// Options of `klero work`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero work --nats nats://a:4222,nats://b:4222                units of sweeps, as long as it is left running
  klero work --nats nats://a:4222 --idle-timeout 60            ends once there was none for a minute
  klero work --nats nats://a:4222 --run spring --lane mine     a policy of a live run")]
pub struct WorkArgs {
    /// The servers, separated by commas
    #[arg(long, value_name = "URL", default_value = SERVERS)]
    nats: String,
    /// The name of a live run there: `run` in [live.nats] of its config
    #[arg(long, value_name = "RUN", requires = "lane")]
    run: Option<String>,
    /// The label of the live run's policy, which has where = "remote"
    #[arg(long, value_name = "LABEL", requires = "run")]
    lane: Option<String>,
    /// Ends after that many seconds without a unit to play [default: never]
    #[arg(long, value_name = "SECONDS", conflicts_with = "run", value_parser = at_least(1))]
    idle_timeout: Option<u64>,
    /// How many threads play a unit [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", conflicts_with = "run", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    threads: Option<i64>,
    /// No notes
    #[arg(long, short)]
    quiet: bool,
}

/// Works for live runs and sweeps.
#[cfg(feature = "nats")]
pub fn work(args: WorkArgs) -> Result<(), Failure> {
    match (args.run, args.lane) {
        (Some(run), Some(lane)) => lane::work(args.nats, run, lane, args.quiet),
        _ => units::work(&units::UnitsWanted {
            url: args.nats,
            idle: args.idle_timeout.map(std::time::Duration::from_secs),
            threads: args.threads.map(|threads| threads as usize),
            quiet: args.quiet,
        }),
    }
}

/// Fails, since this program was built without NATS.
#[cfg(not(feature = "nats"))]
pub fn work(args: WorkArgs) -> Result<(), Failure> {
    let WorkArgs { nats, .. } = args;
    Err(no_nats(&format!("it can't work for runs at {nats}")))
}

/// The failure that this program was built without NATS. `what` says what it can't do.
pub fn no_nats(what: &str) -> Failure {
    let what = format!("this klero was built without NATS: {what}");
    let help = "install it with: cargo install kleroterion --features nats";
    Problem::of_request(what).help(help).into()
}
