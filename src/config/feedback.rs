//! `[feedback]`: what interviews and outcomes answer, and when.

use std::sync::Arc;

use super::outcomes::{EXAMPLE, OutcomeSection, declared};
use crate::compare::sequence::Range;
use crate::document::{Field, Reader};
use crate::feedback::{AnsweredBy, Answers, BernoulliLooks, Feedback, Gaussian, RecordedLooks};
use crate::protocol::{Delay, Fact};

/// Who answers, and how late.
pub(super) struct Replies<'a> {
    /// Who is asked for them.
    pub(super) feedback: Answers,
    /// The noise of a look of gain 1, where interviews are answered.
    pub(super) looks: Option<Fact<f64>>,
    /// Whether looks replay what reviewers once said.
    pub(super) replays: bool,
    /// What becomes of the chosen, where something does.
    pub(super) outcomes: Option<OutcomeSection<'a>>,
    /// The interviewers, where people answer.
    pub(super) interviewers: Option<Interviewers>,
}

/// People who answer interviews.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interviewers {
    /// The least and the greatest answer, where the config declares them.
    pub range: Option<Range>,
}

/// Reads `[feedback]`.
pub(super) fn read(mut table: Reader<'_>) -> Option<Replies<'_>> {
    let interview = table.get("interview");
    let outcome = if interview.is_given() {
        table.get("outcome")
    } else {
        table.need("outcome", EXAMPLE)
    };
    table.finish();
    let looks = interview.optional(looks);
    let outcomes = outcome.optional(OutcomeSection::read);
    let may_be_drawn = looks.as_ref().is();
    let may_be_drawn = may_be_drawn.is_none_or(|looks| looks.interviewers.is_none());
    if let Some(outcomes) = outcomes.as_ref().is()
        && interview.is_given()
        && may_be_drawn
        && refuse_both(&interview, outcomes)
    {
        return None;
    }
    if !(interview.is_given() || outcome.is_given()) {
        return None;
    }
    let (looks, outcomes) = (looks.unless_bad()?, outcomes.unless_bad()?);
    let drawn = outcomes.as_ref().and_then(OutcomeSection::drawn);
    Some(Replies {
        feedback: Answers {
            outcomes: drawn.map(AnsweredBy::Drawn),
            looks: looks.as_ref().map(|looks| looks.who.clone()),
        },
        replays: looks.as_ref().is_some_and(|looks| looks.replays),
        interviewers: looks.as_ref().and_then(|looks| looks.interviewers),
        looks: looks.map(|looks| looks.noise),
        outcomes,
    })
}

/// Refuses interviews next to outcomes that are not drawn; whether it did.
fn refuse_both(interview: &Field<'_>, outcomes: &OutcomeSection<'_>) -> bool {
    if outcomes.is_reported() {
        interview.refuse(
            "looks are drawn around what people are worth, and where outcomes come \
             from outside that is unknown",
            "leave out [feedback.interview] and the interviews of [rules]",
        );
    } else if outcomes.column().is_some() {
        interview.refuse(
            "recorded outcomes are replayed to policies that buy no interviews",
            "leave out [feedback.interview] and the interviews of [rules], or draw outcomes: \
             [feedback.outcome] with type = \"linear\" and noise = 2.0",
        );
    }
    outcomes.drawn().is_none()
}

impl Replies<'_> {
    /// Whether something of it is drawn anew in each replication.
    pub(super) fn is_random(&self) -> bool {
        let drawn = self.looks.as_ref().filter(|_| self.interviewers.is_none());
        let noise = drawn.and_then(Fact::get);
        noise.is_some_and(|sd| *sd > 0.0)
            || self
                .outcomes
                .as_ref()
                .is_some_and(OutcomeSection::is_random)
    }

    /// Rounds between a choice and its outcome.
    pub(super) fn delay(&self) -> Delay {
        let outcomes = self.outcomes.as_ref();
        outcomes.map_or(Delay::Fixed(0), |outcomes| outcomes.delay)
    }
}

/// Who answers interviews.
struct Looks {
    who: AnsweredBy,
    noise: Fact<f64>,
    replays: bool,
    interviewers: Option<Interviewers>,
}

fn looks(field: &Field<'_>) -> Option<Looks> {
    let mut table = field.table()?;
    let kind = table.need("type", "type = \"gaussian_looks\"");
    let kind = kind.choice(&[
        ("gaussian_looks", Form::Gaussian),
        ("recorded_looks", Form::Recorded),
        ("bernoulli_looks", Form::Bernoulli),
        ("people", Form::People),
    ])?;
    if let Form::Bernoulli = kind {
        table.finish();
        return Some(Looks {
            who: AnsweredBy::Drawn(Arc::new(BernoulliLooks)),
            // A toss is 1/2-sub-Gaussian whatever its mean.
            noise: Fact::Exact(0.5),
            replays: false,
            interviewers: None,
        });
    }
    let sd = table.need("sd", "sd = 0.1").not_negative();
    let range = match kind {
        Form::People => table.get("range").optional(declared).unless_bad(),
        _ => Some(None),
    };
    table.finish();
    let (sd, range) = (sd?, range?);
    let drawn = |who: Arc<dyn Feedback>| AnsweredBy::Drawn(who);
    let (who, noise) = match kind {
        Form::People => (AnsweredBy::Outside, Fact::Fitted(sd)),
        // What was recorded need not be as noisy as what is drawn.
        Form::Recorded => (drawn(Arc::new(RecordedLooks::new(sd))), Fact::Fitted(sd)),
        _ => (drawn(Arc::new(Gaussian::new(sd))), Fact::Exact(sd)),
    };
    Some(Looks {
        who,
        noise,
        replays: matches!(kind, Form::Recorded),
        interviewers: matches!(kind, Form::People).then_some(Interviewers { range }),
    })
}

/// How looks are answered.
#[derive(Clone, Copy)]
enum Form {
    Gaussian,
    Recorded,
    Bernoulli,
    People,
}
