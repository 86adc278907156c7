//! Sweeps on engines that people run already: the bytes of one machine, whatever is lost.

mod manifests;
mod measured;
mod parallel;
#[cfg(feature = "nats")]
mod queue;
mod refused;
mod shards;
mod slurm;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

/// Puts a config of six units into a terminal, and plays it on one machine; where its results are.
fn one_machine(terminal: &Terminal, accepted: [u64; 2]) -> PathBuf {
    let config = SOUND.replace("at = [5, 10]\n", "");
    let config = config.replace("replications = 4", "replications = 2500");
    let sweep = format!("\n[sweep]\n\"rules.until.accepted\" = {accepted:?}\n");
    terminal.put("my.toml", config + &sweep);
    terminal.done(&["sweep", "my.toml", "--out", "one", "--quiet"]);
    terminal.path("one")
}

/// Puts a config into a terminal that is decided in its third wave, in the midst of a unit, and
/// plays it on one machine; where its results are.
fn until_decided(terminal: &Terminal) -> PathBuf {
    let config = SOUND
        .replace("replications = 4", "replications = 5000")
        .replace("accepted = 10", "accepted = 5")
        .replace("tolerance = 0.05", "tolerance = 0.9")
        .replace("at = [5, 10]\n", "until = \"decided\"\n")
        .replace("\"selection_rate\", ", "")
        .replace("representation_loss = 0.01", "representation_loss = 0.0016");
    terminal.put("my.toml", config);
    let said = terminal.klero(&["sweep", "my.toml", "--out", "one"]);
    let decided = said.stderr.contains("decided after 4046 replications");
    assert!(said.code == Some(0) && decided, "{}", said.stderr);
    terminal.path("one")
}

/// The files of a folder and of those in it, but for the times.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = std::fs::read_dir(&next).expect("a folder");
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                // What the results were made of is no result.
                let is_result = path.file_name().is_some_and(|name| name != "shards");
                folders.extend(Some(path).filter(|_| is_result));
            } else if path.file_name().is_some_and(|name| name != "timing.json") {
                let bytes = std::fs::read(&path).expect("a file");
                let name = path.strip_prefix(folder).expect("it is in there");
                files.insert(name.to_owned(), bytes);
            }
        }
    }
    files
}

/// Holds the files of two folders against each other.
#[track_caller]
fn same_folders(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert!(
        one.keys().eq(other.keys()),
        "{:?} {:?}",
        one.keys(),
        other.keys()
    );
    assert!(one.len() > 10, "{:?}", one.keys());
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{} differs", name.display());
    }
}
