//! The section `[feedback]`: the answers to interviews and the outcomes, with their delays.

use std::sync::Arc;

use super::answer_kinds::{InterviewForm, InterviewReader, InterviewsKind, OutcomesKind};
use super::outcomes::{OUTCOME, OutcomeSection, declared};
use super::plan::InterviewerSpec;
use super::program::{COMMAND, PATIENCE, Program};
use crate::document::kind_list::KindList;
use crate::document::param::Shape;
use crate::document::range::{FINITE, NOT_NEGATIVE};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use kleroterion_core::feedback::{
    AnsweredBy, Answers, BernoulliLooks, Feedback, Gaussian, RecordedLooks,
};
use kleroterion_core::protocol::{Delay, Fact, Rules, Schema};
use kleroterion_io::record::Span;
use kleroterion_io::seat::AnsweringSpecs;
use kleroterion_io::seat::wire::answering::WireAnswers;
use kleroterion_stats::sequence::Range;

const TYPE: ConfigKey<Later> = ConfigKey::later(KindList::Interviews.tag(), Shape::Text)
    .needed_like("type = \"gaussian_looks\"");

const SD: ConfigKey<f64> = ConfigKey::number("sd", NOT_NEGATIVE)
    .about("the noise of a look")
    .needed_like("sd = 0.1");

const RANGE: ConfigKey<Range> =
    ConfigKey::of("range", Shape::Tuple(&Shape::Number(FINITE), 2), declared)
        .about("the least and the greatest answer");

/// The built-in kinds of answers to interviews.
pub(crate) fn interview_kinds() -> [InterviewsKind; 5] {
    let built_in = InterviewsKind::built_in;
    [
        built_in(
            InterviewForm::Gaussian,
            "gaussian_looks",
            "the utility and normal noise",
            keys![SD],
        ),
        built_in(
            InterviewForm::Recorded,
            "recorded_looks",
            "what reviewers said, then draws",
            keys![SD],
        ),
        built_in(
            InterviewForm::Bernoulli,
            "bernoulli_looks",
            "a toss whose chance is the utility",
            &[],
        ),
        built_in(
            InterviewForm::People,
            "people",
            "what interviewers say while the run goes on (live)",
            keys![SD, RANGE],
        ),
        built_in(
            InterviewForm::Exec,
            "exec",
            "what a program of your own says",
            keys![COMMAND, SD, PATIENCE],
        ),
    ]
}

const INTERVIEW: ConfigKey<Later> =
    ConfigKey::later("interview", Shape::Registered(KindList::Interviews))
        .about("what interviews answer");

/// `[feedback]`.
pub(super) const FEEDBACK: ConfigKey<Later> =
    ConfigKey::table("feedback", keys![INTERVIEW, OUTCOME])
        .about("what interviews and outcomes answer");

/// The answers to interviews and the outcomes, with their delays.
pub(super) struct Replies<'a> {
    /// The sources of the answers.
    pub(super) feedback: Answers,
    /// The noise of an interview of gain 1, if interviews are answered.
    pub(super) looks: Option<Fact<f64>>,
    /// True if answers or outcomes are drawn around what people are worth.
    pub(super) of_merit: bool,
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

/// Reads `[feedback]`.
pub(super) fn read<'a>(
    mut table: Reader<'a>,
    interviews: &[InterviewsKind],
    outcomes: &[OutcomesKind],
) -> Option<Replies<'a>> {
    let interview = INTERVIEW.field(&mut table);
    let outcome = match interview.is_given() {
        true => OUTCOME.field(&mut table),
        false => OUTCOME.needed().field(&mut table),
    };
    table.finish();
    let looks = interview.optional(|field| looks(field, interviews));
    let outcomes = outcome.optional(|field| OutcomeSection::read(field, outcomes));
    let of_merit = looks.as_ref().is().is_some_and(|looks| looks.of_merit);
    if let Some(outcomes) = outcomes.as_ref().is().filter(|_| of_merit)
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
        of_merit: of_merit || outcomes.as_ref().is_some_and(OutcomeSection::of_merit),
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
        // Of what a generator of a program's own draws the noise need not be known.
        let has_noise = |noise: &Fact<f64>| noise.get().is_none_or(|sd| *sd > 0.0);
        drawn.is_some_and(has_noise)
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
    /// True if answers are drawn around what people are worth.
    of_merit: bool,
    replays: bool,
    tosses: bool,
    interviewers: Option<InterviewerSpec>,
    program: Option<Program>,
}

impl Looks {
    /// Answers that are drawn around what people are worth.
    fn drawn(feedback: Arc<dyn Feedback>, noise: Fact<f64>) -> Self {
        Self {
            who: AnsweredBy::Drawn(feedback),
            noise,
            of_merit: true,
            replays: false,
            tosses: false,
            interviewers: None,
            program: None,
        }
    }
}

fn looks(field: &Field<'_>, kinds: &[InterviewsKind]) -> Option<Looks> {
    let mut table = field.table()?;
    let kinds: Vec<_> = kinds.iter().map(|kind| (kind.name, kind)).collect();
    let kind = TYPE.field(&mut table).choice(&kinds)?;
    let keys = [keys![TYPE], kind.params].concat();
    let kind = match &kind.read {
        InterviewReader::BuiltIn(form) => {
            table.declare(keys);
            *form
        }
        InterviewReader::Own(read) => {
            table.declare_own(keys);
            let own = read(&mut table);
            table.finish();
            let own = own?;
            return Some(Looks {
                of_merit: own.needs_merit,
                ..Looks::drawn(own.feedback, own.noise)
            });
        }
    };
    if let InterviewForm::Bernoulli = kind {
        table.finish();
        // A toss is 1/2-sub-Gaussian whatever its mean.
        return Some(Looks {
            tosses: true,
            ..Looks::drawn(Arc::new(BernoulliLooks), Fact::Exact(0.5))
        });
    }
    let sd = SD.value(&mut table);
    let example = "command = [\"python3\", \"my_interviewer.py\"]";
    let program = matches!(kind, InterviewForm::Exec)
        .then(|| Program::read(&mut table, "my_interviewer", example));
    let range = match kind {
        InterviewForm::People => RANGE.read(&mut table).unless_bad(),
        _ => Some(None),
    };
    table.finish();
    let (sd, range) = (sd?, range?);
    let looks = match kind {
        // What was recorded need not be as noisy as what is drawn.
        InterviewForm::Recorded => Looks {
            replays: true,
            ..Looks::drawn(Arc::new(RecordedLooks::new(sd)), Fact::Fitted(sd))
        },
        // Nor is the noise of what people or a program say known to be what the config says.
        InterviewForm::People | InterviewForm::Exec => Looks {
            who: AnsweredBy::Outside,
            of_merit: false,
            ..Looks::drawn(Arc::new(Gaussian::new(sd)), Fact::Fitted(sd))
        },
        InterviewForm::Gaussian | InterviewForm::Bernoulli => {
            Looks::drawn(Arc::new(Gaussian::new(sd)), Fact::Exact(sd))
        }
    };
    Some(Looks {
        interviewers: matches!(kind, InterviewForm::People).then_some(InterviewerSpec { range }),
        program: match program {
            Some(program) => Some(program?),
            None => None,
        },
        ..looks
    })
}
