//! Hands over what came, in deliveries of bounded size, and keeps account of what became of it.

use std::collections::VecDeque;

use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

use super::{Delivery, Item, OnError, Receipt, Taken};

/// A delivery has at most so many items.
const MOST_ITEMS: usize = 1024;
/// And about so many bytes, unless one item alone has more.
const MOST_BYTES: usize = 1 << 20;
/// At most so many deliveries wait for their receipts.
const IN_FLIGHT: usize = 4;
/// Of refused records so many are told.
const TOLD: usize = 100;

/// Why no more is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Nobody takes it any more.
    Untaken,
    /// A record could not be read, and the stream is to end then.
    Halted(String),
}

/// What became of all that one connection or file brought.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Account {
    accepted: u64,
    duplicates: u64,
    left_out: u64,
    rejected: Vec<Rejected>,
    /// How many more were rejected than are told.
    #[serde(skip_serializing_if = "is_none")]
    more_rejected: u64,
    last_seq: u64,
    /// Why it ended, where the other side did not end it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// A record that was not taken.
#[derive(Clone, Debug, Serialize)]
struct Rejected {
    line: u64,
    error: String,
}

/// One who hands over.
pub(super) struct Courier {
    deliveries: mpsc::Sender<Delivery>,
    on_error: OnError,
    waiting: VecDeque<(oneshot::Receiver<Receipt>, Vec<Rejected>)>,
    pub(super) account: Account,
}

impl Courier {
    pub(super) fn new(deliveries: mpsc::Sender<Delivery>, on_error: OnError) -> Self {
        Self {
            deliveries,
            on_error,
            waiting: VecDeque::new(),
            account: Account::default(),
        }
    }

    /// Waits until nobody takes any more.
    pub(super) async fn untaken(&self) {
        self.deliveries.closed().await;
    }

    /// Hands the items over, as many deliveries as they fill; none remain. `left_out`: how many records `where` left out beside them.
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
                delivery.is_empty() || (bytes <= MOST_BYTES && delivery.len() < MOST_ITEMS)
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

    /// Where the stream is to end with a record that can't be read, drops what came after it.
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
        while self.waiting.len() >= IN_FLIGHT {
            self.receive().await?;
        }
        let rejected = items.iter().filter_map(|item| match item {
            Item::Refused(refused) => Some(Rejected {
                line: refused.line,
                error: refused.error.clone(),
            }),
            _ => None,
        });
        let rejected = rejected.collect();
        let (receipt, told) = oneshot::channel();
        let delivery = Delivery {
            items,
            left_out,
            receipt: Some(receipt),
        };
        let sent = self.deliveries.send(delivery).await;
        sent.map_err(|_| Over::Untaken)?;
        self.waiting.push_back((told, rejected));
        Ok(())
    }

    /// Waits until all that was handed over is accounted for.
    pub(super) async fn settle(&mut self) -> Result<(), Over> {
        while !self.waiting.is_empty() {
            self.receive().await?;
        }
        Ok(())
    }

    async fn receive(&mut self) -> Result<(), Over> {
        // Looked at, not taken: a wait that is given up loses no receipt.
        let Some((told, _)) = self.waiting.front_mut() else {
            return Ok(());
        };
        let receipt = told.await;
        let (_, rejected) = self.waiting.pop_front().expect("it was waited for");
        let receipt = receipt.map_err(|_| Over::Untaken)?;
        let account = &mut self.account;
        for taken in &receipt.taken {
            match taken {
                Taken::Accepted { .. } => account.accepted += 1,
                Taken::Duplicate | Taken::Known { .. } => account.duplicates += 1,
                // Told with the refused, or to those who asked.
                Taken::Refused | Taken::Unknown | Taken::Over => {}
            }
        }
        account.last_seq = account.last_seq.max(receipt.last_seq);
        let room = TOLD - account.rejected.len();
        account.more_rejected += rejected.len().saturating_sub(room) as u64;
        account.rejected.extend(rejected.into_iter().take(room));
        Ok(())
    }
}

/// About how many bytes an item has.
fn size(item: &Item) -> usize {
    match item {
        Item::Candidate(person) => person.record.len() + person.id.len(),
        Item::Outcome(outcome) => outcome.id.len(),
        Item::Refused(refused) => refused.record.len() + refused.error.len(),
    }
}
