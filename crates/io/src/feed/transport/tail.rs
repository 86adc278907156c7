//! Records from a file that grows: first its present content, then each addition. A file that is
//! truncated or replaced is read from its new start.

use std::collections::VecDeque;
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use async_trait::async_trait;
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use tracing::warn;

use super::carry::{Chunks, Ended, Feed, Why, carry, ended, stopped, unread};
use super::rotated::{FileIdentity, FollowedFiles, RotatedFiles, identity};
use crate::feed::courier::{Courier, Over};
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec};
use crate::limits::{MOST_REPLACED_FILES, READ_BYTES, TAIL_POLL};
use kleroterion_core::source::FeedError;

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
                sleep(TAIL_POLL / 10).await;
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
            before: VecDeque::new(),
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
    /// The files that others have replaced, the latest last.
    before: VecDeque<Replaced>,
}

impl Following {
    /// Reads until it is to stop.
    async fn all(&mut self, stop: &mut watch::Receiver<bool>) -> Result<Why, FeedError> {
        tokio::select! {
            () = stopped(stop) => return Ok(Why::Stopped),
            () = self.courier.untaken() => return Ok(Why::Over(Over::Untaken)),
            () = self.tail.begun() => {}
        }
        if let Some(why) = self.rotated(stop).await? {
            return Ok(why);
        }
        loop {
            let file = tokio::select! {
                () = stopped(stop) => return Ok(Why::Stopped),
                () = self.courier.untaken() => return Ok(Why::Over(Over::Untaken)),
                opened = appear(&self.tail.path) => {
                    opened.map_err(|error| self.tail.unopened(&error))?
                }
            };
            if let Some(why) = self.follow(file, stop).await? {
                return Ok(why);
            }
        }
    }

    /// Reads a file until another has taken its place; returns why the feed ends, if it does.
    async fn follow(
        &mut self,
        mut file: Followed,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<Why>, FeedError> {
        let noted = self.files.note(file.identity);
        noted.map_err(|error| self.tail.unremembered(&error))?;
        file.before = std::mem::take(&mut self.before);
        let mut decoder = self.tail.decoder();
        loop {
            let carried = carry(&mut file, &mut decoder, &mut self.courier, stop).await;
            match carried.map_err(unread)? {
                Why::End => {}
                why => return Ok(Some(why)),
            }
            if std::mem::take(&mut file.is_late) {
                for Replaced { file, decoder } in &mut file.before {
                    let carried = carry(file, decoder, &mut self.courier, stop).await;
                    match carried.map_err(unread)? {
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
                break;
            }
            file.rewind().await.map_err(unread)?;
        }
        let Followed { file, before, .. } = file;
        self.before = before;
        self.before.push_back(Replaced { file, decoder });
        if self.before.len() > MOST_REPLACED_FILES {
            self.before.pop_front();
        }
        Ok(None)
    }

    /// Reads the files that were rotated away while the run was stopped.
    async fn rotated(
        &mut self,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<Why>, FeedError> {
        let Some(memory) = &self.tail.memory else {
            return Ok(None);
        };
        let path = &self.tail.path;
        let found = FollowedFiles::of(memory.path.clone()).and_then(|files| {
            let rotated = files.rotated(path)?;
            Ok((files, rotated))
        });
        let (files, rotated) = found.map_err(|error| self.tail.unremembered(&error))?;
        self.files = files;
        if rotated.gone > 0 {
            warn!("{}", gone(path, &rotated));
        }
        for path in rotated.found {
            let opened = appear(&path).await;
            let mut file = opened.map_err(|error| self.tail.unopened(&error))?;
            file.replaced = true;
            if let Some(why) = self.follow(file, stop).await? {
                return Ok(Some(why));
            }
        }
        Ok(None)
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
                    file: ReadFile { file, position: 0 },
                    truncated: false,
                    replaced: false,
                    before: VecDeque::new(),
                    is_late: false,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => sleep(TAIL_POLL).await,
            Err(error) => return Err(error),
        }
    }
}

/// A file, and the number of bytes read of it.
struct ReadFile {
    file: File,
    position: u64,
}

impl ReadFile {
    /// Returns true if the file has grown beyond the part that was read.
    async fn has_grown(&self) -> io::Result<bool> {
        Ok(self.file.metadata().await?.len() > self.position)
    }
}

impl Chunks for ReadFile {
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.reserve(READ_BYTES);
        self.position += self.file.read_buf(buffer).await? as u64;
        Ok(())
    }
}

/// A file whose place another has taken. Its writer may have it open still.
struct Replaced {
    file: ReadFile,
    decoder: Decoder,
}

/// A file while it is the one that is followed.
struct Followed {
    path: PathBuf,
    file: ReadFile,
    identity: Option<FileIdentity>,
    truncated: bool,
    replaced: bool,
    /// The files that it has replaced, the latest last.
    before: VecDeque<Replaced>,
    /// True if one of the replaced files has grown.
    is_late: bool,
}

impl Followed {
    async fn rewind(&mut self) -> io::Result<()> {
        self.file.file.seek(SeekFrom::Start(0)).await?;
        (self.file.position, self.truncated) = (0, false);
        Ok(())
    }

    /// Checks if a replaced file has grown, if another file has taken the place, and if the file
    /// has become shorter.
    async fn look(&mut self) -> io::Result<()> {
        for Replaced { file, .. } in &self.before {
            self.is_late |= file.has_grown().await?;
        }
        let found = match fs::metadata(&self.path).await {
            Ok(found) => found,
            // Moved away: another may follow, and this one still grow.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        self.replaced = identity(&found) != self.identity;
        self.truncated = !self.replaced && found.len() < self.file.position;
        Ok(())
    }
}

impl Chunks for Followed {
    /// Reads the next bytes. Reads none if a replaced file has grown, or if the file was truncated,
    /// or replaced and read to its end.
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        loop {
            self.file.next(buffer).await?;
            if !buffer.is_empty() || self.replaced {
                return Ok(());
            }
            self.look().await?;
            if self.truncated || self.is_late {
                return Ok(());
            }
            // Of one that was replaced what came last is read first.
            if !self.replaced {
                sleep(TAIL_POLL).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
