//! The guarantees of a feed's servers to its senders, checked before any round is played.

use kleroterion::config::Plan;
use kleroterion::feed::{ServerPromise, promise};
use kleroterion::problem::{Problem, Problems};
use kleroterion::report::plain;

use super::failure::Failure;
use super::show;

/// The known guarantees of a plan's servers, if it has any. A server that does not answer only
/// causes a warning.
///
/// # Errors
/// Fails if a server does not guarantee what the config demands. The message is already printed.
pub fn known(plan: &Plan) -> Result<Vec<String>, Failure> {
    held(plan, false)
}

/// The guarantees of a plan's servers, all of which must answer. It is called at the beginning of a
/// run.
///
/// # Errors
/// Fails if a server does not answer, or does not guarantee what the config demands. The message is
/// already printed.
pub fn demanded(plan: &Plan) -> Result<Vec<String>, Failure> {
    held(plan, true)
}

fn held(plan: &Plan, must_answer: bool) -> Result<Vec<String>, Failure> {
    let ServerPromise {
        mut broken,
        silent,
        unknown,
        notes,
    } = plan.world.feed.as_ref().map(promise).unwrap_or_default();
    match must_answer {
        true => broken.extend(silent),
        false => silent.iter().for_each(warn),
    }
    unknown.iter().for_each(warn);
    if broken.is_empty() {
        return Ok(notes);
    }
    for note in notes {
        show::say(&plain(&format!("note: {note}")));
    }
    Err(Problems(broken).into())
}

fn warn(problem: &Problem) {
    let mut text = plain(&format!("warning: {}", problem.what));
    if let Some(help) = &problem.help {
        text += "\n  help: ";
        text += &plain(help);
    }
    show::say(&text);
}
