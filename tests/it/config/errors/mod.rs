//! Wrong configs, files and options, each through the real binary: exit 2, nothing on stdout, what
//! is wrong with its place and a remedy, several at once. The snapshots are the messages as a user
//! reads them.

mod across;
mod applicants;
mod cohort;
mod contexts;
mod feeds;
mod files;
mod forecasts;
mod households;
mod lanes;
mod linear_groups;
mod meritocratic;
mod offers;
mod options;
mod organisers;
mod outcomes;
mod pairs;
mod pools;
mod recruits;
mod remedies;
mod sections;
mod text;
mod town;
mod worlds;

use crate::support::configs::{ORGANISER, PEOPLE, ROWS, SOUND, with};
use crate::support::refusals::{Page, refusal};
