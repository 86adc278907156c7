//! A feed as a [`Stream`] of what it delivers.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_stream::Stream;

use super::delivery::Delivery;
use super::transport::{Ended, Feed};
use crate::limits::MOST_DELIVERIES_WAITING;
use kleroterion_core::source::FeedError;

/// A stream of a feed's deliveries, which ends after the feed's end or its first error. Whoever
/// takes a delivery must answer its receipt; the feed waits for it. Dropping the stream stops the
/// feed.
#[must_use = "streams do nothing unless polled"]
pub struct Deliveries {
    waiting: mpsc::Receiver<Delivery>,
    stop: watch::Sender<bool>,
    /// The feed's task; `None` after its end.
    task: Option<JoinHandle<Result<Ended, FeedError>>>,
}

/// Runs a feed in a task of its own and returns its deliveries as a stream.
///
/// # Panics
/// Outside a runtime of tokio.
pub fn deliveries(feed: Box<dyn Feed>) -> Deliveries {
    let (sender, waiting) = mpsc::channel(MOST_DELIVERIES_WAITING);
    let (stop, stopped) = watch::channel(false);
    Deliveries {
        waiting,
        stop,
        task: Some(tokio::spawn(feed.run(sender, stopped))),
    }
}

impl Stream for Deliveries {
    type Item = Result<Delivery, FeedError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(delivery) = ready!(self.waiting.poll_recv(context)) {
            return Poll::Ready(Some(Ok(delivery)));
        }
        let Some(task) = &mut self.task else {
            return Poll::Ready(None);
        };
        let ended = ready!(Pin::new(task).poll(context));
        self.task = None;
        let error = match ended {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error),
            Err(error) => Some(FeedError(format!("the feed broke off: {error}"))),
        };
        Poll::Ready(error.map(Err))
    }
}

impl Drop for Deliveries {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use tokio_stream::StreamExt;

    use super::*;

    /// Delivers so many, and then fails where it is to.
    struct Few(u64, bool);

    #[async_trait]
    impl Feed for Few {
        async fn run(
            self: Box<Self>,
            deliveries: mpsc::Sender<Delivery>,
            mut stop: watch::Receiver<bool>,
        ) -> Result<Ended, FeedError> {
            for left_out in 0..self.0 {
                let delivery = Delivery {
                    left_out,
                    ..Delivery::default()
                };
                tokio::select! {
                    biased;
                    _ = stop.wait_for(|stop| *stop) => return Ok(Ended::Stopped),
                    sent = deliveries.send(delivery) => assert!(sent.is_ok()),
                }
            }
            match self.1 {
                true => Err(FeedError("torn".to_owned())),
                false => Ok(Ended::Source),
            }
        }
    }

    #[tokio::test]
    async fn deliveries_come_in_order_until_the_end_or_the_error() {
        for fails in [false, true] {
            let number = |delivery: Result<Delivery, FeedError>| delivery.map(|one| one.left_out);
            let all = deliveries(Box::new(Few(40, fails))).map(number);
            let all: Vec<_> = all.collect().await;
            let mut due: Vec<Result<u64, FeedError>> = (0..40).map(Ok).collect();
            due.extend(fails.then(|| Err(FeedError("torn".to_owned()))));
            assert_eq!(all, due);
        }
    }

    /// A consumer that has enough stops the feed by dropping the stream.
    #[tokio::test]
    async fn a_dropped_stream_stops_the_feed() {
        let mut stream = deliveries(Box::new(Few(u64::MAX, false)));
        assert!(stream.next().await.is_some());
        let task = stream.task.take().expect("it runs");
        // Its receiver and its wish to stop are one.
        let (stop, waiting) = (stream.stop.clone(), &mut stream.waiting);
        stop.send_replace(true);
        while waiting.recv().await.is_some() {}
        assert!(matches!(task.await, Ok(Ok(Ended::Stopped))));
    }

    /// Delivers nothing, and says whether it was asked to stop.
    struct Idle(tokio::sync::oneshot::Sender<bool>);

    #[async_trait]
    impl Feed for Idle {
        async fn run(
            self: Box<Self>,
            _: mpsc::Sender<Delivery>,
            mut stop: watch::Receiver<bool>,
        ) -> Result<Ended, FeedError> {
            let is_asked = stop.wait_for(|stop| *stop).await.is_ok();
            let _ = self.0.send(is_asked);
            Ok(Ended::Stopped)
        }
    }

    #[tokio::test]
    async fn a_feed_that_waits_is_asked_to_stop_when_its_stream_is_dropped() {
        let (say, said) = tokio::sync::oneshot::channel();
        drop(deliveries(Box::new(Idle(say))));
        assert_eq!(said.await, Ok(true));
    }
}
