//! A simulated program: it decides by all that it hears, and fails as planned.

use std::future::pending;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::time::sleep;

use super::faults::{DEADLINE, PlannedFault, ProgramFault};
use super::rule::Rule;
use kleroterion_io::seat::played::{Exit, PlayedExit, ProgramPipes};
use kleroterion_io::seat::wire::ToProgram;
use kleroterion_io::seat::{MOST_FORFEITS, MOST_LINE};
use kleroterion_testkit::Chances;

/// The part that a program plays.
pub(super) struct Part {
    pub(super) label: &'static str,
    pub(super) faults: Vec<PlannedFault>,
    pub(super) ready_after: Duration,
    /// The longest time of an answer, in milliseconds.
    pub(super) pace: u64,
    pub(super) chances: Chances,
    /// Receives each fault that happens.
    pub(super) note: Box<dyn Fn(u64, ProgramFault) + Send>,
}

impl Part {
    /// The fault of a round, if there is one.
    fn fault(&self, round: u64) -> Option<ProgramFault> {
        let mut faults = self.faults.iter();
        let what = faults.find(|fault| fault.round == round)?.what;
        (self.note)(round, what);
        Some(what)
    }
}

/// Starts a program.
pub(super) fn start(part: Part, pipes: ProgramPipes) -> io::Result<PlayedExit> {
    let first = part.faults.iter().find(|fault| fault.round == 0);
    if first.is_some_and(|fault| fault.what == ProgramFault::Late) {
        (part.note)(0, ProgramFault::Late);
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(Box::pin(async move {
        match play(part, pipes).await {
            Ok(exit) => exit,
            // No one reads it, or its input has ended.
            Err(_) => Exit::Code(0),
        }
    }))
}

/// The pipes of a program that plays.
struct Pipes {
    lines: Lines<BufReader<DuplexStream>>,
    /// The output; `None` once it is closed.
    output: Option<DuplexStream>,
}

impl Pipes {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let output = self.output.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        output.write_all(bytes).await
    }

    async fn say(&mut self, line: &str) -> io::Result<()> {
        self.write(line.as_bytes()).await?;
        self.write(b"\n").await
    }
}

async fn play(mut part: Part, pipes: ProgramPipes) -> io::Result<Exit> {
    let mut pipes = Pipes {
        lines: pipes.input.lines(),
        output: Some(pipes.output),
    };
    let mut rule = Rule::of(part.label);
    let mut late = 0;
    sleep(part.ready_after).await;
    while let Some(line) = pipes.lines.next_line().await? {
        let message = serde_json::from_str(&line).map_err(io::Error::other)?;
        let (round, answer) = match message {
            ToProgram::Hello(_) => (0, "{\"type\":\"ready\"}".to_owned()),
            ToProgram::Slate {
                round, candidates, ..
            } => {
                let chosen = rule.decide(&candidates[0].person.id, false);
                (round, select(round, &chosen))
            }
            ToProgram::Outcome {
                candidate, value, ..
            } => {
                rule.hear_of(&candidate.id, value);
                continue;
            }
            ToProgram::Bye => return Ok(Exit::Code(0)),
            _ => continue,
        };
        part.pause(0, part.pace).await;
        match part.fault(round) {
            Some(ProgramFault::Late) => {
                late = 1 + part.chances.below(u64::from(MOST_FORFEITS) + 3);
            }
            Some(fault) => {
                if let Some(exit) = part.fail(fault, (round, &answer), &mut pipes).await? {
                    return Ok(exit);
                }
            }
            None => {}
        }
        if late > 0 {
            late -= 1;
            let deadline = DEADLINE.as_millis() as u64;
            part.pause(deadline + 1, 200).await;
        }
        pipes.say(&answer).await?;
    }
    Ok(Exit::Code(0))
}

fn select(round: u64, chosen: &[u32]) -> String {
    format!("{{\"type\":\"select\",\"round\":{round},\"chosen\":{chosen:?}}}")
}

impl Part {
    /// Lets some milliseconds pass.
    async fn pause(&mut self, least: u64, more: u64) {
        let time = least + self.chances.below(more + 1);
        sleep(Duration::from_millis(time)).await;
    }

    /// Fails instead of answering. Returns the exit status if the program exits.
    async fn fail(
        &mut self,
        fault: ProgramFault,
        (round, answer): (u64, &str),
        pipes: &mut Pipes,
    ) -> io::Result<Option<Exit>> {
        match fault {
            ProgramFault::Exits => return Ok(Some(Exit::Code(3))),
            ProgramFault::Crashes => return Ok(Some(Exit::Signal(11))),
            ProgramFault::Interrupted => return Ok(Some(Exit::Signal(2))),
            ProgramFault::Breaks => {
                pipes.write(&answer.as_bytes()[..answer.len() / 2]).await?;
                return Ok(Some(Exit::Code(0)));
            }
            ProgramFault::Hangs => while pipes.lines.next_line().await?.is_some() {},
            ProgramFault::Deaf => pending().await,
            ProgramFault::Closes => {
                pipes.output = None;
                self.pause(0, 3000).await;
                return Ok(Some(Exit::Code(3)));
            }
            ProgramFault::ClosesAndStays => {
                pipes.output = None;
                pending().await
            }
            ProgramFault::Floods => {
                let line = vec![b'x'; 1 << 12];
                for _ in 0..=MOST_LINE >> 12 {
                    pipes.write(&line).await?;
                }
            }
            ProgramFault::Chatters => {
                for _ in 0..40 {
                    pipes.say(answer).await?;
                }
            }
            ProgramFault::Rubbish => pipes.say("I'd take the first").await?,
            ProgramFault::Foul => pipes.say(&select(round, &[7])).await?,
            ProgramFault::Late => {}
        }
        Ok(None)
    }
}
