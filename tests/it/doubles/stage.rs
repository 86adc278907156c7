//! Where an arena plays: which runtime, how many threads, who opens answers.

use std::panic;
use std::sync::Once;

use kleroterion::arena::{Arena, ArenaError, Carrier, PlayedArena};
use tokio::runtime::{Builder, Runtime};

/// A tokio runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Current,
    Multi(usize),
    /// As many threads, and lanes whose feedback tasks draw the answers, many of them ahead.
    Asking(usize),
}

/// The stages on which results must be the same.
pub const STAGES: [Stage; 5] = [
    Stage::Current,
    Stage::Multi(1),
    Stage::Multi(2),
    Stage::Asking(1),
    Stage::Asking(2),
];

/// The batch sizes at which results must be the same.
pub const BATCHES: [usize; 4] = [1, 7, 64, 1024];

impl Stage {
    pub fn runtime(self) -> Runtime {
        mute();
        match self {
            Self::Current => Builder::new_current_thread().build(),
            Self::Multi(threads) | Self::Asking(threads) => {
                Builder::new_multi_thread().worker_threads(threads).build()
            }
        }
        .unwrap()
    }

    /// Who opens answers.
    pub fn carrier(self) -> Carrier {
        match self {
            Self::Asking(_) => Carrier::Task,
            Self::Current | Self::Multi(_) => Carrier::Lane,
        }
    }

    pub fn play(self, mut arena: Arena<'_>) -> Result<PlayedArena, ArenaError> {
        arena.carrier = self.carrier();
        self.runtime().block_on(arena.play())
    }
}

/// Panics that belong to a script print nothing.
fn mute() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            let words = payload.downcast_ref::<&str>().copied();
            let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            if !words.is_some_and(|words| words.starts_with("scripted:")) {
                loud(info);
            }
        }));
    });
}
