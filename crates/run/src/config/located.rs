//! The files that a config names: their locations, and the problems to report if a file is missing.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::attributes::values_of;
use super::handed::HandedIn;
use super::memory;
use crate::document::{Field, meant};
use kleroterion_core::nearest::nearest;
use kleroterion_core::problem::{Place, Problem};
use kleroterion_io::people::table::{LoadError, PeopleTable, TableSpec};
use kleroterion_io::record::file::{How, MemoryTable, TableFile};

/// The environment variable by which `klero` names a second folder in which data files are looked
/// up.
pub const DATA: &str = "KLERO_DATA";

/// Returns the path of a file that a config in a folder names. The file is there or in the folder
/// `data`. If it exists in neither, the first path is returned.
pub fn located(written: &str, folder: &Path, data: Option<&Path>) -> PathBuf {
    let near = folder.join(written);
    if near.exists() {
        return near;
    }
    let far = data.map(|data| data.join(written));
    far.filter(|far| far.exists()).unwrap_or(near)
}

/// A file that a config names, or the table from memory in its place.
pub(super) struct Found {
    /// The path by which it is opened, and named in problems.
    pub(super) path: PathBuf,
    held: Option<MemoryTable>,
}

impl Found {
    /// The options for opening it, where the config says these.
    pub(super) fn how(&self, how: How) -> How {
        How {
            held: self.held.clone(),
            ..how
        }
    }
}

/// The file that a field names, or the table from memory; that there is none is noted, with what
/// the config says of it.
pub(super) fn find(field: &Field<'_>, about: Option<&str>, inputs: &HandedIn) -> Option<Found> {
    if memory::name(field.value()).is_some() {
        let (name, table) = memory::find(field, inputs)?;
        return Some(Found {
            path: table.path(&name),
            held: Some(table),
        });
    }
    let path = find_file(field, about, inputs)?;
    Some(Found { path, held: None })
}

/// The path of the file that a field names; that there is none is noted, with what the config says
/// of it.
pub(super) fn find_file(
    field: &Field<'_>,
    about: Option<&str>,
    inputs: &HandedIn,
) -> Option<PathBuf> {
    let (written, folder) = (field.text()?, inputs.folder());
    let path = located(written, folder, inputs.data());
    if path.exists() {
        return Some(path);
    }
    let what = match about {
        Some(about) => format!("there is no file {written} ({about})"),
        None => format!("there is no file {written}"),
    };
    let here = match folder.to_str() {
        Some("" | ".") | None => "the current folder".to_owned(),
        Some(folder) => format!("the config's folder ({folder})"),
    };
    let help = match inputs.data() {
        // As in the config of a run's folder. No folder is put before it.
        _ if Path::new(written).is_absolute() => {
            "it is looked for there alone: put it there, or correct the path".to_owned()
        }
        None => format!(
            "put it into {here} or into a folder that the environment variable {DATA} \
             names, or give its path"
        ),
        Some(data) if data.is_dir() => format!(
            "it is neither in {here} nor in the folder of {DATA} ({}): put it into one \
             of them, or give its path",
            data.display()
        ),
        Some(data) => format!(
            "it is not in {here}, and {DATA} names {}, which is no folder: set {DATA} \
             to the folder that the file is in",
            data.display()
        ),
    };
    field.refused(what, meant(alike(&path), help))
}

/// Returns the name of a file in the same folder that is similar to that of a missing file.
pub fn alike(path: &Path) -> Option<String> {
    alike_among(path, Path::is_file)
}

/// Returns the name in the same folder that is similar to that of a missing path, among those of
/// one kind.
pub fn alike_among(path: &Path, is_one: fn(&Path) -> bool) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let those = entries.flatten().filter(|entry| is_one(&entry.path()));
    let mut names: Vec<_> = those
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    // The order of a folder is the system's.
    names.sort();
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
}

/// Returns the problem of a file whose rows use another delimiter than the one that the config
/// names.
pub(super) fn misparted(spec: &TableSpec) -> Option<Problem> {
    let named = spec.how.delimiter.filter(|_| spec.columns.is_none())?;
    let file = TableFile::open(&spec.path, &spec.how).ok()?;
    let other = file.recognised?;
    let mut first = Vec::new();
    let line = file.first_line;
    BufReader::new(file).read_until(b'\n', &mut first).ok()?;
    if first.contains(&named) {
        return None;
    }
    let letter = |byte: u8| char::from(byte).escape_default();
    let what = format!("the header contains no `{}`", letter(named));
    let help = format!(
        "the columns seem to be separated by `{0}`: set delimiter = \"{0}\"",
        letter(other)
    );
    Some(Problem::new(Place::line(&spec.path, Some(line)), what).help(help))
}

/// Loads a table, or notes why not. `attributes`: where the table's attributes are described.
pub(super) fn load(
    spec: &TableSpec,
    field: &Field<'_>,
    attributes: &Field<'_>,
) -> Option<PeopleTable> {
    match (PeopleTable::load(spec), misparted(spec)) {
        (Err(_), Some(problem)) => {
            field.report(problem);
            None
        }
        (loaded, _) => {
            let loaded = loaded.map_err(|mut error| {
                for (name, problem) in &error.reversed {
                    let attribute = attributes.entry(name);
                    let values = attribute.and_then(|attribute| values_of(&attribute));
                    let mut said = error.problems.0.iter_mut();
                    if let (Some(values), Some(said)) = (values, said.find(|p| *p == problem)) {
                        said.place = values.place().clone();
                    }
                }
                error
            });
            loaded_or_note(loaded, field)
        }
    }
}

/// Returns the loaded value, or notes the problem and returns `None`.
pub(super) fn loaded_or_note<T>(loaded: Result<T, LoadError>, field: &Field<'_>) -> Option<T> {
    loaded
        .map_err(|error| {
            let problems = error.problems.0.into_iter();
            problems.for_each(|problem| field.report(problem));
        })
        .ok()
}
