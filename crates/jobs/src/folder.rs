//! The check that the folder of a run exists, and can be resumed.

use std::io::ErrorKind;
use std::path::Path;

use kleroterion_core::problem::Problem;
use kleroterion_io::journal::JOURNAL;
use kleroterion_report::report::files::{PROGRESS, SUMMARY};
use kleroterion_report::report::points::POINTS;
use kleroterion_run::config::alike_among;
use kleroterion_run::document::meant;
use kleroterion_sweep::PLAN;

/// The problem if a command that takes the folder of a run was given a file.
fn no_folder(file: &Path, command: &str) -> Problem {
    let what = format!("{} is a file, not the folder of a run", file.display());
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let help = format!("give the folder: klero {command} {}", folder.display());
    Problem::of_request(what).help(help)
}

/// Refuses a path that is no folder. `command` is the command as typed after `klero`; `wrote` names
/// the commands that make its folders.
///
/// # Errors
/// Fails if the path is missing or a file.
pub fn there(folder: &Path, command: &str, wrote: &str) -> Result<(), Problem> {
    // What is in a folder can be looked up where the folder itself can, by a name in it.
    let found = folder.metadata();
    let missing = match (found, folder.join(".").metadata()) {
        (Ok(found), _) if !found.is_dir() => return Err(no_folder(folder, command)),
        (Ok(_), Ok(_)) => return Ok(()),
        (Ok(_), Err(error)) | (Err(error), _) => error,
    };
    if missing.kind() != ErrorKind::NotFound {
        let help = "let this user read the folder and those above it";
        return Err(Problem::of_file(folder, format!("cannot be read: {missing}")).help(help));
    }
    let made = format!("give the folder that {wrote} wrote");
    let help = meant(alike(folder), made);
    Err(Problem::of_file(folder, "there is no such folder").help(help))
}

/// The problem if the run in a folder can't be resumed, since it has no journal and no kept
/// replications.
pub fn not_to_resume(folder: &Path) -> Problem {
    let dir = folder.display();
    let has = |name: &str| folder.join(name).exists();
    let (what, help) = if has(SUMMARY) {
        let what = format!("the run in {dir} is finished");
        let help = format!(
            "`klero report {dir}` shows it; `klero resume {dir} --replications N` plays more where it \
             kept all"
        );
        return Problem::of_request(what).help(help);
    } else if has(PLAN) {
        (
            "the folder holds units of a sweep, which shards go on with",
            format!("play the shards that are missing: klero sweep status {dir} lists them"),
        )
    } else if has(PROGRESS) {
        (
            "the folder holds a run that was cut off before a replication was kept",
            format!("play it again: klero run {dir}/config.toml --out {dir} --force"),
        )
    } else if has(POINTS) {
        (
            "the sweep in this folder is finished, or was begun by an older version",
            format!("`klero report {dir}` shows what there is of it"),
        )
    } else {
        (
            "the folder holds no run",
            format!(
                "give the --out folder of `klero run` or `klero sweep` that was stopped, or of \
                 `klero live`; this one has no {JOURNAL} and no replications"
            ),
        )
    };
    Problem::of_file(folder, what).help(help)
}

/// The folder nearby whose name is nearly that of a missing one.
fn alike(folder: &Path) -> Option<String> {
    let near = alike_among(folder, Path::is_dir)?;
    let above = folder.parent().unwrap_or(Path::new(""));
    Some(above.join(near).display().to_string())
}
