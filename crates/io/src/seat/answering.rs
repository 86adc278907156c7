//! Programs that answer interviews, or report outcomes. Each replication has one process, which all
//! lanes ask.
//!
//! A question is (person, kind, how many of that kind the lane had before). What several lanes ask
//! is asked of the program once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::child;
use super::decode::speaks;
use super::encode;
use super::process::{Heard, Process};
use super::wire::answering::{AnswererHello, FromAnswerer, ToAnswerer, WireAnswers, WireQuestion};
use super::wire::{PROTOCOL, WireKind};
use super::words::ProgramWords;
use crate::limits::{MOST_KEPT_ANSWERS, MOST_LINE};
use crate::record::{Span, legible, outside};
use kleroterion_core::arena::{AnswerFailure, Answerer, AnswererMaker, Asking, Question};
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::problem::in_words_of_json;
use kleroterion_core::protocol::{InterviewKind, Probe, Schema};

/// The config of a program that answers interviews or reports outcomes.
#[derive(Clone, Debug)]
pub struct AnsweringSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The longest silence before the program counts as failed.
    pub patience: Duration,
    /// The section of the config that names the program, for error messages.
    pub section: &'static str,
    /// The range of allowed answers.
    pub span: Span,
    /// The first message; its seed is set for each replication.
    pub hello: AnswererHello,
}

impl AnsweringSpec {
    /// Describes a program that is asked for `answers` about people of this schema.
    #[must_use]
    pub fn new(
        (section, answers): (&'static str, WireAnswers),
        command: Vec<String>,
        patience: Duration,
        schema: &Schema,
        interviews: &[InterviewKind],
    ) -> Self {
        let attributes = schema.attributes().iter();
        let attributes = attributes.map(|one| (one.name.clone(), one.values.clone()));
        let interviews = interviews.iter().map(|kind| WireKind::of(kind, schema));
        let hello = AnswererHello {
            protocol: PROTOCOL,
            answers,
            seed: 0,
            interviews: interviews.collect(),
            attributes: attributes.collect(),
            features: schema.features().to_vec(),
            scored: schema.scored(),
        };
        Self {
            command,
            patience,
            section,
            span: Span::SAFE,
            hello,
        }
    }

    /// Returns the same config with the range of answers that the config declares.
    #[must_use]
    pub fn within(self, range: Option<Span>) -> Self {
        let span = range.unwrap_or(self.span);
        Self { span, ..self }
    }

    /// Returns the objection to an answer outside the declared range, or `None` if the answer is
    /// allowed.
    fn refusal(&self, value: f64) -> Option<String> {
        let Span { least, most } = self.span;
        match (self.span.holds(value), self.span == Span::SAFE) {
            (true, _) => None,
            (false, true) => Some(format!("beyond {most:e}")),
            (false, false) => Some(format!(
                "and must be from {least} to {most}, as `range` of {} declares",
                self.section
            )),
        }
    }

    /// Returns the program of one replication for this number of lanes, not started yet.
    fn of(&self, key: Key, lanes: usize, words: ProgramWords) -> AnsweringProgram {
        // No person of a stream has the last number, so the address is free.
        let purpose = match self.hello.answers {
            WireAnswers::Interviews => Purpose::Interview,
            WireAnswers::Outcomes => Purpose::Outcome,
        };
        let mut draw = key.draw(purpose, u64::MAX, 0);
        let mut spec = self.clone();
        // Whole numbers above 2^53 are not safe in every language's JSON.
        spec.hello.seed = draw.word() >> 11;
        Arc::new(Mutex::new(Program {
            spec,
            words,
            process: None,
            kept: BTreeMap::new(),
            lanes,
        }))
    }
}

/// The programs that answer in a run: one for interviews, one for outcomes, or none.
#[derive(Clone, Debug, Default)]
pub struct AnsweringSpecs {
    /// The program that answers interviews; `None` if there is none.
    pub looks: Option<AnsweringSpec>,
    /// The program that reports outcomes; `None` if there is none.
    pub outcomes: Option<AnsweringSpec>,
}

impl AnsweringSpecs {
    /// Makes the processes of a replication with this number of lanes, as each lane asks them.
    /// Returns `None` if no program answers. `words` says if the programs' words are repeated.
    #[must_use]
    pub fn of(&self, key: Key, lanes: usize, words: ProgramWords) -> Option<AnswererMaker> {
        let of = |spec: &Option<AnsweringSpec>| Some(spec.as_ref()?.of(key, lanes, words));
        let (looks, outcomes) = (of(&self.looks), of(&self.outcomes));
        if looks.is_none() && outcomes.is_none() {
            return None;
        }
        Some(Arc::new(move |_| {
            Box::new(LaneOfPrograms {
                looks: looks.clone(),
                outcomes: outcomes.clone(),
            })
        }))
    }
}

/// A program of one replication, shared by its lanes.
type AnsweringProgram = Arc<Mutex<Program>>;

/// The connection of one lane to the shared programs of its replication.
struct LaneOfPrograms {
    looks: Option<AnsweringProgram>,
    outcomes: Option<AnsweringProgram>,
}

#[async_trait]
impl Answerer for LaneOfPrograms {
    async fn answer(&mut self, asking: Asking) -> Result<Vec<Option<f64>>, AnswerFailure> {
        // The questions of one message are all of one kind.
        let program = match asking.questions.first().map(|question| question.probe) {
            Some(Probe::Interview { .. }) => &self.looks,
            Some(Probe::Outcome) => &self.outcomes,
            Some(Probe::Offer) => &None,
            None => return Ok(Vec::new()),
        };
        let Some(program) = program else {
            let words = "a question came that no program answers";
            return Err(AnswerFailure::Fails(words.into()));
        };
        let mut program = program.lock().await;
        let answers = program.answer(&asking).await;
        answers.map_err(|what| AnswerFailure::Fails(program.blame(&what)))
    }

    async fn farewell(&mut self) {
        for program in [&self.looks, &self.outcomes].into_iter().flatten() {
            program.lock().await.let_go().await;
        }
    }
}

/// A question to a program: the person, the kind of interview (`None` for an outcome), and the
/// number of earlier interviews of that kind in the lane.
type Asked = (u64, Option<usize>, u64);

fn asked(question: &Question) -> Asked {
    let kind = match question.probe {
        Probe::Interview { kind, .. } => Some(kind),
        Probe::Outcome | Probe::Offer => None,
    };
    (question.person, kind, question.nth)
}

struct Program {
    spec: AnsweringSpec,
    words: ProgramWords,
    process: Option<Process>,
    /// The answers so far.
    kept: BTreeMap<Asked, Option<f64>>,
    /// The number of lanes that have not ended.
    lanes: usize,
}

impl Program {
    /// Builds an error message that names the program and its section of the config.
    fn blame(&self, what: &str) -> String {
        let (command, section) = (self.spec.command.join(" "), self.spec.section);
        let blame = format!("the program `{command}` of {section} {what}");
        legible(&blame).into_owned()
    }

    /// Notes that a lane has ended. The last one ends the program.
    async fn let_go(&mut self) {
        self.lanes = self.lanes.saturating_sub(1);
        if self.lanes > 0 {
            return;
        }
        // Nothing that it does now counts.
        drop(self.say(&ToAnswerer::Bye));
        if let Some(mut process) = self.process.take() {
            process.finish().await;
        }
    }

    /// Returns the answers to all questions. The program gets only those that no lane has asked
    /// before.
    async fn answer(&mut self, asking: &Asking) -> Result<Vec<Option<f64>>, String> {
        let is_new = |question: &&Question| !self.kept.contains_key(&asked(question));
        let open: Vec<&Question> = asking.questions.iter().filter(is_new).collect();
        if !open.is_empty() {
            let answers = self.ask(asking.round, &open).await?;
            let open = open.into_iter().map(asked);
            self.kept.extend(open.zip(answers));
        }
        let answers = asking.questions.iter().map(asked);
        let answers = answers.map(|asked| self.kept.get(&asked).copied().flatten());
        let answers = answers.collect();
        while self.kept.len() > MOST_KEPT_ANSWERS {
            self.kept.pop_first();
        }
        Ok(answers)
    }

    async fn ask(&mut self, round: u64, open: &[&Question]) -> Result<Vec<Option<f64>>, String> {
        if self.process.is_none() {
            self.start().await?;
        }
        self.say(&self.message(round, open))?;
        let said: FromAnswerer = self.hear(&format!("round {round}"), "`answers`").await?;
        match said {
            FromAnswerer::Answers { round: of, values } if of == round => {
                let refusal = |value: &f64| Some((*value, self.spec.refusal(*value)?));
                if let Some((value, why)) = values.iter().flatten().find_map(refusal) {
                    let value = match value.abs() > 1e15 {
                        true => format!("{value:e}"),
                        false => value.to_string(),
                    };
                    return Err(format!("gave {value} in round {round}, {why}"));
                }
                let (came, wanted) = (values.len(), open.len());
                if came == wanted {
                    return Ok(values);
                }
                Err(format!(
                    "gave {came} answers in round {round}, where {wanted} were asked for"
                ))
            }
            FromAnswerer::Answers { round: of, .. } => {
                Err(format!("answered round {of} where round {round} was asked"))
            }
            FromAnswerer::Ready { .. } => Err(format!("said `ready` again in round {round}")),
        }
    }

    fn message(&self, round: u64, open: &[&Question]) -> ToAnswerer {
        let hello = &self.spec.hello;
        let person =
            |question: &Question| encode::person(question.candidate.clone(), &hello.attributes);
        match hello.answers {
            WireAnswers::Outcomes => ToAnswerer::Outcomes {
                round,
                candidates: open.iter().map(|question| person(question)).collect(),
            },
            WireAnswers::Interviews => {
                let look = |question: &&Question| WireQuestion {
                    candidate: person(question),
                    kind: asked(question)
                        .1
                        .map(|kind| hello.interviews[kind].name.clone())
                        .unwrap_or_default(),
                    nth: question.nth,
                };
                ToAnswerer::Looks {
                    round,
                    looks: open.iter().map(look).collect(),
                }
            }
        }
    }

    /// Starts the program and greets it.
    async fn start(&mut self) -> Result<(), String> {
        let process = child::start(
            &self.spec.command,
            self.spec.section,
            &Arc::default(),
            self.words,
        );
        self.process = Some(process.map_err(|error| format!("can't be started: {error}"))?);
        self.say(&ToAnswerer::Hello(Box::new(self.spec.hello.clone())))?;
        match self.hear("`hello`", "`ready`").await? {
            FromAnswerer::Ready { protocol, .. } => speaks(protocol),
            FromAnswerer::Answers { .. } => {
                Err("answered `hello` with `answers`, where `ready` was expected".into())
            }
        }
    }

    fn say(&mut self, message: &ToAnswerer) -> Result<(), String> {
        let line = serde_json::to_string(message);
        let line = line.map_err(|error| format!("can't be asked: {error}"))?;
        if let Some(process) = &mut self.process {
            process.say(&line);
        }
        Ok(())
    }

    /// Returns the program's next message, within the longest silence.
    async fn hear<T: DeserializeOwned>(&mut self, after: &str, wanted: &str) -> Result<T, String> {
        let (patience, words) = (self.spec.patience, self.words);
        let Some(process) = &mut self.process else {
            return Err("has ended".into());
        };
        let Ok(heard) = timeout(patience, process.hear()).await else {
            let seconds = patience.as_secs_f64();
            return Err(format!("was silent for {seconds} s after {after}"));
        };
        match heard {
            Heard::Line { number, bytes } => outside::read(&bytes).map_err(|error| {
                let error = in_words_of_json(&error.to_string());
                let (error, line) = (words.explained(&error), words.line(&bytes));
                format!(
                    "wrote line {number}, which is no message ({error}), where {wanted} was \
                     expected: {line}"
                )
            }),
            Heard::TooLong => Err(format!(
                "wrote more than {MOST_LINE} bytes without a newline"
            )),
            Heard::Closed => Err(match process.fate().await {
                Some(status) => format!("ended after {after} ({status})"),
                None => format!("closed its standard output after {after} and went on"),
            }),
        }
    }
}
