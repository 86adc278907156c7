//! Ctrl-C and SIGTERM: a run stops soon, keeps the replications that were finished, and says so.
#![cfg(target_os = "linux")]

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::with;
use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal};
use crate::support::towns::put;
use kleroterion_testkit::town::Town;

/// Longer than any test takes, unless something hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// More replications than anybody waits for.
const LONG: &[&str] = &["run", "committee-syn6", "--replications", "1000000000"];

/// A run in the background.
struct Running(Child);

impl Running {
    fn start(terminal: &Terminal, args: &[&str]) -> Self {
        let mut command = terminal.command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let running = Self(command.spawn().expect("the binary runs"));
        // From now on an interrupt is heard rather than deadly.
        running.until(|| {
            running
                .status("SigCgt")
                .is_some_and(|mask| mask & 0b10 != 0)
        });
        running
    }

    /// A mask in what the system says of the process.
    fn status(&self, member: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(member))?;
        u64::from_str_radix(line.trim_start_matches(':').trim(), 16).ok()
    }

    fn until(&self, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < PATIENCE, "it never comes");
            sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// What it left behind, once it has ended.
    fn end(self) -> Said {
        // Read while it writes, or a full pipe holds it for ever.
        let output = self.0.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Said {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// How many replications a `replications.csv` holds.
fn kept(csv: &str) -> u64 {
    let last = csv.lines().last().expect("a row");
    let number = last.split(',').next().expect("a field");
    number.parse::<u64>().expect("a replication") + 1
}

#[test]
fn a_run_with_files_keeps_what_was_finished() {
    let terminal = Terminal::new();
    let run = Running::start(
        &terminal,
        &with(LONG, &["--out", "d", "--quiet", "--trace", "decisions"]),
    );
    let finished = || {
        std::fs::read_to_string(terminal.path("d/progress.ndjson"))
            .unwrap_or_default()
            .lines()
            .count()
    };
    run.until(|| finished() >= 20);
    run.signal("-INT");
    let said = run.end();
    assert_eq!(said.code, Some(130));
    assert_eq!(
        said.stderr,
        "interrupted: the result holds the replications that were finished\n\
         help: `klero resume d` goes on with it\n"
    );
    let csv = terminal.read("d/replications.csv");
    let n = kept(&csv).to_string();
    assert!(
        kept(&csv) >= 20 && !terminal.read("d/endings.csv").contains("interrupted"),
        "{n}"
    );
    terminal.done(&[
        "run",
        "committee-syn6",
        "--replications",
        &n,
        "--out",
        "again",
        "--trace",
        "decisions",
    ]);
    for file in [
        "replications.csv",
        "summary.json",
        "selected.csv",
        "series.csv",
        "decisions.ndjson",
    ] {
        assert!(
            terminal.read(&format!("d/{file}")) == terminal.read(&format!("again/{file}")),
            "{file}"
        );
    }
    let left = terminal.names("d");
    assert!(!left.contains(&"progress.ndjson".to_owned()), "{left:?}");
    assert!(
        said.stdout
            .starts_with(&format!("syn6 committee: {n} replications")),
        "{}",
        said.stdout
    );
}

#[test]
fn a_run_without_files_prints_what_was_finished() {
    let terminal = Terminal::new();
    for more in [
        &["--threads", "1"][..],
        &["--threads", "3"],
        &["--runtime", "multi", "--threads", "2"],
    ] {
        let run = Running::start(
            &terminal,
            &with(&with(LONG, &["--format", "csv", "-q"]), more),
        );
        sleep(Duration::from_millis(300));
        run.signal("-INT");
        let said = run.end();
        assert_eq!(said.code, Some(130), "{more:?}");
        let n = kept(&said.stdout).to_string();
        if said.stdout.contains("interrupted") {
            // It came before the first replication was over: that one is shown, cut short.
            assert_eq!(n, "1");
            continue;
        }
        let again = terminal.done(&[
            "run",
            "committee-syn6",
            "--format",
            "csv",
            "-q",
            "--replications",
            &n,
        ]);
        assert!(said.stdout == again, "{more:?}: {n} replications");
    }
}

/// A first replication that would never end is shown as far as it came, and says that it was
/// interrupted.
#[test]
fn a_single_long_replication_is_cut_short() {
    let terminal = Terminal::new();
    let args = [
        "run",
        "committee-syn6",
        "--replications",
        "1",
        "--only",
        "accept all",
        "--set",
        "rules.until.rounds=9000000000000",
    ];
    let endless = [
        "--set",
        "rules.until={ rounds = 9000000000000 }",
        "--set",
        "rules.max_rounds=9000000000000",
        "--set",
        "report.at=[50]",
        "--format",
        "json",
        "--out",
        "d",
    ];
    let run = Running::start(&terminal, &with(&args[..6], &endless));
    run.until(|| terminal.path("d/progress.ndjson").exists());
    sleep(Duration::from_millis(200));
    run.signal("-INT");
    let said = run.end();
    assert_eq!(said.code, Some(130), "{}", said.stderr);
    said.stderr.says("the first replication as far as it came");
    assert_eq!(said.stdout, terminal.read("d/summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    let policy = &summary["policies"]["accept all"];
    assert_eq!(policy["endings"]["interrupted"], 1);
    assert_eq!(policy["metrics"]["screened"], policy["metrics"]["accepted"]);
    let selected = terminal.read("d/selected.csv").lines().count() as f64 - 1.0;
    assert_eq!(
        policy["metrics"]["accepted"]["mean"].as_f64(),
        Some(selected)
    );
}

/// Of a sweep, the runs before are whole, the one under way holds what was finished, those after
/// are not begun.
#[test]
fn a_sweep_stops_at_the_run_under_way() {
    let terminal = Terminal::new();
    let config = crate::support::configs::SOUND.replace("at = [5, 10]\n", "");
    terminal.put(
        "my.toml",
        config + "[sweep]\nreplications = [2, 1000000000, 3]\n",
    );
    let run = Running::start(
        &terminal,
        &["run", "my.toml", "--out", "d", "--format", "json"],
    );
    let under_way = terminal.path("d/point-002/progress.ndjson");
    let finished = || {
        std::fs::read_to_string(&under_way)
            .unwrap_or_default()
            .lines()
            .count()
    };
    run.until(|| finished() >= 5);
    run.signal("-INT");
    let said = run.end();
    assert_eq!(said.code, Some(130), "{}", said.stderr);
    assert_eq!(
        terminal.names("d"),
        [
            "point-001",
            "point-002",
            "points.csv",
            "replications.part",
            "sweep.csv",
            "verdicts.csv"
        ]
    );
    let points = "point,replications\npoint-001,2\npoint-002,1000000000\npoint-003,3\n";
    assert_eq!(terminal.read("d/points.csv"), points);
    let said_of_report = terminal.exits(0, &["report", "d"]);
    assert!(
        said_of_report
            .stderr
            .contains("note: 1 of the sweep's runs were not begun"),
        "{}",
        said_of_report.stderr
    );
    let json: serde_json::Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["runs"][0]["summary"]["replications"], 2);
    let n = json["runs"][1]["summary"]["replications"]
        .as_u64()
        .expect("a number")
        .to_string();
    terminal.done(&[
        "run",
        "my.toml",
        "--set",
        "sweep={}",
        "--replications",
        &n,
        "--out",
        "again",
    ]);
    let csv = |folder: &str| terminal.read(&format!("{folder}/replications.csv"));
    assert!(csv("d/point-002") == csv("again"));
}

/// A plan of minutes is not waited for.
#[test]
fn a_plan_is_given_up() {
    let terminal = Terminal::new();
    let config = super::plans::ahead()
        .replace("gamma = 0.99", "gamma = 0.999")
        .replace("state = \"share\"", "state = \"theta\"");
    terminal.put("my.toml", config);
    let slate = ["--set", "rules.slate=1000"];
    let run = Running::start(&terminal, &with(&["run", "my.toml", "--out", "d"], &slate));
    sleep(Duration::from_millis(300));
    run.signal("-INT");
    let said = run.end();
    assert_eq!(said.code, Some(130), "{}", said.stderr);
    assert_eq!(
        said.stderr.lines().last(),
        Some("interrupted: nothing was run")
    );
    assert_eq!(said.stdout, "");
    assert_eq!(terminal.names("."), ["my.toml"]);

    // Of a sweep, what was run before stays.
    let first = ["--sweep", "rules.slate=1000,900"];
    let run = Running::start(&terminal, &with(&["run", "my.toml", "--out", "d"], &first));
    run.until(|| terminal.path("d/points.csv").exists());
    run.signal("-INT");
    assert_eq!(run.end().code, Some(130));
    assert_eq!(terminal.names("."), ["my.toml"]);
    let slates = ["--sweep", "rules.slate=20,1000", "--format", "json"];
    let run = Running::start(&terminal, &with(&["run", "my.toml", "--out", "d"], &slates));
    run.until(|| terminal.path("d/point-001/summary.json").exists());
    run.signal("-INT");
    let said = run.end();
    assert_eq!(said.code, Some(130), "{}", said.stderr);
    assert_eq!(
        terminal.names("d"),
        [
            "plans",
            "point-001",
            "points.csv",
            "replications.part",
            "sweep.csv",
            "verdicts.csv"
        ]
    );
    let json: serde_json::Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(1));
}

/// A town with households whose lottery takes minutes in a build of tests.
fn put_large_town(terminal: &Terminal) {
    let town = Town {
        people: 1_200,
        values: &[2, 5, 8, 4, 3, 4],
        members: 100,
        slack: 1,
    };
    put(&town, terminal);
    let files = ["init", "respondents.csv", "categories.csv", "--yes"];
    let how = [
        "--columns",
        "home=household",
        "--places",
        "100",
        "-o",
        "my.toml",
    ];
    terminal.done(&with(&files, &how));
    terminal.put("panels.csv", "panel,probability,id\n1,1,p1\n");
}

/// A lottery is given up at once, whatever asks for it, and nothing is left of the command.
#[test]
fn a_lottery_is_given_up() {
    let terminal = Terminal::new();
    put_large_town(&terminal);
    let before = terminal.names(".");
    let lottery = ["--policy", "lottery", "--out", "out"];
    let asks: [Vec<&str>; 4] = [
        vec!["run", "my.toml", "--out", "out"],
        [&["draw", "my.toml", "--seed-from", "text:1"][..], &lottery].concat(),
        [
            &["draw", "numbered", "my.toml", "--randomness", "x"][..],
            &lottery,
        ]
        .concat(),
        vec![
            "verify",
            "lottery",
            "panels.csv",
            "my.toml",
            "--claim",
            "leximin",
        ],
    ];
    for ask in &asks {
        let mut soonest = Duration::MAX;
        // Of two tries one is soon, however busy the machine.
        for _ in 0..2 {
            let run = Running::start(&terminal, ask);
            sleep(Duration::from_millis(700));
            run.signal("-INT");
            let sent = Instant::now();
            let said = run.end();
            soonest = soonest.min(sent.elapsed());
            assert_eq!(said.code, Some(130), "{ask:?}: {}", said.stderr);
            assert_eq!(
                (&*said.stdout, terminal.names(".")),
                ("", before.clone()),
                "{ask:?}"
            );
        }
        assert!(soonest < Duration::from_millis(100), "{ask:?}: {soonest:?}");
    }
}

/// The second one ends it at once, even where the first can't: here no program reads what is to be
/// printed.
#[test]
fn a_second_interrupt_ends_it_at_once() {
    let terminal = Terminal::new();
    let args = with(LONG, &["--format", "csv", "--out", "d", "-q"]);
    let mut run = Running::start(&terminal, &args);
    let finished = || {
        std::fs::read_to_string(terminal.path("d/progress.ndjson"))
            .unwrap_or_default()
            .lines()
            .count()
    };
    run.until(|| finished() >= 50);
    let start = Instant::now();
    let status = loop {
        run.signal("-INT");
        sleep(Duration::from_millis(50));
        if let Some(status) = run.0.try_wait().expect("it can be asked") {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "it does not end");
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_service_manager_ends_a_run_as_a_user_does() {
    let terminal = Terminal::new();
    let run = Running::start(&terminal, &with(LONG, &["--out", "d", "--quiet"]));
    run.until(|| {
        run.status("SigCgt")
            .is_some_and(|mask| mask & (1 << 14) != 0)
    });
    run.signal("-TERM");
    let said = run.end();
    assert_eq!(said.code, Some(130));
    assert!(said.stderr.starts_with("interrupted: "), "{}", said.stderr);
}
