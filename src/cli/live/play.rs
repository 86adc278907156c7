//! Playing of a live run or its journal, with its files and its printed result.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::sync::Arc;

use super::super::ahead::Ahead;
use super::super::failure::{Failure, READ_NOBODY, failed, print};
use super::super::interrupts::watch_for_interrupts;
use super::super::load::Job;
use super::super::report::write_own;
use super::super::result::{self, Done};
use super::super::screen::Screen;
use super::super::show;
use super::files::{FilesMaker, LiveFiles};
use super::how::HowArgs;
use super::said::{failure, kept_in, left_out, refusals, say_where};
use kleroterion::compare::{RunResult, Summary};
use kleroterion::config::Plan;
use kleroterion::feed::Transport;
use kleroterion::live::session::{self, LiveError, LiveResult, Options, Origin};
use kleroterion::protocol::Ending;
use kleroterion::report::kept_lotteries::KeptLotteries;
use kleroterion::report::plain;
use kleroterion::run::Settings;
use kleroterion::trace::Names;
use kleroterion::watch::served::{ReportPage, ServedReport};

/// The start of a live run or a replay.
pub struct Opening<'a> {
    /// The origin of its stream.
    pub origin: Origin<'a>,
    /// The names under which people are shown.
    pub names: Names,
    /// Facts to store in a new journal, by name.
    pub facts: Vec<(&'static str, String)>,
    /// The config sections of policies that join now.
    pub joins: Option<String>,
    /// The number of policies that are new to the journal: the last ones.
    pub joined: usize,
    /// The labels of policies whose lanes may end if their programs can't repeat what they had
    /// played.
    pub without: Vec<String>,
}

impl<'a> Opening<'a> {
    /// Creates an opening without new policies or facts.
    pub fn of(origin: Origin<'a>, names: Names) -> Self {
        Self {
            origin,
            names,
            facts: Vec::new(),
            joins: None,
            joined: 0,
            without: Vec::new(),
        }
    }
}

/// Plays the run, writes its files if there are any, and prints the result.
pub fn play(
    job: Job,
    make_files: Option<FilesMaker<'_>>,
    how: &HowArgs,
    opening: Opening<'_>,
) -> Result<(), Failure> {
    let (plan, origin) = (&job.plan, opening.origin);
    let mut settings = how.settings();
    settings.names = opening.names.clone();
    let files = LiveFiles::new(&settings);
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let mut notes = assumed(plan, how, origin, &settings)?;
    let played = played(&job, &files, make_files, how, opening, settings);
    if played.is_err() && matches!(origin, Origin::Resumed(_)) {
        files.leave();
    }
    let played = played.map_err(|error| failure(error, plan, origin))?;
    notes.extend(unplayed(&played, plan, origin));
    notes.extend(last_errors(&played.result, plan));

    let read_nobody = matches!(origin, Origin::New(_)) && played.read_nobody();
    let LiveResult { result, halted, .. } = played;
    let summary = summary_of(&result, plan);
    let acting = plan.live.acting.map(|lane| &*plan.lanes[lane].label);
    let cohort = files.finish(&result, &summary, acting)?;
    write_report(origin);
    let done = Done {
        job,
        result,
        summary,
        read_nobody,
        cohort,
    };
    let printed = print_result(&done, how);
    notes.iter().for_each(|text| how.note(text));
    printed?;
    ended(&done, halted, origin)
}

/// The assumptions of the run that are printed after its result. A live run goes on for long, so
/// its assumptions are printed before.
fn assumed(
    plan: &Plan,
    how: &HowArgs,
    origin: Origin<'_>,
    settings: &Settings,
) -> Result<Vec<String>, Failure> {
    let mut notes = plan.notes.clone();
    let interrupt = Arc::clone(&settings.interrupt);
    let mut ahead = Ahead::new(None, how.quiet, interrupt);
    ahead.supply(plan, |text| notes.push(text.to_owned()))?;
    let kept = KeptLotteries::default();
    ahead.supply_lotteries(plan, &kept, |text| notes.push(text.to_owned()))?;
    if origin.is_live() {
        notes.drain(..).for_each(|text| how.note(&text));
    }
    Ok(notes)
}

/// Plays the run, with the screen if there is one.
fn played(
    job: &Job,
    files: &LiveFiles,
    make_files: Option<FilesMaker<'_>>,
    how: &HowArgs,
    opening: Opening<'_>,
    settings: Settings,
) -> Result<LiveResult, LiveError> {
    let (plan, origin, quiet) = (&job.plan, opening.origin, how.quiet);
    let report = Arc::new(ServedReport::new());
    let screen = RefCell::new(None);
    let stops = Arc::clone(&settings.interrupt);
    let has_screen = origin.is_live() && !quiet && !is_typed(plan);
    let options = Options {
        settings,
        board: origin.is_live() && !how.no_board,
        stays: stays(plan, how, origin),
        facts: opening.facts,
        config: job.config(),
        joins: opening.joins,
        joined: opening.joined,
        without: opening.without,
        bad: None,
        listening: Box::new(move |listening| say_where(listening, plan.live.board, quiet)),
        watching: Box::new(|watched| {
            files.follow(&watched);
            if has_screen {
                screen.replace(Screen::start(watched, stops));
            }
        }),
        prepare: Box::new(|| files.make(make_files, job)),
        report: Arc::clone(&report),
        over: Box::new(|result| {
            files.write(result, &summary_of(result, plan));
            if let Some(page) = write_report(origin) {
                drop(report.set(page));
            }
            if !quiet {
                show::say("no lane plays any more; the servers stay until Ctrl-C");
            }
        }),
    };
    let played = session::play(plan, options, origin, |one| files.record(one));
    drop(screen.take());
    played
}

/// Writes the report of a run in its own folder. A report that can't be made does not fail the run.
fn write_report(origin: Origin<'_>) -> Option<ReportPage> {
    let folder = origin.folder().filter(|_| origin.is_live())?;
    let made = write_own(folder);
    made.inspect_err(|problems| {
        for problem in &problems.0 {
            show::say(&plain(&format!("note: there is no report: {problem}")));
        }
    })
    .ok()
}

/// The summary of a result, with the disclosures that each output must show.
fn summary_of(result: &RunResult, plan: &Plan) -> Summary {
    Summary::of(result, &plan.judge).disclosing(&plan.world.disclosures)
}

/// Returns true if people are typed in at the terminal, which a screen would hide.
fn is_typed(plan: &Plan) -> bool {
    let feed = plan.world.feed.as_ref();
    let is_stdin = feed.is_some_and(|feed| matches!(feed.transport, Transport::Stdin));
    is_stdin && std::io::stdin().is_terminal()
}

/// Returns true if the servers stay after all lanes have ended.
fn stays(plan: &Plan, how: &HowArgs, origin: Origin<'_>) -> bool {
    let takes_people = plan.world.feed.as_ref().is_some_and(|feed| feed.is_http());
    origin.is_live() && (how.stay || takes_people)
}

/// The records that were not played, as sentences.
fn unplayed(played: &LiveResult, plan: &Plan, origin: Origin<'_>) -> Vec<String> {
    let place = origin.folder().filter(|_| origin.is_live()).map(kept_in);
    let mut said: Vec<String> = left_out(played, &place.unwrap_or_default())
        .into_iter()
        .collect();
    // Senders who hear what became of their records know already.
    let silent = plan.world.feed.as_ref().filter(|feed| !feed.acknowledges());
    if let Some(feed) = silent.filter(|_| origin.is_live()) {
        said.extend(refusals(played, feed));
    }
    said
}

/// The last error lines of programs whose lanes broke off, as sentences.
fn last_errors(result: &RunResult, plan: &Plan) -> Vec<String> {
    let lanes = plan.lanes.iter().zip(&result.policies);
    let errors = lanes.filter_map(|(lane, policy)| {
        let line = lane.policy.outside.as_ref()?.last_error().line()?;
        let mut endings = policy.endings().iter();
        let has_failed = endings.any(|ending| ending.breaks_off());
        has_failed.then(|| format!("the last error line of policy {}: {line}", lane.label))
    });
    errors.collect()
}

fn print_result(done: &Done, how: &HowArgs) -> Result<(), Failure> {
    let text = result::text(how.format, how.full, std::slice::from_ref(done));
    let text = text.map_err(|error| failed(&error.to_string()))?;
    print(&text)
}

/// The result of the command if the stream did not come to its own end.
fn ended(done: &Done, halted: Option<String>, origin: Origin<'_>) -> Result<(), Failure> {
    let any = |ending| {
        let mut policies = done.summary.policies.values();
        policies.any(|policy| policy.endings.contains_key(&ending))
    };
    if let Some(halted) = halted {
        return Err(failed(&format!(
            "{halted}; what came before it is kept, and the results are of that"
        )));
    }
    if any(Ending::SourceFailed) {
        return Err(failed("the stream broke off; what came before is kept"));
    }
    if any(Ending::Interrupted) {
        show::say(&match origin {
            Origin::New(folder) | Origin::Resumed(folder) => format!(
                "interrupted: all that had come is played and written; `klero resume {}` goes on",
                folder.display()
            ),
            Origin::Again(_) | Origin::Unkept => {
                "interrupted: the result holds the journal as far as it was played".into()
            }
        });
        return Err(Failure::Interrupted);
    }
    if done.read_nobody {
        return Err(failed(READ_NOBODY));
    }
    Ok(())
}
