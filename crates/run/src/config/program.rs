//! The keys of a program that answers interviews or reports outcomes.

use std::time::Duration;

use crate::catalog::{program, seconds};
use crate::document::param::{Shape, TEXTS};
use crate::document::{ConfigKey, Later, Reader};
use kleroterion_core::protocol::{Rules, Schema};
use kleroterion_io::seat::wire::answering::WireAnswers;
use kleroterion_io::seat::{AnsweringSpec, PROGRAM_PATIENCE};

pub(super) const COMMAND: ConfigKey<Later> = ConfigKey::later("command", TEXTS)
    .about("the program and its arguments")
    .needed();

pub(super) const PATIENCE: ConfigKey<Duration> = ConfigKey::of("patience", Shape::Text, seconds)
    .about("how long the program may be silent")
    .or(PROGRAM_PATIENCE);

/// A program that answers.
#[derive(Clone, Debug)]
pub(super) struct Program {
    command: Vec<String>,
    patience: Duration,
}

impl Program {
    /// Reads its keys. `name` and `example`: of a program like it, and of its command.
    pub(super) fn read(table: &mut Reader<'_>, name: &str, example: &'static str) -> Option<Self> {
        let command = program(&COMMAND.like(example).field(table), name);
        let patience = PATIENCE.value(table);
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
