//! A config loaded, checked, played, written into a folder, resumed, read back and reported.
//!
//! A [`Job`] is what `klero run` does, without a terminal. It is loaded from a preset, a file, a
//! text or a [`Document`](kleroterion_run::document::Document), with changes as data
//! ([`JobRequest`]). It plays in memory or into a folder, and gives a [`FinishedJob`].
//!
//! [`LiveJob`] does the same for live runs and their replays. [`FolderReport`] makes the reports of
//! finished runs. [`compare`] and [`Comparing`] judge numbers that no run made. [`planned`], [`UnitPlayer`] and [`FolderUnits`] play a sweep in units.
//!
//! Nothing here prints, parses a command line, asks the terminal, or reads the environment: a
//! [`JobWatch`] receives progress and notes, and errors are values ([`JobError`]).
//!
//! ```
//! use kleroterion_jobs::{Job, JobRequest, JobWatch};
//!
//! let config = r#"
//!     replications = 200
//!     [source]
//!     type = "categorical"
//!     shares = { gender = { M = 0.6, F = 0.4 } }
//!     [target]
//!     gender = { M = 0.5, F = 0.5 }
//!     [rules]
//!     choose = "at_most_one"
//!     until = { accepted = 50 }
//!     [[policy]]
//!     label = "everybody"
//!     kind = "accept_all"
//!     [[policy]]
//!     label = "queue"
//!     kind = "virtual_queue"
//!     [report]
//!     judge = ["representation_loss"]
//!     baseline = "everybody"
//! "#;
//! let mut request = JobRequest::text("two.toml", config, ".");
//! request.seed = Some(7);
//! let mut finished = Job::load(request)?.play(&JobWatch::default())?;
//! let run = &finished.runs[0];
//! assert_eq!(run.answer().frontier, ["queue"]);
//! assert_eq!(run.summary.pairs[0].verdict.word(), "better");
//!
//! let folder = tempfile::tempdir()?;
//! finished.write(folder.path(), false)?;
//! assert!(folder.path().join("replications.csv").exists());
//! assert!(finished.runs[0].report()?.html.contains("<html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;
mod checked;
mod compare;
mod decisions;
mod draw;
mod draw_list;
mod error;
mod explain;
mod files;
mod finished;
mod folder;
mod job;
mod journal;
mod json;
pub mod limits;
mod live;
mod load;
mod lottery;
mod merge;
mod numbered;
mod options;
mod parsed;
mod planned;
mod play;
mod player;
mod policies;
mod question;
mod recruit;
mod report;
mod resume;
mod run;
mod shard;
mod sweep_folder;
#[cfg(test)]
mod tests;
mod text;
mod timing;
mod unit_player;
mod watch;

pub use ahead::{PlansAhead, keep_lottery, no_lottery};
pub use compare::{CompareRequest, ComparedTable, Comparing, PerMeasure, compare};
pub use decisions::{FilteredDecisions, FolderDecisions};
pub use draw::{AskedDraw, DrawRequest, await_lottery, draw_title};
pub use draw_list::DrawList;
pub use error::JobError;
pub use explain::RunForecast;
pub use files::{RunFiles, RunTables};
pub use finished::{FinishedJob, FinishedRun, READ_NOBODY, RunFault};
pub use folder::{not_to_resume, there};
pub use job::Job;
pub use journal::{journal_in, journal_wrong, live_in, lost_head, remedy};
pub use live::{FinishedLive, LiveChanges, LiveHooks, LiveJob, LiveOptions};
pub use load::{ConfigSource, JobRequest, LoadedConfig};
pub use lottery::{LotteryClaim, LotteryFindings};
pub use merge::{FolderUnits, MergeOutcome, job_of};
pub use numbered::make_numbered;
pub use options::{RunOptions, check_dropped, was_played};
pub use planned::{FileHashes, other_build, planned, run_of};
pub use question::RunQuestion;
pub use recruit::{RecruitPlan, RecruitRequest};
pub use report::{FolderReport, ReportError, changed_since};
pub use run::{JobRun, description, objects};
pub use shard::{PlayedShard, interrupted, placed, play_shard, shard_of};
pub use text::ConfigText;
pub use timing::RunTiming;
pub use unit_player::{UnitFailure, UnitPlayer};
pub use watch::{JobAlert, JobProgress, JobWatch};
