//! The config that a live run began with.

use std::path::Path;

use crate::error::JobError;
use crate::journal::{journal_in, journal_wrong};
use crate::live::options::CONFIG;
use crate::load::JobRequest;
use crate::watch::{JobAlert, JobWatch};
use kleroterion_core::problem::Problem;
use kleroterion_io::journal::{JournalError, JournalReader};
use kleroterion_run::document::{Document, Table, Value, read_text};

/// The config of a live run, from its file or else from its journal. `command` is the command as
/// typed after `klero`.
///
/// # Errors
/// Fails if the folder holds no live run, or if its config is not the one with which it began.
pub fn config_of(
    folder: &Path,
    command: &str,
    watch: &JobWatch<'_>,
) -> Result<JobRequest, JobError> {
    let path = folder.join("config.toml");
    journal_in(folder, command)?;
    let read = || -> Result<_, JournalError> {
        let journal = JournalReader::open(folder)?;
        Ok((journal.fact(CONFIG)?, journal.joins()?))
    };
    let (begun, joins) = read().map_err(|error| journal_wrong(&error))?;
    let begun = begun.unwrap_or_default();
    let at = |what: String, help: &str| Problem::of_file(&path, what).help(help);
    if !path.exists() {
        std::fs::write(&path, &begun).map_err(|error| {
            at(
                format!("cannot be written: {error}"),
                "the journal has it: make room for it",
            )
        })?;
        let what = "config.toml was gone, and is written again from the journal";
        watch.alert(JobAlert::Note(what));
    }
    let now = read_text(&path)?;
    if !same(&now, &begun) {
        let what = "this is not the config that the run was begun with".into();
        let help = "only where it listens ([board], source.address), its pace and what is asked \
                    ([report]) may change: put \
                    the rest back, or delete the file to have it written again \
                    from the journal. To see what other policies would have done with its people, \
                    use `klero replay DIR --policies FILE`";
        return Err(at(what, help).into());
    }
    let mut config = JobRequest::of(path.display().to_string());
    let joined = |text| ("a policy that joined".to_owned(), text);
    config.more = joins.into_iter().map(joined).collect();
    Ok(config)
}

/// Returns true if two configs describe the same run, apart from its addresses, its pace and its
/// question.
fn same(one: &str, other: &str) -> bool {
    // What can't be read is reported with its places later.
    let (Some(one), Some(other)) = (timeless(one), timeless(other)) else {
        return true;
    };
    one.says_as(&other)
}

/// The keys of `[report]` that change the question and not the measurements.
const QUESTION: [&str; 9] = [
    "judge",
    "baseline",
    "pairs",
    "goal",
    "alpha",
    "margin",
    "difference_variance",
    "unfilled",
    "keep",
];

/// A config without the keys that change no result.
fn timeless(text: &str) -> Option<Value> {
    let mut document = Document::parse(text).ok()?;
    document.take("board");
    // Who decided is in the journal; a policy may be named to take over where none was.
    document.take_keys("live", &["fallback", "origins"]);
    // The pace of a tape, and the safety of a feed that the journal has not taken yet.
    let of_source = ["address", "pace", "monitor", "sync", "replay"];
    document.take_keys("source", &of_source);
    // What is asked of the values, and which are written down.
    document.take_keys("report", &QUESTION);
    for section in ["live", "report"] {
        let table = document.root().value(section).and_then(Value::table);
        if table.is_some_and(Table::is_empty) {
            document.take(section);
        }
    }
    Some(Value::Table(document.root().clone()))
}
