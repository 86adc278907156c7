//! The config that a live run began with.

use std::path::Path;

use kleroterion::document::{Document, Node, Value, read_text};
use kleroterion::journal::{JournalError, JournalReader};
use kleroterion::problem::Problem;

use super::super::args::ConfigArgs;
use super::super::failure::{Failure, journal_in, journal_wrong, wrong};
use super::super::show;
use super::kept::CONFIG;

/// The config of a live run, from its file or else from its journal.
pub fn config_of(folder: &Path, command: &str) -> Result<ConfigArgs, Failure> {
    let path = folder.join("config.toml");
    journal_in(folder, command)?;
    let read = || -> Result<_, JournalError> {
        let journal = JournalReader::open(folder)?;
        Ok((journal.fact(CONFIG)?, journal.joins()?))
    };
    let (begun, joins) = read().map_err(|error| journal_wrong(&error))?;
    let begun = begun.unwrap_or_default();
    let at = |what: String, help: &str| wrong(Problem::of_file(&path, what).help(help));
    if !path.exists() {
        std::fs::write(&path, &begun).map_err(|error| {
            at(
                format!("cannot be written: {error}"),
                "the journal has it: make room for it",
            )
        })?;
        show::say("note: config.toml was gone, and is written again from the journal");
    }
    let now = read_text(&path).map_err(wrong)?;
    if !same(&now, &begun) {
        let what = "this is not the config that the run was begun with".into();
        let help = "only where it listens ([board], source.address), its pace and what is asked \
                    ([report]) may change: put \
                    the rest back, or delete the file to have it written again \
                    from the journal. To see what other policies would have done with its people, \
                    use `klero replay DIR --policies FILE`";
        return Err(at(what, help));
    }
    let mut config = ConfigArgs::of(path.display().to_string());
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
    let mut live = document.take("live");
    if let Some((_, node)) = &mut live
        && let Value::Table(live) = &mut node.value
    {
        // Who decided is in the journal; a policy may be named to take over where none was.
        live.remove("fallback");
        live.remove("origins");
    }
    let mut source = document.take("source");
    if let Some((_, node)) = &mut source
        && let Value::Table(source) = &mut node.value
    {
        source.remove("address");
        source.remove("pace");
        // How safe a feed is that the journal has not taken yet.
        source.remove("monitor");
        source.remove("sync");
        // How fast a tape is played, and no more.
        source.remove("replay");
    }
    let mut report = document.take("report");
    if let Some((_, node)) = &mut report
        && let Value::Table(report) = &mut node.value
    {
        // What is asked of the values, and which are written down.
        QUESTION.into_iter().for_each(|key| {
            report.remove(key);
        });
    }
    let mut rest = document.root().clone();
    let is_empty = |node: &Node| matches!(&node.value, Value::Table(table) if table.is_empty());
    if let Some((key, node)) = live.filter(|(_, node)| !is_empty(node)) {
        rest.insert(key, node);
    }
    if let Some((key, node)) = source {
        rest.insert(key, node);
    }
    if let Some((key, node)) = report
        && !matches!(&node.value, Value::Table(report) if report.is_empty())
    {
        rest.insert(key, node);
    }
    Some(Value::Table(rest))
}
