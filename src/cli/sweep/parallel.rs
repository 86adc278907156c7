//! `klero sweep --on parallel`: the shards as jobs of GNU parallel, here or over ssh.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kleroterion::problem::Problem;

use super::super::failure::{Failure, failed, print};
use super::drive::{Carried, Placed, PlaysShards, drive, on_path, quoted};
use super::engine::EngineArgs;

/// The folder of the script and of the joblog, within the sweep's.
const FOLDER: &str = "parallel";
/// The script that plays the shard of a number.
const SHARD: &str = include_str!("parallel/shard.sh");

/// Refuses a machine that can't play.
pub fn ready(options: &EngineArgs) -> Result<(), Failure> {
    if options.dry_run { Ok(()) } else { gnu() }
}

/// Plays a sweep by GNU parallel and merges it. Returns false if it only wrote the script.
pub fn play(sweep: &Placed, options: &EngineArgs) -> Result<bool, Failure> {
    let mut parallel = Parallel {
        carried: Carried::of(sweep, options)?,
        jobs: options.jobs,
        logins: &options.sshlogin,
    };
    parallel.no_braces()?;
    let written = parallel.write();
    written.map_err(|error| failed(&format!("the script can't be written: {error}")))?;
    if !options.dry_run {
        return drive(sweep, 1, &mut parallel).map(|()| true);
    }
    let found = sweep.units()?.found;
    let shards = found
        .shards(sweep.of)
        .into_iter()
        .map(|shard| shard.to_string());
    let words = parallel.words().into_iter().map(|word| quoted(&word));
    let line: Vec<String> = words.chain([":::".to_owned()]).chain(shards).collect();
    print(&(line.join(" ") + "\n")).map(|()| false)
}

/// Refuses a machine without GNU parallel.
fn gnu() -> Result<(), Failure> {
    let help = "install GNU parallel, or use the cores of this machine: --on local";
    let parallel = on_path("parallel", help)?;
    // Another program of that name, of moreutils, knows none of these options.
    let version = Command::new(parallel).arg("--version").output();
    if version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel")) {
        return Ok(());
    }
    let what = "the program parallel on the PATH is not GNU parallel";
    Err(Problem::of_request(what).help(help).into())
}

/// The jobs of a sweep.
struct Parallel<'a> {
    carried: Carried,
    /// The number of jobs at once, if given.
    jobs: Option<u64>,
    /// The machines on which jobs run, as parallel's `--sshlogin` takes them.
    logins: &'a [String],
}

impl Parallel<'_> {
    /// Refuses a folder whose name has braces, which parallel would replace.
    fn no_braces(&self) -> Result<(), Problem> {
        let folder = self.carried.folder.display().to_string();
        if !folder.contains('{') {
            return Ok(());
        }
        let what = format!("{folder} has a brace in its name, which GNU parallel would replace");
        Err(Problem::of_request(what).help("give --out another name"))
    }

    fn script(&self) -> PathBuf {
        self.carried.folder.join(FOLDER).join("shard.sh")
    }

    /// Writes the script of a shard.
    fn write(&self) -> io::Result<()> {
        fs::create_dir_all(self.carried.folder.join(FOLDER))?;
        let head = format!(
            "#!/bin/bash\n# Written by klero {}.\n",
            env!("CARGO_PKG_VERSION")
        );
        fs::write(self.script(), head + &self.carried.variables() + SHARD)
    }

    /// The words of the command, which reads the numbers of shards from stdin.
    fn words(&self) -> Vec<String> {
        let log = self.carried.folder.join(FOLDER).join("joblog");
        let mut words = vec![
            "parallel".to_owned(),
            "--joblog".to_owned(),
            // A plus has parallel append. Its --resume-failed would believe the log, which knows a
            // job by its place in the list: what is missing is known from the units.
            format!("+{}", log.display()),
            format!("--retries={}", self.carried.tries),
        ];
        words.extend(self.jobs.map(|jobs| format!("--jobs={jobs}")));
        for login in self.logins {
            words.extend(["--sshlogin".to_owned(), login.clone()]);
        }
        if !self.logins.is_empty() {
            words.extend(["--workdir".to_owned(), ".".to_owned()]);
        }
        let script = quoted(&self.script().display().to_string());
        words.push(format!("bash {script} {{}}"));
        words
    }
}

impl PlaysShards for Parallel<'_> {
    fn play(&mut self, _folder: &Path, shards: &[u64], _of: u64) -> Result<(), Failure> {
        let words = self.words();
        let cannot = |error: io::Error| failed(&format!("GNU parallel can't be run: {error}"));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped());
        // What shards print is no result.
        let mut child = command.stdout(Stdio::null()).spawn().map_err(cannot)?;
        let numbers: String = shards.iter().map(|shard| format!("{shard}\n")).collect();
        if let Some(mut stdin) = child.stdin.take() {
            // Where it takes no numbers it has ended, and said why.
            drop(stdin.write_all(numbers.as_bytes()));
        }
        // How it ends is not asked: the units say what is missing.
        child.wait().map_err(cannot).map(drop)
    }
}
