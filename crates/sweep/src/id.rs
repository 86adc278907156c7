//! The ids and names of units.

use sha2::{Digest, Sha256};

/// The id of a unit in a plan: a leaf of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// The index of the point in the plan, from 0.
    pub point: u32,
    /// The number of the leaf in the point, from 0.
    pub leaf: u32,
}

impl UnitId {
    /// Returns the unit's name: a hash of the plan's id and of the unit's place in the plan. The
    /// plan's id is itself a hash of the resolved configs, the version and the build.
    #[must_use]
    pub fn name(self, plan: &str) -> String {
        hex(format!("{plan}/{}/{}", self.point, self.leaf).as_bytes())
    }
}

/// Returns the first 16 bytes of a text's SHA-256, in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let bytes = digest.iter().take(16);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
