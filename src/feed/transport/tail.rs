//! Records from a file that grows: what is there, then what is appended. Where it is truncated or
//! replaced, from its new start.

use std::fs::Metadata;
use std::io::{self, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use async_trait::async_trait;
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::carry::{CHUNK, Chunks, Ended, Feed, Why, carry, ended, stopped, unread};
use crate::feed::courier::Courier;
use crate::feed::decoder::Decoder;
use crate::feed::{Delivery, FeedSpec};
use crate::source::FeedError;

/// So often the file is looked at.
const POLL: Duration = Duration::from_millis(250);

/// A feed from a file that is followed.
///
/// A line is taken once its end of line is there, or once the file has been replaced. A file that
/// is cut off and has grown beyond its old length before it is looked at again can't be
/// distinguished from one that grew.
pub struct Tail {
    path: PathBuf,
    spec: FeedSpec,
    numbers: Arc<AtomicU64>,
}

impl Tail {
    /// A feed from this file, which may come into being later; `numbers`: how many records have
    /// come before.
    #[must_use]
    pub fn new(path: PathBuf, spec: &FeedSpec, numbers: Arc<AtomicU64>) -> Self {
        Self {
            path,
            spec: spec.clone(),
            numbers,
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
        let mut decoder = Decoder::new(&self.spec, Arc::clone(&self.numbers), 1);
        let mut courier = Courier::new(deliveries, self.spec.on_error);
        let mut file: Option<Followed> = None;
        loop {
            let mut growing = match file.take() {
                Some(file) => file,
                None => tokio::select! {
                    () = stopped(&mut stop) => return ended(courier.settle().await, Ended::Stopped),
                    () = courier.untaken() => return Ok(Ended::Untaken),
                    opened = appear(&self.path) => opened.map_err(|error| self.unopened(&error))?,
                },
            };
            let carried = carry(&mut growing, &mut decoder, &mut courier, &mut stop).await;
            match carried.map_err(unread)? {
                Why::Stopped => return ended(courier.settle().await, Ended::Stopped),
                Why::Over(over) => return ended(Err(over), Ended::Source),
                // Its last line can't grow any more.
                Why::End => {
                    let mut items = Vec::new();
                    decoder.finish(|_, item| items.push(item));
                    if let Err(over) = courier.hand(&mut items, decoder.take_left_out()).await {
                        return ended(Err(over), Ended::Source);
                    }
                    if growing.truncated {
                        growing.rewind().await.map_err(unread)?;
                        file = Some(growing);
                    }
                }
            }
        }
    }
}

impl Tail {
    fn unopened(&self, error: &io::Error) -> FeedError {
        FeedError(format!("{} can't be opened: {error}", self.path.display()))
    }
}

/// Waits until the file is there.
async fn appear(path: &PathBuf) -> io::Result<Followed> {
    loop {
        match File::open(path).await {
            Ok(file) => {
                return Ok(Followed {
                    identity: identity(&file.metadata().await?),
                    path: path.clone(),
                    file,
                    position: 0,
                    truncated: false,
                    replaced: false,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => sleep(POLL).await,
            Err(error) => return Err(error),
        }
    }
}

/// A file while it is the one that is followed.
struct Followed {
    path: PathBuf,
    file: File,
    /// Its identity, which another file of its name has not.
    identity: Option<(u64, u64)>,
    position: u64,
    truncated: bool,
    replaced: bool,
}

impl Followed {
    async fn rewind(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0)).await?;
        (self.position, self.truncated) = (0, false);
        Ok(())
    }

    /// Looks whether another file has taken its place, or it has become shorter than what was read
    /// of it.
    async fn look(&mut self) -> io::Result<()> {
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
    /// Nothing where the file has been truncated, or replaced and read to its end.
    async fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<()> {
        loop {
            buffer.reserve(CHUNK);
            let read = self.file.read_buf(buffer).await?;
            self.position += read as u64;
            if read > 0 || self.replaced {
                return Ok(());
            }
            self.look().await?;
            if self.truncated {
                return Ok(());
            }
            // Of one that was replaced what came last is read first.
            if !self.replaced {
                sleep(POLL).await;
            }
        }
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// Elsewhere a file that replaced another is known by being shorter.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}
