//! `klero sweep status DIR`: the state of a sweep, from its units alone.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};

use super::super::args::at_least;
use super::super::failure::{Failure, failed, print};
use super::super::look;
use super::pace;
use kleroterion::jobs::FolderUnits;
use kleroterion::report::files::Folder;
use kleroterion::report::medium::Medium;
use kleroterion::report::words_table;
use kleroterion::units::SweepStatus;

/// The most rows of a table on the terminal.
const ROWS: usize = 20;

/// Options of `klero sweep status`.
#[derive(Args)]
pub struct StatusArgs {
    /// The --out folders of the shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How many shards there are [default: as many as there were]
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    shards: Option<u64>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value = "table")]
    format: StatusFormat,
    /// Write the same as a page into this file
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatusFormat {
    /// For people
    Table,
    /// For papers and issues: the same as Markdown
    Markdown,
    /// For programs
    Json,
}

/// Prints the state of a sweep.
pub fn status(args: &StatusArgs) -> Result<(), Failure> {
    let units = FolderUnits::read(&args.folders, "sweep status")?;
    let status = SweepStatus::of(&units.plan, &units.found, args.shards);
    if let Some(file) = &args.out {
        write_file(file, status.page().html().as_bytes())?;
    }
    let medium = match args.format {
        StatusFormat::Markdown => Medium::markdown(),
        _ => look::of_stdout(),
    };
    let text = match args.format {
        StatusFormat::Json => serde_json::to_string_pretty(&status)
            .map(|text| text + "\n")
            .map_err(|error| failed(&error.to_string()))?,
        _ => {
            let left = pace::left(&units, &args.folders, SystemTime::now());
            medium.finished(&shown(&status, left, &medium))
        }
    };
    print(&text)
}

/// The progress in words and as a bar, and what is not whole. A document has all points, text the
/// first rows of those that are open.
fn shown(status: &SweepStatus, left: Option<String>, medium: &Medium) -> String {
    let (bar, points, most) = match medium.is_markup() {
        true => (String::new(), Some(status.table()), usize::MAX),
        false => (
            status.bar(medium.width()) + "\n",
            status.open_points(),
            ROWS,
        ),
    };
    let left = left.filter(|_| !medium.is_markup());
    let left = left.map_or(String::new(), |left| left + "\n");
    let mut text = format!("{}\n{bar}{left}", status.sentence());
    for mut table in [points, status.open_table()].into_iter().flatten() {
        let rest = table.rows.len().saturating_sub(most);
        table.rows.truncate(most);
        text += &format!("\n{}", words_table(&table, medium));
        if rest > 0 {
            text += &format!("\u{2026} and {rest} more rows; --out FILE.html has all\n");
        }
    }
    text
}

/// Writes a file as a whole or not at all.
pub(super) fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = file.file_name().map(|name| name.to_string_lossy());
    let Some(name) = name else {
        return Err(failed(&format!("{} names no file", file.display())));
    };
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = Folder::at(folder.unwrap_or(Path::new(".")));
    let written = folder.write(&name, |out| out.write_all(bytes));
    Ok(written?)
}
