//! A live run or a replay that is played, with its screen, its notes and its result.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::sync::Arc;

use super::super::failure::{Failure, failed, print};
use super::super::interrupts::watch_for_interrupts;
use super::super::run::text;
use super::super::screen::Screen;
use super::super::show;
use super::super::watched::{Notes, watched};
use super::how::HowArgs;
use kleroterion::config::Plan;
use kleroterion::feed::Transport;
use kleroterion::jobs::{FinishedJob, FinishedLive, JobWatch, LiveHooks, LiveJob, READ_NOBODY};
use kleroterion::live::session::Listening;
use kleroterion::protocol::Ending;

/// Plays the run, writes its files if there are any, and prints the result.
pub fn play(job: LiveJob, how: &HowArgs) -> Result<(), Failure> {
    let interrupt = Arc::clone(&job.settings.interrupt);
    watch_for_interrupts(Arc::clone(&interrupt));
    let (is_live, quiet, board) = (job.is_live(), how.quiet, job.run.plan.live.board);
    let goes_on = job.goes_on_by();
    let has_screen = is_live && !quiet && !is_typed(&job.run.plan);
    let screen = RefCell::new(None);
    let stops = Arc::clone(&interrupt);
    let hooks = LiveHooks {
        listening: Box::new(move |listening| say_where(listening, board, quiet)),
        watching: Box::new(|watched| {
            if has_screen {
                screen.replace(Screen::start(watched, stops));
            }
        }),
        over: Box::new(|| {
            if !quiet {
                show::say("no lane plays any more; the servers stay until Ctrl-C");
            }
        }),
        ended: Box::new(|| drop(screen.take())),
    };
    // A live run goes on for long, so its assumptions are printed before.
    let notes = Notes::default();
    let watch = watched(quiet, &interrupt);
    let watch = match is_live {
        true => JobWatch {
            note: Some(Box::new(|note| how.note(note))),
            ..watch
        },
        false => notes.of(watch, quiet),
    };
    let FinishedLive { job, notes: said } = job.play(&watch, hooks)?;
    let text = text(&job, how.format, how.full)?;
    notes.say();
    said.iter().for_each(|text| how.note(text));
    print(&text)?;
    ended(&job, goes_on)
}

/// Returns true if people are typed in at the terminal, which a screen would hide.
fn is_typed(plan: &Plan) -> bool {
    let feed = plan.world.feed.as_ref();
    let is_stdin = feed.is_some_and(|feed| matches!(feed.transport, Transport::Stdin));
    is_stdin && std::io::stdin().is_terminal()
}

/// Prints the addresses on which a live run listens, and the persons who are played again first.
/// `wanted` is the board's address in the config.
fn say_where(listening: &Listening, wanted: SocketAddr, quiet: bool) {
    if quiet {
        return;
    }
    if let Some(address) = listening.feed {
        show::say(&format!("feed: {address}"));
    }
    if let Some(address) = listening.board {
        show::say(&format!("board: http://{address}"));
        if wanted.port() != 0 && wanted.port() != address.port() {
            show::say(&format!("note: {wanted} is in use by another program"));
        }
    }
    if listening.persons > 0 {
        let people = match listening.persons {
            1 => "1 person".to_owned(),
            many => format!("{many} people"),
        };
        show::say(&format!(
            "note: the journal has {people}, who are played again first"
        ));
    }
}

/// The result of the command if the stream did not come to its own end. `goes_on` is the command
/// that goes on with the run, if it is live.
fn ended(job: &FinishedJob, goes_on: Option<String>) -> Result<(), Failure> {
    if let Some(halted) = job.runs.iter().find_map(|run| run.halted.as_ref()) {
        return Err(failed(&format!(
            "{halted}; what came before it is kept, and the results are of that"
        )));
    }
    if job.has_ended(Ending::SourceFailed) {
        return Err(failed("the stream broke off; what came before is kept"));
    }
    if job.has_ended(Ending::Interrupted) {
        show::say(&match goes_on {
            Some(command) => {
                format!("interrupted: all that had come is played and written; `{command}` goes on")
            }
            None => "interrupted: the result holds the journal as far as it was played".into(),
        });
        return Err(Failure::Interrupted);
    }
    match job.runs.iter().any(|run| run.read_nobody) {
        true => Err(failed(READ_NOBODY)),
        false => Ok(()),
    }
}
