//! The options with which a live run is played, and those that it keeps, so that a resumed run goes
//! on as it began.

use std::path::Path;

use clap::Args;
use kleroterion::journal::JournalReader;
use kleroterion::report::plain;
use kleroterion::run::{Settings, Traces};
use kleroterion::trace::Names;
use serde::{Deserialize, Serialize};

use super::super::args::{FeedbackWord, Format, RuntimeWord, TraceWord, settings, whole};
use super::super::failure::{Failure, journal_wrong};
use super::super::privacy::PrivacyArgs;
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

    /// The traces that are written besides the scores.
    pub fn traces(&self) -> Traces {
        Traces {
            selected: true,
            people: self.people,
            decisions: self.trace.is_some(),
            curves: true,
            all_replications: false,
        }
    }

    /// The settings, as for any run.
    pub fn settings(&self) -> Settings {
        let batch = self.batch.map(|persons| persons as usize);
        let threads = self.threads.map(|n| n as usize);
        Settings {
            traces: self.traces(),
            ..settings(batch, threads, self.runtime, self.feedback)
        }
    }
}

/// The options that a resumed run takes over. The journal keeps them.
#[derive(Default, Serialize, Deserialize)]
pub struct KeptOptions {
    /// The key of the names, if ids are hidden.
    key: Option<[u8; 32]>,
    dropped: Vec<String>,
    board: bool,
    stay: bool,
    decisions: bool,
    /// True to write people.csv; false in older journals, which lack it.
    #[serde(default)]
    people: bool,
}

/// The name under which the journal keeps the options.
pub const KEPT: &str = "options";

/// The name under which the journal keeps the config with which the run began.
pub const CONFIG: &str = "config";

impl KeptOptions {
    pub(super) fn of(how: &HowArgs, privacy: &PrivacyArgs, key: Option<[u8; 32]>) -> Self {
        Self {
            key,
            dropped: privacy.drop_attributes.clone(),
            board: !how.no_board,
            stay: how.stay,
            decisions: how.trace.is_some(),
            people: how.people,
        }
    }

    /// Reads the options kept in a folder.
    ///
    /// # Errors
    /// Fails if the journal can't be read.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let read = || JournalReader::open(folder)?.fact(KEPT);
        let text = read().map_err(|error| journal_wrong(&error))?;
        let kept = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(kept.unwrap_or_default())
    }

    /// Adds the kept options to those given now.
    pub fn again(&self, how: &mut HowArgs) {
        how.no_board |= !self.board;
        how.stay |= self.stay;
        how.people |= self.people;
        how.trace = how.trace.or(self.decisions.then_some(TraceWord::Decisions));
    }

    /// The names under which people are shown.
    pub fn names(&self) -> Names {
        let names = self.key.map_or_else(Names::default, Names::hidden);
        names.dropping(&self.dropped)
    }
}
