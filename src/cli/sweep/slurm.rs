//! `klero sweep --on slurm`: an array of shards and a merge after it, as batch scripts.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use kleroterion::problem::{Problem, Problems};
use kleroterion::units::array;

use super::super::failure::{Failure, failed, failed_with, print};
use super::drive::{Carried, Placed, on_path};
use super::engine::EngineArgs;

/// The folder of the scripts and of their jobs' output, within the sweep's.
const FOLDER: &str = "slurm";
/// The script that plays the shard of a task.
const SHARD: &str = include_str!("slurm/shard.sh");
/// The script that merges, and submits missing shards again.
const MERGE: &str = include_str!("slurm/merge.sh");
/// The options of `sbatch` that klero sets itself.
const OURS: [&str; 8] = [
    "--array",
    "-a",
    "--dependency",
    "-d",
    "--output",
    "-o",
    "--parsable",
    "--wrap",
];

/// Refuses options that `sbatch` can't take, and a machine that can't submit.
pub fn ready(options: &EngineArgs) -> Result<(), Failure> {
    if let Some(given) = &options.sbatch {
        check(given)?;
    }
    if options.dry_run {
        return Ok(());
    }
    let help = "run this where jobs are submitted, or write the scripts alone: --dry-run";
    on_path("sbatch", help).map(drop)
}

/// Submits the shards of a sweep that have units to play, and the merge after them.
pub fn submit(sweep: &Placed, options: &EngineArgs) -> Result<(), Failure> {
    let slurm = Slurm {
        carried: Carried::of(sweep, options)?,
        options: options.sbatch.as_deref(),
        at_once: options
            .jobs
            .map_or_else(String::new, |jobs| format!("%{jobs}")),
    };
    let written = slurm.write();
    let [shard, merge] =
        written.map_err(|error| failed(&format!("the batch scripts can't be written: {error}")))?;
    let found = sweep.units()?.found;
    let (shards, units) = (found.shards(sweep.of), found.open().count());
    let many = shards.len();
    let numbers = array(shards) + &slurm.at_once;
    if options.dry_run {
        return print(&format!(
            "{}: submit it first, with sbatch --array={numbers}\n\
             {}: submit it then, with sbatch --dependency=afterany:JOB\n",
            shard.display(),
            merge.display(),
        ));
    }
    let results = slurm.carried.results.display();
    if many == 0 {
        let merge = slurm.submit_merge(None)?;
        return print(&format!(
            "job {merge}: the merge into {results}; all units are whole\n"
        ));
    }
    let job = slurm.submit_shards(&numbers)?;
    let merge = slurm.submit_merge(Some(&job))?;
    print(&format!(
        "job {job}: {many} shards, {units} units, --array={numbers}\n\
         job {merge}: the merge after them, into {results}\n"
    ))
}

/// Checks options of `sbatch` as they were given.
fn check(options: &str) -> Result<(), Problems> {
    let problem = |what: String, help: &str| {
        Err(Problem::of_option(format!("--sbatch {options:?}"), what)
            .help(help)
            .into())
    };
    let like = "give what sbatch takes, in one line: --sbatch='--partition=long --time=4:00:00'";
    if options.contains(['\n', '\r']) {
        return problem("there is more than one line".to_owned(), like);
    }
    if !options.trim_start().starts_with('-') {
        return problem("an option of sbatch begins with a dash".to_owned(), like);
    }
    let words = options.split_whitespace();
    let mut names = words.map(|word| word.split('=').next().unwrap_or(word));
    match names.find(|name| OURS.contains(name)) {
        Some(name) => problem(
            format!("klero sets {name} itself"),
            "leave it out; --shards N says how many tasks there are, --jobs N how many at once",
        ),
        None => Ok(()),
    }
}

/// The batch scripts of a sweep.
struct Slurm<'a> {
    carried: Carried,
    /// More options of `sbatch`.
    options: Option<&'a str>,
    /// The suffix of an array's numbers that limits how many tasks run at once.
    at_once: String,
}

impl Slurm<'_> {
    /// Writes both scripts. Returns their paths.
    fn write(&self) -> io::Result<[PathBuf; 2]> {
        fs::create_dir_all(self.carried.folder.join(FOLDER))?;
        let paths = [self.path("shard.sh"), self.path("merge.sh")];
        fs::write(&paths[0], self.head("klero-shard", "%A_%a.log") + SHARD)?;
        fs::write(&paths[1], self.head("klero-merge", "merge-%j.log") + MERGE)?;
        Ok(paths)
    }

    /// Submits the shards of these numbers, as `sbatch --array` takes them. Returns the job's
    /// number.
    fn submit_shards(&self, numbers: &str) -> Result<String, Failure> {
        let tasks = format!("--array={numbers}");
        let shard = self.path("shard.sh").display().to_string();
        sbatch(&[&tasks, &shard]).map_err(|said| {
            failed_with(
                &format!("sbatch did not take {tasks}: {said}"),
                "nothing is submitted; correct --sbatch, or take fewer shards: the site's \
                 MaxArraySize is the most",
            )
        })
    }

    /// Submits the merge, after a job if there is one. Returns the job's number.
    fn submit_merge(&self, after: Option<&str>) -> Result<String, Failure> {
        let after = after.map(|job| format!("--dependency=afterany:{job}"));
        let merge = self.path("merge.sh").display().to_string();
        let args: Vec<&str> = after.as_deref().into_iter().chain([&*merge]).collect();
        sbatch(&args).map_err(|said| {
            let by_hand = args.join(" ");
            failed_with(
                &format!("sbatch did not take the merge: {said}"),
                &format!(
                    "shards that were submitted go on; submit the merge by hand: sbatch {by_hand}"
                ),
            )
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.carried.folder.join(FOLDER).join(name)
    }

    /// The first lines of a script.
    fn head(&self, job: &str, log: &str) -> String {
        // A % in a folder's name would be a pattern of Slurm's.
        let folder = self.path("").display().to_string().replace('%', "%%");
        let given = self.options.map(|given| format!("#SBATCH {given}\n"));
        format!(
            "#!/bin/bash\n#SBATCH --job-name={job} --requeue --open-mode=append\n\
             #SBATCH --output=\"{folder}{log}\"\n{}# Written by klero {}.\n{}at_once='{}'\n",
            given.unwrap_or_default(),
            env!("CARGO_PKG_VERSION"),
            self.carried.variables(),
            self.at_once,
        )
    }
}

/// Submits a job. Returns its number, or the error of `sbatch`.
fn sbatch(args: &[&str]) -> Result<String, String> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(args).stdin(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        // A cluster's name may follow.
        let said = text(&output.stdout);
        return Ok(said.split(';').next().unwrap_or_default().to_owned());
    }
    Err(text(&output.stderr))
}
