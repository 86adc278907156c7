//! The ways in which records come. Each is a task that reads bytes and hands over their records.

mod carry;
mod memory;
#[cfg(feature = "nats")]
mod nats;
mod pipe;
mod rotated;
mod tail;
pub(super) mod tape;
mod tcp;
#[cfg(test)]
pub(super) mod tests;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

pub use carry::{Ended, Feed};
pub use pipe::Pipe;
pub use tail::{FOLLOWED, FollowedMemory, Tail};
pub use tape::Tape;
#[cfg(any(test, feature = "testing"))]
pub use tcp::serve_one;
pub use tcp::{Tcp, TcpLimits};

use super::spec::{FeedSpec, ServerPromise, Transport};
use kleroterion_core::problem::Problem;

/// The reason why a feed can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system forbids it.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The requested stream, consumer or server is missing or unfit.
    #[error(transparent)]
    Asked(#[from] Problem),
}

/// Opens a feed of any kind but HTTP, which the web server takes. Senders on other machines must
/// send `token`. `counted` is the number of records that came before, so that later ones without an
/// id get new numbers. `memory` is the place of the list of followed files.
///
/// # Errors
/// Its address can't be listened at, or its server does not answer.
pub async fn open(
    spec: &FeedSpec,
    token: Option<Arc<str>>,
    counted: u64,
    memory: Option<FollowedMemory>,
) -> Result<Box<dyn Feed>, OpenError> {
    let numbers = Arc::new(AtomicU64::new(counted));
    Ok(match &spec.transport {
        Transport::Stdin => Box::new(Pipe::stdin(spec, numbers)),
        Transport::Tcp(address) => Box::new(Tcp::bind(*address, spec, token, numbers).await?),
        Transport::Tail(path) => {
            Box::new(Tail::new(path.clone(), spec, numbers).remembering(memory))
        }
        Transport::Tape(path, speed) => Box::new(Tape::new(path.clone(), *speed, spec, numbers)),
        Transport::Memory(feed) => Box::new(memory::open(feed.as_ref(), spec, numbers)?),
        Transport::Http(_) => {
            let what = "records by HTTP are taken by a server";
            return Err(io::Error::new(io::ErrorKind::Unsupported, what).into());
        }
        #[cfg(feature = "nats")]
        Transport::Nats(wanted) => Box::new(nats::Nats::open(wanted, spec).await?),
        #[cfg(not(feature = "nats"))]
        Transport::Nats(_) => {
            let what = "this klero was built without NATS";
            let help = "install it with: cargo install kleroterion --features nats";
            return Err(Problem::of_request(what).help(help).into());
        }
    })
}

/// Checks the promise of a feed's servers to senders. Empty for feeds without servers.
#[must_use]
pub fn promise(spec: &FeedSpec) -> ServerPromise {
    match &spec.transport {
        #[cfg(feature = "nats")]
        Transport::Nats(wanted) => nats::promised(wanted),
        _ => ServerPromise::default(),
    }
}
