//! The folder of a draw: its files, and the files that may be written to it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::commitment::{COMMITMENT, Commitment, CommitmentHead, SCHEMA, WHOLE};
use super::files::draw_file;
use super::inputs::{CONFIG, INPUTS, Inputs, read_file, unread};
use super::seed::{Randomness, SeedOrigin};
use crate::limits::MOST_DRAW_FILES;
use kleroterion_core::problem::{Problem, Problems};
use kleroterion_io::record::outside;
use kleroterion_report::report::files::door;
use kleroterion_report::report::files::{Folder, HeldFolder, LOCK, half_written};
use kleroterion_report::report::kept_lotteries::KEPT_LOTTERIES;

/// The file of the record in the folder of a draw.
pub const RECORD: &str = "draw.json";

/// The file of the randomness in the folder of a draw.
pub const RANDOMNESS: &str = "randomness";

/// The note of where the organiser's file of people is, in the folder of a draw.
pub(super) const ORIGINAL: &str = "original.txt";

/// The folder of the reduced question of a second draw, in the folder of the draw.
pub const REDUCED: &str = "reduced";

/// The folder of a draw.
#[derive(Clone, Debug)]
pub struct DrawFolder {
    folder: Folder,
}

/// The folder of a draw, which this process alone may write to until the value is dropped. A new
/// folder is then removed if nothing was written into it.
#[derive(Debug)]
pub struct HeldDraw {
    held: Option<HeldFolder>,
    made: Option<PathBuf>,
}

impl Drop for HeldDraw {
    fn drop(&mut self) {
        drop(self.held.take());
        if let Some(made) = &self.made {
            // Where something is in it it stays.
            drop(door::remove_folder(made));
        }
    }
}

/// The files that may be in the folder before the commitment is. The last ones belong to numbered
/// panels.
const BEFORE_COMMITMENT: [&str; 9] = [
    CONFIG,
    INPUTS,
    ORIGINAL,
    KEPT_LOTTERIES,
    "panels.csv",
    "panel_chances.csv",
    "numbered.json",
    "codes.csv",
    "index.html",
];

/// The folders into which a draw writes, within its own.
const FOLDERS: [&str; 5] = ["", "inputs/", "reduced/", "reduced/inputs/", "lotteries/"];

impl DrawFolder {
    /// The folder at a path. It need not exist.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        let folder = Folder::at(path);
        Self { folder }
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the bytes of a file in the folder, if it exists.
    ///
    /// # Errors
    /// Where it is there and can't be read.
    pub fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.folder.file(name);
        match read_file(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unread(path, &error)),
        }
    }

    /// Returns true if a link is in the place of one of its folders.
    pub(super) fn is_linked(&self, name: &str) -> bool {
        let mut folders = FOLDERS.iter().map(|below| below.trim_end_matches('/'));
        let is_folder = !name.is_empty() && folders.any(|folder| folder == name);
        is_folder && self.folder.file(name).is_symlink()
    }

    /// Returns the paths of all files in the folder and its subfolders.
    ///
    /// # Errors
    /// Where one can't be listed, or there are too many.
    pub fn all(&self) -> Result<Vec<String>, Problem> {
        let mut found = Vec::new();
        let mut folders = vec![(String::new(), self.path().to_owned())];
        while let Some((below, folder)) = folders.pop() {
            let listed = fs::read_dir(&folder);
            for entry in listed.map_err(|error| unread(folder.clone(), &error))? {
                let entry = entry.map_err(|error| unread(folder.clone(), &error))?;
                let name = format!("{below}{}", entry.file_name().to_string_lossy());
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                match is_folder {
                    true => folders.push((name + "/", entry.path())),
                    false => found.push(name),
                }
                if found.len() + folders.len() > MOST_DRAW_FILES {
                    let help = "name the folder of the draw alone";
                    let what = format!("holds more than {MOST_DRAW_FILES} files");
                    return Err(self.says(&what).help(help));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Returns the commitment in the folder, if there is one.
    ///
    /// # Errors
    /// Where it can't be read as one.
    pub fn commitment(&self) -> Result<Option<Commitment>, Problem> {
        let Some(bytes) = self.bytes(COMMITMENT)? else {
            return Ok(None);
        };
        let read: Result<Commitment, _> = outside::read(&bytes);
        let wrong = |what: String| {
            let help = "take the file as `klero draw commit` wrote it";
            Problem::of_file(self.folder.file(COMMITMENT), what).help(help)
        };
        let head: Result<CommitmentHead, _> = outside::read(&bytes);
        if let Some(other) = head
            .ok()
            .map(|head| head.schema)
            .filter(|other| !(WHOLE..=SCHEMA).contains(other))
        {
            let help = "check the draw with the version of klero that made it";
            let what =
                format!("its schema is {other}, and this klero reads schemas {WHOLE} to {SCHEMA}");
            return Err(wrong(what).help(help));
        }
        let commitment = read.map_err(|error| wrong(format!("this is no commitment: {error}")))?;
        // The hash that was published is of the bytes.
        match commitment.text().as_bytes() == bytes {
            true => Ok(Some(commitment)),
            false => Err(wrong("this file was changed since it was written".into())),
        }
    }

    /// Returns the record of the draw in the folder, and the commitment that it followed.
    ///
    /// # Errors
    /// Where there is no folder, or no draw in it.
    pub fn drawn(&self) -> Result<(Value, Commitment), Problems> {
        self.must_be()?;
        let (record, commitment) = (self.bytes(RECORD)?, self.commitment()?);
        let missing = match &commitment {
            Some(_) => RECORD,
            None => COMMITMENT,
        };
        let (Some(record), Some(commitment)) = (record, commitment) else {
            let help = "give the folder that `klero draw` wrote, with all that is in it";
            let what = format!(
                "{} holds no draw: {missing} is missing",
                self.path().display()
            );
            return Err(Problem::of_request(what).help(help).into());
        };
        // What is no JSON is no record of anything.
        let record = outside::read(&record).unwrap_or_default();
        Ok((record, commitment))
    }

    /// The randomness in it; `record`: that of the draw, which says where the randomness came from.
    ///
    /// # Errors
    /// Where it is missing, or can't be read.
    pub(super) fn randomness(&self, record: &Value) -> Result<Randomness, Problem> {
        let bytes = self.bytes(RANDOMNESS)?.ok_or_else(|| {
            let what = format!("{} lacks the file {RANDOMNESS}", self.path().display());
            Problem::of_request(what).help("take it from the organiser's folder")
        })?;
        let origin = match record["randomness"]["from"].as_str() {
            Some("file") => SeedOrigin::File,
            _ => SeedOrigin::Text,
        };
        Ok(Randomness { bytes, origin })
    }

    /// Refuses a folder that does not exist.
    ///
    /// # Errors
    /// That it is missing, or is a file.
    pub fn must_be(&self) -> Result<(), Problem> {
        let at = self.path().display();
        let (what, help) = match (self.path().is_dir(), self.path().exists()) {
            (true, _) => return Ok(()),
            (false, true) => (
                format!("{at} is a file, not the folder of a draw"),
                "name the folder that `klero draw` wrote",
            ),
            (false, false) => (
                format!("there is no folder {at}"),
                "correct the path: name the folder that `klero draw` wrote",
            ),
        };
        Err(Problem::of_request(what).help(help))
    }

    /// Returns the inputs in the folder that a commitment is to.
    ///
    /// # Errors
    /// Where one can't be read.
    pub fn inputs(&self, commitment: &Commitment) -> Result<Inputs, Problems> {
        let taken = commitment.people.clone();
        Inputs::read(self.path(), commitment.files.keys(), taken)
    }

    /// Holds a folder that can take a draw or a commitment to one, and makes it if it is missing.
    /// Files that a killed process left of an uncommitted draw are removed. A folder with a
    /// commitment is taken only if `takes_commitment` is true.
    ///
    /// # Errors
    /// Where it holds a draw or anything else, another process holds it, or it can't be made.
    pub fn hold(&self, takes_commitment: bool) -> Result<HeldDraw, Problems> {
        let is_new = !self.path().exists();
        let was_left = self.folder.file(LOCK).exists();
        if !was_left {
            // No lock is left in a folder that draws do not take.
            self.check(takes_commitment)?;
        }
        self.make()?;
        let held = HeldDraw {
            held: Some(Folder::hold(self.path())?),
            made: is_new.then(|| self.path().to_owned()),
        };
        // As it is now that no other process writes.
        let names = self.names()?;
        let is_ours = |name: &OsString| {
            let name = name.to_str().unwrap_or_default();
            BEFORE_COMMITMENT.contains(&name) || half_written(name).is_some()
        };
        if was_left && names.iter().all(is_ours) {
            self.clear(&names)?;
        }
        self.remove_half_written();
        self.check(takes_commitment)?;
        Ok(held)
    }

    /// Removes files of a draw that were being written when a process was killed.
    fn remove_half_written(&self) {
        for below in FOLDERS {
            let folder = self.folder.file(below);
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for name in entries.map(|entry| entry.file_name()) {
                let file = name.to_str().and_then(half_written);
                if file.is_some_and(|file| draw_file(&format!("{below}{file}")).is_some()) {
                    drop(door::remove_file(&folder.join(name)));
                }
            }
        }
    }

    /// Removes what a draw wrote before its commitment.
    fn clear(&self, names: &[OsString]) -> Result<(), Problem> {
        for name in names {
            let path = self.path().join(name);
            let removed = match path.is_dir() {
                true => door::remove_all(&path),
                false => door::remove_file(&path),
            };
            removed.map_err(|error| unread(path, &error))?;
        }
        Ok(())
    }

    /// Refuses a folder that can't take a draw or a commitment: one that holds a draw or anything
    /// else than a commitment.
    ///
    /// # Errors
    /// Why it can't.
    fn check(&self, takes_commitment: bool) -> Result<(), Problem> {
        let names = self.names()?;
        let has_nothing = names.is_empty();
        let has = |name: &str| names.iter().any(|have| have == name);
        if has(RECORD) {
            let help = "each draw has a folder of its own, and no draw is made twice: give another \
                        --out; to repeat this one, klero draw verify";
            return Err(self.says("already holds a draw").help(help));
        }
        if has(COMMITMENT) {
            let help = "draw by it: klero draw DIR --seed-from VALUE; or give another --out";
            return match takes_commitment {
                true => Ok(()),
                false => Err(self.says("already holds a commitment").help(help)),
            };
        }
        match has_nothing {
            true => Ok(()),
            false => Err(self
                .says("is not empty")
                .help("give a new or empty folder as --out")),
        }
    }

    /// Writes a commitment and its inputs.
    ///
    /// # Errors
    /// Where a file can't be written.
    pub fn commit(&self, inputs: &Inputs, commitment: &Commitment) -> Result<(), Problems> {
        self.make()?;
        inputs.write(&self.folder)?;
        let text = commitment.text();
        self.note_original(inputs)?;
        self.folder
            .write(COMMITMENT, |out| out.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Notes the randomness of the draw that is to be made.
    ///
    /// # Errors
    /// Where other randomness is there already, or it can't be written.
    pub(super) fn take(&self, randomness: &Randomness) -> Result<(), Problems> {
        match self.bytes(RANDOMNESS)? {
            Some(bytes) if bytes == randomness.bytes => Ok(()),
            Some(_) => {
                let help = "go on with that randomness (--seed-from file:DIR/randomness), or make a \
                            new commitment in another folder";
                let what = "holds a draw that was begun with other randomness";
                Err(self.says(what).help(help).into())
            }
            None => {
                self.make()?;
                let write = |out: &mut dyn Write| out.write_all(&randomness.bytes);
                Ok(self.folder.write(RANDOMNESS, write)?)
            }
        }
    }

    /// Writes the files of a draw, its record last. `reduced` holds the inputs of a second draw's
    /// reduced question.
    ///
    /// # Errors
    /// Where a file can't be written.
    pub fn finish(
        &self,
        files: &BTreeMap<String, Vec<u8>>,
        reduced: Option<&Inputs>,
    ) -> Result<(), Problems> {
        self.make()?;
        if let Some(reduced) = reduced {
            reduced.write(&self.folder.within(REDUCED)?)?;
        }
        let (last, first): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| *name == RECORD);
        for (name, bytes) in first.into_iter().chain(last) {
            let names_people = draw_file(name).is_none_or(|file| file.people.is_some());
            match names_people {
                true => self.write_own(name, bytes)?,
                false => self.folder.write(name, |out| out.write_all(bytes))?,
            }
        }
        Ok(())
    }

    /// Writes a file that its user alone can read.
    pub(super) fn write_own(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        self.folder.write_own(name, |out| out.write_all(bytes))
    }

    /// Makes the folder where it is missing.
    fn make(&self) -> Result<(), Problem> {
        door::make_folder(self.path()).map_err(|error| {
            let what = format!("cannot be made: {error}");
            self.says(&what).help("give a folder that you may write to")
        })
    }

    fn names(&self) -> Result<Vec<OsString>, Problem> {
        if !self.path().exists() {
            return Ok(Vec::new());
        }
        if self.path().is_file() {
            let problem = Problem::of_option(
                format!("--out {}", self.path().display()),
                "this is a file, not a folder",
            );
            return Err(problem.help("give a folder"));
        }
        let names = fs::read_dir(self.path()).and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.file_name()))
                .collect::<Result<Vec<_>, _>>()
        });
        let names = names.map(|mut names| {
            names.retain(|name| name != LOCK);
            names
        });
        names.map_err(|error| {
            let help = "give a folder that you may read";
            self.says(&format!("cannot be listed: {error}")).help(help)
        })
    }

    fn says(&self, what: &str) -> Problem {
        let what = format!("the folder {} {what}", self.path().display());
        Problem::of_request(what)
    }
}
