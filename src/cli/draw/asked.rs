//! The subject of a draw, as options.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::{inputs, whole};
use crate::cli::failure::Failure;
use crate::cli::show;
use kleroterion::drawing::{Commitment, DrawFolder};
use kleroterion::jobs::{ConfigSource, ConfigText, DrawList, DrawRequest, JobError};
use kleroterion::problem::{Problem, Problems};

/// What is to be drawn.
#[derive(Args)]
pub(super) struct WhatArgs {
    /// A config of people who are known beforehand; or the folder of a commitment, to draw by it
    #[arg(value_name = "CONFIG|DIR")]
    config: Option<String>,
    /// The label of the policy that draws
    #[arg(long, value_name = "LABEL")]
    policy: Option<String>,
    /// Set a key of the config: path.to.key=value; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write the draw into this folder (made where it is missing)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many alternates are listed at most [default: as many as leave in the mean by `[dropout]`,
    /// else as many as members]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0..=1_000_000))]
    alternates: Option<i64>,
    /// The title of the draw's page [default: with the config's name]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A second draw: the folder of the draw before. Its members are out, but for those who stay
    #[arg(long, value_name = "DIR")]
    after: Option<PathBuf>,
    /// Of a second draw, who stays: a file with an id or a code a line, or rows of panel.csv
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Of a second draw, who else no longer takes part: a file like that of --keep
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
}

impl WhatArgs {
    /// The request for the draw.
    pub(super) fn request(&self) -> DrawRequest {
        DrawRequest {
            config: self.config.clone().map(ConfigSource::Named),
            policy: self.policy.clone(),
            set: self.set.clone(),
            out: self.out.clone(),
            alternates: self.alternates.map(|n| n as u32),
            title: self.title.clone(),
            after: self.after.clone(),
            keep: self.keep.clone().map(DrawList::File),
            without: self.without.clone().map(DrawList::File),
            outside: inputs(),
        }
    }

    /// The commitment in the named folder, if it is to numbered panels.
    pub(super) fn numbered(&self) -> Option<Commitment> {
        let folder = DrawFolder::at(Path::new(self.config.as_ref()?));
        let commitment = folder.commitment().ok().flatten();
        commitment.filter(|commitment| commitment.numbered.is_some())
    }

    /// The folder that is named instead of a config.
    pub(super) fn folder(&self) -> Result<&str, Problem> {
        self.config.as_deref().ok_or_else(|| {
            let what = "it is not said from which draw members leave";
            Problem::of_request(what).help("name its folder: klero draw DIR --leave 3,30")
        })
    }

    /// The names of the given options, except the config.
    pub(super) fn given(&self) -> Vec<&'static str> {
        self.request().given()
    }
}

/// The failure with all problems of a request to draw.
pub(super) fn wrong(problems: impl Into<Problems>) -> Failure {
    wrong_in(&problems.into(), None)
}

/// The failure of a draw that was not made.
pub(super) fn undrawn(error: JobError) -> Failure {
    match error {
        JobError::Wrong(problems, text) => wrong_in(&problems, text.as_ref()),
        error => error.into(),
    }
}

fn wrong_in(problems: &Problems, text: Option<&ConfigText>) -> Failure {
    show::wrong(problems, text, problems.0.len(), "nothing was drawn");
    Failure::Wrong
}
