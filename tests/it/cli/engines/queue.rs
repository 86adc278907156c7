//! Sweeps by workers that take units from a queue of NATS JetStream: the bytes of one machine.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use kleroterion::secrets::NatsSecrets;
use kleroterion::units::queue::{QueuedSweep, reach, sweeps};
use tokio_stream::StreamExt;

use super::{one_machine, same_folders, until_decided};
use crate::nats::server::{Client, Server, program};
use crate::support::configs::SOUND;
use crate::support::process::PATIENCE;
use crate::support::programs::runs;
use crate::support::refusals::Page;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// A process that is killed when it is dropped.
struct Process(Child);

impl Process {
    /// Starts klero; its stderr goes to a file.
    fn start(terminal: &Terminal, args: &[&str], log: &str) -> Self {
        let mut command = terminal.command(args);
        let log = std::fs::File::create(terminal.path(log)).expect("a log");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        Self(command.spawn().expect("the binary runs"))
    }

    /// A worker of sweeps.
    fn worker(terminal: &Terminal, url: &str, log: &str) -> Self {
        let args = ["work", "--nats", url, "--threads", "1"];
        Self::start(terminal, &args, log)
    }

    /// The exit code, once it has ended.
    fn ended(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE * 4;
        while Instant::now() < deadline {
            if let Some(status) = self.0.try_wait().expect("it is ours") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it never ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn sweep<'a>(url: &'a str, out: &'a str) -> [&'a str; 8] {
    [
        "sweep", "my.toml", "--on", "nats", "--nats", url, "--out", out,
    ]
}

/// Waits until a file has a text.
#[track_caller]
fn until(terminal: &Terminal, file: &str, text: &str) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let said = std::fs::read_to_string(terminal.path(file)).unwrap_or_default();
        if said.contains(text) {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{file} never says {text:?}: {said}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The streams that a server holds.
fn streams(client: &Client) -> Vec<String> {
    client.runtime.block_on(async {
        let names: Vec<_> = client.context.stream_names().collect().await;
        names
            .into_iter()
            .map(|name| name.expect("a name"))
            .collect()
    })
}

/// Waits until the queue of a sweep has units to hand out; its name.
fn offered(client: &Client) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < deadline, "there is no queue");
        for name in streams(client) {
            let units = client.runtime.block_on(async {
                let stream = client.context.get_stream(&name).await.ok()?;
                Some(stream.cached_info().state.messages)
            });
            if name.starts_with("KLERO-SWEEP_") && units == Some(6) {
                return name;
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts workers until one is killed that has a unit in its hands.
fn kill_with_a_unit(terminal: &Terminal, client: &Client, url: &str, queue: &str) {
    for _ in 0..5 {
        let mut worker = Process::worker(terminal, url, "killed.log");
        while client.left(queue, "workers").1 == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        worker.0.kill().expect("it lives");
        worker.0.wait().expect("it ends");
        if client.left(queue, "workers").1 > 0 {
            return;
        }
    }
    panic!("each had just sent its unit");
}

#[test]
fn three_workers_of_which_one_is_killed_play_the_bytes_of_one_machine() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let (terminal, one, mut host) = six_units(&url);
    let client = Client::of(&url);
    let queue = offered(&client);
    kill_with_a_unit(&terminal, &client, &url, &queue);
    let workers = ["a.log", "b.log"].map(|log| Process::worker(&terminal, &url, log));
    assert_eq!(host.ended(), Some(0), "{}", terminal.read("host.log"));
    drop(workers);
    same_folders(&one, &terminal.path("out"));
    assert!(!terminal.path("out/shards").exists());
    // What the sweep had at the server is gone.
    assert_eq!(streams(&client), Vec::<String>::new());
}

#[test]
fn a_sweep_until_all_is_decided_goes_by_waves() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let terminal = Terminal::new();
    let one = until_decided(&terminal);
    // Workers may be there before the sweep, and end by themselves.
    let args = ["work", "--nats", &url, "--idle-timeout", "4"];
    let mut workers = ["a.log", "b.log"].map(|log| Process::start(&terminal, &args, log));
    let said = terminal.exits(0, &sweep(&url, "out"));
    said.stderr.says("waiting for workers: 2 units");
    same_folders(&one, &terminal.path("out"));
    for (worker, log) in workers.iter_mut().zip(["a.log", "b.log"]) {
        assert_eq!(worker.ended(), Some(0));
        assert!(terminal.read(log).contains("played here: "));
    }
}

#[test]
fn a_host_that_is_killed_and_a_server_that_loses_all_cost_no_unit() {
    let Some(program) = program() else { return };
    let mut server = Server::start(program, "");
    let url = server.url();
    let (terminal, one, mut host) = six_units(&url);
    let client = Client::of(&url);
    host.0.kill().expect("it lives");
    host.0.wait().expect("it ends");
    // Workers play for a host that is away.
    let args = [
        "work",
        "--nats",
        &url,
        "--threads",
        "1",
        "--idle-timeout",
        "1",
    ];
    assert_eq!(
        Process::start(&terminal, &args, "early.log").ended(),
        Some(0)
    );
    assert!(terminal.read("early.log").contains("played here: 6 units"));
    // Of what they played the new host finds all, though no worker plays any more.
    terminal.exits(0, &sweep(&url, "out"));
    same_folders(&one, &terminal.path("out"));

    let mut host = Process::start(&terminal, &sweep(&url, "again"), "again.log");
    until(&terminal, "again.log", "waiting for workers: 6 units");
    offered(&client);
    for name in streams(&client) {
        let deleted = client.runtime.block_on(client.context.delete_stream(&name));
        deleted.expect("it is deleted");
    }
    until(&terminal, "again.log", "klero tries again");
    server.kill();
    std::thread::sleep(Duration::from_millis(300));
    server.go();
    let _worker = Process::worker(&terminal, &url, "late.log");
    assert_eq!(host.ended(), Some(0), "{}", terminal.read("again.log"));
    same_folders(&one, &terminal.path("again"));
}

/// What a worker sent is damaged at the server, and another says that it has sent what it has not:
/// the host has these units played again.
#[test]
fn a_unit_that_is_not_it_or_was_never_sent_is_offered_again() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let (terminal, one, mut host) = six_units(&url);
    let client = Client::of(&url);
    let plan = kleroterion::units::SweepPlan::in_folder(&terminal.path("out/shards"));
    let plan = plan.expect("a plan");
    let unit = plan.units().nth(2).expect("a unit");
    client.runtime.block_on(async {
        let bucket = format!("KLERO-UNITS_{}", plan.id);
        let bucket = client.context.get_object_store(&bucket).await;
        let bucket = bucket.expect("a bucket");
        let name = unit.name(&plan.id);
        let put = bucket.put(&*name, &mut &b"not a unit"[..]).await;
        put.expect("it is kept");
    });
    until(&terminal, "host.log", "is not it: cut off or damaged");
    client.runtime.block_on(async {
        let stream = client
            .context
            .get_stream(format!("KLERO-SWEEP_{}", plan.id));
        let workers = stream.await.expect("a queue").get_consumer("workers").await;
        let workers: PullConsumer = workers.expect("a consumer");
        let mut taken = workers.fetch().max_messages(1).messages().await.unwrap();
        let message = taken.next().await.expect("a unit").expect("a unit");
        message.double_ack().await.expect("it is gone");
    });
    let _worker = Process::worker(&terminal, &url, "worker.log");
    assert_eq!(host.ended(), Some(0), "{}", terminal.read("host.log"));
    let said = terminal.read("host.log");
    said.says("lost on the way, and offered again: 1 unit");
    same_folders(&one, &terminal.path("out"));
}

/// A host of one unit, which waits for a worker.
fn one_unit(url: &str) -> (Terminal, Process) {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let host = Process::start(&terminal, &sweep(url, "out"), "host.log");
    until(&terminal, "host.log", "waiting for workers: 1 unit");
    (terminal, host)
}

/// A host of six units, which are offered.
fn six_units(url: &str) -> (Terminal, PathBuf, Process) {
    let terminal = Terminal::new();
    let one = one_machine(&terminal, [5, 8]);
    let host = Process::start(&terminal, &sweep(url, "out"), "host.log");
    until(&terminal, "host.log", "waiting for workers: 6 units");
    // Not before: a host that begins empties the queue.
    offered(&Client::of(url));
    (terminal, one, host)
}

/// Longer than a worker may be silent.
#[test]
fn a_unit_that_takes_long_stays_with_its_worker() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let (_terminal, _host) = one_unit(&url);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let context = reach(&url, &NatsSecrets::default(), "a worker")
            .await
            .expect("it answers");
        let (sweep, offered) = loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let Some(plan) = sweeps(&context).await.expect("names").pop() else {
                continue;
            };
            let Ok(sweep) = QueuedSweep::open(&context, &plan).await else {
                continue;
            };
            if let Ok(Some(offered)) = sweep.take().await {
                break (sweep, offered);
            }
        };
        let heartbeat = tokio::spawn(offered.heartbeat());
        tokio::time::sleep(Duration::from_secs(18)).await;
        assert!(sweep.take().await.expect("an answer").is_none());
        // Without a word of its worker another gets it.
        heartbeat.abort();
        tokio::time::sleep(Duration::from_secs(18)).await;
        assert!(sweep.take().await.expect("an answer").is_some());
    });
}

/// A worker at which all fails: five tries, then the merge names the unit and the reason.
#[test]
fn a_unit_that_fails_is_handed_out_five_times_and_named() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let (terminal, mut host) = one_unit(&url);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let tries = runtime.block_on(async {
        let context = reach(&url, &NatsSecrets::default(), "a worker")
            .await
            .expect("it answers");
        let mut tries = 0;
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(6) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            for plan in sweeps(&context).await.expect("names") {
                let Ok(sweep) = QueuedSweep::open(&context, &plan).await else {
                    continue;
                };
                if let Ok(Some(offered)) = sweep.take().await {
                    tries += 1;
                    let failed = sweep.fail(&offered, "no memory").await;
                    failed.expect("it is said");
                }
            }
        }
        tries
    });
    assert_eq!(host.ended(), Some(1), "{}", terminal.read("host.log"));
    assert_eq!(tries, 5);
    let log = terminal.read("host.log");
    log.says("failed: no memory");
    let status = terminal.klero(&["sweep", "status", "out/shards"]);
    status.stdout.says("no memory");
    // A worker that can, and the same words again.
    let _worker = Process::worker(&terminal, &url, "worker.log");
    terminal.exits(0, &sweep(&url, "out"));
}

/// Another program file may compute otherwise: it takes no unit, and says why.
#[test]
fn a_worker_of_another_build_takes_no_unit() {
    let Some(program) = program() else { return };
    let server = Server::start(program, "");
    let url = server.url();
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let ours = Path::new(env!("CARGO_BIN_EXE_klero"));
    let mut bytes = std::fs::read(ours).expect("the binary");
    bytes.push(0);
    terminal.put("klero", bytes);
    let file = terminal.path("klero");
    assert!(runs(Command::new("chmod").arg("+x").arg(file)));
    let _host = Process::start(&terminal, &sweep(&url, "out"), "host.log");
    until(&terminal, "host.log", "waiting for workers: 1 unit");
    let mut other = Command::new(terminal.path("klero"));
    other.args(["work", "--nats", &url, "--idle-timeout", "2"]);
    let said = other.output().expect("it runs");
    let text = String::from_utf8_lossy(&said.stderr);
    text.says("another build of klero");
    text.says("played here: 0 units");
    until(&terminal, "host.log", "no worker has taken a unit yet");
}

#[test]
fn what_can_not_be_asked_of_a_queue_is_said_with_a_remedy() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let mut page = Page::default();
    for args in [
        &["sweep", "my.toml", "--on", "nats"][..],
        &[
            "sweep", "my.toml", "--on", "nats", "--out", "d", "--shards", "3",
        ],
        &[
            "sweep", "my.toml", "--on", "nats", "--out", "d", "--jobs", "3",
        ],
        &[
            "sweep",
            "my.toml",
            "--on",
            "nats",
            "--out",
            "d",
            "--dry-run",
        ],
        &[
            "sweep", "my.toml", "--on", "local", "--out", "d", "--nats", "x",
        ],
        &[
            "sweep",
            "my.toml",
            "--on",
            "nats",
            "--out",
            "d",
            "--nats",
            "nats://127.0.0.1:1",
        ],
        &["work", "--nats", "nats://127.0.0.1:1"],
    ] {
        let said = terminal.exits(2, args);
        page.add(&args.join(" "), &terminal.plain(&said.stderr));
    }
    // What goes together, and what can't be.
    for (args, word) in [
        (&["--run", "spring"][..], "--lane"),
        (&["--lane", "queue"], "--run"),
        (
            &["--run", "spring", "--lane", "queue", "--idle-timeout", "3"],
            "--idle-timeout",
        ),
        (
            &["--run", "spring", "--lane", "queue", "--threads", "3"],
            "--threads",
        ),
        (&["--idle-timeout", "0"], "--idle-timeout"),
        (&["--threads", "0"], "--threads"),
    ] {
        let said = terminal.exits(2, &[&["work"][..], args].concat());
        assert!(said.stderr.contains(word), "{args:?}: {}", said.stderr);
    }
    insta::assert_snapshot!(page.text());
}
