//! A Slurm of two nodes on loopback, in a folder of its own, without systemd or cgroups.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::ports::free_address;
use super::process::PATIENCE;
use super::programs::runs;
use super::wants::skip;

/// The programs that a cluster is made of.
const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "slurmstepd", "sbatch"];

/// A cluster: one controller, the nodes n1 and n2, two CPUs each. It ends when it is dropped.
pub struct Slurm {
    home: TempDir,
    munged: Daemon,
    controller: Daemon,
    nodes: [Daemon; 2],
}

impl Slurm {
    /// Starts a cluster and waits for its nodes; without Slurm the test is skipped.
    #[track_caller]
    pub fn start() -> Option<Self> {
        if !PROGRAMS.iter().all(|name| program(name).is_some()) {
            let why = "there is no munged, slurmctld, slurmd, slurmstepd or sbatch";
            skip("slurm", why);
            return None;
        }
        let home = TempDir::new().expect("a temporary folder");
        let folder = home.path();
        for name in ["state", "n1", "n2"] {
            fs::create_dir(folder.join(name)).expect("a folder of the cluster");
        }
        fs::write(folder.join("munge.key"), [7; 64]).expect("a key");
        assert!(runs(
            Command::new("chmod")
                .args(["0400"])
                .arg(folder.join("munge.key"))
        ));
        fs::write(folder.join("slurm.conf"), config(folder)).expect("a config");
        let conf = folder.join("slurm.conf").display().to_string();
        let munged = Daemon::start("munged", &munge(folder));
        until("munged listens", || folder.join("munge.sock").exists());
        let cluster = Self {
            munged,
            controller: Daemon::start("slurmctld", &["-D", "-f", &conf]),
            nodes: ["n1", "n2"]
                .map(|node| Daemon::start("slurmd", &["-D", "-N", node, "-f", &conf])),
            home,
        };
        until("both nodes are idle", || {
            cluster.asks("sinfo", &["-h", "-t", "idle", "-o", "%D"]) == "2"
        });
        Some(cluster)
    }

    /// Where clients find the cluster: the value of SLURM_CONF.
    pub fn conf(&self) -> PathBuf {
        self.home.path().join("slurm.conf")
    }

    /// What a client of Slurm prints; empty where it fails.
    pub fn asks(&self, client: &str, args: &[&str]) -> String {
        let mut command = Command::new(client);
        let command = command.args(args).env("SLURM_CONF", self.conf());
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits until no job waits or runs. What was requeued begins at once: Slurm has it wait for two
    /// minutes.
    #[track_caller]
    pub fn idle(&self) {
        until("no job is left", || {
            let waiting = self.asks("squeue", &["-h", "-r", "-t", "PD", "-o", "%i %r"]);
            for line in waiting.lines() {
                if let Some((job, "BeginTime")) = line.split_once(' ') {
                    let job = format!("jobid={job}");
                    self.asks("scontrol", &["update", &job, "starttime=now"]);
                }
            }
            self.asks("squeue", &["-h"]).is_empty()
        });
    }

    /// The state and exit code of each task of an array, in the order of tasks.
    pub fn ended(&self, array: &str) -> Vec<(u64, String, String)> {
        let text = self.asks("scontrol", &["show", "job", array, "--oneliner"]);
        let field = |line: &str, name: &str| {
            let words = line.split_whitespace();
            let mut value = words.filter_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            value.next_back().unwrap_or_default().to_owned()
        };
        let task = |line: &str| {
            let task = field(line, "ArrayTaskId").parse().ok()?;
            Some((task, field(line, "JobState"), field(line, "ExitCode")))
        };
        let mut tasks: Vec<_> = text.lines().filter_map(task).collect();
        tasks.sort();
        tasks
    }

    /// The process ids of the batch scripts that run on a node, or of what replaced them.
    pub fn scripts(&self, node: &str) -> Vec<u32> {
        scripts(self.home.path(), node)
    }

    /// Stops the scripts of a node where they are, with all that they started; how many they are.
    pub fn holds(&self, node: &str) -> usize {
        self.signals("-STOP", node)
    }

    /// Lets the scripts of a node go on that were held.
    pub fn frees(&self, node: &str) {
        self.signals("-CONT", node);
    }

    fn signals(&self, signal: &str, node: &str) -> usize {
        let scripts = self.scripts(node);
        let groups = scripts.iter().map(|script| format!("-{script}"));
        runs(Command::new("kill").args([signal, "--"]).args(groups));
        scripts.len()
    }

    /// Kills one of the scripts of a node; Slurm lives and sees it fail.
    pub fn kills(&self, node: &str) {
        let script = self.scripts(node)[0].to_string();
        assert!(runs(Command::new("kill").args(["-9", &script])));
    }

    /// Has a node die at once with all that runs on it, as a machine without power does, and tells
    /// the controller so, which would find out by itself after SlurmdTimeout.
    pub fn loses(&mut self, node: &str) {
        let at = usize::from(node == "n2");
        self.nodes[at].kill();
        kill_scripts(self.home.path(), node);
        let node = format!("nodename={node}");
        self.asks("scontrol", &["update", &node, "state=down", "reason=lost"]);
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in self.nodes.iter_mut().chain([&mut self.controller]) {
            daemon.kill();
        }
        for node in ["n1", "n2"] {
            kill_scripts(self.home.path(), node);
        }
        self.munged.kill();
    }
}

/// A daemon in the foreground, a child of the test.
struct Daemon(Child);

impl Daemon {
    fn start(name: &str, args: &[impl AsRef<OsStr>]) -> Self {
        let program = program(name).expect("it was found before");
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("it starts"))
    }

    fn kill(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn config(folder: &Path) -> String {
    let ports = [0; 3].map(|_| free_address().port());
    let name = |args: &[&str]| {
        let output = Command::new(args[0]).args(&args[1..]).output();
        let output = output.expect("it runs").stdout;
        String::from_utf8(output).expect("text").trim().to_owned()
    };
    let (host, user) = (name(&["hostname", "-s"]), name(&["id", "-un"]));
    let dir = folder.display();
    let [controller, n1, n2] = ports;
    format!(
        "ClusterName=klero\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\n\
         AuthType=auth/munge\nAuthInfo=socket={dir}/munge.sock\n\
         SlurmUser={user}\nSlurmdUser={user}\nStateSaveLocation={dir}/state\n\
         SlurmdSpoolDir={dir}/%n\nSlurmctldPidFile={dir}/slurmctld.pid\nSlurmdPidFile={dir}/%n.pid\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nSchedulerType=sched/backfill\n\
         SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1\n\
         AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n\
         ReturnToService=2\nKillWait=1\n\
         SlurmctldLogFile={dir}/slurmctld.log\nSlurmdLogFile={dir}/%n.log\n\
         NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=2\n\
         NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=2\n\
         PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}

/// The arguments of a munged that only this cluster uses.
fn munge(folder: &Path) -> Vec<String> {
    let file = |option: &str, name: &str| format!("--{option}={}", folder.join(name).display());
    vec![
        "--foreground".to_owned(),
        "--force".to_owned(),
        file("key-file", "munge.key"),
        file("socket", "munge.sock"),
        file("pid-file", "munged.pid"),
        file("log-file", "munged.log"),
        file("seed-file", "munged.seed"),
    ]
}

/// A program on the path or where a system keeps its daemons.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// The ids of the processes that lead what batch scripts run on a node, whatever they have become.
fn scripts(folder: &Path, node: &str) -> Vec<u32> {
    let conf = format!("SLURM_CONF={}", folder.join("slurm.conf").display());
    let node = format!("SLURMD_NODENAME={node}");
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_script = |id: &u32| {
        let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let has = |wanted: &str| {
            let mut each = variables.split(|byte| *byte == 0);
            each.any(|variable| variable == wanted.as_bytes())
        };
        has(&conf) && has(&node) && group(*id) == Some(*id)
    };
    ids.filter(is_script).collect()
}

/// The group of a process, where it lives.
fn group(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(2)?.parse().ok()
}

/// Kills the batch scripts of a node, what they started, and the daemons that watch over them.
fn kill_scripts(folder: &Path, node: &str) {
    for script in scripts(folder, node) {
        // The watcher first: else it reports that the script failed.
        if let Some(watcher) = watcher(script) {
            runs(Command::new("kill").args(["-9", &watcher]));
        }
        runs(Command::new("kill").args(["-9", "--", &format!("-{script}")]));
    }
}

/// The process id of the step daemon that started a script, where it lives.
fn watcher(script: u32) -> Option<String> {
    let read = |id: &str, name: &str| fs::read_to_string(format!("/proc/{id}/{name}")).ok();
    let status = read(&script.to_string(), "status")?;
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    let parent = parent.trim().to_owned();
    read(&parent, "cmdline")?
        .starts_with("slurmstepd")
        .then_some(parent)
}

/// Waits until something holds.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "in vain: {what}");
        sleep(Duration::from_millis(50));
    }
}
