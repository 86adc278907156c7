//! Messages of a program, read against the question it was asked.

use super::wire::{FromProgram, Hello, Named, PROTOCOL, WireLook};
use super::words::ProgramWords;
use crate::limits::{MOST_NAMES, MOST_NAMES_BYTES};
use crate::record::{Span, is_legible, outside};
use kleroterion_core::arena::{FORFEITS, LOOKS_UNANSWERED, NOT_LEARNT, SeatMove, SeatRequest};
use kleroterion_core::problem::in_words_of_json;
use kleroterion_core::protocol::{Chosen, Move, Pull, Pulls, Selection};

/// The question that the program was asked last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Question {
    /// The round.
    pub(super) round: u64,
    /// The number of answers of the round that came in time before.
    pub(super) step: u32,
    /// The round that was answered last.
    before: u64,
}

impl Question {
    /// Follows a message to the program, and notes the round that it asks about.
    pub(super) fn follow(&mut self, message: &SeatRequest) {
        match message {
            SeatRequest::Slate { round, .. } if *round != self.round => {
                (self.round, self.step) = (*round, 0);
            }
            SeatRequest::Slate { .. } | SeatRequest::Answers { .. } => self.step += 1,
            SeatRequest::Outcome { .. }
            | SeatRequest::Declined { .. }
            | SeatRequest::Correction { .. } => {}
        }
    }

    /// Notes that an answer came, or that its time has passed.
    pub(super) fn answered(&mut self) {
        self.before = self.round;
    }

    /// Checks that an answer belongs to this question.
    fn fits(&self, answered: u64) -> Result<(), String> {
        let round = self.round;
        if answered == round {
            Ok(())
        } else if answered == self.before {
            Err(format!(
                "answered round {answered} twice, the second time where round {round} was asked"
            ))
        } else {
            Err(format!(
                "answered round {answered} where round {round} was asked"
            ))
        }
    }
}

fn read(
    (number, line): (u64, &[u8]),
    wanted: &str,
    words: ProgramWords,
) -> Result<FromProgram, String> {
    outside::read(line).map_err(|error| {
        let error = in_words_of_json(&error.to_string());
        let (line, error) = (words.line(line), words.explained(&error));
        if error == "missing field `round`" {
            return format!(
                "line {number} of its output has no `round`, which an answer names: {line}"
            );
        }
        format!(
            "line {number} of its output is no message ({error}); {wanted} was expected: {line}"
        )
    })
}

/// Checks the protocol that a program says it speaks; ours if it says none.
pub(super) fn speaks(protocol: Option<u32>) -> Result<(), String> {
    match protocol.unwrap_or(PROTOCOL) {
        PROTOCOL => Ok(()),
        other => Err(format!(
            "speaks protocol {other}, and this is protocol {PROTOCOL}"
        )),
    }
}

/// Reads the answer to `hello`. Returns true if the program takes corrections.
pub(super) fn read_ready(
    (number, line): (u64, &[u8]),
    words: ProgramWords,
) -> Result<bool, String> {
    const WANTED: &str = "{\"type\":\"ready\"}";
    match read((number, line), WANTED, words)? {
        FromProgram::Ready {
            protocol, corrects, ..
        } => speaks(protocol).map(|()| corrects),
        _ => Err(format!(
            "line {number} of its output: {WANTED} was expected after `hello`: {}",
            words.line(line)
        )),
    }
}

/// Reads the answer to a slate, or to the answers to an interview.
pub(super) fn read_move(
    (number, line): (u64, &[u8]),
    question: &Question,
    hello: &Hello,
    words: ProgramWords,
) -> Result<SeatMove, String> {
    let round = question.round;
    let said = read((number, line), "`interview`, `select` or `stall`", words);
    let said = said.map_err(|error| format!("round {round}: {error}"))?;
    let at = |what: String| {
        format!(
            "round {round}: line {number} of its output {what}: {}",
            words.line(line)
        )
    };
    let fits = |answered: u64| question.fits(answered).map_err(at);
    match said {
        FromProgram::Ready { .. } => Err(at("is `ready` again".into())),
        FromProgram::Interview { round, looks } => {
            fits(round.unwrap_or(question.round))?;
            let pulls = pulls(looks, hello, words).map_err(at)?;
            Ok(Move::Interview(pulls).into())
        }
        FromProgram::Stall { round } => fits(round).map(|()| Move::Stall.into()),
        FromProgram::Select {
            round,
            chosen,
            p,
            reason,
            measures,
        } => {
            fits(round)?;
            within("reason", "terms", &reason, words).map_err(at)?;
            within("measures", "names", &measures, words).map_err(at)?;
            let Named(measures) = measures;
            summable(&measures, words).map_err(at)?;
            let kept = [FORFEITS, LOOKS_UNANSWERED, NOT_LEARNT];
            if let Some(name) = kept
                .iter()
                .find(|kept| measures.iter().any(|(name, _)| name == *kept))
            {
                return Err(at(format!(
                    "reports a measure called `{name}`, a name that the run keeps"
                )));
            }
            let chosen = match chosen[..] {
                [] => Chosen::None,
                [slot] => Chosen::One(slot),
                _ => Chosen::Many(chosen),
            };
            Ok(SeatMove {
                answer: Move::Select(Selection {
                    p,
                    ..Selection::of(chosen)
                }),
                measures,
                reason: reason.0,
            })
        }
    }
}

/// Refuses names and terms that would fill the memory round by round, and names that people can't
/// read.
fn within(
    member: &str,
    what: &str,
    Named(members): &Named<f64>,
    words: ProgramWords,
) -> Result<(), String> {
    let many = members.len();
    if many > MOST_NAMES {
        return Err(format!(
            "has {many} {what} in `{member}`, and {MOST_NAMES} are the most"
        ));
    }
    let is_odd = |name: &str| name.trim().is_empty() || !name.chars().all(is_legible);
    if let Some((name, _)) = members.iter().find(|(name, _)| is_odd(name)) {
        return Err(format!(
            "has a name in `{member}` that is blank, or has control characters or marks that are not \
             seen: `{}`",
            words.text(name)
        ));
    }
    let length: usize = members.iter().map(|(name, _)| name.len()).sum();
    match length > MOST_NAMES_BYTES {
        true => Err(format!(
            "has names of {length} bytes in `{member}`, and {MOST_NAMES_BYTES} are the most"
        )),
        false => Ok(()),
    }
}

/// Refuses measures that can't be squared and summed.
fn summable(measures: &[(String, f64)], words: ProgramWords) -> Result<(), String> {
    let beyond = measures.iter().find(|(_, value)| !Span::SAFE.holds(*value));
    beyond.map_or(Ok(()), |(name, _)| {
        let name = words.text(name);
        let most = Span::SAFE.most;
        Err(format!(
            "reports a measure `{name}` that is beyond {most:e}"
        ))
    })
}

/// Turns interviews with kinds by name into interviews with kinds by index in the rules.
fn pulls(looks: Vec<WireLook>, hello: &Hello, words: ProgramWords) -> Result<Pulls, String> {
    let kinds = &hello.rules.interviews;
    let pulls = looks.into_iter().map(|WireLook { slot, kind }| {
        let found = kinds.iter().position(|known| known.name == kind);
        match found {
            Some(kind) => Ok(Pull { slot, kind }),
            // The referee has words for it.
            None if kinds.is_empty() => Ok(Pull { slot, kind: 0 }),
            None => {
                let known: Vec<_> = kinds.iter().map(|kind| kind.name.as_str()).collect();
                let kind = words.text(&kind);
                Err(format!(
                    "asks for an interview of the unknown kind `{kind}` (there are {})",
                    known.join(", ")
                ))
            }
        }
    });
    Ok(Pulls::Many(pulls.collect::<Result<_, _>>()?))
}
