//! `klero draw files`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::failure::{Failure, print_words, unwritten};
use kleroterion::drawing::{COMMITMENT, DrawFolder, FileAudience, draw_file};
use kleroterion::problem::Problem;
use kleroterion::report::plain;

/// Options of `klero draw files`.
#[derive(Args)]
#[command(after_help = "Example:
  klero draw files panel")]
pub(super) struct FilesArgs {
    /// The folder of a draw, or of a commitment to one
    dir: PathBuf,
}

/// Lists the files of a draw.
pub(super) fn files(args: &FilesArgs) -> Result<(), Failure> {
    let wrong = |problem: Problem| unwritten(problem, "nothing was listed");
    let folder = DrawFolder::at(&args.dir);
    folder.must_be().map_err(wrong)?;
    if !args.dir.join(COMMITMENT).is_file() {
        let what = format!(
            "{} holds neither a draw nor a commitment",
            args.dir.display()
        );
        let help = "name the folder that `klero draw` or `klero draw commit` wrote";
        return Err(wrong(Problem::of_request(what).help(help)));
    }
    let names = folder.all().map_err(wrong)?;
    let commitment = folder.commitment().ok().flatten();
    let is_whole = commitment.is_some_and(|one| one.is_of_whole_files());
    let text = listed(&args.dir, &names, is_whole);
    print_words(&text)
}

/// The lines of the files, public ones first. `is_whole` is true for a draw with whole files of
/// people among its inputs.
fn listed(folder: &Path, names: &[String], is_whole: bool) -> String {
    let mut rows: Vec<(usize, [String; 4])> = Vec::new();
    let (mut of_people, mut open) = (0, Vec::new());
    for name in names {
        let file = draw_file(name);
        let (rank, audience) = match file.map(|file| file.audience) {
            Some(audience @ FileAudience::Public) => (0, audience.word()),
            Some(audience @ FileAudience::Auditors) => (1, audience.word()),
            Some(audience @ FileAudience::You) => (2, audience.word()),
            None => (3, "you"),
        };
        let people = match file.map(|file| file.people) {
            Some(Some(_)) if is_whole => "people: all that your file has".to_owned(),
            Some(Some(people)) => format!("people: {people}"),
            Some(None) => "no one".to_owned(),
            None => "unknown".to_owned(),
        };
        let about = file.map_or("no file of a draw: look into it yourself", |file| {
            file.about
        });
        let is_of_people = file.is_some_and(|file| file.people.is_some());
        of_people += usize::from(is_of_people);
        if is_of_people && is_open(&folder.join(name)) {
            open.push(name.as_str());
        }
        let row = [plain(name), audience.to_owned(), people, about.to_owned()];
        rows.push((rank, row));
    }
    rows.sort_by_key(|(rank, _)| *rank);
    let head = ["file", "for", "names", "what"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head)
        .chain(rows.into_iter().map(|(_, row)| row))
        .collect();
    let mut text = columns(&rows, [false; 4]);
    text += &format!("{of_people} of {} files hold people's data\n", names.len());
    if !open.is_empty() {
        text += &format!(
            "other users of this machine can read {}: chmod go= {}\n",
            open.join(", "),
            open.iter()
                .map(|name| folder.join(name).display().to_string())
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
    text
}

/// A table as text; `right` says which columns end in line.
pub(super) fn columns<const N: usize>(rows: &[[String; N]], right: [bool; N]) -> String {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|at| width(at).unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).zip(right);
        let cells = cells.map(|((cell, width), right)| match right {
            true => format!("{cell:>width$}"),
            false => format!("{cell:width$}"),
        });
        let cells: Vec<String> = cells.collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// Returns true if other users may read a file.
#[cfg(unix)]
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o044 != 0)
}

/// Returns false, since this system does not show whether other users may read a file.
#[cfg(not(unix))]
fn is_open(_: &Path) -> bool {
    false
}
