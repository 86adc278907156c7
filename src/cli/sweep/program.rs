//! The program that runs: its file, and the hash that identifies the build.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::super::failure::{Failure, failed};
use kleroterion::units::build_of;

/// A hash of the running program's file. It identifies the build, since another build may give other
/// numbers.
pub fn build() -> Result<String, Failure> {
    let build = file().and_then(|file| build_of(File::open(file)?));
    build.map_err(|error| failed(&format!("klero can't read its own program file: {error}")))
}

/// The path of the running program's file. On Linux this is the file that is running, even if
/// another file has its name by now.
pub fn file() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}
