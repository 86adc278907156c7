//! `[feedback]`: what comes of a choice, and when.

use std::sync::Arc;

use super::{Field, Reader, Value};
use crate::feedback::Linear;
use crate::protocol::{Delay, Feedback};

/// Who answers, and how late.
pub(super) struct Answers {
    pub(super) feedback: Arc<dyn Feedback>,
    pub(super) delay: Delay,
}

pub(super) fn read(mut table: Reader<'_>) -> Option<Answers> {
    let outcome = table.need("outcome", "outcome = { type = \"linear\", noise = 2.0 }");
    table.finish();
    let mut table = outcome.table()?;
    let kind = table.need("type", "type = \"linear\"");
    let kind = kind.choice(&[("linear", ())]);
    let noise = table.need("noise", "noise = 2.0").not_negative();
    let delay = delay(&table.get("delay"));
    if kind.is_some() {
        table.finish();
    }
    kind?;
    Some(Answers {
        feedback: Arc::new(Linear::new(noise?)),
        delay: delay?,
    })
}

/// Rounds between a choice and its outcome: a number, or `{ uniform = [1, 10] }`.
fn delay(field: &Field<'_>) -> Option<Delay> {
    // Far beyond any run, and sums of rounds stay whole numbers of 64 bits.
    const MOST: u64 = 1_000_000_000_000;
    match field.value() {
        None => Some(Delay::Fixed(0)),
        Some(Value::Table(_)) => {
            let (_, bounds) = field.form(&[], &["uniform"])?;
            let ends = bounds.each(|member| member.whole_in(..=MOST))?;
            match ends[..] {
                [low, high] if low <= high => Some(Delay::Uniform { low, high }),
                _ => {
                    bounds.refuse(
                        "a delay is drawn from the shortest to the longest, both included",
                        "for example: delay = { uniform = [1, 10] }",
                    );
                    None
                }
            }
        }
        Some(_) => field.whole_in(..=MOST).map(Delay::Fixed),
    }
}
