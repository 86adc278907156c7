//! The facts that a second draw needs of the draws before it.

use serde::{Deserialize, Serialize};

use super::hash::sha256;
use super::inputs::{EARLIER, Inputs};
use super::seed::Randomness;
use kleroterion_core::problem::Problem;
use kleroterion_io::record::outside;

/// The facts on the draws before a second one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// The SHA-256 of the randomness of each earlier draw, the first draw's first.
    pub randomness: Vec<String>,
    /// The ids of the members after the last draw.
    pub members: Vec<String>,
    /// The ids of its alternates, in order. `None` for folders of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternates: Option<Vec<String>>,
    /// The SHA-256 of the last draw's file of people. `None` for folders of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<String>,
}

impl Earlier {
    /// Refuses randomness that decided an earlier draw.
    ///
    /// # Errors
    /// Where it is not fresh.
    pub fn refuse_repeated(&self, randomness: &Randomness) -> Result<(), Problem> {
        if !self.randomness.contains(&randomness.sha256()) {
            return Ok(());
        }
        let what = "this randomness decided an earlier draw of the panel";
        let help = "each draw needs fresh randomness: name and wait for another";
        Err(Problem::of_request(what).help(help))
    }

    /// Returns true if both describe the same draw, as far as both know it.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let people = self.people.as_ref().zip(other.people.as_ref());
        let alternates = self.alternates.as_ref().zip(other.alternates.as_ref());
        (&self.randomness, &self.members) == (&other.randomness, &other.members)
            && people.is_none_or(|(people, others)| people == others)
            && alternates.is_none_or(|(alternates, others)| alternates == others)
    }

    /// Returns true if the earlier draw was made from a file other than `people`, as far as that is
    /// known.
    pub(super) fn is_of_others(&self, people: Option<&[u8]>) -> bool {
        let known = self.people.as_ref().zip(people);
        known.is_some_and(|(known, people)| *known != sha256(people))
    }

    /// Returns the facts on earlier draws among some inputs. `None` if the inputs are those of a
    /// first draw.
    ///
    /// # Errors
    /// Where the file is damaged.
    pub fn of(inputs: &Inputs) -> Result<Option<Self>, Problem> {
        let Some(bytes) = inputs.files.get(EARLIER) else {
            return Ok(None);
        };
        outside::read(bytes).map(Some).map_err(|error| {
            let what = format!("{EARLIER} among the inputs is damaged: {error}");
            Problem::of_request(what).help("make the second draw again from the first one's folder")
        })
    }
}
