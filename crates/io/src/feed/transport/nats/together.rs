//! Taking the messages of a stream that have already come together, in one batch.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::task::unconstrained;
use tokio_stream::{Stream, StreamExt};

use crate::limits::{MOST_DELIVERY_BYTES, MOST_DELIVERY_ITEMS};

/// Returns the messages that have come: at least one, and all that are there until the batch is
/// large enough. An error after the first message ends the batch. A call that is dropped loses no
/// message.
pub(super) async fn together<T>(
    stream: &mut (impl Stream<Item = Result<T, String>> + Unpin),
    bytes_of: impl Fn(&T) -> usize,
) -> Result<Vec<T>, String> {
    let first = stream.next().await;
    let first = first.ok_or_else(|| "the consumer is gone".to_owned())??;
    let mut bytes = bytes_of(&first);
    let mut got = vec![first];
    while got.len() < MOST_DELIVERY_ITEMS && bytes < MOST_DELIVERY_BYTES {
        let Some(Ok(next)) = at_once(stream).await else {
            break;
        };
        bytes += bytes_of(&next);
        got.push(next);
    }
    Ok(got)
}

/// Returns the next item if it is there already.
pub(super) async fn at_once<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    let next = |context: &mut Context<'_>| match Pin::new(&mut *stream).poll_next(context) {
        Poll::Ready(next) => Poll::Ready(next),
        Poll::Pending => Poll::Ready(None),
    };
    // The bounds of a delivery hold, not that of tokio on what a task takes in one go.
    unconstrained(poll_fn(next)).await
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;
    use tokio_stream::wrappers::ReceiverStream;

    use super::*;

    /// A stream whose items are all there. `tokio_stream::iter` lets others run in between.
    struct Given<T>(std::vec::IntoIter<T>);

    impl<T: Unpin> Stream for Given<T> {
        type Item = T;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<T>> {
            Poll::Ready(self.0.next())
        }
    }

    /// Returns the number of messages in each batch, for messages of these bytes.
    async fn takings(bytes: Vec<usize>) -> Vec<usize> {
        let items: Vec<_> = bytes.into_iter().map(Ok).collect();
        let mut stream = Given(items.into_iter());
        let mut counts = Vec::new();
        while let Ok(got) = together(&mut stream, |bytes| *bytes).await {
            counts.push(got.len());
        }
        counts
    }

    #[tokio::test]
    async fn all_that_is_there_comes_together_up_to_a_count() {
        assert_eq!(takings(vec![1; 3]).await, [3]);
        assert_eq!(
            takings(vec![1; MOST_DELIVERY_ITEMS]).await,
            [MOST_DELIVERY_ITEMS]
        );
        assert_eq!(
            takings(vec![0; MOST_DELIVERY_ITEMS + 2]).await,
            [MOST_DELIVERY_ITEMS, 2]
        );
    }

    #[tokio::test]
    async fn no_more_comes_once_there_are_bytes_enough() {
        let half = MOST_DELIVERY_BYTES / 2;
        assert_eq!(takings(vec![half; 5]).await, [2, 2, 1]);
        assert_eq!(takings(vec![half - 1; 5]).await, [3, 2]);
        assert_eq!(takings(vec![3 * MOST_DELIVERY_BYTES, 1, 1]).await, [1, 2]);
    }

    #[tokio::test]
    async fn an_error_is_the_answer_where_nothing_came_before_it() {
        let items = vec![Ok(1), Err("lost".to_owned()), Err("gone".to_owned()), Ok(2)];
        let mut stream = Given(items.into_iter());
        assert_eq!(together(&mut stream, |_| 1).await, Ok(vec![1]));
        assert_eq!(together(&mut stream, |_| 1).await, Err("gone".to_owned()));
        assert_eq!(together(&mut stream, |_| 1).await, Ok(vec![2]));
        let over = together(&mut stream, |_| 1).await;
        assert_eq!(over, Err("the consumer is gone".to_owned()));
    }

    #[tokio::test]
    async fn it_waits_for_the_first_alone() {
        let (sender, receiver) = mpsc::channel(4);
        let mut stream = ReceiverStream::new(receiver);
        assert!(at_once(&mut stream).await.is_none());
        let late = tokio::spawn(async move {
            tokio::task::yield_now().await;
            sender.send(Ok(5)).await.expect("it is heard");
            sender
        });
        assert_eq!(together(&mut stream, |_| 1).await, Ok(vec![5]));
        let sender = late.await.expect("it ends");
        sender.send(Ok(6)).await.expect("it is heard");
        assert_eq!(at_once(&mut stream).await, Some(Ok(6)));
    }
}
