//! Hands over what came, in deliveries of bounded size, and keeps account of what became of it.

use std::collections::VecDeque;

use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

use super::delivery::{Delivery, Item, Receipt, Taken};
use super::spec::OnError;

/// The most items of a delivery.
const MOST_ITEMS: usize = 1024;
/// The most bytes of a delivery, about, unless one item alone has more.
const MOST_BYTES: usize = 1 << 20;
/// The most deliveries that wait for their receipts.
const IN_FLIGHT: usize = 4;
/// How many refused records an account lists.
const LISTED: usize = 100;
/// The error of people who come when all is over.
const OVER: &str = "no lane runs any more: nothing more is taken";

/// Of each item of a delivery its line and, where it could not be read, why.
type Places = Vec<(u64, Option<String>)>;

/// Why no more is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Nobody takes it any more.
    Untaken,
    /// A record could not be read, and the stream is to end then.
    Halted(String),
    /// The row that was to name the columns could not be read, and so none after it can be.
    Unnamed(String),
}

/// What became of all that one connection or file brought.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Account {
    accepted: u64,
    duplicates: u64,
    left_out: u64,
    rejected: Vec<Rejected>,
    /// How many more were rejected than are listed.
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

impl Account {
    fn reject(&mut self, line: u64, error: String) {
        if self.rejected.len() == LISTED {
            self.more_rejected += 1;
            return;
        }
        self.rejected.push(Rejected { line, error });
    }
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
    waiting: VecDeque<(oneshot::Receiver<Receipt>, Places)>,
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
        let places = items.iter().map(|item| match item {
            Item::Candidate(person) => (person.line, None),
            Item::Outcome(outcome) => (outcome.line, None),
            Item::Refused(refused) => (refused.line, Some(refused.error.clone())),
        });
        let places = places.collect();
        let (receipt, answer) = oneshot::channel();
        let delivery = Delivery {
            items,
            left_out,
            receipt: Some(receipt),
        };
        let sent = self.deliveries.send(delivery).await;
        sent.map_err(|_| Over::Untaken)?;
        self.waiting.push_back((answer, places));
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
        let (_, places) = self.waiting.pop_front().expect("it was waited for");
        let receipt = receipt.map_err(|_| Over::Untaken)?;
        let account = &mut self.account;
        // A stream that ends within a delivery takes no more of it.
        let taken = receipt.taken.into_iter().map(Some);
        let taken = taken.chain(std::iter::repeat(None));
        for ((line, unread), taken) in places.into_iter().zip(taken) {
            match &taken {
                Some(Taken::Accepted { .. } | Taken::Corrected { .. }) => account.accepted += 1,
                Some(Taken::Duplicate | Taken::Known { .. }) => account.duplicates += 1,
                Some(Taken::Over) => account.error = Some(OVER.to_owned()),
                _ => {}
            }
            let why_not = || Some(taken.as_ref()?.why_not()?.into_owned());
            if let Some(error) = unread.or_else(why_not) {
                account.reject(line, error);
            }
        }
        account.last_seq = account.last_seq.max(receipt.last_seq);
        Ok(())
    }
}

/// About how many bytes an item has.
fn size(item: &Item) -> usize {
    match item {
        Item::Candidate(person) => person.record.len() + person.id.len(),
        Item::Outcome(outcome) => outcome.record.len() + outcome.id.len(),
        Item::Refused(refused) => refused.record.len() + refused.error.len(),
    }
}
