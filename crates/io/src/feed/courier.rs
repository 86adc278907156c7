//! The courier, which hands records to the recorder in deliveries of bounded size, and settles
//! their receipts.

use std::collections::VecDeque;

use tokio::sync::{mpsc, oneshot};

use super::account::{FeedAccount, HandedRecord};
use super::delivery::{Delivery, Receipt};
use super::items::Item;
use super::spec::OnError;
use crate::limits::{
    MOST_DELIVERIES_IN_FLIGHT, MOST_DELIVERY_BYTES, MOST_DELIVERY_ITEMS, MOST_LISTED_REFUSALS,
};

/// The reason why no more is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The receiver is gone.
    Untaken,
    /// A record could not be read, and the stream ends there; the reason.
    Halted(String),
    /// The row of column names, or a length, could not be read; so nothing after it can be.
    Lost(String),
}

/// Hands the records of one connection or file to the recorder.
pub(super) struct Courier {
    deliveries: mpsc::Sender<Delivery>,
    on_error: OnError,
    waiting: VecDeque<(oneshot::Receiver<Receipt>, Vec<HandedRecord>)>,
    pub(super) account: FeedAccount,
}

impl Courier {
    pub(super) fn new(deliveries: mpsc::Sender<Delivery>, on_error: OnError) -> Self {
        Self {
            deliveries,
            on_error,
            waiting: VecDeque::new(),
            account: FeedAccount::listing(MOST_LISTED_REFUSALS),
        }
    }

    /// Waits until the receiver of deliveries is dropped.
    pub(super) async fn untaken(&self) {
        self.deliveries.closed().await;
    }

    /// Hands all items over, in as many deliveries as they fill. `left_out` is the number of
    /// further records that `where` left out.
    pub(super) async fn hand(
        &mut self,
        items: &mut Vec<Item>,
        mut left_out: u64,
    ) -> Result<(), Over> {
        self.account.left_out += left_out;
        let halt = self.halt(items);
        let mut rest = std::mem::take(items).into_iter().peekable();
        while rest.peek().is_some() || left_out > 0 {
            let mut bytes = 0;
            let mut delivery = Vec::new();
            while let Some(item) = rest.next_if(|item| {
                bytes += size(item);
                delivery.is_empty()
                    || (bytes <= MOST_DELIVERY_BYTES && delivery.len() < MOST_DELIVERY_ITEMS)
            }) {
                delivery.push(item);
            }
            self.send(delivery, std::mem::take(&mut left_out)).await?;
        }
        match halt {
            None => Ok(()),
            Some(error) => {
                self.settle().await?;
                Err(Over::Halted(error))
            }
        }
    }

    /// Drops all items after the first unreadable record, if the stream is to end there. Returns
    /// the reason, or `None` if the stream goes on.
    fn halt(&self, items: &mut Vec<Item>) -> Option<String> {
        if self.on_error != OnError::Halt {
            return None;
        }
        let wrong = |item: &Item| matches!(item, Item::Refused(_));
        let at = items.iter().position(wrong)?;
        items.truncate(at + 1);
        match &items[at] {
            Item::Refused(refused) => Some(format!("line {}: {}", refused.line, refused.error)),
            _ => None,
        }
    }

    async fn send(&mut self, items: Vec<Item>, left_out: u64) -> Result<(), Over> {
        while self.waiting.len() >= MOST_DELIVERIES_IN_FLIGHT {
            self.receive().await?;
        }
        let handed = items.iter().map(HandedRecord::of).collect();
        let (receipt, told) = oneshot::channel();
        let delivery = Delivery {
            items,
            left_out,
            receipt: Some(receipt),
        };
        let sent = self.deliveries.send(delivery).await;
        sent.map_err(|_| Over::Untaken)?;
        self.waiting.push_back((told, handed));
        Ok(())
    }

    /// Waits until all records handed over are accounted for.
    pub(super) async fn settle(&mut self) -> Result<(), Over> {
        while !self.waiting.is_empty() {
            self.receive().await?;
        }
        Ok(())
    }

    async fn receive(&mut self) -> Result<(), Over> {
        // Looked at, not taken: a wait that is given up loses no receipt.
        let Some((answer, _)) = self.waiting.front_mut() else {
            return Ok(());
        };
        let receipt = answer.await;
        let (_, handed) = self.waiting.pop_front().expect("it was waited for");
        let receipt = receipt.map_err(|_| Over::Untaken)?;
        self.account.settle(handed, receipt);
        Ok(())
    }
}

/// Returns the approximate size of an item, in bytes.
fn size(item: &Item) -> usize {
    match item {
        Item::Candidate(person) => person.record.len() + person.id.len(),
        Item::Outcome(outcome) => outcome.record.len() + outcome.id.len(),
        Item::Look(look) => look.record.len() + look.id.len(),
        Item::Withdrawal(withdrawal) => withdrawal.record.len() + withdrawal.id.len(),
        Item::Closing(_) => 0,
        Item::Refused(refused) => refused.record.len() + refused.error.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{
        CandidateRecord, LookRecord, Naming, OutcomeRecord, RefusedRecord, Taken, WithdrawalRecord,
    };
    use crate::record::json::Record;

    /// A record that can't be read, of this many bytes with the reason.
    fn unread(line: u64, bytes: usize) -> Item {
        Item::Refused(RefusedRecord {
            line,
            error: "no id".into(),
            record: "x".repeat(bytes - 5).into(),
        })
    }

    /// Returns the number of items and left-out records of each delivery, the result of handing
    /// over, and the account at its end.
    async fn handed(
        on_error: OnError,
        mut items: Vec<Item>,
        left_out: u64,
    ) -> (Vec<(usize, u64)>, Result<(), Over>, FeedAccount) {
        let (sender, mut receiver) = mpsc::channel::<Delivery>(1);
        let recorder = tokio::spawn(async move {
            let mut sizes = Vec::new();
            while let Some(delivery) = receiver.recv().await {
                sizes.push((delivery.items.len(), delivery.left_out));
                let receipt = Receipt {
                    taken: vec![Taken::Refused; delivery.items.len()],
                    last_seq: sizes.len() as u64,
                };
                delivery.receipt.unwrap().send(receipt).unwrap();
            }
            sizes
        });
        let mut courier = Courier::new(sender, on_error);
        let end = courier.hand(&mut items, left_out).await;
        courier.settle().await.unwrap();
        let account = courier.account.clone();
        drop(courier);
        (recorder.await.unwrap(), end, account)
    }

    #[tokio::test]
    async fn a_delivery_has_at_most_so_many_items_and_bytes() {
        let half = MOST_DELIVERY_BYTES / 2;
        for (sizes, deliveries) in [
            (vec![9; MOST_DELIVERY_ITEMS], vec![MOST_DELIVERY_ITEMS]),
            (
                vec![9; MOST_DELIVERY_ITEMS + 1],
                vec![MOST_DELIVERY_ITEMS, 1],
            ),
            (vec![half, half, half], vec![2, 1]),
            (vec![half, half + 1], vec![1, 1]),
            (vec![9, 3 * MOST_DELIVERY_BYTES, 9], vec![1, 1, 1]),
        ] {
            let items = (1..).zip(&sizes).map(|(line, size)| unread(line, *size));
            let (found, end, account) = handed(OnError::Skip, items.collect(), 0).await;
            let found: Vec<usize> = found.into_iter().map(|(items, _)| items).collect();
            assert_eq!((found, end), (deliveries.clone(), Ok(())));
            let listed = account.rejected.len() as u64;
            assert_eq!(listed, sizes.len().min(MOST_LISTED_REFUSALS) as u64);
            assert_eq!(listed + account.more_rejected, sizes.len() as u64);
            assert_eq!(account.last_seq, deliveries.len() as u64);
        }
    }

    /// An item's record and its id count, or what is wrong with it.
    #[test]
    fn an_item_has_the_bytes_of_its_texts() {
        let record: Box<str> = "0123456789".into();
        let outcome = OutcomeRecord {
            id: "ann".into(),
            policy: Some("queue".into()),
            value: 1.0,
            line: 1,
            record: record.clone(),
        };
        let look = LookRecord {
            id: "ann".into(),
            kind: 0,
            nth: None,
            value: 1.0,
            by: None,
            line: 1,
            record: record.clone(),
        };
        let withdrawal = WithdrawalRecord {
            id: "ann".into(),
            line: 1,
            record,
        };
        let person = CandidateRecord {
            id: "ann".into(),
            naming: Naming::Own,
            line: 1,
            values: Vec::new(),
            features: vec![1.0; 9],
            score: None,
            household: None,
            record: Record::parse(r#"{"id":"ann"}"#).unwrap().compact(None),
        };
        assert_eq!(size(&Item::Candidate(person)), 12 + 3);
        assert_eq!(size(&Item::Outcome(outcome)), 13);
        assert_eq!(size(&Item::Look(look)), 13);
        assert_eq!(size(&Item::Withdrawal(withdrawal)), 13);
        assert_eq!(size(&Item::Closing(Some(1))), 0);
        assert_eq!(size(&unread(1, 25)), 25);
    }

    #[tokio::test]
    async fn what_is_left_out_goes_with_the_first_delivery_or_by_itself() {
        let items = (1..=MOST_DELIVERY_ITEMS as u64 + 1).map(|line| unread(line, 9));
        let (found, _, account) = handed(OnError::Skip, items.collect(), 7).await;
        assert_eq!(found, [(MOST_DELIVERY_ITEMS, 7), (1, 0)]);
        assert_eq!(account.left_out, 7);
        let (found, end, account) = handed(OnError::Skip, Vec::new(), 3).await;
        assert_eq!((found, end), (vec![(0, 3)], Ok(())));
        assert_eq!(account.left_out, 3);
        assert!(handed(OnError::Skip, Vec::new(), 0).await.0.is_empty());
    }

    #[tokio::test]
    async fn a_stream_that_is_to_halt_ends_with_the_first_unread_record() {
        let items = vec![Item::Closing(None), unread(2, 9), unread(3, 9)];
        let (found, end, account) = handed(OnError::Halt, items, 0).await;
        assert_eq!(found, [(2, 0)]);
        assert_eq!(end, Err(Over::Halted("line 2: no id".into())));
        // This recorder refuses whatever comes; the third record never does.
        assert_eq!(account.rejected.len(), 2);
        let (found, end, _) = handed(OnError::Halt, vec![Item::Closing(None)], 0).await;
        assert_eq!((found, end), (vec![(1, 0)], Ok(())));
    }
}
