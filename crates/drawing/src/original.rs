//! The organiser's own file of people: its path, as the folder of a draw notes it.
//!
//! The inputs have the columns that decide. The tables of the organiser have all columns, which come
//! from the file itself when the draw is made.

use std::path::{Component, Path, PathBuf};

use super::folder::{DrawFolder, ORIGINAL};
use super::inputs::Inputs;
use kleroterion_core::problem::Problem;

impl DrawFolder {
    /// Notes where the organiser's file of people is, by its path from this folder.
    ///
    /// # Errors
    /// Where that can't be written.
    pub(super) fn note_original(&self, inputs: &Inputs) -> Result<(), Problem> {
        let path = inputs.original().and_then(|path| from(self.path(), path));
        let Some(path) = path.as_deref().and_then(Path::to_str) else {
            // A path that is no text is not noted: the tables then have the columns that decide.
            return Ok(());
        };
        self.write_own(ORIGINAL, format!("{path}\n").as_bytes())
    }

    /// Takes the organiser's rows from the file that the folder notes, for inputs of this folder.
    ///
    /// # Errors
    /// Where the file is not there or has changed, why: a sentence.
    pub fn hold_original(&self, inputs: &mut Inputs) -> Result<(), String> {
        if inputs.taken.is_none() {
            return Ok(());
        }
        let noted = self.bytes(ORIGINAL).ok().flatten();
        let noted = noted.and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(noted) = noted else {
            return Err(format!(
                "{} does not say where it is",
                self.path().display()
            ));
        };
        let path = clean(&self.path().join(noted.trim_end_matches('\n')));
        inputs
            .hold(&path)
            .map_err(|why| format!("{}: {why}", path.display()))
    }
}

/// The path of a file from a folder, where there is one.
fn from(folder: &Path, file: &Path) -> Option<PathBuf> {
    let (folder, file) = (plain(folder)?, plain(file)?);
    let shared = folder
        .components()
        .zip(file.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let down = file.components().skip(shared);
    match shared {
        // On another drive.
        0 => Some(file.clone()),
        _ => Some(up.chain(down).collect()),
    }
}

/// A full path without `.` and `..`.
fn plain(path: &Path) -> Option<PathBuf> {
    Some(clean(&std::path::absolute(path).ok()?))
}

/// A path without `.`, and without `..` after the name of a folder.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        let last = clean.components().next_back();
        match (part, last) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(clean.pop()),
            (Component::ParentDir, Some(Component::RootDir)) => {}
            (part, _) => clean.push(part),
        }
    }
    clean
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_from_the_folder() {
        for (folder, file, due) in [
            ("/a/draw", "/a/people.csv", "../people.csv"),
            ("/a/b/draw", "/a/people.csv", "../../people.csv"),
            ("/a/draw", "/b/c.csv", "../../b/c.csv"),
            ("/a/draw", "/a/draw/people.csv", "people.csv"),
            ("/a/./x/../draw", "/a/people.csv", "../people.csv"),
        ] {
            let found = from(Path::new(folder), Path::new(file));
            assert_eq!(found.as_deref(), Some(Path::new(due)), "{folder} {file}");
        }
        for (path, due) in [
            ("draw/../people.csv", "people.csv"),
            ("../draw/../people.csv", "../people.csv"),
            ("../../people.csv", "../../people.csv"),
            ("/../a/./b", "/a/b"),
        ] {
            assert_eq!(clean(Path::new(path)), Path::new(due));
        }
    }
}
