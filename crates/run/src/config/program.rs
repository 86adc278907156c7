//! The keys of a program that answers interviews or reports outcomes.

use std::time::Duration;

use crate::catalog::{program, seconds};
use crate::document::Reader;
use kleroterion_core::protocol::{Rules, Schema};
use kleroterion_io::seat::wire::answering::WireAnswers;
use kleroterion_io::seat::{AnsweringSpec, PROGRAM_PATIENCE};

/// A program that answers.
#[derive(Clone, Debug)]
pub(super) struct Program {
    command: Vec<String>,
    patience: Duration,
}

impl Program {
    /// Reads its keys; `name`: of a program like it, for examples.
    pub(super) fn read(table: &mut Reader<'_>, name: &str) -> Option<Self> {
        let example = format!("command = [\"python3\", \"{name}.py\"]");
        let command = program(&table.need("command", &example), name);
        let patience = table.get("patience").optional(seconds).or(PROGRAM_PATIENCE);
        Some(Self {
            command: command?,
            patience: patience?,
        })
    }

    /// The program as a run asks it, of people of this schema.
    pub(super) fn spec(
        &self,
        (section, answers): (&'static str, WireAnswers),
        schema: &Schema,
        rules: &Rules,
    ) -> AnsweringSpec {
        let Self { command, patience } = self.clone();
        let what = (section, answers);
        AnsweringSpec::new(what, command, patience, schema, &rules.interviews)
    }
}
