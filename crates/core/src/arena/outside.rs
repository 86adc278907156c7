//! A policy that sits outside, and how it is made.

use std::sync::Arc;

use super::mail::{SeatReply, SeatRequest};
use crate::draw::Key;
use crate::protocol::Stop;

/// A policy outside the process. It answers mail in a task of its own.
#[async_trait::async_trait]
pub trait Outside: Send {
    /// Reads mail and answers the last message, which asks for an answer.
    ///
    /// # Errors
    /// Returns the ending of its lane, if the policy has left or can't be understood.
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop>;

    /// Called first when its lane ends, unless it ends by an error of [`Outside::answer`].
    fn lane_ends(&mut self, stop: &Stop) {
        let _ = stop;
    }

    /// Reads the last mail after the lane has ended.
    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        drop(mail);
    }
}

/// Makes an outside policy for a replication.
pub type OutsideMaker = Arc<dyn Fn(Key) -> Box<dyn Outside> + Send + Sync>;
