//! The hashes of a run's files as written, in `timing.json`. By them a reader of the folder sees
//! changed files.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use serde::Deserialize;

use super::files::{KEPT, PLAYED, PROGRESS, SUMMARY, TIMING, leavings};
use kleroterion_io::record::{MOST_WHOLE, read_whole};

/// The part of `timing.json` that is read.
#[derive(Default, Deserialize)]
struct Noted {
    #[serde(default)]
    files: BTreeMap<String, String>,
}

/// The files that are written or removed after the note is made, and the note itself.
const UNHASHED: [&str; 7] = [
    PROGRESS,
    KEPT,
    PLAYED,
    TIMING,
    SUMMARY,
    "bad.ndjson",
    "report.html",
];

/// The hash of each file of a run in a folder but for its summary, which is written last: BLAKE3, in
/// hexadecimal.
#[must_use]
pub fn hashes(folder: &Path) -> BTreeMap<String, String> {
    let all = std::iter::once("config.toml").chain(leavings());
    let all = all.filter(|name| !UNHASHED.contains(name));
    let hash = |name: &str| Some((name.to_owned(), hash(&folder.join(name))?));
    all.filter_map(hash).collect()
}

/// The hash of some bytes that are written to a file of a run.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Returns the files of a finished run that were changed or removed since it wrote them. `of`
/// selects the files to check. Empty if the run noted no hashes, as in older versions, or is in
/// progress.
#[must_use]
pub fn changed(folder: &Path, of: impl Fn(&str) -> bool) -> Vec<String> {
    if folder.join(PROGRESS).exists() {
        return Vec::new();
    }
    let noted = read_whole(&folder.join(TIMING), MOST_WHOLE).unwrap_or_default();
    let noted: Noted = serde_json::from_slice(&noted).unwrap_or_default();
    let files = noted.files.into_iter().filter(|(name, _)| of(name));
    let is_plain = |name: &str| Path::new(name).components().count() == 1;
    let other = files
        .filter(|(name, known)| is_plain(name) && hash(&folder.join(name)).as_ref() != Some(known));
    other.map(|(name, _)| name).collect()
}

/// The hash of a file. `None` if it can't be read.
fn hash(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path).ok()?).ok()?;
    Some(hasher.finalize().to_hex().to_string())
}
