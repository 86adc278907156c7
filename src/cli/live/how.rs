//! The options with which a live run is played.

use clap::Args;
use kleroterion::jobs::LiveOptions;
use kleroterion::report::plain;
use kleroterion::run::Settings;

use super::super::args::{FeedbackWord, Format, RuntimeWord, TraceWord, settings, whole};
use super::super::show;

/// How a live run is carried out.
#[derive(Args, Clone, Debug)]
pub struct HowArgs {
    /// No board
    #[arg(long)]
    pub no_board: bool,
    /// The board stays when no lane plays any more, until Ctrl-C; so it does anyway where people
    /// come by HTTP
    #[arg(long)]
    pub stay: bool,
    /// What to write down besides the scores
    #[arg(long, value_enum)]
    pub trace: Option<TraceWord>,
    /// Write people.csv: all who were shown, and whom each policy selected
    #[arg(long)]
    pub people: bool,
    /// What to print on stdout at the end
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// About how many persons a batch holds at most; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1_000_000))]
    pub batch: Option<i64>,
    /// How many threads the lanes have [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1024))]
    pub threads: Option<i64>,
    /// The runtime of the lanes; results do not depend on it
    #[arg(long, value_enum, default_value = "multi")]
    pub runtime: RuntimeWord,
    /// Who draws generated answers to interviews and generated outcomes; results do not depend on
    /// it
    #[arg(long, value_enum, default_value = "task")]
    pub feedback: FeedbackWord,
    /// Every measure in the table
    #[arg(long)]
    pub full: bool,
    /// No notes
    #[arg(long, short)]
    pub quiet: bool,
}

impl HowArgs {
    /// Prints a note unless the user wants none.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            show::say(&format!("note: {}", plain(text)));
        }
    }

    /// Adds what is asked for to the options that a run keeps.
    pub fn add_to(&self, options: &mut LiveOptions) {
        options.board &= !self.no_board;
        options.stay |= self.stay;
        options.people |= self.people;
        options.decisions |= self.trace.is_some();
    }

    /// The settings, as for any run.
    pub fn settings(&self) -> Settings {
        let batch = self.batch.map(|persons| persons as usize);
        let threads = self.threads.map(|n| n as usize);
        settings(batch, threads, self.runtime, self.feedback)
    }
}
