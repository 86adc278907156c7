//! Live runs of Kleroterion: policies that decide about real people while they come.
//!
//! A recorder numbers, commits and syncs each record in a journal before any policy sees it. The
//! same lanes as in a simulation then play the stream. A journal can therefore be replayed or
//! resumed.
//!
//! - [`live`]: the run itself. [`live::session`] puts it together; the recorder, the stream and
//!   the lanes that play elsewhere are tasks of it.
//! - [`looks`]: interviews that people answer. [`looks::LookDesk`] is where lanes ask and answers
//!   arrive.
//! - [`watch`]: all that can be seen of a run. [`watch::Watched`] holds decisions, courses of
//!   measures, counts and endings.
//! - [`web`]: the HTTP server: intake, decisions on request, metrics and the board.
//!
//! Watching never changes a run: [`watch`] and the board of [`web`] read results and write none
//! back. No policy sees the clock, a connection or the truth about a person. The crate knows
//! nothing of the command line, of sweeps or of the papers' studies.

pub mod acting;
pub mod limits;
pub mod live;
pub mod looks;
pub mod outcomes;
pub mod watch;
pub mod web;
