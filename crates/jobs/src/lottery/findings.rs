//! The findings about a lottery, check by check.

use serde_json::{Map, Value};

use kleroterion_report::report::plain;

/// The most lines shown of one check.
const LINES: usize = 20;

/// The checks made, in order.
pub struct LotteryFindings {
    findings: Vec<Finding>,
    /// Further members of the object for programs.
    members: Map<String, Value>,
}

/// One check.
struct Finding {
    what: String,
    /// The statements that do not hold; empty if all do.
    refuted: Vec<String>,
}

impl LotteryFindings {
    /// Creates findings without checks.
    pub(super) fn new() -> Self {
        Self {
            findings: Vec::new(),
            members: Map::new(),
        }
    }

    /// Adds a check: the statement, and what refutes it.
    pub(super) fn add(&mut self, what: impl Into<String>, refuted: Vec<String>) {
        let what = what.into();
        self.findings.push(Finding { what, refuted });
    }

    /// Adds a member of the object for programs.
    pub(super) fn member(&mut self, name: &str, value: impl Into<Value>) {
        self.members.insert(name.to_owned(), value.into());
    }

    /// The number of checks.
    pub fn all(&self) -> usize {
        self.findings.len()
    }

    /// The number of checks that do not hold.
    pub fn refuted(&self) -> usize {
        let refuted = self.findings.iter();
        refuted
            .filter(|finding| !finding.refuted.is_empty())
            .count()
    }

    /// The findings as text: one line per check, and the reasons below those that do not hold.
    pub fn text(&self) -> String {
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

    /// The complete findings as a JSON object.
    pub fn json(&self) -> String {
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
