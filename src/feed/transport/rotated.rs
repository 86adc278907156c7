//! The files that a feed has followed under one name, kept in the run's folder: one that was
//! rotated away while the run was stopped is found again.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most files that are remembered.
const MOST: usize = 4096;

/// The identity of a file, which another file of its name has not: device and inode.
pub(super) type FileIdentity = (u64, u64);

/// The files that were followed, from the first on.
#[derive(Debug, Default)]
pub(super) struct FollowedFiles {
    /// Where they are written down; none where the run can't be resumed.
    path: Option<PathBuf>,
    known: Vec<FileIdentity>,
}

/// The files that were followed before and are no longer under the name that is followed.
#[derive(Debug, Default)]
pub(super) struct RotatedFiles {
    /// Those that are in the folder still, from the first on.
    pub(super) found: Vec<PathBuf>,
    /// How many are gone.
    pub(super) gone: usize,
    /// Whether the one that was followed last is gone.
    pub(super) last_is_gone: bool,
}

impl FollowedFiles {
    /// The files that are written down there.
    pub(super) fn of(path: PathBuf) -> io::Result<Self> {
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let known = text.lines().filter_map(read).take(MOST).collect();
        let path = Some(path);
        Ok(Self { path, known })
    }

    /// The files that were rotated away from this name, or to which another came in between.
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

    /// Notes a file that is followed from now on; on the disk when it returns.
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

/// Ends of names of files that can't be read as they are.
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

/// The identity of a file, where the system says it.
#[cfg(unix)]
pub(super) fn identity(file: &Metadata) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// Elsewhere a file that replaced another is known by being shorter.
#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> Option<FileIdentity> {
    None
}
