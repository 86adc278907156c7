//! Hands records to the recorder in deliveries of bounded size, and settles their receipts.

use std::collections::VecDeque;

use tokio::sync::{mpsc, oneshot};

use super::account::{FeedAccount, HandedRecord};
use super::delivery::{Delivery, Item, Receipt};
use super::spec::OnError;

/// The most items of a delivery.
const MOST_ITEMS: usize = 1024;
/// The most bytes of a delivery, about, unless one item alone has more.
const MOST_BYTES: usize = 1 << 20;
/// The most deliveries that wait for their receipts.
const IN_FLIGHT: usize = 4;
/// How many refused records an account lists.
const LISTED: usize = 100;

/// The reason why no more is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The receiver is gone.
    Untaken,
    /// A record could not be read, and the stream is to end then.
    Halted(String),
    /// The row that was to name the columns or a length could not be read, and so nothing after it
    /// can be.
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
            account: FeedAccount::listing(LISTED),
        }
    }

    /// Waits until the receiver of deliveries is dropped.
    pub(super) async fn untaken(&self) {
        self.deliveries.closed().await;
    }

    /// Hands the items over, as many deliveries as they fill; none remain. `left_out`: how many
    /// further records `where` left out.
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

    /// Waits until all that was handed over is accounted for.
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

/// About how many bytes an item has.
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
