//! Names that two things of a run would share.

use std::collections::BTreeMap;

use crate::document::Field;
use kleroterion_core::protocol::Schema;

/// Notes attributes and values, or features, that results would call by one name.
pub(super) fn check(schema: &Schema, source: &Field<'_>) {
    let mut met: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for attribute in schema.attributes() {
        for value in &attribute.values {
            let own = (attribute.name.as_str(), value.as_str());
            let name = format!("{}:{}", own.0, own.1);
            let Some(other) = met.insert(name.clone(), own) else {
                continue;
            };
            let (what, help) = if other == own {
                (
                    format!("the attribute {} has the value {} twice", own.0, own.1),
                    format!("rename one value of {}", own.0),
                )
            } else {
                (
                    format!(
                        "results would call two things `{name}`: the value {} of the attribute {}, and the value {} of the attribute {}",
                        other.1, other.0, own.1, own.0
                    ),
                    format!(
                        "rename one of them: write {:?} or {:?} without the colon",
                        if other.1.contains(':') {
                            other.1
                        } else {
                            other.0
                        },
                        if own.0.contains(':') { own.0 } else { own.1 },
                    ),
                )
            };
            source.refuse(what, help);
        }
    }
    let mut features: BTreeMap<&str, ()> = BTreeMap::new();
    for feature in schema.features() {
        if features.insert(feature, ()).is_some() {
            source.refuse(
                format!("two features have the name `{feature}`"),
                "rename the column of one, or leave it out of [source.features]",
            );
        }
    }
}
