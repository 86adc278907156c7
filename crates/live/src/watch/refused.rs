//! The first refused records: the reasons, without the records' own words.

use kleroterion_io::feed::reason::{seems_a_row, seems_an_object, without_words};
use kleroterion_io::feed::{Codec, Reading, RefusedRecord};

use crate::limits::MOST_REASONS;

/// The reasons of the first refused records, and counts of the form of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstRefused {
    /// The line and the reason of each, without the words of the record; at most three.
    pub reasons: Vec<(u64, String)>,
    many: u64,
    rows: u64,
    objects: u64,
}

impl FirstRefused {
    /// Notes a refused record.
    pub fn note(&mut self, refused: &RefusedRecord, reading: Option<&Reading>) {
        self.many += 1;
        self.rows += u64::from(seems_a_row(&refused.record));
        self.objects += u64::from(seems_an_object(&refused.record));
        if self.reasons.len() < MOST_REASONS {
            let known = |name: &str| reading.is_some_and(|reading| is_known(reading, name));
            let reason = without_words(&refused.error, known);
            self.reasons.push((refused.line, reason));
        }
    }

    /// Returns the name of the other codec, if all refused records look like records of that codec.
    #[must_use]
    pub fn other_codec(&self, codec: &Codec) -> Option<&'static str> {
        match codec {
            _ if self.many == 0 => None,
            Codec::Json => (self.rows == self.many).then_some("csv"),
            Codec::Csv { .. } => (self.objects == self.many).then_some("json"),
        }
    }
}

/// Returns true if a name is from the config or from Kleroterion, so that it reveals nothing of the
/// record.
fn is_known(reading: &Reading, name: &str) -> bool {
    let spec = reading.spec();
    let mut attributes = spec.attributes.iter().map(|attribute| &*attribute.name);
    attributes.any(|known| known == name)
        || spec.columns().any(|known| known == name)
        || spec.id.as_deref() == Some(name)
        || ["id", "data", "source", "specversion", "data_base64"].contains(&name)
}
