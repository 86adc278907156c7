//! Consecutive replications, packed into few bytes.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::{Latest, PlayedReplication};
use crate::run::replication::Replication;
use kleroterion_io::record::MOST_WHOLE;

/// Consecutive replications to be packed.
#[derive(Default)]
pub struct Leaf {
    latest: Latest,
    played: Vec<PlayedReplication>,
}

impl Leaf {
    /// Adds the next replication.
    pub fn add(&mut self, replication: &Replication) {
        let played = PlayedReplication::of(replication, &mut self.latest);
        self.played.push(played);
    }

    /// Packs the replications into bytes.
    ///
    /// # Errors
    /// Where they can't be packed.
    pub fn pack(&self) -> io::Result<Vec<u8>> {
        let bytes = postcard::to_stdvec(&self.played).map_err(io::Error::other)?;
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&bytes)?;
        packed.finish()
    }

    /// Unpacks replications from bytes. `None` if the bytes are not those of a leaf.
    #[must_use]
    pub fn unpack(packed: &[u8]) -> Option<Vec<Replication>> {
        let mut bytes = Vec::new();
        let mut unpacked = DeflateDecoder::new(packed).take(MOST_WHOLE + 1);
        unpacked.read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > MOST_WHOLE {
            return None;
        }
        let played: Vec<PlayedReplication> = postcard::from_bytes(&bytes).ok()?;
        let mut latest = Latest::new();
        let each = played.into_iter();
        each.map(|played| played.replication(&mut latest)).collect()
    }
}
