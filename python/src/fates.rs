//! The fates of records that were sent to a live run.

use kleroterion::feed::{Awaited, Fate, MemorySender, Taken};

/// The fates of many records: how many were taken, how many came before, how many are left out;
/// those that were refused by their place; and true if the run is over.
pub type Fates = (u64, u64, u64, Vec<(usize, String)>, bool);

/// Sends records, and waits for the fate of each.
pub async fn fates(sender: MemorySender, records: Vec<Vec<u8>>) -> Fates {
    let mut fates: Fates = (0, 0, 0, Vec::new(), false);
    let mut waiting: Vec<Awaited> = Vec::with_capacity(records.len());
    for record in records {
        match sender.send(record).await {
            Some(awaited) => waiting.push(awaited),
            None => {
                fates.4 = true;
                break;
            }
        }
    }
    for (at, awaited) in waiting.into_iter().enumerate() {
        match awaited.fate().await {
            None | Some(Fate::Answered(Taken::Over)) => fates.4 = true,
            Some(Fate::LeftOut) => fates.2 += 1,
            Some(Fate::Answered(Taken::Known { .. } | Taken::Duplicate)) => fates.1 += 1,
            Some(fate) => match refusal(&fate) {
                Some(why) => fates.3.push((at, why)),
                None => fates.0 += 1,
            },
        }
    }
    fates
}

/// The reason why a record was not taken.
pub fn refusal(fate: &Fate) -> Option<String> {
    match fate {
        Fate::Refused(why) => Some(why.clone()),
        Fate::Answered(taken) => taken.why_not().map(std::borrow::Cow::into_owned),
        Fate::LeftOut => None,
    }
}

/// The number of the person that was taken.
pub fn person(fate: &Fate) -> Option<u64> {
    match fate {
        Fate::Answered(Taken::Accepted { person, .. }) => *person,
        Fate::Answered(Taken::Known { person, .. }) => Some(*person),
        _ => None,
    }
}
