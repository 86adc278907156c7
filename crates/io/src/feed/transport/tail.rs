//! Records from a file that grows: first its present content, then each addition. A file that is
//! truncated or replaced is read from its new start.

use std::collections::VecDeque;
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use async_trait::async_trait;
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use tracing::warn;

use super::carry::{CHUNK, Chunks, Ended, Feed, Why, carry, ended, stopped, unread};
use super::rotated::{FileIdentity, FollowedFiles, RotatedFiles, identity};
use crate::feed::courier::{Courier, Over};
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec};
use kleroterion_core::source::FeedError;

/// The time between two looks at the file.
const POLL: Duration = Duration::from_millis(250);

/// The most replaced files that are still read for late lines.
const BEFORE: usize = 8;

/// The file in a run's folder that lists the files its feed has followed.
pub const FOLLOWED: &str = "journal.followed";

/// A feed from a file that is followed.
///
/// A line is taken once its end of line is there, or once the file has been replaced. A file that
/// was replaced is read on, because its writer may have it open still. A file that is cut off and
/// has grown beyond its old length before it is looked at again can't be distinguished from one
/// that grew.
pub struct Tail {
    path: PathBuf,
    spec: FeedSpec,
    numbers: Arc<AtomicU64>,
    memory: Option<FollowedMemory>,
}

/// The place in a run's folder where the list of followed files is kept.
#[derive(Clone, Debug)]
pub struct FollowedMemory {
    /// The path of the list.
    pub path: PathBuf,
    /// A file that must exist before the list is written; it shows that the folder belongs to the
    /// run.
    pub after: PathBuf,
}

impl Tail {
    /// Creates a feed from a file, which may not exist yet; `numbers` counts the records that have
    /// come before.
    #[must_use]
    pub fn new(path: PathBuf, spec: &FeedSpec, numbers: Arc<AtomicU64>) -> Self {
        Self {
            path,
            spec: spec.clone(),
            numbers,
            memory: None,
        }
    }

    /// Returns the same feed with a list of the files that it follows. It first reads the listed
    /// files that have been rotated away.
    #[must_use]
    pub fn remembering(self, memory: Option<FollowedMemory>) -> Self {
        Self { memory, ..self }
    }

    fn decoder(&self) -> Decoder {
        Decoder::new(&self.spec, Arc::clone(&self.numbers), 1)
    }

    fn unopened(&self, error: &io::Error) -> FeedError {
        FeedError(format!("{} can't be opened: {error}", self.path.display()))
    }

    fn unremembered(&self, error: &io::Error) -> FeedError {
        let path = self.memory.as_ref().map(|memory| &memory.path);
        let path = path.unwrap_or(&self.path).display();
        FeedError(format!(
            "{path}: the files that are followed can't be noted: {error}"
        ))
    }

    /// Waits until the folder belongs to the run.
    async fn begun(&self) {
        if let Some(memory) = &self.memory {
            while !memory.after.exists() {
                sleep(POLL / 10).await;
            }
        }
    }
}

#[async_trait]
impl Feed for Tail {
    async fn run(
        self: Box<Self>,
        deliveries: mpsc::Sender<Delivery>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Ended, FeedError> {
        let mut following = Following {
            courier: Courier::new(deliveries, self.spec.on_error),
            files: FollowedFiles::default(),
            tail: *self,
        };
        match following.all(&mut stop).await? {
            Why::Over(over) => ended(Err(over), Ended::Source),
            Why::Stopped | Why::End => ended(following.courier.settle().await, Ended::Stopped),
        }
    }
}

/// A feed that follows a file.
struct Following {
    tail: Tail,
    courier: Courier,
    files: FollowedFiles,
}

impl Following {
    /// Reads until it is to stop.
    async fn all(&mut self, stop: &mut watch::Receiver<bool>) -> Result<Why, FeedError> {
        tokio::select! {
            () = stopped(stop) => return Ok(Why::Stopped),
            () = self.courier.untaken() => return Ok(Why::Over(Over::Untaken)),
            () = self.tail.begun() => {}
        }
        let mut before = match self.rotated(stop).await? {
            Ok(before) => before,
            Err(why) => return Ok(why),
        };
        loop {
            let mut file = tokio::select! {
                () = stopped(stop) => return Ok(Why::Stopped),
                () = self.courier.untaken() => return Ok(Why::Over(Over::Untaken)),
                opened = appear(&self.tail.path) => {
                    opened.map_err(|error| self.tail.unopened(&error))?
                }
            };
            let noted = self.files.note(file.identity);
            noted.map_err(|error| self.tail.unremembered(&error))?;
            file.before = before;
            let mut decoder = self.tail.decoder();
            if let Some(why) = self.follow(&mut file, &mut decoder, stop).await? {
                return Ok(why);
            }
            before = file.before;
            before.push_back(Replaced {
                file: file.file,
                position: file.position,
                decoder,
            });
            if before.len() > BEFORE {
                before.pop_front();
            }
        }
    }

    /// Reads a file until another has taken its place.
    async fn follow(
        &mut self,
        file: &mut Followed,
        decoder: &mut Decoder,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<Why>, FeedError> {
        loop {
            let carried = carry(file, decoder, &mut self.courier, stop).await;
            match carried.map_err(unread)? {
                Why::End => {}
                why => return Ok(Some(why)),
            }
            if file.is_late {
                file.is_late = false;
                for late in &mut file.before {
                    let read = late.read_on(&mut self.courier, stop).await;
                    match read.map_err(unread)? {
                        Why::End => {}
                        why => return Ok(Some(why)),
                    }
                }
                continue;
            }
            // Its last line can't grow any more.
            let mut items = Vec::new();
            match file.truncated {
                true => decoder.finish(|_, item| items.push(item)),
                false => decoder.end(|_, item| items.push(item)),
            }
            let handed = self.courier.hand(&mut items, decoder.take_left_out());
            if let Err(over) = handed.await {
                return Ok(Some(Why::Over(over)));
            }
            if !file.truncated {
                return Ok(None);
            }
            file.rewind().await.map_err(unread)?;
        }
    }

    /// Reads the files that were rotated away while the run was stopped.
    async fn rotated(
        &mut self,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Result<VecDeque<Replaced>, Why>, FeedError> {
        let Some(memory) = &self.tail.memory else {
            return Ok(Ok(VecDeque::new()));
        };
        let path = self.tail.path.clone();
        let found = FollowedFiles::of(memory.path.clone()).and_then(|files| {
            let rotated = files.rotated(&path)?;
            Ok((files, rotated))
        });
        let (files, rotated) = found.map_err(|error| self.tail.unremembered(&error))?;
        self.files = files;
        if rotated.gone > 0 {
            warn!("{}", gone(&path, &rotated));
        }
        let mut before = VecDeque::new();
        for path in rotated.found {
            let opened = appear(&path).await;
            let mut file = opened.map_err(|error| self.tail.unopened(&error))?;
            let noted = self.files.note(file.identity);
            noted.map_err(|error| self.tail.unremembered(&error))?;
            file.replaced = true;
            let mut decoder = self.tail.decoder();
            if let Some(why) = self.follow(&mut file, &mut decoder, stop).await? {
                return Ok(Err(why));
            }
            before.push_back(Replaced {
                file: file.file,
                position: file.position,
                decoder,
            });
            if before.len() > BEFORE {
                before.pop_front();
            }
        }
        Ok(Ok(before))
    }
}

/// Builds the warning about followed files that are gone.
fn gone(path: &Path, rotated: &RotatedFiles) -> String {
    let path = path.display();
    let (files, them, last) = match rotated.gone {
        1 => (
            format!("1 file that was followed as {path} before is"),
            "it",
            "it",
        ),
        many => (
            format!("{many} files that were followed as {path} before are"),
            "them",
            "the last of them",
        ),
    };
    let what = if rotated.last_is_gone {
        format!("records that were written to {last} after the run was stopped are not read")
    } else {
        format!("new people without ids of their own may be taken for those of {them}")
    };
    format!(
        "{files} no longer in its folder: {what}. Put {them} there again, unpacked, under any \
         name, and resume once more"
    )
}

/// Waits until the file is there.
async fn appear(path: &Path) -> io::Result<Followed> {
    loop {
        match File::open(path).await {
            Ok(file) => {
                return Ok(Followed {
                    identity: identity(&file.metadata().await?),
                    path: path.to_owned(),
                    file,
                    position: 0,
                    truncated: false,
                    replaced: false,
                    before: VecDeque::new(),
                    is_late: false,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => sleep(POLL).await,
            Err(error) => return Err(error),
        }
    }
}

/// A file whose place another has taken. Its writer may have it open still.
struct Replaced {
    file: File,
    position: u64,
    decoder: Decoder,
}

/// A reader of the lines that were written to a file after another took its place.
struct Late<'a> {
    file: &'a mut File,
    position: &'a mut u64,
}

impl Replaced {
    /// Returns true if the file has grown beyond the part that was read.
    async fn has_grown(&self) -> io::Result<bool> {
        Ok(self.file.metadata().await?.len() > self.position)
    }

    async fn read_on(
        &mut self,
        courier: &mut Courier,
        stop: &mut watch::Receiver<bool>,
    ) -> io::Result<Why> {
        let mut late = Late {
            file: &mut self.file,
            position: &mut self.position,
        };
        carry(&mut late, &mut self.decoder, courier, stop).await
    }
}

impl Chunks for Late<'_> {
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.reserve(CHUNK);
        *self.position += self.file.read_buf(buffer).await? as u64;
        Ok(())
    }
}

/// A file while it is the one that is followed.
struct Followed {
    path: PathBuf,
    file: File,
    identity: Option<FileIdentity>,
    position: u64,
    truncated: bool,
    replaced: bool,
    /// The files that it has replaced, the latest last.
    before: VecDeque<Replaced>,
    /// True if one of the replaced files has grown.
    is_late: bool,
}

impl Followed {
    async fn rewind(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0)).await?;
        (self.position, self.truncated) = (0, false);
        Ok(())
    }

    /// Checks if a replaced file has grown, if another file has taken the place, and if the file
    /// has become shorter.
    async fn look(&mut self) -> io::Result<()> {
        for before in &self.before {
            self.is_late |= before.has_grown().await?;
        }
        let found = match fs::metadata(&self.path).await {
            Ok(found) => found,
            // Moved away: another may follow, and this one still grow.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        self.replaced = identity(&found) != self.identity;
        self.truncated = !self.replaced && found.len() < self.position;
        Ok(())
    }
}

impl Chunks for Followed {
    /// Reads the next bytes. Reads none if a replaced file has grown, or if the file was truncated,
    /// or replaced and read to its end.
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        loop {
            buffer.reserve(CHUNK);
            let read = self.file.read_buf(buffer).await?;
            self.position += read as u64;
            if read > 0 || self.replaced {
                return Ok(());
            }
            self.look().await?;
            if self.truncated || self.is_late {
                return Ok(());
            }
            // Of one that was replaced what came last is read first.
            if !self.replaced {
                sleep(POLL).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
