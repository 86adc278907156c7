//! Sources emit the stream: rosters of persons, round by round. This module has the sources that
//! generate people.

pub mod admissions;
mod arms;
mod categorical;
mod gaussian_groups;
mod linear_groups;
pub mod population;
mod sizes;
mod uniform_sum;

use std::sync::Arc;

use async_trait::async_trait;

pub use arms::{ArmStream, Arms, Means};
pub use categorical::{Generated, People};
pub use gaussian_groups::{GaussianGroup, GaussianGroups, GaussianStream};
pub use linear_groups::{BadGroups, HELD_OUT, LinearGroup, LinearGroups, LinearStream};
pub use sizes::Sizes;

pub use uniform_sum::{EmpiricalCdf, MeritCdf, UniformSum};

use crate::draw::Key;
use crate::protocol::Batch;

/// The reason why a source can't go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FeedError(pub String);

/// A source: emits the stream.
#[async_trait]
pub trait Source: Send {
    /// Returns the next whole rounds: at least one, and about `persons` persons in all. `None` at
    /// the stream's end. An incomplete last slate is counted (see [`Source::left_over`]) and not
    /// shown. A dropped call loses no person.
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError>;

    /// The number of persons left over because they did not fill a last slate.
    fn left_over(&self) -> u64 {
        0
    }
}

/// Makes the source of a replication.
pub type SourceMaker = Arc<dyn Fn(Key) -> Box<dyn Source> + Send + Sync>;
