//! A policy in a program of its own. Each question is a line to its standard input; each answer is
//! a line from its standard output.

use std::collections::BTreeSet;
use std::future::pending;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use async_trait::async_trait;
use tokio::time::timeout;

use super::child;
use super::decode::{Question, read_move, read_ready};
use super::encode::encode;
use super::groups;
use super::process::{Heard, Process};
use super::spec::{Exchange, OnTimeout, SeatTiming, Spec, Talk};
use super::wire::{Hello, ToProgram};
use super::words::ProgramWords;
use crate::limits::{MOST_FORFEITS, MOST_LINE, MOST_NAMES, PROGRAM_GRACE, PROGRAM_SILENCE};
use crate::record::legible;
use kleroterion_core::arena::{NOT_LEARNT, Outside, OutsideMaker, SeatReply, SeatRequest};
use kleroterion_core::draw::{Key, Purpose, label_key};
use kleroterion_core::lock::locked;
use kleroterion_core::protocol::{Ending, Stop};

/// The program of one replication. It is started when it is first asked.
pub struct Exec {
    spec: Arc<Spec>,
    timing: SeatTiming,
    words: ProgramWords,
    seed: u64,
    process: Option<Process>,
    question: Question,
    /// The number of late answers still to come, which are discarded.
    owed: u32,
    /// The number of rounds forfeited in a row.
    in_row: u32,
    /// True if an interrupt ended the program.
    interrupted: bool,
    /// True if the program takes corrections of outcomes.
    corrects: bool,
    /// The number of corrections that were not sent, because the program takes none.
    not_learnt: u64,
    /// The names of the measures that the program has reported.
    measures: BTreeSet<String>,
}

/// A line of a program's output: its number, from 1, and its bytes.
type Line = (u64, Vec<u8>);

impl Spec {
    /// Returns a maker that starts the program as a process of its own in each replication. `words`
    /// says if the program's words are repeated.
    #[must_use]
    pub fn maker(self: &Arc<Self>, timing: SeatTiming, words: ProgramWords) -> OutsideMaker {
        let spec = Arc::clone(self);
        Arc::new(move |key| {
            let seed = seed(key, &spec);
            Box::new(Exec::new(Arc::clone(&spec), timing.clone(), words, seed))
        })
    }
}

/// Returns the seed for a policy in a program. Rounds count from 1, so round 0 of the policies'
/// random numbers is free for it.
fn seed(key: Key, spec: &Spec) -> u64 {
    let mut draw = key.draw(Purpose::Policy, label_key(&spec.hello.label), 0);
    // Whole numbers above 2^53 are not safe in every language's JSON.
    draw.word() >> 11
}

impl Exec {
    fn new(spec: Arc<Spec>, timing: SeatTiming, words: ProgramWords, seed: u64) -> Self {
        Self {
            spec,
            timing,
            words,
            seed,
            process: None,
            question: Question::default(),
            owed: 0,
            in_row: 0,
            interrupted: false,
            corrects: false,
            not_learnt: 0,
            measures: BTreeSet::new(),
        }
    }

    /// Starts the program and greets it.
    async fn start(&mut self) -> Result<(), Stop> {
        let asked = Instant::now();
        let spec = &self.spec;
        let process = start(spec, self.words).map_err(|error| {
            let program = spec.command.join(" ");
            left(format!("its program `{program}` can't be started: {error}"))
        })?;
        self.process = Some(process);
        let hello = Hello {
            seed: self.seed,
            ..self.spec.hello.clone()
        };
        self.say(&ToProgram::Hello(Box::new(hello)))?;
        let line = self.hear_patiently("`hello`").await?;
        self.write_down(&line.1, asked);
        self.corrects = read_ready((line.0, &line.1), self.words).map_err(broken)?;
        if let SeatTiming::Live(Some(memory)) = &self.timing
            && self.corrects
        {
            memory.corrects();
        }
        tracing::info!(policy = self.spec.hello.label, "a seat is ready");
        Ok(())
    }

    /// Sends a message to the program.
    fn say(&mut self, message: &ToProgram) -> Result<(), Stop> {
        let line = serde_json::to_string(message);
        let line = line.map_err(|error| left(format!("a message can't be written: {error}")))?;
        if let Some(process) = &mut self.process {
            process.say(&line);
        }
        if let Some(talk) = &self.spec.talk
            && !matches!(
                message,
                ToProgram::Outcome { .. } | ToProgram::Correction { .. } | ToProgram::Bye
            )
        {
            let mut talk = locked(talk);
            talk.last = line;
            talk.answer = None;
        }
        Ok(())
    }

    /// Returns the next line that counts, or the end of the output. Late answers of forfeited
    /// rounds are discarded unread.
    async fn hear(&mut self) -> Heard {
        let Some(process) = &mut self.process else {
            return Heard::Closed;
        };
        loop {
            match process.hear().await {
                Heard::Line { .. } if self.owed > 0 => self.owed -= 1,
                heard => return heard,
            }
        }
    }

    /// Returns the line that was heard. At the end of the output it waits for the exit, for
    /// [`PROGRAM_GRACE`] at most and even beyond a deadline, since the program was not late.
    async fn line(&mut self, heard: Heard) -> Result<Line, Stop> {
        match heard {
            Heard::Line { number, bytes } => Ok((number, bytes)),
            Heard::TooLong => Err(left(format!(
                "wrote more than {MOST_LINE} bytes without a newline"
            ))),
            Heard::Closed => {
                let Some(process) = &mut self.process else {
                    return Err(left("its program has ended".to_owned()));
                };
                let fate = process.fate().await;
                self.interrupted = fate.is_some_and(by_interrupt);
                Err(left(match fate {
                    Some(status) => format!("its program ended ({status})"),
                    None => "closed its standard output and went on".to_owned(),
                }))
            }
        }
    }

    /// Returns the next line that counts, where no deadline applies.
    async fn hear_patiently(&mut self, what: &str) -> Result<Line, Stop> {
        let patience = self.spec.patience;
        let (first, rest) = (
            patience.min(PROGRAM_SILENCE),
            patience.saturating_sub(PROGRAM_SILENCE),
        );
        let mut heard = timeout(first, self.hear()).await;
        if heard.is_err() && !rest.is_zero() {
            if !self.spec.waited.swap(true, Ordering::Relaxed) {
                let (policy, silent) = (&self.spec.hello.label, PROGRAM_SILENCE.as_secs());
                let most = patience.as_secs_f64();
                tracing::warn!(
                    "the program of policy {policy} has been silent for {silent} s after {what}; \
                     it is waited for, {most} s at most"
                );
            }
            heard = timeout(rest, self.hear()).await;
        }
        match heard {
            Ok(heard) => self.line(heard).await,
            Err(_) => {
                let deaf = self.process.as_ref().is_some_and(Process::is_deaf);
                let also = if deaf {
                    "closed its standard input and "
                } else {
                    ""
                };
                let seconds = patience.as_secs_f64();
                Err(left(format!(
                    "{also}was silent for {seconds} s after {what}"
                )))
            }
        }
    }

    /// Delivers the mail and waits for the answer to the last of it.
    async fn ask(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        self.end_again()?;
        if self.process.is_none() {
            let mut started = self.start().await;
            // One that was just born was still in our group, and the interrupt was for us.
            if started.is_err() && self.interrupted {
                started = self.start().await;
            }
            if let Err(stop) = &started
                && !self.interrupted
            {
                let why = stop.detail.clone().unwrap_or_default();
                self.spec.unstarted.get_or_init(|| why);
            }
            started?;
        }
        let missed = self.deliver(mail)?;
        self.end_again()?;
        let Question { round, step, .. } = self.question;
        let memory = match &self.timing {
            SeatTiming::Simulated => Some(false),
            SeatTiming::Live(None) => None,
            SeatTiming::Live(Some(forfeits)) => forfeits.imposed(round, step),
        };
        let asked = Instant::now();
        let line = match memory {
            Some(true) => None,
            Some(false) => {
                let what = format!("round {round}");
                Some(self.hear_patiently(&what).await?)
            }
            None => match timeout(self.spec.deadline, self.hear()).await {
                Ok(heard) => Some(self.line(heard).await?),
                Err(_) => {
                    if let SeatTiming::Live(Some(forfeits)) = &self.timing {
                        forfeits.note(round, step);
                    }
                    None
                }
            },
        };
        let Some(line) = line else {
            return self.forfeit();
        };
        self.in_row = 0;
        self.write_down(&line.1, asked);
        let (hello, said) = (&self.spec.hello, (line.0, &line.1[..]));
        let reply = read_move(said, &self.question, hello, self.words);
        self.question.answered();
        let mut reply = reply.map_err(broken)?;
        self.name(&reply.measures)?;
        if missed {
            let count = self.not_learnt as f64;
            reply.measures.push((NOT_LEARNT.to_owned(), count));
        }
        Ok(SeatReply::Move(reply))
    }

    /// Keeps the names of measures. Their number is limited, because each is summed up over the
    /// whole run.
    fn name(&mut self, measures: &[(String, f64)]) -> Result<(), Stop> {
        for (name, _) in measures {
            if self.measures.contains(name) {
                continue;
            }
            if self.measures.len() == MOST_NAMES {
                let round = self.question.round;
                return Err(broken(format!(
                    "round {round}: its measures have more than {MOST_NAMES} names in all; a \
                     measure keeps its name from round to round"
                )));
            }
            self.measures.insert(name.clone());
        }
        Ok(())
    }

    /// Sends the messages that the program reads. Returns true if there were corrections that it
    /// does not read.
    fn deliver(&mut self, mail: Vec<SeatRequest>) -> Result<bool, Stop> {
        let before = self.not_learnt;
        for message in mail {
            if matches!(message, SeatRequest::Correction { .. }) && !self.corrects {
                self.not_learnt += 1;
                continue;
            }
            self.question.follow(&message);
            self.say(&encode(message, &self.spec.hello))?;
        }
        Ok(self.not_learnt > before)
    }

    /// Ends the lane at the point where it ended when this run was played before.
    fn end_again(&self) -> Result<(), Stop> {
        let SeatTiming::Live(Some(memory)) = &self.timing else {
            return Ok(());
        };
        let ended = memory.ended(self.question.round, self.question.step);
        ended.map_or(Ok(()), |stop| {
            Err(match self.words {
                ProgramWords::Shown => stop,
                // Why it ended may have been noted where words of programs were shown.
                ProgramWords::Hidden => {
                    Stop::because(stop.ending, "it ended here before; the journal has why")
                }
            })
        })
    }

    /// Notes that the lane ends, unless it ends because it did so before. The cause may not occur
    /// again by itself: a program may even break a rule because of something outside.
    fn note_end(&self, stop: &Stop) {
        if let SeatTiming::Live(Some(memory)) = &self.timing {
            let Question { round, step, .. } = self.question;
            if memory.ended(round, step).is_none() {
                memory.note_end(round, step, stop);
            }
        }
    }

    /// Handles an answer that did not come in time.
    fn forfeit(&mut self) -> Result<SeatReply, Stop> {
        let round = self.question.round;
        let deadline = self.spec.deadline.as_secs_f64() * 1e3;
        if self.spec.on_timeout == OnTimeout::Leave {
            return Err(left(format!(
                "round {round}: no answer within {deadline} ms"
            )));
        }
        self.owed += 1;
        self.in_row += 1;
        self.question.answered();
        if self.in_row == MOST_FORFEITS {
            return Err(left(format!(
                "round {round}: no answer within {deadline} ms, {MOST_FORFEITS} times in a row"
            )));
        }
        Ok(SeatReply::Forfeit)
    }

    fn write_down(&self, line: &[u8], asked: Instant) {
        let took = asked.elapsed();
        self.with_talk(|talk| {
            let told = talk.last.clone();
            talk.answer = Some(line.to_vec());
            talk.exchanges.push(Exchange {
                told,
                said: line.to_vec(),
            });
            match self.question.round {
                0 => talk.started.push(took),
                _ => talk.took.push(took),
            }
        });
    }

    fn with_talk(&self, write: impl FnOnce(&mut Talk)) {
        if let Some(talk) = &self.spec.talk {
            write(&mut locked(talk));
        }
    }
}

#[async_trait]
impl Outside for Exec {
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        let reply = self.ask(mail).await;
        if reply.is_err() && groups::are_ended() {
            // We ended it, to exit at once: that is no end of its lane, and no one may note it.
            pending().await
        }
        if let Err(stop) = &reply {
            let (ending, detail) = (stop.ending, stop.detail.as_deref());
            self.note_end(stop);
            tracing::info!(policy = self.spec.hello.label, %ending, detail, "a seat has ended");
        }
        if reply.is_err()
            && let Some(mut process) = self.process.take()
        {
            process.kill().await;
        }
        reply
    }

    fn lane_ends(&mut self, stop: &Stop) {
        // Its last answer was a foul. Whatever else ends a lane while its program goes on comes
        // again of itself.
        if stop.ending == Ending::Disqualified {
            self.note_end(stop);
        }
    }

    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        // The lane has ended: a failed write has no reader any more.
        drop(self.deliver(mail));
        drop(self.say(&ToProgram::Bye));
        if let Some(mut process) = self.process.take() {
            let (ended, unasked) = process.finish().await;
            let policy = &self.spec.hello.label;
            tracing::info!(policy, of_itself = ended, "a seat has ended");
            let unasked = unasked.into_iter().skip(self.owed as usize);
            self.with_talk(|talk| {
                talk.unasked.extend(unasked);
                talk.overstayed |= !ended;
            });
        }
    }
}

/// Starts the program of a seat, or in a test the one that is played in its place.
fn start(spec: &Spec, words: ProgramWords) -> io::Result<Process> {
    #[cfg(any(test, feature = "testing"))]
    if let Some(played) = &spec.played {
        return played.start();
    }
    child::start(&spec.command, &spec.hello.label, &spec.last_error, words)
}

#[cfg(unix)]
fn by_interrupt(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::INT.as_raw())
}

#[cfg(not(unix))]
fn by_interrupt(_: ExitStatus) -> bool {
    false
}

/// Returns the message about a program that had to be killed after `bye`.
pub fn overstayed() -> String {
    format!("did not end within {} s of `bye`", PROGRAM_GRACE.as_secs())
}

fn left(detail: String) -> Stop {
    Stop::because(Ending::Left, legible(&detail).into_owned())
}

fn broken(detail: String) -> Stop {
    Stop::because(Ending::Disqualified, detail)
}
