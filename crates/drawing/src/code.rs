//! Codes: the public names of respondents.

use std::collections::BTreeMap;

use super::hash::sha256_bytes;
use super::inputs::Inputs;
use kleroterion_core::protocol::Respondents;
use kleroterion_io::trace::Names;

/// The prefix of the hash that makes the key of the codes. The file of people follows it.
const DOMAIN: &[u8] = b"klero draw codes 1\n";

/// The code of each respondent: a hash of the id, keyed by the file of people. Anyone with the file
/// can compute all codes. Without it no one can guess an id from its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codes(Vec<String>);

impl Codes {
    /// Computes the codes of the people of some inputs.
    #[must_use]
    pub fn of(inputs: &Inputs, respondents: &Respondents) -> Self {
        let people = inputs.everyone().unwrap_or_default();
        let names = Names::hidden(sha256_bytes(&[DOMAIN, &people].concat()));
        let ids = respondents.names().iter();
        Self(ids.map(|id| names.called(id)).collect())
    }

    /// The code of a respondent.
    #[must_use]
    pub fn code(&self, respondent: u32) -> &str {
        &self.0[respondent as usize]
    }

    /// Returns all respondents by their codes.
    #[must_use]
    pub fn by_code(&self) -> BTreeMap<&str, u32> {
        self.0.iter().map(String::as_str).zip(0..).collect()
    }

    /// The codes of all respondents, in the order of the file.
    #[must_use]
    pub fn all(&self) -> &[String] {
        &self.0
    }
}
