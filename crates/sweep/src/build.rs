//! The build of klero that plays a unit.

use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Returns a hash of the running program's file. It identifies the build, since another build may
/// give other numbers.
///
/// # Errors
/// Where the program can't read its own file.
pub fn build() -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(program()?)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// Returns the path of the running program's file. On Linux this is the file that is running, even
/// if another file has its name by now.
///
/// # Errors
/// Where it can't be found.
pub fn program() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}
