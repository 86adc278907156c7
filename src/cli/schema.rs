//! `klero schema WHAT`.

use clap::{Args, ValueEnum};

use super::{Failure, show};
use kleroterion::seat::wire;

/// Options of `klero schema`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero schema seat > seat.schema.json")]
pub struct SchemaArgs {
    /// Of what
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The messages between a run and a policy in a program of its own
    Seat,
}

/// Prints a JSON Schema.
pub fn schema(args: &SchemaArgs) -> Result<(), Failure> {
    let schema = match args.what {
        What::Seat => wire::schema(),
    };
    let failed = |error: &dyn std::fmt::Display| {
        show::say(&format!("error: can't print: {error}"));
        Failure::Failed
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| failed(&error))?;
    show::print(&format!("{text}\n")).map_err(|error| failed(&error))
}
