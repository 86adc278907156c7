//! A policy that plays elsewhere, and whose words are not repeated.

use std::sync::Arc;

use async_trait::async_trait;

use kleroterion_core::arena::{Outside, OutsideMaker, SeatReply, SeatRequest};
use kleroterion_core::protocol::Stop;

/// The text in place of the reason why such a lane ended.
const UNTOLD: &str = "why is not shown, because identities are hidden";

struct Hushed(Box<dyn Outside>);

/// Returns the same policy without the words that explain the end of its lane. They come from the
/// machine on which it plays, and may name people.
#[must_use]
pub fn hushed(maker: OutsideMaker) -> OutsideMaker {
    Arc::new(move |key| Box::new(Hushed(maker(key))))
}

#[async_trait]
impl Outside for Hushed {
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        let reply = self.0.answer(mail).await;
        reply.map_err(|stop| Stop {
            detail: stop.detail.map(|_| UNTOLD.into()),
            ..stop
        })
    }

    fn lane_ends(&mut self, stop: &Stop) {
        self.0.lane_ends(stop);
    }

    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        self.0.farewell(mail).await;
    }
}
