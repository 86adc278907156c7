//! The files that a feed has followed under one name. The run's folder keeps their list, so that a
//! file that was rotated away while the run was stopped is found again.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::limits::{MOST_KNOWN_FILES, MOST_WHOLE};
use crate::record::read_whole;

/// The identity of a file, unlike that of any other file of its name: device and inode.
pub(super) type FileIdentity = (u64, u64);

/// The files that were followed, in the order in which they were begun.
#[derive(Debug, Default)]
pub(super) struct FollowedFiles {
    /// The file with the list; `None` where the run can't be resumed.
    path: Option<PathBuf>,
    known: Vec<FileIdentity>,
}

/// The files that were followed before and have another name by now.
#[derive(Debug, Default)]
pub(super) struct RotatedFiles {
    /// The files that are still in the folder, in the order in which they were begun.
    pub(super) found: Vec<PathBuf>,
    /// The number of files that are gone.
    pub(super) gone: usize,
    /// True if the file that was followed last is gone.
    pub(super) last_is_gone: bool,
}

impl FollowedFiles {
    /// Reads the list of followed files.
    pub(super) fn of(path: PathBuf) -> io::Result<Self> {
        let text = match read_whole(&path, MOST_WHOLE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            text => text?,
        };
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        let known = text
            .lines()
            .filter_map(read)
            .take(MOST_KNOWN_FILES)
            .collect();
        let path = Some(path);
        Ok(Self { path, known })
    }

    /// Returns the files that were rotated away from this name, including those that had it in
    /// between.
    pub(super) fn rotated(&self, followed: &Path) -> io::Result<RotatedFiles> {
        let mut rotated = RotatedFiles::default();
        let now = fs::metadata(followed).ok().as_ref().and_then(identity);
        let Some(last) = self.known.last() else {
            return Ok(rotated);
        };
        let siblings = siblings(followed)?;
        let mut since = SystemTime::UNIX_EPOCH;
        for known in self.known.iter().filter(|known| Some(**known) != now) {
            match siblings.iter().find(|sibling| sibling.identity == *known) {
                Some(sibling) => {
                    since = since.max(sibling.written);
                    rotated.found.push(sibling.path.clone());
                }
                None => {
                    rotated.gone += 1;
                    rotated.last_is_gone |= known == last;
                }
            }
        }
        let name = followed.file_name().unwrap_or_default().to_string_lossy();
        // Came and went while the run was stopped.
        let between = siblings.iter().filter(|sibling| {
            let is_new = !self.known.contains(&sibling.identity) && Some(sibling.identity) != now;
            let has_name = sibling.path.file_name().is_some_and(|other| {
                let other = other.to_string_lossy();
                other.starts_with(&*name) && !PACKED.iter().any(|end| other.ends_with(end))
            });
            is_new && has_name && sibling.written >= since
        });
        let was_rotated = Some(*last) != now && since > SystemTime::UNIX_EPOCH;
        let mut between: Vec<_> = between.filter(|_| was_rotated).collect();
        between.sort_by_key(|sibling| sibling.written);
        let between = between.into_iter().map(|sibling| sibling.path.clone());
        rotated.found.extend(between);
        Ok(rotated)
    }

    /// Adds a file to the list; it is on the disk when this returns.
    pub(super) fn note(&mut self, file: Option<FileIdentity>) -> io::Result<()> {
        let Some(file) = file.filter(|file| !self.known.contains(file)) else {
            return Ok(());
        };
        self.known.push(file);
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut kept = options.open(path)?;
        kept.write_all(format!("{} {}\n", file.0, file.1).as_bytes())?;
        kept.sync_all()
    }
}

/// The endings of compressed files, which can't be read directly.
const PACKED: [&str; 4] = [".gz", ".zst", ".xz", ".bz2"];

fn read(line: &str) -> Option<FileIdentity> {
    let (device, inode) = line.split_once(' ')?;
    Some((device.parse().ok()?, inode.parse().ok()?))
}

/// A file in the folder of one that is followed.
struct Sibling {
    path: PathBuf,
    identity: FileIdentity,
    written: SystemTime,
}

fn siblings(followed: &Path) -> io::Result<Vec<Sibling>> {
    let folder = match followed.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // One that is gone by now is none.
        let Ok(found) = entry.metadata() else {
            continue;
        };
        if let (true, Some(identity)) = (found.is_file(), identity(&found)) {
            all.push(Sibling {
                path: entry.path(),
                identity,
                written: found.modified()?,
            });
        }
    }
    Ok(all)
}

/// Returns the identity of a file, or `None` if the system does not give one.
#[cfg(unix)]
pub(super) fn identity(file: &Metadata) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// Returns `None`: on other systems a replaced file is recognised by being shorter.
#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> Option<FileIdentity> {
    None
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    /// A folder with files that were written at some time, and a second one for those that are
    /// gone: a file that is there still shares its identity with none.
    struct Folder(tempfile::TempDir, tempfile::TempDir);

    impl Folder {
        fn of(files: &[(&str, u64)]) -> Self {
            let folder = || tempfile::tempdir().unwrap();
            let folder = Self(folder(), folder());
            for (name, seconds) in files {
                let file = File::create(folder.0.path().join(name)).unwrap();
                let written = SystemTime::UNIX_EPOCH + Duration::from_secs(*seconds);
                file.set_modified(written).unwrap();
            }
            folder
        }

        fn identity(&self, name: &str) -> FileIdentity {
            identity(&fs::metadata(self.0.path().join(name)).unwrap()).unwrap()
        }

        fn remove(&self, name: &str) {
            fs::rename(self.0.path().join(name), self.1.path().join(name)).unwrap();
        }

        /// The names of the files that were rotated away from `people`, where these were followed;
        /// how many are gone, and whether the last is.
        fn rotated(&self, known: &[FileIdentity]) -> (Vec<String>, usize, bool) {
            let files = FollowedFiles {
                path: None,
                known: known.to_vec(),
            };
            let rotated = files.rotated(&self.0.path().join("people")).unwrap();
            let name = |path: &PathBuf| {
                assert_eq!(path.parent(), Some(self.0.path()));
                path.file_name().unwrap().to_str().unwrap().to_owned()
            };
            let found = rotated.found.iter().map(name).collect();
            (found, rotated.gone, rotated.last_is_gone)
        }
    }

    /// Under whatever name; then those of its name that were written since, in the order of that.
    #[test]
    fn rotated_files_are_those_that_were_followed_and_those_that_came_since() {
        let folder = Folder::of(&[
            ("first", 1),
            ("second", 2),
            ("people", 9),
            ("people.2", 5),
            ("people.1", 4),
            ("people.old", 1),
            ("people.3.gz", 6),
            ("people.3.bz2", 6),
            ("log", 6),
        ]);
        let known = ["first", "second"].map(|name| folder.identity(name));
        let found = ["first", "second", "people.1", "people.2"];
        assert_eq!(
            folder.rotated(&known),
            (found.map(Into::into).into(), 0, false)
        );
        folder.remove("first");
        let found = ["second", "people.1", "people.2"];
        assert_eq!(
            folder.rotated(&known),
            (found.map(Into::into).into(), 1, false)
        );
    }

    #[test]
    fn none_came_since_where_the_last_is_followed_still() {
        let folder = Folder::of(&[("people.1", 1), ("people", 9), ("people.2", 8)]);
        let known = ["people.1", "people"].map(|name| folder.identity(name));
        let found = vec!["people.1".to_owned()];
        assert_eq!(folder.rotated(&known), (found, 0, false));
    }

    /// Without one of those before it is not known since when.
    #[test]
    fn none_came_since_where_all_are_gone_or_none_was_followed() {
        let folder = Folder::of(&[("first", 1), ("people.2", 8), ("people", 9)]);
        let known = [folder.identity("first")];
        folder.remove("first");
        assert_eq!(folder.rotated(&known), (Vec::new(), 1, true));
        assert_eq!(folder.rotated(&[]), (Vec::new(), 0, false));
    }

    /// Tests run in the folder of the repository.
    #[test]
    fn a_file_without_a_folder_is_one_of_the_working_folder() {
        let own = |name: &str| identity(&fs::metadata(name).unwrap()).unwrap();
        let files = FollowedFiles {
            path: None,
            known: vec![own("README.md"), own("Cargo.toml")],
        };
        let rotated = files.rotated(Path::new("Cargo.toml")).unwrap();
        assert_eq!(rotated.found, [Path::new("./README.md")]);
        assert_eq!(rotated.gone, 0);
    }

    #[test]
    fn files_are_noted_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("followed");
        let mut files = FollowedFiles::of(path.clone()).unwrap();
        for file in [Some((1, 2)), None, Some((3, 4)), Some((1, 2))] {
            files.note(file).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "1 2\n3 4\n");
        assert_eq!(FollowedFiles::of(path).unwrap().known, [(1, 2), (3, 4)]);
        // What is there and can't be read is not taken for nothing.
        assert!(FollowedFiles::of(folder.path().into()).is_err());
    }
}
