//! The answer to a goal.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goal::{Meets, Tested};

/// The answer to a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalAnswer {
    /// The metric whose best value is sought.
    pub best: String,
    /// The constraints: metric and bound.
    #[serde(rename = "where", with = "in_order")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub bounds: Vec<(String, String)>,
    /// The result for each contender of all constraints together.
    #[serde(with = "in_order")]
    #[schemars(with = "BTreeMap<String, Meets>")]
    pub meets: Vec<(String, Meets)>,
    /// The best of those that surely meet all constraints, and those not surely different from it.
    pub answer: Vec<String>,
    /// The approximate number of further replications that settle the goal. Null if it is settled,
    /// or if no number can be given.
    pub needed: Option<u64>,
    /// True if more replications could change nothing but by error.
    pub settled: bool,
    /// Each contender's test of each constraint.
    pub tests: Vec<Tested>,
}

impl GoalAnswer {
    /// Returns true if a constraint's metric is a fact about whom one stream selected.
    pub(super) fn is_fact(&self, metric: &str) -> bool {
        let mut tests = self.tests.iter();
        tests.any(|test| test.metric == metric && test.is_fact())
    }

    /// Returns true if a policy fails a constraint by a fact about its one stream.
    pub(super) fn fails_a_fact(&self, label: &str) -> bool {
        let fails = |test: &&Tested| test.label == label && test.meets == Meets::SurelyNot;
        let mut failed = self.tests.iter().filter(fails);
        failed.clone().next().is_some() && failed.all(Tested::is_fact)
    }
}

/// A map in the order of its entries.
mod in_order {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<V: Serialize, S: Serializer>(
        entries: &[(String, V)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
    }

    pub(super) fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, V)>, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }

    struct Entries<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
        type Value = Vec<(String, V)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_and_contenders_are_read_back_in_their_order_and_only_from_objects() {
        let answer = GoalAnswer {
            best: "screened".into(),
            bounds: vec![("z".into(), "<= 1".into()), ("a".into(), ">= 2".into())],
            meets: vec![("q".into(), Meets::Open), ("b".into(), Meets::Surely)],
            answer: vec!["b".into()],
            needed: Some(3),
            settled: false,
            tests: Vec::new(),
        };
        let text = serde_json::to_string(&answer).expect("JSON");
        let bounds = r#""where":{"z":"<= 1","a":">= 2"}"#;
        assert!(text.contains(bounds), "{text}");
        assert!(
            text.contains(r#""meets":{"q":"open","b":"surely"}"#),
            "{text}"
        );
        let back: GoalAnswer = serde_json::from_str(&text).expect("an answer");
        assert_eq!(back, answer);
        let list = text.replace(bounds, r#""where":["z","a"]"#);
        let error = serde_json::from_str::<GoalAnswer>(&list).expect_err("a list is none");
        let error = error.to_string();
        assert!(
            error.starts_with("invalid type: sequence, expected an object"),
            "{error}"
        );
    }
}
