//! A source as a [`Stream`], so that whatever takes streams takes people.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio_stream::Stream;

use crate::protocol::Batch;
use crate::source::{FeedError, Source};

/// The result of a pull: the source and its answer.
type Pulled = (Box<dyn Source>, Result<Option<Batch>, FeedError>);

/// The batches of a source as a stream, which ends after the source's end or its first error.
#[must_use = "streams do nothing unless polled"]
pub struct Batches {
    persons: usize,
    /// The pull under way; none after the end.
    pull: Option<Pin<Box<dyn Future<Output = Pulled> + Send>>>,
}

/// The batches of a source, each of about `persons` persons in whole rounds.
///
/// ```
/// use std::sync::Arc;
///
/// use kleroterion_core::arena::batches;
/// use kleroterion_core::draw::Key;
/// use kleroterion_core::protocol::{Attribute, Law, Schema};
/// use kleroterion_core::source::{Generated, People};
/// use tokio_stream::StreamExt;
///
/// let age = Attribute {
///     name: "age".into(),
///     values: vec!["young".into(), "old".into()],
/// };
/// let schema = Arc::new(Schema::new(vec![age], vec![], false)?);
/// let people = Arc::new(People::new(schema, &Law::Product(vec![vec![0.3, 0.7]]))?);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let source = Box::new(Generated::new(people, Key::new(2026, 0), 1));
/// let mut sizes = batches(source, 100).map(|batch| batch.map(|batch| batch.persons().len()));
/// assert_eq!(sizes.next().await, Some(Ok(100)));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn batches(source: Box<dyn Source>, persons: usize) -> Batches {
    Batches {
        persons,
        pull: Some(Box::pin(pull(source, persons))),
    }
}

async fn pull(mut source: Box<dyn Source>, persons: usize) -> Pulled {
    let said = source.next(persons).await;
    (source, said)
}

impl Stream for Batches {
    type Item = Result<Batch, FeedError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(under_way) = &mut self.pull else {
            return Poll::Ready(None);
        };
        let (source, said) = ready!(under_way.as_mut().poll(context));
        self.pull = match said {
            Ok(Some(_)) => Some(Box::pin(pull(source, self.persons))),
            Ok(None) | Err(_) => None,
        };
        Poll::Ready(said.transpose())
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use tokio_stream::StreamExt;

    use super::*;
    use crate::protocol::Schema;

    /// Emits so many rounds of one person each, then what is left.
    struct Few(u64, Option<FeedError>, u64);

    #[async_trait]
    impl Source for Few {
        async fn next(&mut self, _: usize) -> Result<Option<Batch>, FeedError> {
            tokio::task::yield_now().await;
            if self.2 == self.0 {
                return self.1.clone().map_or(Ok(None), Err);
            }
            self.2 += 1;
            let mut batch = Batch::new(Schema::default().into(), self.2, self.2 - 1);
            batch.persons_mut().push(0, &[], &[], None);
            batch.close_round();
            Ok(Some(batch))
        }
    }

    #[tokio::test]
    async fn batches_come_in_order_until_the_end_or_the_first_error() {
        let number = |batch: Result<Batch, FeedError>| batch.map(|batch| batch.round_number(0));
        let all = batches(Box::new(Few(3, None, 0)), 1).map(number);
        let all: Vec<_> = all.collect().await;
        assert_eq!(all, [Ok(1), Ok(2), Ok(3)]);
        let error = FeedError("torn".to_owned());
        let all = batches(Box::new(Few(1, Some(error.clone()), 0)), 1).map(number);
        let all: Vec<_> = all.collect().await;
        assert_eq!(all, [Ok(1), Err(error)]);
    }
}
