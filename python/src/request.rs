//! What a function of the package asks for, read from its arguments.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kleroterion::jobs::{Job, JobError, JobRequest, RunOptions};
use kleroterion::problem::Problem;
use kleroterion::record::file::MemoryTable;
use pyo3::prelude::*;

use super::host::{Hosts, registry};
use super::{errors, tree};

/// The columns of a table from memory: the name of each, and its cells as text.
pub type Columns = Vec<(String, Vec<Option<String>>)>;

/// A table: a file, or columns of cells as text.
#[derive(FromPyObject)]
pub enum Sheet {
    File(PathBuf),
    Columns(Columns),
}

/// A table of these columns. A cell that is missing is blank.
///
/// # Errors
/// Columns that differ in length.
pub fn memory_table(columns: &Columns) -> Result<MemoryTable, Problem> {
    MemoryTable::of_columns(columns.iter().map(|(name, cells)| {
        let cells = cells.iter().map(|cell| cell.as_deref().unwrap_or_default());
        (name.clone(), MemoryTable::cells(cells))
    }))
}

/// The arguments, as `_request.py` collects them.
#[derive(FromPyObject)]
pub struct Asked {
    /// The path of a config, or the name of a preset.
    named: Option<String>,
    /// The text of a config.
    text: Option<String>,
    /// A config as a mapping.
    tree: Option<Py<PyAny>>,
    /// The `[[policy]]` tables of the program's policies, for a config that is a text.
    more: Option<String>,
    folder: PathBuf,
    data: Option<PathBuf>,
    set: Vec<String>,
    only: Vec<String>,
    seed: Option<u64>,
    replications: Option<u64>,
    keep: Option<String>,
    /// The tables of people from memory, each with its name and its columns.
    tables: Vec<(String, Columns)>,
    policies: Vec<(String, Py<PyAny>)>,
    pub decisions: bool,
    all_replications: bool,
    pub out: Option<PathBuf>,
    /// The folder of a run, to go on with it. Its config and options are its own.
    pub resumes: Option<PathBuf>,
    pub force: bool,
    pub threads: Option<usize>,
    /// True if the files of the run are to be had without a folder.
    keeps_tables: bool,
    raises: bool,
}

impl Asked {
    /// The policies that the program hands in.
    pub fn hosts(&self, py: Python<'_>, interrupt: &Arc<AtomicBool>) -> Arc<Hosts> {
        let policies = self.policies.iter();
        let factories = policies.map(|(label, made)| (label.clone(), made.clone_ref(py)));
        Hosts::of(factories, self.raises, interrupt)
    }

    /// The request to load, with the kinds of the program.
    ///
    /// # Errors
    /// Fails if the config holds what no config can.
    pub fn request(&self, py: Python<'_>, hosts: &Arc<Hosts>) -> PyResult<JobRequest> {
        let mut request = match (&self.tree, &self.text, &self.named) {
            (Some(tree), ..) => JobRequest::document(tree::document(tree.bind(py))?, &self.folder),
            (_, Some(text), _) => JobRequest::text("config", text, &self.folder),
            (.., Some(named)) => JobRequest::of(named),
            _ => JobRequest::default(),
        };
        let more = self.more.iter();
        request.more = more
            .map(|text| ("policies".to_owned(), text.clone()))
            .collect();
        request.set.clone_from(&self.set);
        request.only.clone_from(&self.only);
        (request.seed, request.replications) = (self.seed, self.replications);
        request.keep.clone_from(&self.keep);
        let mut inputs = request.inputs.clone().with_data(self.data.clone());
        for (name, columns) in &self.tables {
            let table = memory_table(columns);
            let table = table.map_err(|problem| errors::of_job(py, problem.into()))?;
            inputs = inputs.with_table(name, table);
        }
        request.inputs = inputs;
        Ok(request.with_registry(registry(hosts)))
    }

    /// The job of a request.
    ///
    /// # Errors
    /// Returns all that is wrong with the config.
    pub fn job(&self, request: JobRequest) -> Result<Job, JobError> {
        if let Some(folder) = &self.resumes {
            let mut job = match self.replications {
                Some(all) => Job::extend(folder, all, &request.inputs)?,
                None => Job::resume(folder, &request.inputs)?,
            };
            self.settle(&mut job);
            return Ok(job);
        }
        let mut job = Job::load(request)?;
        job.options = RunOptions {
            decisions: self.decisions,
            all_replications: self.all_replications,
            ..RunOptions::default()
        };
        job.keeps_tables = self.keeps_tables;
        self.settle(&mut job);
        job.check()?;
        match &self.out {
            Some(folder) => job.into_folder(folder, self.force),
            None => Ok(job),
        }
    }

    /// Sets what no result depends on.
    fn settle(&self, job: &mut Job) {
        if let Some(threads) = self.threads {
            job.settings.threads = threads.max(1);
        }
    }
}
