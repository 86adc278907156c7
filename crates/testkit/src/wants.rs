//! Files of data, browsers and programs that tests can't run without.

use std::panic::Location;
use std::path::{Path, PathBuf};

/// The folder of skipped tests, one file each, where KLERO_SKIPPED names no other.
const SKIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/skipped");

/// Returns the path of a file in the folder KLERO_DATA, if it is there.
pub fn found(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("KLERO_DATA")?);
    Some(folder.join(name)).filter(|path| path.is_file())
}

/// Returns the path of a file in the folder KLERO_DATA. Without it the test is skipped.
#[track_caller]
pub fn data(name: &str) -> Option<PathBuf> {
    let file = found(name);
    if file.is_none() {
        skip("data", &format!("KLERO_DATA names no folder with {name}"));
    }
    file
}

/// Records in `target/skipped` that this test can't run for lack of `want`, and the reason.
///
/// Fails under CI=true, unless KLERO_ALLOW_SKIPS names the want or the test.
#[track_caller]
pub fn skip(want: &str, why: &str) {
    let test = test();
    let ends = |name: &str| !name.is_empty() && format!("::{test}").ends_with(&format!("::{name}"));
    let allowed = std::env::var("KLERO_ALLOW_SKIPS").unwrap_or_default();
    let mut allowed = allowed.split(',').map(str::trim);
    let is_allowed = allowed.any(|name| name == want || ends(name));
    let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(
        is_allowed || !is_ci,
        "{test} can't run for want of {want}: {why}\n\
         help: provide it, or set KLERO_ALLOW_SKIPS={want}"
    );
    println!("skipped for want of {want}: {why}");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = format!("{test} {want}").chars().map(plain).collect();
    // A file each, because several test binaries and threads may write at once.
    let folder = std::env::var_os("KLERO_SKIPPED").unwrap_or_else(|| SKIPPED.into());
    std::fs::create_dir_all(&folder).expect("a folder for the list");
    let path = Path::new(&folder).join(name);
    std::fs::write(path, format!("{test}: {want}: {why}\n")).expect("a file of the list");
}

/// The path of the test under way; its place in the code where the harness runs it unnamed.
#[track_caller]
fn test() -> String {
    let place = Location::caller().to_string();
    let thread = std::thread::current();
    thread
        .name()
        .filter(|name| *name != "main")
        .map_or(place, str::to_owned)
}
