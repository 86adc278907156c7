//! A job that is played, with its results and notes printed.

use std::path::Path;
use std::sync::Arc;

use super::super::args::Format;
use super::super::failure::{Failure, failed};
use super::super::interrupts::watch_for_interrupts;
use super::super::show;
use super::super::watched::{Notes, watched};
use kleroterion::jobs::{FinishedJob, Job, JobError, was_played};
use kleroterion::protocol::Ending;
use kleroterion::report::files::REPLACED;
use kleroterion::report::plain;

/// The form in which results are printed.
pub struct PrintArgs {
    pub format: Format,
    pub full: bool,
    pub quiet: bool,
    pub strict: bool,
}

/// Plays a job and prints its results. `out` is its folder, if it has one.
pub fn play(job: Job, out: Option<&Path>, print: PrintArgs) -> Result<(), Failure> {
    let played = play_all(job, out, &print);
    if let Some(out) = out.filter(|out| played.is_err() && out.join(REPLACED).is_dir()) {
        let kept = out.join(REPLACED);
        show::say(&format!(
            "note: the run that was there before is kept in {}, until the new one is whole",
            plain(&kept.display().to_string())
        ));
    }
    played
}

fn play_all(job: Job, out: Option<&Path>, print: &PrintArgs) -> Result<(), Failure> {
    let interrupt = Arc::clone(&job.settings.interrupt);
    watch_for_interrupts(Arc::clone(&interrupt));
    let notes = Notes::default();
    let watch = notes.of(watched(print.quiet, &interrupt), print.quiet);
    let job = match job.play(&watch) {
        Ok(job) => job,
        Err(error) => {
            let is_over = matches!(error, JobError::Interrupted(_));
            let failure = Failure::from(error);
            if !is_over {
                notes.say();
            }
            return Err(failure);
        }
    };
    job.left_undone.iter().for_each(|said| show::say(said));
    for halted in job.runs.iter().filter_map(|run| run.halted.as_ref()) {
        show::say(&format!("error: {}", plain(halted)));
    }
    let text = text(&job, print.format, print.full)?;
    // The answer is the last of the table, and is read where nothing follows.
    notes.say();
    let printed = show::print(&text);
    printed.map_err(|error| failed(&format!("can't print: {error}")))?;
    ended(&job, print.strict, out.filter(|out| was_played(out)))
}

/// The text of a job's results.
pub fn text(job: &FinishedJob, format: Format, full: bool) -> Result<String, Failure> {
    Ok(match format {
        Format::Json => job.json(),
        Format::Csv => job.csv().map_err(|error| failed(&error.to_string()))?,
        Format::Table | Format::Markdown => job.table(full, &format.medium()),
    })
}

/// The result of the command, once its results are printed.
fn ended(job: &FinishedJob, strict: bool, can_go_on: Option<&Path>) -> Result<(), Failure> {
    if job.is_interrupted {
        show::say(match job.has_ended(Ending::Interrupted) {
            false => "interrupted: the result holds the replications that were finished",
            true => "interrupted: the result holds the first replication as far as it came",
        });
        if let Some(folder) = can_go_on {
            let folder = plain(&folder.display().to_string());
            show::say(&format!("help: `klero resume {folder}` goes on with it"));
        }
        return Err(Failure::Interrupted);
    }
    let mut ended = Ok(());
    for fault in job.faults(strict) {
        ended = Err(failed(&fault.what));
        if let Some(help) = fault.help {
            show::say(&format!("help: {help}"));
        }
    }
    ended
}
