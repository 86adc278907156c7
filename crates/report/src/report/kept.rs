//! Files that keep computed results: the parameters, the result, and a checksum.

use std::io::ErrorKind;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::files::Folder;
use kleroterion_core::problem::Problem;
use kleroterion_io::record::{MOST_WHOLE, read_whole};
use kleroterion_policies::pool::optimal::fnv;

/// A computed result in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept<T> {
    /// The parameters that it was computed for. A reader compares them with its own.
    parameters: Value,
    /// The checksum of the result's text.
    sum: String,
    /// The result.
    pub(super) plan: T,
}

impl<T: Serialize + DeserializeOwned> Kept<T> {
    /// Wraps the result for some parameters.
    pub(super) fn new(parameters: Value, plan: T) -> Self {
        let sum = sum(&plan);
        Self {
            parameters,
            sum,
            plan,
        }
    }

    /// Returns the content of a file, or `None` if there is no file. `what` is the noun in
    /// messages.
    ///
    /// # Errors
    /// The reason why the file can't be used.
    pub(super) fn read(path: &Path, due: &Value, what: &str) -> Result<Option<Self>, String> {
        let bytes = match read_whole(path, MOST_WHOLE) {
            Ok(bytes) => bytes,
            Err(error)
                if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(format!("cannot be read: {error}")),
        };
        let kept: Self = serde_json::from_slice(&bytes)
            .map_err(|error| format!("is not whole or not a {what}: {error}"))?;
        match kept.parameters == *due {
            true => Ok(Some(kept)),
            false => Err("is for other parameters".into()),
        }
    }

    /// Returns true if the result is unchanged since it was written.
    pub(super) fn is_as_written(&self) -> bool {
        self.sum == sum(&self.plan)
    }

    /// Writes it whole or not at all.
    pub(super) fn write(&self, folder: &Folder, name: &str) -> Result<(), Problem> {
        // A lottery counts kinds of people, and few are of some.
        folder.write_own(name, |out| {
            serde_json::to_writer(&mut *out, self)?;
            writeln!(out)
        })
    }
}

/// The name of the file for some parameters, by their hash.
pub(super) fn name(key: u64) -> String {
    format!("{key:016x}.json")
}

/// A checksum of a text, which is the same whenever the numbers are.
fn sum(plan: &impl Serialize) -> String {
    // Finite numbers in fields: this can't fail.
    let text = serde_json::to_string(plan).unwrap_or_default();
    format!("{:016x}", fnv(text.bytes()))
}
