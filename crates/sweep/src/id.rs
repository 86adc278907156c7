//! The name of a unit.

use sha2::{Digest, Sha256};

/// A unit of a plan: a leaf of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// The place of the point in the plan.
    pub point: u32,
    /// The number of the leaf in the point, from 0.
    pub leaf: u32,
}

impl UnitId {
    /// The name of the unit: a hash of its plan and of what it is in it. `plan` is the plan's id, a
    /// hash of the resolved configs, the version and the build.
    #[must_use]
    pub fn name(self, plan: &str) -> String {
        hex(format!("{plan}/{}/{}", self.point, self.leaf).as_bytes())
    }
}

/// The first 16 bytes of a text's SHA-256, in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let bytes = digest.iter().take(16);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
