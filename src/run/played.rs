//! The replications of a run that were played, in a file: a run that was killed goes on from them.
//!
//! The file is only appended to. It is a list of frames: the length of what is in them, its hash,
//! and that. The first says what the run is. A frame that is not whole ends the file: it was being
//! written when the process or the machine stopped.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::curve::LaneCurve;
use super::error::PlayedError;
use super::replication::Replication;
use crate::compare::RoundEvidence;
use crate::protocol::Ending;
use crate::score::{LaneResult, Layout, MetricAt};

/// How long what was played may wait for the disk.
const A_WHILE: Duration = Duration::from_secs(1);

/// The bytes of a hash: of SHA-256, the first.
const HASH: usize = 16;

/// The most bytes that a frame is taken to have.
const MOST: u32 = 1 << 30;

/// What a run is: the first frame of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedHeader {
    /// The version that played it.
    pub version: String,
    /// The config of each of its runs: one, or those of a sweep.
    pub configs: Vec<String>,
    /// The options of the command that began it, as that command reads them.
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
    /// The places of its values; none where they are those of its policy's lane before.
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

    /// The replication; none where the frame is none that [`PlayedReplication::of`] makes.
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

/// Writes replications as they were played.
#[derive(Debug)]
pub struct PlayedWriter {
    file: BufWriter<File>,
    latest: Latest,
    /// The number of the next replication that the file has not.
    next: u64,
    synced: Instant,
}

impl PlayedWriter {
    /// A new file of a run. Its user alone can read it: it holds the key of hidden names.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn create(path: &Path, header: &PlayedHeader) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let mut writer = Self::to(options.open(path)?, 0);
        let header = postcard::to_stdvec(header).map_err(io::Error::other)?;
        writer.frame(&header)?;
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

    /// Appends a replication, where the file has it not. It is on the disk a second later at the
    /// latest, or once the next one is added after that.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn add(&mut self, replication: &Replication) -> io::Result<()> {
        if replication.number < self.next {
            return Ok(());
        }
        let played = PlayedReplication::of(replication, &mut self.latest);
        let bytes = postcard::to_stdvec(&played).map_err(io::Error::other)?;
        self.frame(&bytes)?;
        self.next = replication.number + 1;
        match self.synced.elapsed() < A_WHILE {
            true => Ok(()),
            false => self.sync(),
        }
    }

    fn frame(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = u32::try_from(bytes.len())
            .ok()
            .filter(|length| *length <= MOST);
        let length =
            length.ok_or_else(|| io::Error::other("a replication is too large to keep"))?;
        self.file.write_all(&length.to_le_bytes())?;
        self.file.write_all(&hash(bytes))?;
        self.file.write_all(bytes)
    }

    /// Has all that was added on the disk.
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

fn hash(bytes: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(&Sha256::digest(bytes)[..HASH]);
    hash
}

/// The file of a run that was stopped.
#[derive(Debug)]
pub struct PlayedFile {
    file: BufReader<File>,
    header: PlayedHeader,
    /// Where its replications begin.
    start: u64,
    /// Where the last whole frame ends.
    end: u64,
    replications: u64,
}

impl PlayedFile {
    /// Reads a file through.
    ///
    /// # Errors
    /// Where it can't be read, or doesn't say what the run is.
    pub fn open(path: &Path) -> Result<Self, PlayedError> {
        let mut file = BufReader::new(File::open(path)?);
        let header = frame(&mut file)?.ok_or(PlayedError::NoHeader)?;
        let header = postcard::from_bytes(&header).map_err(|_| PlayedError::NoHeader)?;
        let start = file.stream_position()?;
        let (mut end, mut replications, mut latest) = (start, 0, Latest::new());
        while let Some(bytes) = frame(&mut file)? {
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

    /// What the run is.
    #[must_use]
    pub fn header(&self) -> &PlayedHeader {
        &self.header
    }

    /// How many replications it has.
    #[must_use]
    pub fn replications(&self) -> u64 {
        self.replications
    }

    /// What was played, and the file to which more is appended. What is not whole is cut off.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn go_on(mut self, path: &Path) -> io::Result<(Played, PlayedWriter)> {
        self.file.seek(SeekFrom::Start(self.start))?;
        let played = Played {
            file: Some(self.file),
            latest: Latest::new(),
            replications: self.replications,
        };
        let mut more = OpenOptions::new().write(true).open(path)?;
        more.set_len(self.end)?;
        more.seek(SeekFrom::End(0))?;
        Ok((played, PlayedWriter::to(more, self.replications)))
    }
}

/// The replications that were played before, from the first.
#[derive(Debug, Default)]
pub struct Played {
    file: Option<BufReader<File>>,
    latest: Latest,
    replications: u64,
}

impl Played {
    /// How many there are.
    pub(super) fn replications(&self) -> u64 {
        self.replications
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Result<Replication, PlayedError> {
        let bytes = match &mut self.file {
            Some(file) => frame(file)?,
            None => None,
        };
        let read = bytes.and_then(|bytes| read(&bytes, &mut self.latest));
        read.ok_or_else(|| io::Error::other("the file changed while it was read").into())
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

fn read(bytes: &[u8], latest: &mut Latest) -> Option<Replication> {
    let played: PlayedReplication = postcard::from_bytes(bytes).ok()?;
    played.replication(latest)
}

/// What is in the next frame; none where no whole one follows.
fn frame(file: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4 + HASH];
    if !is_filled(file, &mut head)? {
        return Ok(None);
    }
    let (length, known) = head.split_at(4);
    let length = length.try_into().map_or(u32::MAX, u32::from_le_bytes);
    if length > MOST {
        return Ok(None);
    }
    // No more is taken than is there, whatever a damaged length says.
    let mut bytes = Vec::new();
    file.take(u64::from(length)).read_to_end(&mut bytes)?;
    Ok((bytes.len() == length as usize && hash(&bytes) == known).then_some(bytes))
}

/// Whether there was enough to fill it.
fn is_filled(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

#[cfg(test)]
mod tests;
