//! The section `[feedback]`: the answers to interviews and the outcomes, with their delays.

use std::sync::Arc;

use super::outcomes::{OUTCOME, OutcomeSection, declared};
use super::program::{COMMAND, PATIENCE, Program};
use crate::document::param::{Entry, Param, Shape};
use crate::document::range::{FINITE, NOT_NEGATIVE};
use crate::document::{Field, Key, Later, Reader};
use crate::keys;
use kleroterion_core::feedback::{
    AnsweredBy, Answers, BernoulliLooks, Feedback, Gaussian, RecordedLooks,
};
use kleroterion_core::protocol::{Delay, Fact, Rules, Schema};
use kleroterion_io::record::Span;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_io::seat::wire::answering::WireAnswers;
use kleroterion_stats::sequence::Range;

const TYPE: Key<Later> = Key::later("type", Shape::Text).needed_like("type = \"gaussian_looks\"");

const SD: Key<f64> = Key::number("sd", NOT_NEGATIVE)
    .about("the noise of a look")
    .needed_like("sd = 0.1");

const RANGE: Key<Range> = Key::of("range", Shape::Tuple(&Shape::Number(FINITE), 2), declared)
    .about("the least and the greatest answer");

/// The kinds of interviews' answers.
pub const LOOKS: [(&str, &str, &[Param]); 5] = [
    ("gaussian_looks", "the utility and normal noise", keys![SD]),
    (
        "recorded_looks",
        "what reviewers said, then draws",
        keys![SD],
    ),
    ("bernoulli_looks", "a toss whose chance is the utility", &[]),
    (
        "people",
        "what interviewers say while the run goes on (live)",
        keys![SD, RANGE],
    ),
    (
        "exec",
        "what a program of your own says",
        keys![COMMAND, SD, PATIENCE],
    ),
];

const INTERVIEW: Key<Later> = Key::later(
    "interview",
    Shape::Kinds(TYPE.name(), || Entry::all(&LOOKS)),
)
.about("what interviews answer");

/// `[feedback]`.
pub(super) const FEEDBACK: Key<Later> =
    Key::table("feedback", keys![INTERVIEW, OUTCOME]).about("what interviews and outcomes answer");

/// The answers to interviews and the outcomes, with their delays.
pub(super) struct Replies<'a> {
    /// The sources of the answers.
    pub(super) feedback: Answers,
    /// The noise of an interview of gain 1, if interviews are answered.
    pub(super) looks: Option<Fact<f64>>,
    /// The program that answers interviews, if one does.
    program: Option<Program>,
    /// True if interviews replay recorded reviews.
    pub(super) replays: bool,
    /// True if an interview is a number of coin tosses, given by its gain.
    pub(super) tosses: bool,
    /// The outcomes of those chosen, if the config has outcomes.
    pub(super) outcomes: Option<OutcomeSection<'a>>,
    /// The interviewers, if people answer.
    pub(super) interviewers: Option<InterviewerSpec>,
}

/// The people who answer interviews.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterviewerSpec {
    /// The least and the greatest answer, if the config declares them.
    pub range: Option<Range>,
}

/// Reads `[feedback]`.
pub(super) fn read(mut table: Reader<'_>) -> Option<Replies<'_>> {
    let interview = INTERVIEW.field(&mut table);
    let outcome = match interview.is_given() {
        true => OUTCOME.field(&mut table),
        false => OUTCOME.needed().field(&mut table),
    };
    table.finish();
    let looks = interview.optional(looks);
    let outcomes = outcome.optional(OutcomeSection::read);
    let are_drawn = looks.as_ref().is().is_some_and(Looks::are_drawn);
    if let Some(outcomes) = outcomes.as_ref().is().filter(|_| are_drawn)
        && refuse_both(&interview, outcomes)
    {
        return None;
    }
    if !(interview.is_given() || outcome.is_given()) {
        return None;
    }
    let are_people = looks
        .as_ref()
        .is()
        .is_some_and(|looks| looks.interviewers.is_some());
    let by_program = outcomes.as_ref().is().and_then(OutcomeSection::program);
    if are_people && by_program.is_some() {
        return outcome.refused(
            "people hold the interviews, and a program cannot be asked what became of the chosen",
            "have outcomes reported: type = \"reported\", or leave [feedback.outcome] out",
        );
    }
    let (looks, outcomes) = (looks.unless_bad()?, outcomes.unless_bad()?);
    Some(Replies {
        feedback: Answers {
            outcomes: outcomes.as_ref().and_then(OutcomeSection::answered_by),
            looks: looks.as_ref().map(|looks| looks.who.clone()),
            offers: None,
        },
        replays: looks.as_ref().is_some_and(|looks| looks.replays),
        tosses: looks.as_ref().is_some_and(|looks| looks.tosses),
        interviewers: looks.as_ref().and_then(|looks| looks.interviewers),
        program: looks.as_ref().and_then(|looks| looks.program.clone()),
        looks: looks.map(|looks| looks.noise),
        outcomes,
    })
}

/// Refuses interviews next to outcomes that are not drawn. Returns true if it refused them.
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
    outcomes.answered_by().is_none()
}

impl Replies<'_> {
    /// The programs that answer, asked about people of this schema.
    pub(super) fn programs(&self, schema: &Schema, rules: &Rules) -> AnsweringSpecs {
        let looks = ("[feedback.interview]", WireAnswers::Interviews);
        let outcomes = ("[feedback.outcome]", WireAnswers::Outcomes);
        let section = self.outcomes.as_ref();
        let of_outcomes = section.and_then(OutcomeSection::program);
        AnsweringSpecs {
            looks: self
                .program
                .as_ref()
                .map(|program| program.spec(looks, schema, rules)),
            outcomes: of_outcomes.map(|program| {
                let range = section.and_then(OutcomeSection::declared).map(Range::ends);
                let range = range.map(|(least, most)| Span { least, most });
                program.spec(outcomes, schema, rules).within(range)
            }),
        }
    }

    /// Returns true if a program answers interviews or reports outcomes.
    pub(super) fn asks_programs(&self) -> bool {
        let outcomes = self.outcomes.as_ref();
        self.program.is_some() || outcomes.and_then(OutcomeSection::program).is_some()
    }

    /// Returns true if some answer or outcome is drawn anew in each replication.
    pub(super) fn is_random(&self) -> bool {
        let drawn = self.looks.as_ref().filter(|_| self.interviewers.is_none());
        let noise = drawn.and_then(Fact::get);
        noise.is_some_and(|sd| *sd > 0.0)
            || self.program.is_some()
            || self
                .outcomes
                .as_ref()
                .is_some_and(OutcomeSection::is_random)
    }

    /// The number of rounds between a choice and its outcome.
    pub(super) fn delay(&self) -> Delay {
        let outcomes = self.outcomes.as_ref();
        outcomes.map_or(Delay::Fixed(0), |outcomes| outcomes.delay)
    }
}

/// The source of answers to interviews.
struct Looks {
    who: AnsweredBy,
    noise: Fact<f64>,
    replays: bool,
    tosses: bool,
    interviewers: Option<InterviewerSpec>,
    program: Option<Program>,
}

impl Looks {
    /// Returns true if answers are drawn around people's merits.
    fn are_drawn(&self) -> bool {
        self.interviewers.is_none() && self.program.is_none()
    }
}

fn looks(field: &Field<'_>) -> Option<Looks> {
    let mut table = field.table()?;
    let kind = TYPE.field(&mut table);
    let kind = kind.choice(&[
        ("gaussian_looks", Form::Gaussian),
        ("recorded_looks", Form::Recorded),
        ("bernoulli_looks", Form::Bernoulli),
        ("people", Form::People),
        ("exec", Form::Exec),
    ])?;
    if let Form::Bernoulli = kind {
        table.finish();
        return Some(Looks {
            who: AnsweredBy::Drawn(Arc::new(BernoulliLooks)),
            // A toss is 1/2-sub-Gaussian whatever its mean.
            noise: Fact::Exact(0.5),
            replays: false,
            tosses: true,
            interviewers: None,
            program: None,
        });
    }
    let sd = SD.value(&mut table);
    let example = "command = [\"python3\", \"my_interviewer.py\"]";
    let program =
        matches!(kind, Form::Exec).then(|| Program::read(&mut table, "my_interviewer", example));
    let range = match kind {
        Form::People => RANGE.read(&mut table).unless_bad(),
        _ => Some(None),
    };
    table.finish();
    let (sd, range) = (sd?, range?);
    let drawn = |who: Arc<dyn Feedback>| AnsweredBy::Drawn(who);
    let (who, noise) = match kind {
        // What was recorded need not be as noisy as what is drawn.
        Form::Recorded => (drawn(Arc::new(RecordedLooks::new(sd))), Fact::Fitted(sd)),
        // Nor is the noise of what people or a program say known to be what the config says.
        Form::People | Form::Exec => (AnsweredBy::Outside, Fact::Fitted(sd)),
        Form::Gaussian | Form::Bernoulli => (drawn(Arc::new(Gaussian::new(sd))), Fact::Exact(sd)),
    };
    Some(Looks {
        who,
        noise,
        replays: matches!(kind, Form::Recorded),
        tosses: false,
        interviewers: matches!(kind, Form::People).then_some(InterviewerSpec { range }),
        program: match program {
            Some(program) => Some(program?),
            None => None,
        },
    })
}

/// The form of answers to interviews.
#[derive(Clone, Copy)]
enum Form {
    Gaussian,
    Recorded,
    Bernoulli,
    People,
    Exec,
}
