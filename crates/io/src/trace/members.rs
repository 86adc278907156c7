//! Named values as one JSON object, in their given order.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::seat::wire::Named;

/// Writes named values as one object, in their order.
pub(super) fn serialize<T: Serialize, S: Serializer>(
    members: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
}

/// The members of an object, in their order.
pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    Named::deserialize(deserializer).map(|Named(members)| members)
}
