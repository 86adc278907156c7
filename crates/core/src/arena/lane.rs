//! A lane: one policy playing the stream. It is a state machine without I/O: it returns what it
//! needs, and its task fetches it.

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::referee::{Foul, Referee, Scene, Served};
use super::reports::Reports;
use super::seat::{Act, NOT_LEARNT, Remote, Seat};
use super::state::{LaneState, Progress};
use crate::protocol::{Batch, Ending, Ledger, Move, Slate, Stop, Truth, View};

/// The condition that a lane waits for and that its task must provide.
#[derive(Debug, PartialEq, Eq)]
pub enum Need {
    /// The next batch; the ledger of this one is complete.
    Batch,
    /// The applicants of the coming round: see [`LaneState::muster`].
    Muster,
    /// The answer of the outside policy: see [`Remote::deliver`].
    Reply,
    /// The answers of the lane's feedback task to its questions.
    Answers,
    /// Nothing: the lane has ended.
    End(Stop),
    /// Nothing: feedback panicked with this message, so the run fails.
    Fail(String),
}

/// The interface of a lane to its task, whatever its policy.
pub trait Play: Send {
    /// Plays the remaining rounds of `batch` and writes them into its ledger. It is called again
    /// with the same batch and ledger after `Muster`, `Reply` and `Answers`, and with the next ones
    /// after `Batch`.
    fn play(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) -> Need;

    /// The lane's state.
    fn state(&mut self) -> &mut LaneState;

    /// The mailbox, if the policy is outside.
    fn mailbox(&mut self) -> Option<&mut Remote>;
}

impl dyn Play {
    /// Plays as [`Play::play`]. A policy that panics ends its lane, and all earlier rounds count.
    pub fn play_guarded(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) -> Need {
        let played = catch_unwind(AssertUnwindSafe(|| self.play(batch, ledger)));
        played.unwrap_or_else(|payload| {
            ledger.roll_back();
            let detail = last_words(&*payload);
            if self.state().referee.asking {
                return Need::Fail(detail.unwrap_or_else(|| "it panicked".into()));
            }
            Need::End(Stop {
                ending: Ending::Panicked,
                detail,
            })
        })
    }
}

/// The words of a panic.
pub(super) fn last_words(payload: &(dyn Any + Send)) -> Option<String> {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    words.map(str::to_owned)
}

/// A lane: a policy on its seat, with the lane's state. It is compiled for each policy, so a round
/// costs no dynamic call.
pub struct Lane<S> {
    seat: S,
    state: LaneState,
}

impl<S: Seat> Lane<S> {
    /// Makes a lane at its start.
    pub fn new(seat: S, state: LaneState) -> Self {
        Self { seat, state }
    }

    /// The policy's seat.
    pub(super) fn seat(&mut self) -> &mut S {
        &mut self.seat
    }

    /// The round under way as the policy sees it, once it has been asked.
    pub(super) fn view<'a>(&'a mut self, batch: &'a Batch) -> View<'a> {
        let LaneState {
            cursor,
            applicants,
            offers,
            referee,
            ..
        } = &mut self.state;
        let (round, roster) = (batch.round_number(*cursor), batch.roster(*cursor));
        let who = match offers.left() {
            Some(left) => Some(left),
            None => applicants.offered(batch.persons(), (round, roster.clone()), &[]),
        };
        let slate = Slate::of(batch.persons(), roster, who);
        let offer = referee.offer(slate.len());
        referee.view(round, slate, offer)
    }
}

/// The end of a policy's turn.
enum Turn {
    /// The choice is in the ledger; the round is over.
    Settled,
    /// No one is chosen, and no one who can still come would be.
    Stalled,
    /// A policy outside was asked, and its reply is still to come.
    Waits,
    /// Interviews were bought, and the feedback task is to answer them.
    Asks,
    /// People were chosen, and the feedback task is to ask whether they take their places.
    Offers,
}

/// Lets the policy act until its turn ends.
#[inline(always)]
fn decide(
    seat: &mut impl Seat,
    referee: &mut Referee,
    round: u64,
    slate: Slate<'_>,
    scene: Scene<'_>,
    ledger: &mut Ledger,
) -> Result<Turn, Foul> {
    if slate.is_empty() {
        return Ok(Turn::Settled);
    }
    let offer = referee.offer(slate.len());
    let truth = Truth::new(scene.batch, slate);
    loop {
        let mut view = referee.view(round, slate, offer);
        let act = seat.act(&mut view, &truth);
        match act {
            Act::Moves(Move::Select(selection)) => {
                referee.choose(selection, slate, offer, scene, ledger)?;
                return Ok(Turn::Settled);
            }
            Act::Moves(Move::Interview(pulls)) => {
                if referee.serve(&pulls, scene)? == Served::Later {
                    return Ok(Turn::Asks);
                }
            }
            Act::Moves(Move::Stall) => return Ok(Turn::Stalled),
            Act::Waits => return Ok(Turn::Waits),
            Act::Forfeits => {
                ledger.note_forfeit();
                return Ok(Turn::Settled);
            }
        }
    }
}

/// Asks those chosen in the last turn for their replies, and lets the policy act again if places
/// are open.
#[inline(never)]
fn offer_places(
    seat: &mut impl Seat,
    state: &mut LaneState,
    batch: &Batch,
    roster: Range<u32>,
    mut progress: Progress,
    mut turn: Result<Turn, Foul>,
    ledger: &mut Ledger,
) -> Result<Turn, Foul> {
    let at = state.cursor;
    let round = batch.round_number(at);
    while let Ok(Turn::Settled) = turn {
        if progress != Progress::Offered && state.ask_offers(batch, ledger) {
            return Ok(Turn::Offers);
        }
        progress = Progress::Fresh;
        let declined = state.note_replies(batch, ledger);
        for row in ledger.declining_last(declined) {
            seat.decline(round, batch.persons().shown(*row));
        }
        if declined == 0 || !state.reopen(batch, roster.clone(), ledger) {
            break;
        }
        let who = state.offers.left();
        let scene = Scene { batch, at, who };
        turn = decide(
            seat,
            &mut state.referee,
            round,
            scene.slate(),
            scene,
            ledger,
        );
    }
    if matches!(turn, Ok(Turn::Settled | Turn::Stalled)) {
        state.close_offers(roster, ledger);
    }
    turn
}

/// Settles a round that is more than a choice, and has the policy learn the outcomes that are due;
/// the need of the lane, where it can't go on.
#[inline(always)]
fn conclude(
    seat: &mut impl Seat,
    state: &mut LaneState,
    batch: &Arc<Batch>,
    round: u64,
    progress: Progress,
    ledger: &mut Ledger,
) -> Option<Need> {
    if progress == Progress::Settled {
        state.fill(batch, ledger);
    } else {
        if progress != Progress::Chosen && state.asks_for_outcomes(batch, ledger) {
            state.progress = Progress::Chosen;
            return Some(Need::Answers);
        }
        state.settle(round, batch, ledger);
        if state.outcomes.lacks(round) && state.ask_open(batch) {
            state.progress = Progress::Settled;
            return Some(Need::Answers);
        }
    }
    state.outcomes.deliver(round, batch, ledger, seat);
    None
}

/// Lets the seat learn the outcomes that people outside have reported before a round.
fn hear<S: Seat>(
    reports: &mut Reports,
    batch: &Batch,
    at: usize,
    seat: &mut S,
    referee: &mut Referee,
    ledger: &mut Ledger,
) {
    if batch.sealed().is_reported()
        && let Some(not_learnt) = reports.hear(batch, at, seat, ledger)
    {
        referee.note(NOT_LEARNT, not_learnt as f64);
    }
}

/// Ends a lane whose policy broke a rule; the round under way does not count.
#[cold]
fn disqualified(round: u64, foul: &Foul, ledger: &mut Ledger) -> Need {
    ledger.roll_back();
    let detail = format!("round {round}: {foul}");
    Need::End(Stop::because(Ending::Disqualified, detail))
}

impl LaneState {
    /// The need of a lane whose policy's turn ended so, where it can't go on.
    #[inline(always)]
    fn need_of(
        &mut self,
        turn: Result<Turn, Foul>,
        round: u64,
        ledger: &mut Ledger,
    ) -> Option<Need> {
        let (progress, need) = match turn {
            Ok(Turn::Settled) => return None,
            Ok(Turn::Stalled) => {
                self.stalled = true;
                return None;
            }
            Ok(Turn::Waits) => (Progress::Replied, Need::Reply),
            Ok(Turn::Asks) => (Progress::Answered, Need::Answers),
            Ok(Turn::Offers) => (Progress::Offered, Need::Answers),
            Err(foul) => return Some(disqualified(round, &foul, ledger)),
        };
        self.progress = progress;
        Some(need)
    }

    /// Ends a round; how the lane ends, if it does.
    #[inline(always)]
    fn close(&mut self) -> Option<Stop> {
        let ending = self.referee.close();
        if self.stalled {
            let detail = "nobody who can still come would be accepted";
            return Some(Stop::because(Ending::Stalled, detail));
        }
        ending.map(|ending| self.referee.stop(ending))
    }
}

impl<S: Seat> Play for Lane<S> {
    fn play(&mut self, batch: &Arc<Batch>, ledger: &mut Ledger) -> Need {
        let Self { seat, state } = self;
        ledger.reserve(batch.rounds());
        let bare = state.is_bare(batch);
        // After a reply or answers the round goes on where it stood.
        let mut progress = std::mem::take(&mut state.progress);
        if progress == Progress::Answered
            && let Err(foul) = state.referee.take_answers()
        {
            return disqualified(batch.round_number(state.cursor), &foul, ledger);
        }
        let rounds = state.cursor..batch.rounds();
        for (at, roster) in rounds.clone().zip(batch.rosters(rounds)) {
            state.cursor = at;
            let round = batch.round_number(at);
            let mut who = None;
            if !bare {
                if state.applicants.lack_muster() {
                    return Need::Muster;
                }
                who = match state.offers.left() {
                    Some(left) => Some(left),
                    None => {
                        let round = (round, roster.clone());
                        state.applicants.offered(batch.persons(), round, &[])
                    }
                };
            }
            let slate = Slate::of(batch.persons(), roster.clone(), who);
            let referee = &mut state.referee;
            let progress = std::mem::take(&mut progress);
            if progress == Progress::Fresh {
                if !bare {
                    hear(&mut state.reports, batch, at, seat, referee, ledger);
                }
                referee.open(round, slate.len(), bare);
            }
            let scene = Scene { batch, at, who };
            let is_over = matches!(progress, Progress::Chosen | Progress::Settled);
            let mut turn = match is_over || progress == Progress::Offered {
                true => Ok(Turn::Settled),
                false => decide(seat, referee, round, slate, scene, ledger),
            };
            if !(bare || is_over) && batch.sealed().may_be_declined() {
                turn = offer_places(seat, state, batch, roster, progress, turn, ledger);
            }
            if let Some(need) = state.need_of(turn, round, ledger) {
                return need;
            }
            state.referee.write_notes(ledger);
            if bare {
                ledger.commit();
            } else if let Some(need) = conclude(seat, state, batch, round, progress, ledger) {
                return need;
            }
            if let Some(stop) = state.close() {
                return Need::End(stop);
            }
        }
        state.cursor = 0;
        Need::Batch
    }

    fn state(&mut self) -> &mut LaneState {
        &mut self.state
    }

    fn mailbox(&mut self) -> Option<&mut Remote> {
        self.seat.mailbox()
    }
}

#[cfg(test)]
mod tests;
