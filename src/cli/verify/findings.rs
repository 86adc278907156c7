//! What was found of a lottery, check by check.

use serde_json::{Map, Value};

use kleroterion::report::plain;

/// The lines of one check shown at most.
const LINES: usize = 20;

/// What was checked, in order.
pub(super) struct Findings {
    findings: Vec<Finding>,
    /// More members of the object for programs.
    members: Map<String, Value>,
}

/// One check.
struct Finding {
    what: String,
    /// What does not hold; nothing where all does.
    refuted: Vec<String>,
}

impl Findings {
    /// Nothing checked yet.
    pub(super) fn new() -> Self {
        Self {
            findings: Vec::new(),
            members: Map::new(),
        }
    }

    /// Notes a check: what holds, or what does not.
    pub(super) fn add(&mut self, what: impl Into<String>, refuted: Vec<String>) {
        let what = what.into();
        self.findings.push(Finding { what, refuted });
    }

    /// Adds a member of the object for programs.
    pub(super) fn member(&mut self, name: &str, value: impl Into<Value>) {
        self.members.insert(name.to_owned(), value.into());
    }

    /// How many checks there were.
    pub(super) fn all(&self) -> usize {
        self.findings.len()
    }

    /// How many of them do not hold.
    pub(super) fn refuted(&self) -> usize {
        let refuted = self.findings.iter();
        refuted
            .filter(|finding| !finding.refuted.is_empty())
            .count()
    }

    /// A line a check, and under those that do not hold why.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let word = if finding.refuted.is_empty() {
                "ok"
            } else {
                "NO"
            };
            text += &format!("{word}  {}\n", plain(&finding.what));
            for line in finding.refuted.iter().take(LINES) {
                text += &format!("    {}\n", plain(line));
            }
            let more = finding.refuted.len().saturating_sub(LINES);
            if more > 0 {
                text += &format!("    and {more} more\n");
            }
        }
        text
    }

    /// The same as an object, whole.
    pub(super) fn json(&self) -> String {
        let mut object = self.members.clone();
        let checks = self.findings.iter().map(|finding| {
            serde_json::json!({
                "check": finding.what,
                "holds": finding.refuted.is_empty(),
                "refuted": finding.refuted,
            })
        });
        object.insert("checks".into(), checks.collect());
        format!("{:#}\n", Value::Object(object))
    }
}
