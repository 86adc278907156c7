//! The files of units in a folder: written whole or not at all, and verified when they are read.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::{SweepPlan, UnitId};
use crate::limits::MOST_FAILURE_BYTES;
use kleroterion_core::problem::Problem;
use kleroterion_io::record::read_whole;
use kleroterion_report::report::files::Folder;
use kleroterion_run::run::{Leaf, Replication, frames};

/// The name of the folder that holds the units.
pub const UNITS: &str = "units";

/// The extension of a unit's file.
const WHOLE: &str = "part";

/// The extension of the file that holds the reason why a unit failed.
const FAILED: &str = "failed";

/// The first frame of a unit's file, which identifies the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitHeader {
    /// The version of klero that played the unit.
    pub version: String,
    /// The build of klero that played the unit.
    pub build: String,
    /// The id of the unit's plan.
    pub plan: String,
    /// The index of the unit's point in the plan.
    pub point: u32,
    /// The number of the unit's leaf in the point, from 0.
    pub leaf: u32,
}

impl UnitHeader {
    /// Returns the header of a unit of a plan.
    #[must_use]
    pub fn of(plan: &SweepPlan, unit: UnitId) -> Self {
        Self {
            version: plan.version.clone(),
            build: plan.build.clone(),
            plan: plan.id.clone(),
            point: unit.point,
            leaf: unit.leaf,
        }
    }
}

/// The reason why a file is not the unit that its name says.
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    /// The file does not exist.
    #[error("missing")]
    Missing,
    /// The file can't be read.
    #[error("can't be read: {0}")]
    Io(io::Error),
    /// The file is cut off or damaged.
    #[error("cut off or damaged")]
    Damaged,
    /// Another version of klero played the unit; the version.
    #[error("played by klero {0}")]
    Version(String),
    /// Another build of this version played the unit.
    #[error("played by another build of klero")]
    Build,
    /// The file belongs to a unit of another plan.
    #[error("of another plan")]
    Plan,
}

/// The folder that holds the units of a plan.
#[derive(Clone, Debug)]
pub struct Units {
    folder: Folder,
}

impl Units {
    /// Opens the folder of units inside the folder of a plan. Nothing is created yet.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        let folder = Folder::at(folder.join(UNITS));
        Self { folder }
    }

    /// Returns the path of a unit's file.
    #[must_use]
    pub fn file(&self, plan: &SweepPlan, unit: UnitId) -> PathBuf {
        self.folder.file(&name(plan, unit, WHOLE))
    }

    /// Writes a unit. It writes to a temporary name, syncs, renames, and syncs the folder.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn write(&self, plan: &SweepPlan, unit: UnitId, leaf: &Leaf) -> Result<(), Problem> {
        self.place(plan, unit, |out| written(plan, unit, leaf, out))
    }

    /// Verifies a unit that was played elsewhere, then writes it as [`Units::write`] does.
    ///
    /// # Errors
    /// Where these are not the bytes of its file; where they can't be written, what is wrong with
    /// the folder.
    pub fn take(
        &self,
        plan: &SweepPlan,
        unit: UnitId,
        bytes: &[u8],
    ) -> Result<Result<(), UnitError>, Problem> {
        if let Err(error) = packed(plan, unit, &mut &*bytes) {
            return Ok(Err(error));
        }
        self.place(plan, unit, |out| out.write_all(bytes)).map(Ok)
    }

    fn place(
        &self,
        plan: &SweepPlan,
        unit: UnitId,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Problem> {
        self.folder.write_own(&name(plan, unit, WHOLE), write)?;
        self.folder.sync()?;
        self.folder.remove(&name(plan, unit, FAILED))
    }

    /// Writes down the reason why a unit failed.
    ///
    /// # Errors
    /// Where that can't be written.
    pub fn fail(&self, plan: &SweepPlan, unit: UnitId, why: &str) -> Result<(), Problem> {
        let name = name(plan, unit, FAILED);
        self.folder.write(&name, |out| writeln!(out, "{why}"))
    }

    /// Returns the reason why a unit failed in its last attempt, or `None` if it did not fail.
    #[must_use]
    pub fn failure(&self, plan: &SweepPlan, unit: UnitId) -> Option<String> {
        let path = self.folder.file(&name(plan, unit, FAILED));
        let text = read_whole(&path, MOST_FAILURE_BYTES).ok()?;
        Some(String::from_utf8(text).ok()?.trim_end().to_owned())
    }

    /// Returns the packed replications of a unit after verifying its file; see [`Units::read`].
    ///
    /// # Errors
    /// Where it is not there, or is not whole, or is another.
    pub fn verify(&self, plan: &SweepPlan, unit: UnitId) -> Result<Vec<u8>, UnitError> {
        let file = match File::open(self.file(plan, unit)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(UnitError::Missing);
            }
            Err(error) => return Err(UnitError::Io(error)),
        };
        packed(plan, unit, &mut BufReader::new(file))
    }

    /// Returns the replications of a unit, in their order.
    ///
    /// # Errors
    /// As [`Units::verify`].
    pub fn read(&self, plan: &SweepPlan, unit: UnitId) -> Result<Vec<Replication>, UnitError> {
        let packed = self.verify(plan, unit)?;
        let replications = Leaf::unpack(&packed).ok_or(UnitError::Damaged)?;
        let numbers = replications.iter().map(|replication| replication.number);
        match numbers.eq(plan.numbers(unit)) {
            true => Ok(replications),
            false => Err(UnitError::Damaged),
        }
    }

    /// Returns the names of the units in the folder, whole or failed, sorted.
    ///
    /// # Errors
    /// Where the folder can't be listed.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.folder.path())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if let Some((stem, WHOLE | FAILED)) = name.rsplit_once('.') {
                names.push(stem.to_owned());
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Returns the reason why a file with this name is not a unit of the plan.
    #[must_use]
    pub fn stranger(&self, plan: &SweepPlan, name: &str) -> UnitError {
        let file = File::open(self.folder.file(&format!("{name}.{WHOLE}")));
        let known = UnitHeader::of(plan, UnitId { point: 0, leaf: 0 });
        match file.map_err(UnitError::Io) {
            Ok(file) => match header(&mut BufReader::new(file)) {
                Ok(header) => strange(header, &known),
                Err(error) => error,
            },
            Err(_) => UnitError::Plan,
        }
    }
}

/// Returns the bytes of a unit's file.
///
/// # Errors
/// Where the replications can't be packed.
pub fn unit_bytes(plan: &SweepPlan, unit: UnitId, leaf: &Leaf) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    written(plan, unit, leaf, &mut bytes)?;
    Ok(bytes)
}

fn written(plan: &SweepPlan, unit: UnitId, leaf: &Leaf, out: &mut dyn Write) -> io::Result<()> {
    let header = postcard::to_stdvec(&UnitHeader::of(plan, unit));
    frames::write(out, &header.map_err(io::Error::other)?)?;
    frames::write(out, &leaf.pack()?)
}

/// Returns the packed replications from a unit's file, verified.
fn packed(plan: &SweepPlan, unit: UnitId, file: &mut impl Read) -> Result<Vec<u8>, UnitError> {
    let header = header(file)?;
    let known = UnitHeader::of(plan, unit);
    if header != known {
        return Err(strange(header, &known));
    }
    let packed = frames::read(file).map_err(UnitError::Io)?;
    let is_at_end = file.read(&mut [0]).map_err(UnitError::Io)? == 0;
    packed.filter(|_| is_at_end).ok_or(UnitError::Damaged)
}

/// Returns the name of a unit's file.
fn name(plan: &SweepPlan, unit: UnitId, ending: &str) -> String {
    format!("{}.{ending}", unit.name(&plan.id))
}

fn header(file: &mut impl Read) -> Result<UnitHeader, UnitError> {
    let bytes = frames::read(file).map_err(UnitError::Io)?;
    let header = bytes.and_then(|bytes| postcard::from_bytes(&bytes).ok());
    header.ok_or(UnitError::Damaged)
}

/// Returns the reason why a header is not of the known version, build and plan.
fn strange(header: UnitHeader, known: &UnitHeader) -> UnitError {
    if header.version != known.version {
        UnitError::Version(header.version)
    } else if header.build != known.build {
        UnitError::Build
    } else {
        UnitError::Plan
    }
}
