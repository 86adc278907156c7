//! A live run or its journal, played: its files written, its result printed.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::super::ahead::Ahead;
use super::super::failure::Failure;
use super::super::failure::failed;
use super::super::failure::journal_wrong;
use super::super::failure::wrong;
use super::super::interrupts::watch_for_interrupts;
use super::super::load::Job;
use super::super::output::{RunFiles, RunTiming};
use super::super::result::{self, Done};
use super::super::show;
use super::how::HowArgs;
use kleroterion::compare::Summary;
use kleroterion::config::Plan;
use kleroterion::feed::FeedSpec;
use kleroterion::live::RecorderError;
use kleroterion::live::session::{self, Listening, LiveError, LiveResult, Options, Origin};
use kleroterion::problem::{Problem, Problems};
use kleroterion::protocol::Ending;
use kleroterion::report::plain;
use kleroterion::trace::Names;

/// How a live run begins.
pub struct Opening<'a> {
    /// Where its stream comes from.
    pub origin: Origin<'a>,
    /// What people are called.
    pub names: Names,
    /// What goes with a new journal.
    pub facts: Vec<(&'static str, String)>,
    /// The policies that join now.
    pub joins: Option<String>,
    /// How many policies the journal knows nothing of: the last ones.
    pub joined: usize,
    /// Policies whose lanes may end where their programs can't play again what they had played.
    pub without: Vec<String>,
}

impl<'a> Opening<'a> {
    /// With nothing new.
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

/// Makes the files of a run, once there is a folder for them.
pub type FilesMaker<'a> = Box<dyn FnOnce(&Job) -> Result<RunFiles, Problems> + 'a>;

/// Plays, writes the files where there are any, and prints the result.
pub fn play(
    job: Job,
    make_files: Option<FilesMaker<'_>>,
    how: &HowArgs,
    opening: Opening<'_>,
) -> Result<(), Failure> {
    let plan = &job.plan;
    let started = Instant::now();
    let mut settings = how.settings();
    let Opening {
        origin,
        names,
        facts,
        joins,
        joined,
        without,
    } = opening;
    settings.names = names;
    watch_for_interrupts(Arc::clone(&settings.interrupt));
    let note = |text: &str| {
        if !how.quiet {
            show::say(&format!("note: {}", plain(text)));
        }
    };
    plan.notes.iter().for_each(|text| note(text));
    let interrupt = Arc::clone(&settings.interrupt);
    Ahead::new(None, how.quiet, interrupt).supply(plan, note)?;
    let quiet = how.quiet;
    let live = origin.is_live();
    let files: RefCell<Option<RunFiles>> = RefCell::new(None);
    let timing = || RunTiming::new(started.elapsed(), settings.threads, settings.batch);
    let options = Options {
        settings: settings.clone(),
        board: live && !how.no_board,
        stays: live && (how.stay || plan.world.feed.as_ref().is_some_and(|feed| feed.is_http())),
        facts,
        joins,
        joined,
        without,
        bad: None,
        listening: Box::new(move |listening| say_where(listening, quiet)),
        prepare: Box::new(|| {
            let made = make_files.map(|make| make(&job)).transpose()?;
            files.replace(made);
            Ok(())
        }),
        over: Box::new(|result| {
            let summary = Summary::of(result, &plan.judge);
            let written = files
                .borrow_mut()
                .as_mut()
                .map(|files| files.write(result, &summary, &timing()));
            if let Some(Err(problem)) = written {
                show::say(&format!("error: {}", plain(&problem.to_string())));
            }
            if !quiet {
                show::say("no lane plays any more; the servers stay until Ctrl-C");
            }
        }),
    };
    let played = session::play(plan, options, origin, |replication| {
        let mut files = files.borrow_mut();
        files
            .as_mut()
            .map_or(Ok(()), |files| files.record(replication))
    });
    if played.is_err()
        && matches!(origin, Origin::Resumed(_))
        && let Some(files) = files.take()
    {
        files.leave();
    }
    let played = played.map_err(|error| match error {
        LiveError::Listen(address, _) => wrong(taken_address(plan, address, &error, origin)),
        LiveError::Journal(error) => journal_wrong(&error),
        LiveError::Folder(problems) => wrong(problems),
        LiveError::Recorder(error @ RecorderError::Ended { .. }) => {
            let problems = ended_again(&error, origin.folder()).into();
            show::wrong(&problems, None, 1, "nothing is written");
            Failure::Failed
        }
        error => failed(&error.to_string()),
    })?;
    let place = origin.folder().filter(|_| live).map(kept_in);
    if let Some(sentence) = left_out(&played, &place.unwrap_or_default()) {
        note(&sentence);
    }
    // Senders who hear what became of their records know already.
    let silent = plan.world.feed.as_ref().filter(|feed| !feed.acknowledges());
    if let Some(feed) = silent.filter(|_| live) {
        refusals(&played, feed).iter().for_each(|text| note(text));
    }
    let LiveResult { result, halted, .. } = played;
    let summary = Summary::of(&result, &plan.judge);
    if let Some(files) = files.take() {
        let written = files.finish(&result, &summary, &timing());
        written.map_err(|problem| failed(&problem.to_string()))?;
    }
    let done = [Done {
        job,
        result,
        summary,
        read_nobody: false,
    }];
    let text = result::text(how.format, how.full, &done);
    let text = text.map_err(|error| failed(&error.to_string()))?;
    show::print(&text).map_err(|error| failed(&format!("can't print: {error}")))?;
    let ended = |ending| {
        let mut policies = done[0].summary.policies.values();
        policies.any(|policy| policy.endings.contains_key(&ending))
    };
    if let Some(halted) = halted {
        return Err(failed(&format!(
            "{halted}; what came before it is kept, and the results are of that"
        )));
    }
    if ended(Ending::SourceFailed) {
        return Err(failed("the stream broke off; what came before is kept"));
    }
    if ended(Ending::Interrupted) {
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
    Ok(())
}

/// What is to be said where an address is taken.
fn taken_address(
    plan: &Plan,
    address: SocketAddr,
    error: &LiveError,
    origin: Origin<'_>,
) -> Problem {
    let is_board = address == plan.live.board;
    let (key, other) = match is_board {
        true => ("board.address", "127.0.0.1:7718"),
        false => ("source.address", "127.0.0.1:8091"),
    };
    let elsewhere = match origin {
        // It is taken up with its own config.
        Origin::Resumed(folder) => {
            let config = folder.join("config.toml");
            format!("change `{key}` in {}", config.display())
        }
        _ => format!("give another: --set '{key}=\"{other}\"'"),
    };
    let without = if is_board { ", or --no-board" } else { "" };
    let help = format!("stop what listens there, or {elsewhere}{without}");
    Problem::of_request(error.to_string()).help(help)
}

/// What is to be said where a program ended in what it had played before.
fn ended_again(error: &RecorderError, folder: Option<&Path>) -> Problem {
    let mut help = "is the program there as it was, and is klero called from the folder where the run was begun?".to_owned();
    if let (
        RecorderError::Ended {
            policy, may_leave, ..
        },
        Some(folder),
    ) = (error, folder)
    {
        help += &match may_leave {
            true => format!(
                " If it really can't go on, `klero resume {} --without {policy}` ends its lane there for good",
                folder.display()
            ),
            false => " What it decided was told, so that it has to be played as it was".to_owned(),
        };
    }
    Problem::of_request(error.to_string()).help(help)
}

/// Why the first records were refused, without their words; and what to do where all of them look like something else.
pub fn refusals(played: &LiveResult, feed: &FeedSpec) -> Vec<String> {
    let reasons = played.first_refused.reasons.iter();
    let reason = |(line, why): &(u64, String)| format!("line {line} was refused: {why}");
    let mut told: Vec<String> = reasons.map(reason).collect();
    let nobody = played.accepted == 0 && played.left_out == 0;
    let other = played.first_refused.other_codec(feed.reading.codec());
    if let Some(other) = other.filter(|_| nobody) {
        let looks = match other {
            "csv" => "rows of separated text: read them with",
            _ => "JSON objects: read them with",
        };
        told.push(format!(
            "all records look like {looks} --set 'source.decoding.codec=\"{other}\"'"
        ));
    }
    told
}

/// Where the refused records of a run are kept.
pub fn kept_in(folder: &Path) -> String {
    format!(" (see {})", folder.join("bad.ndjson").display())
}

/// What came and was not played, where there is any; `place`: where the refused records are kept.
pub fn left_out(played: &LiveResult, place: &str) -> Option<String> {
    let all = [
        (
            played.refused,
            ["record", "records"],
            format!("refused{place}"),
        ),
        (
            played.left_out,
            ["record", "records"],
            "left out by `where`".into(),
        ),
        (played.duplicates, ["repeat", "repeats"], "dropped".into()),
    ];
    let some = all.into_iter().filter(|(n, ..)| *n > 0);
    let told = some.map(|(n, words, what)| format!("{n} {} {what}", words[usize::from(n != 1)]));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn say_where(listening: &Listening, quiet: bool) {
    if quiet {
        return;
    }
    if let Some(address) = listening.feed {
        show::say(&format!("feed: {address}"));
    }
    if let Some(address) = listening.board {
        show::say(&format!("board: http://{address}"));
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
