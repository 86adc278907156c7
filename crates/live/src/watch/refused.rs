//! The first records that were refused: why, without their words.

use kleroterion_io::feed::reason::{seems_a_row, seems_an_object, without_words};
use kleroterion_io::feed::{Codec, Reading, RefusedRecord};

/// The most reasons kept.
const REASONS: usize = 3;

/// What was wrong with the first records that were refused, and how all of them looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstRefused {
    /// The line and the reason, without the words of the record; at most three.
    pub reasons: Vec<(u64, String)>,
    many: u64,
    rows: u64,
    objects: u64,
}

impl FirstRefused {
    /// Notes a record that can't be read so.
    pub fn note(&mut self, refused: &RefusedRecord, reading: Option<&Reading>) {
        self.many += 1;
        self.rows += u64::from(seems_a_row(&refused.record));
        self.objects += u64::from(seems_an_object(&refused.record));
        if self.reasons.len() < REASONS {
            let known = |name: &str| reading.is_some_and(|reading| is_known(reading, name));
            let reason = without_words(&refused.error, known);
            self.reasons.push((refused.line, reason));
        }
    }

    /// What the records seem to be, where all look like what another codec reads: its name.
    #[must_use]
    pub fn other_codec(&self, codec: &Codec) -> Option<&'static str> {
        match codec {
            _ if self.many == 0 => None,
            Codec::Json => (self.rows == self.many).then_some("csv"),
            Codec::Csv { .. } => (self.objects == self.many).then_some("json"),
        }
    }
}

/// Whether a name is the config's or our own, not the record's.
fn is_known(reading: &Reading, name: &str) -> bool {
    let spec = reading.spec();
    let mut attributes = spec.attributes.iter().map(|attribute| &*attribute.name);
    attributes.any(|known| known == name)
        || spec.columns().any(|known| known == name)
        || spec.id.as_deref() == Some(name)
        || ["id", "data", "source", "specversion", "data_base64"].contains(&name)
}
