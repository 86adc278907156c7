//! `[feedback]`: what comes of a choice, and when.

use std::sync::Arc;

use crate::compare::sequence::Range;
use crate::document::{Field, Reader, Value};
use crate::feedback::{Answers, BernoulliLooks, Gaussian, RecordedLooks};
use crate::problem::Given;
use crate::protocol::{Delay, Fact, Feedback};

/// Who answers, and how late.
pub(super) struct Replies {
    pub(super) feedback: Arc<dyn Feedback>,
    /// The noise of a look of gain 1, where interviews are answered.
    pub(super) looks: Option<Fact<f64>>,
    /// Whether looks replay what reviewers once said.
    pub(super) replays: bool,
    /// The noise of an outcome, where something comes of a choice and is drawn.
    pub(super) outcomes: Option<f64>,
    /// Whether what comes of a choice is reported from outside.
    pub(super) reported: bool,
    /// The declared range of outcomes that are reported from outside.
    pub(super) range: Option<Range>,
    /// Whether something of it is drawn anew in each replication.
    pub(super) drawn: bool,
    pub(super) delay: Delay,
}

/// Reads `[feedback]`.
pub(super) fn read(mut table: Reader<'_>) -> Option<Replies> {
    let interview = table.get("interview");
    let outcome = if interview.is_given() {
        table.get("outcome")
    } else {
        table.need("outcome", "outcome = { type = \"linear\", noise = 2.0 }")
    };
    table.finish();
    let looks = interview.optional(looks);
    if let Some(range) = reported(&outcome) {
        if interview.is_given() {
            interview.refuse(
                "looks are drawn around what people are worth, and where outcomes come \
                 from outside that is unknown",
                "leave out [feedback.interview] and the interviews of [rules]",
            );
            return None;
        }
        return range.unless_bad().map(Replies::reported);
    }
    let outcomes = outcome.optional(outcomes);
    if interview.is_given() || outcome.is_given() {
        return Some(Replies::drawn(looks.unless_bad()?, outcomes.unless_bad()?));
    }
    None
}

impl Replies {
    /// Outcomes that are reported from outside, of a declared range.
    fn reported(range: Option<Range>) -> Self {
        Self {
            feedback: Arc::new(Answers {
                looks: None,
                outcomes: None,
            }),
            looks: None,
            replays: false,
            outcomes: None,
            reported: true,
            range,
            drawn: false,
            delay: Delay::Fixed(0),
        }
    }

    /// Interviews and outcomes that are drawn.
    fn drawn(looks: Option<Looks>, outcomes: Option<Outcomes>) -> Self {
        let noisy = |noise: Option<&f64>| noise.is_some_and(|sd| *sd > 0.0);
        let drawn = noisy(looks.as_ref().and_then(|looks| looks.noise.get()))
            || outcomes.as_ref().is_some_and(|outcomes| {
                noisy(Some(&outcomes.noise))
                    || matches!(outcomes.delay, Delay::Uniform { low, high } if low < high)
            });
        let outcome_noise = outcomes.as_ref().map(|outcomes| outcomes.noise);
        let (outcomes, delay) = outcomes.map_or((None, Delay::Fixed(0)), |outcomes| {
            (Some(outcomes.who), outcomes.delay)
        });
        let replays = looks.as_ref().is_some_and(|looks| looks.replays);
        let (looks, noise) = looks.map(|looks| (looks.who, looks.noise)).unzip();
        Self {
            feedback: Arc::new(Answers { looks, outcomes }),
            looks: noise,
            replays,
            outcomes: outcome_noise,
            reported: false,
            range: None,
            drawn,
            delay,
        }
    }
}

/// Who answers interviews.
struct Looks {
    who: Arc<dyn Feedback>,
    noise: Fact<f64>,
    replays: bool,
}

fn looks(field: &Field<'_>) -> Option<Looks> {
    let mut table = field.table()?;
    let kind = table.need("type", "type = \"gaussian_looks\"");
    let kind = kind.choice(&[
        ("gaussian_looks", Form::Gaussian),
        ("recorded_looks", Form::Recorded),
        ("bernoulli_looks", Form::Bernoulli),
    ])?;
    if let Form::Bernoulli = kind {
        table.finish();
        return Some(Looks {
            who: Arc::new(BernoulliLooks),
            // A toss is 1/2-sub-Gaussian whatever its mean.
            noise: Fact::Exact(0.5),
            replays: false,
        });
    }
    let sd = table.need("sd", "sd = 0.1").not_negative();
    table.finish();
    let sd = sd?;
    let (who, noise): (Arc<dyn Feedback>, _) = match kind {
        // What was recorded need not be as noisy as what is drawn.
        Form::Recorded => (Arc::new(RecordedLooks::new(sd)), Fact::Fitted(sd)),
        _ => (Arc::new(Gaussian::new(sd)), Fact::Exact(sd)),
    };
    Some(Looks {
        who,
        noise,
        replays: matches!(kind, Form::Recorded),
    })
}

/// How looks are answered.
#[derive(Clone, Copy)]
enum Form {
    Gaussian,
    Recorded,
    Bernoulli,
}

/// What comes of a choice, and how late.
struct Outcomes {
    who: Arc<dyn Feedback>,
    noise: f64,
    delay: Delay,
}

/// The declared range of outcomes that are reported from outside: `{ type = "reported", range = [0,
/// 1] }`; none where they are of another type.
fn reported(field: &Field<'_>) -> Option<Given<Range>> {
    let Some(Value::Table(_)) = field.value() else {
        return None;
    };
    let mut table = field.table()?;
    if !matches!(table.get("type").value(), Some(Value::Text(word)) if word == "reported") {
        return None;
    }
    let range = table.get("range").optional(declared);
    table.finish();
    Some(range)
}

/// The least and the greatest outcome: `[0, 1]`.
fn declared(field: &Field<'_>) -> Option<Range> {
    let ends = field.each(|member| member.number())?;
    let range = match ends[..] {
        [least, most] => Range::new(least, most),
        _ => None,
    };
    if range.is_none() {
        field.refuse(
            "a range is the least and the greatest outcome there can be",
            "for example: range = [0, 1]",
        );
    }
    range
}

fn outcomes(field: &Field<'_>) -> Option<Outcomes> {
    let mut table = field.table()?;
    let kind = table.need("type", "type = \"linear\"");
    let kind = kind.choice(&[("linear", ()), ("reported", ())]);
    let noise = table.need("noise", "noise = 2.0").not_negative();
    let delay = delay(&table.get("delay"));
    if kind.is_some() {
        table.finish();
    }
    kind?;
    let noise = noise?;
    Some(Outcomes {
        who: Arc::new(Gaussian::new(noise)),
        noise,
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
