//! The file of replications already played, from which an interrupted run is resumed.
//!
//! The file is only appended to. It is a list of [`frames`]. The first frame describes the run. An
//! incomplete frame ends the file: it was being written when the process or the machine stopped.

pub mod frames;
mod leaf;

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::curve::LaneCurve;
use super::error::PlayedError;
use super::replication::Replication;
use crate::limits::PLAYED_SYNC;
use kleroterion_core::protocol::Ending;
use kleroterion_core::score::{LaneResult, Layout, MetricAt};
use kleroterion_io::record::own_file;
use kleroterion_stats::RoundEvidence;
pub use leaf::Leaf;

/// The description of a run: the first frame of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedHeader {
    /// The version of the program that played it.
    pub version: String,
    /// The configs of its runs: one, or those of a sweep.
    pub configs: Vec<String>,
    /// The options of the command that started it, in the form that the command reads.
    pub options: String,
}

/// A replication in the file.
#[derive(Serialize, Deserialize)]
struct PlayedReplication {
    number: u64,
    left_over: u64,
    lanes: Vec<PlayedLane>,
    curves: Vec<LaneCurve>,
    panels: Vec<Vec<u32>>,
}

#[derive(Serialize, Deserialize)]
struct PlayedLane {
    ending: u8,
    detail: Option<String>,
    /// The places of its values. `None` if they are those of its policy's lane before.
    places: Option<Vec<MetricAt>>,
    values: Vec<f64>,
}

/// The layout of each policy's last lane.
type Latest = Vec<Option<Arc<Layout>>>;

impl PlayedReplication {
    fn of(replication: &Replication, latest: &mut Latest) -> Self {
        latest.resize(replication.lanes.len(), None);
        let lanes = replication.lanes.iter().zip(latest).map(|(lane, latest)| {
            let layout = lane.layout();
            let is_new = latest.as_ref().is_none_or(|latest| latest != layout);
            if is_new {
                *latest = Some(Arc::clone(layout));
            }
            PlayedLane {
                ending: place_of(lane.ending),
                detail: lane.detail.clone(),
                places: is_new.then(|| layout.places().to_vec()),
                values: lane.laid_values().to_vec(),
            }
        });
        Self {
            number: replication.number,
            left_over: replication.left_over,
            lanes: lanes.collect(),
            curves: replication.curves.clone(),
            panels: replication.panels.clone(),
        }
    }

    /// The replication. `None` if the frame is none that [`PlayedReplication::of`] makes.
    fn replication(self, latest: &mut Latest) -> Option<Replication> {
        latest.resize(self.lanes.len(), None);
        let lanes = self.lanes.into_iter().zip(latest);
        let lanes: Option<Vec<LaneResult>> =
            lanes.map(|(lane, latest)| lane.result(latest)).collect();
        Some(Replication {
            number: self.number,
            lanes: lanes?,
            people: Vec::new(),
            decisions: Vec::new(),
            left_over: self.left_over,
            rounds: RoundEvidence::default(),
            streams: Vec::new(),
            curves: self.curves,
            panels: self.panels,
        })
    }
}

impl PlayedLane {
    fn result(self, latest: &mut Option<Arc<Layout>>) -> Option<LaneResult> {
        if let Some(places) = self.places {
            *latest = Some(Layout::new(places));
        }
        let layout = Arc::clone(latest.as_ref()?);
        let ending = *Ending::ALL.get(usize::from(self.ending))?;
        let fits = layout.places().len() == self.values.len();
        fits.then(|| LaneResult::laid_out(ending, self.detail, layout, self.values))
    }
}

/// The place of an ending in [`Ending::ALL`].
fn place_of(ending: Ending) -> u8 {
    let place = Ending::ALL.iter().position(|known| *known == ending);
    place.map_or(u8::MAX, |place| place as u8)
}

/// A writer of the replications that were played.
#[derive(Debug)]
pub struct PlayedWriter {
    file: BufWriter<File>,
    latest: Latest,
    /// The number of the next replication that the file has not.
    next: u64,
    synced: Instant,
}

impl PlayedWriter {
    /// Creates the file of a run. Only its user can read it, since it holds the key of hidden
    /// names.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn create(path: &Path, header: &PlayedHeader) -> io::Result<Self> {
        let mut writer = Self::to(own_file(path)?, 0);
        let header = postcard::to_stdvec(header).map_err(io::Error::other)?;
        frames::write(&mut writer.file, &header)?;
        writer.sync()?;
        Ok(writer)
    }

    fn to(file: File, next: u64) -> Self {
        Self {
            file: BufWriter::new(file),
            latest: Vec::new(),
            next,
            synced: Instant::now(),
        }
    }

    /// Appends a replication, unless the file has it. It is on disk after at most a second, or once
    /// the next one is added after that.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn add(&mut self, replication: &Replication) -> io::Result<()> {
        if replication.number < self.next {
            return Ok(());
        }
        write(replication, &mut self.latest, &mut self.file)?;
        self.next = replication.number + 1;
        match self.synced.elapsed() < PLAYED_SYNC {
            true => Ok(()),
            false => self.sync(),
        }
    }

    /// Makes sure that all added replications are on disk.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// The file of a run that was stopped.
#[derive(Debug)]
pub struct PlayedFile {
    file: BufReader<File>,
    header: PlayedHeader,
    /// The byte offset of the first replication.
    start: u64,
    /// The byte offset after the last complete frame.
    end: u64,
    replications: u64,
}

impl PlayedFile {
    /// Opens a file and reads it to its end.
    ///
    /// # Errors
    /// Where it can't be read, or doesn't say what the run is.
    pub fn open(path: &Path) -> Result<Self, PlayedError> {
        let mut file = BufReader::new(File::open(path)?);
        let header = frames::read(&mut file)?.ok_or(PlayedError::NoHeader)?;
        let header = postcard::from_bytes(&header).map_err(|_| PlayedError::NoHeader)?;
        let start = file.stream_position()?;
        let (mut end, mut replications, mut latest) = (start, 0, Latest::new());
        while let Some(bytes) = frames::read(&mut file)? {
            match read(&bytes, &mut latest) {
                Some(replication) if replication.number == replications => {}
                _ => break,
            }
            replications += 1;
            end = file.stream_position()?;
        }
        Ok(Self {
            file,
            header,
            start,
            end,
            replications,
        })
    }

    /// The description of the run.
    #[must_use]
    pub fn header(&self) -> &PlayedHeader {
        &self.header
    }

    /// The number of replications in the file.
    #[must_use]
    pub fn replications(&self) -> u64 {
        self.replications
    }

    /// Writes the file of these replications in a run of another description.
    ///
    /// # Errors
    /// Where one can't be read or written.
    pub fn copy(self, header: &PlayedHeader, out: &mut dyn Write) -> io::Result<()> {
        let header = postcard::to_stdvec(header).map_err(io::Error::other)?;
        frames::write(out, &header)?;
        let mut latest = Latest::new();
        let mut played = self.played()?;
        for _ in 0..played.replications() {
            let replication = played.next().map_err(io::Error::other)?;
            write(&replication, &mut latest, out)?;
        }
        Ok(())
    }

    /// The replications played so far.
    fn played(mut self) -> io::Result<Played> {
        self.file.seek(SeekFrom::Start(self.start))?;
        let (mut file, mut latest) = (self.file, Latest::new());
        Ok(Played::new(self.replications, move || {
            let bytes = frames::read(&mut file)?;
            let read = bytes.and_then(|bytes| read(&bytes, &mut latest));
            read.ok_or(PlayedError::Changed)
        }))
    }

    /// Returns the replications played so far, and a writer that appends further ones. An
    /// incomplete last frame is cut off.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn go_on(self, path: &Path) -> io::Result<(Played, PlayedWriter)> {
        let (end, replications) = (self.end, self.replications);
        let played = self.played()?;
        let mut more = OpenOptions::new().write(true).open(path)?;
        more.set_len(end)?;
        more.seek(SeekFrom::End(0))?;
        Ok((played, PlayedWriter::to(more, replications)))
    }
}

/// The replications that were played before, from the first.
#[derive(Default)]
pub struct Played {
    replications: u64,
    next: Option<Box<Earlier>>,
    /// True if no more replications are to be played.
    are_all: bool,
}

/// Gives the next of the replications that were played before.
type Earlier = dyn FnMut() -> Result<Replication, PlayedError>;

impl Played {
    /// Makes the played replications from their number and a function that returns them one by one,
    /// in order.
    #[must_use]
    pub fn new(
        replications: u64,
        next: impl FnMut() -> Result<Replication, PlayedError> + 'static,
    ) -> Self {
        Self {
            replications,
            next: Some(Box::new(next)),
            are_all: false,
        }
    }

    /// Declares that no further replications are to be played.
    #[must_use]
    pub fn all(mut self) -> Self {
        self.are_all = true;
        self
    }

    /// Returns the number of replications to play in all, for a plan with at most `most`.
    pub(super) fn of(&self, most: u64) -> u64 {
        match self.are_all {
            true => self.replications.min(most),
            false => most,
        }
    }

    /// The number of replications.
    #[must_use]
    pub fn replications(&self) -> u64 {
        self.replications
    }

    /// Returns the next replication.
    ///
    /// # Errors
    /// Where it can't be read, or there is none.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Replication, PlayedError> {
        self.next
            .as_mut()
            .map_or(Err(PlayedError::Changed), |next| next())
    }

    /// Takes the first, and holds it against the same replication played again.
    pub(super) fn check_first(&mut self, again: &Replication) -> Result<(), PlayedError> {
        let first = self.next()?;
        match encoded(&first) == encoded(again) {
            true => Ok(()),
            false => Err(PlayedError::Differs),
        }
    }
}

fn encoded(replication: &Replication) -> Option<Vec<u8>> {
    postcard::to_stdvec(&PlayedReplication::of(replication, &mut Latest::new())).ok()
}

fn write(replication: &Replication, latest: &mut Latest, to: &mut dyn Write) -> io::Result<()> {
    let played = PlayedReplication::of(replication, latest);
    let bytes = postcard::to_stdvec(&played).map_err(io::Error::other)?;
    frames::write(to, &bytes)
}

fn read(bytes: &[u8], latest: &mut Latest) -> Option<Replication> {
    let played: PlayedReplication = postcard::from_bytes(bytes).ok()?;
    played.replication(latest)
}

#[cfg(test)]
mod tests;
