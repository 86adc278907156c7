//! The cost of many policies: a run, its report, and a live run with its board and its end. All
//! pairs of policies are compared, so the work is at best in proportion to n².
//!
//! `cargo bench --bench many`; `-- --quick` for a few seconds.
//!
//! Each number of policies is played by the program as a user starts it, on a judged rate and a judged
//! fact. The last column of each part is the time as a multiple of the time of the fewest policies,
//! over the same multiple of n² log n: above 1 it grows faster than that.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PARTS: [&str; 5] = ["run", "report", "decisions", "board", "stop"];

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick")
        || std::env::args().all(|arg| arg != "--bench");
    let (sizes, people): (&[usize], usize) = match quick {
        true => (&[16, 32], 10),
        false => (&[100, 300, 1000], 50),
    };
    println!("n policies, {people} people, seconds of wall time; (growth over that of n² log n)");
    print!("{:>6}", "n");
    for part in PARTS {
        print!("{part:>18}");
    }
    println!();
    let mut first: Option<(usize, [f64; 5])> = None;
    for n in sizes {
        let times = measured(*n, people).map(|time| time.as_secs_f64());
        let (least, of_least) = *first.get_or_insert((*n, times));
        print!("{n:>6}");
        for (time, base) in times.iter().zip(of_least) {
            let growth = time / base / (size(*n) / size(least));
            print!("{:>18}", format!("{time:.3} ({growth:.2})"));
        }
        println!();
    }
}

fn size(n: usize) -> f64 {
    let n = n as f64;
    n * n * libm::log2(n)
}

/// The times of each part.
fn measured(n: usize, people: usize) -> [Duration; 5] {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("run.toml"), config(RUN, people, n)).expect("room");
    fs::write(folder.join("live.toml"), config(LIVE, people, n)).expect("room");
    let run = timed(|| good(folder, &["run", "run.toml", "--out", "run"]));
    let report = timed(|| good(folder, &["report", "run"]));
    let mut live = Live::start(folder);
    let decisions = timed(|| {
        live.post(people);
        live.wait(n, people);
    });
    let board = timed(|| {
        let page = ask(&live.board, "GET", "/", "");
        assert!(page.contains("</html>"), "{}", &page[..200.min(page.len())]);
    });
    let stop = timed(|| live.stop());
    [run, report, decisions, board, stop]
}

const RUN: &str = "type = \"categorical\"\n[source.weights]\nsex = { male = 1.0, female = 1.5 }\n";
const LIVE: &str = "type = \"http\"\naddress = \"127.0.0.1:0\"\nid = \"id\"\n[source.attributes]\n\
                    sex = { column = \"sex\", values = { \"1\" = \"male\", \"2\" = \"female\" } }\n";

fn config(source: &str, people: usize, n: usize) -> String {
    let mut text = format!(
        "name = \"many\"\nseed = 7\n[source]\n{source}\
         [target]\nsex = {{ male = 0.49, female = 0.51 }}\n\
         [rules]\nchoose = \"at_most_one\"\nuntil = {{ rounds = {people} }}\n\
         [report]\njudge = [\"selection_rate\", \"representation_loss\"]\nbaseline = \"v0\"\n"
    );
    for at in 0..n {
        let v = 0.1 + at as f64 / n as f64;
        let policy = format!("[[policy]]\nlabel = \"v{at}\"\nkind = \"virtual_queue\"\nv = {v}\n");
        write!(text, "{policy}").expect("a string");
    }
    text
}

fn timed(act: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    act();
    begun.elapsed()
}

fn klero(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_klero"));
    command
        .args(args)
        .current_dir(folder)
        .env_remove("RUST_LOG");
    command
}

fn good(folder: &Path, args: &[&str]) {
    let done = klero(folder, args).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{args:?}: {said}");
}

/// A live run in a process of its own.
struct Live {
    child: Child,
    feed: String,
    board: String,
}

impl Live {
    fn start(folder: &Path) -> Self {
        let args = [
            "live",
            "live.toml",
            "--set",
            "board.address=127.0.0.1:0",
            "--out",
            "live",
        ];
        let mut command = klero(folder, &args);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut said = BufReader::new(child.stderr.take().expect("piped"));
        let (mut feed, mut board) = (String::new(), String::new());
        while feed.is_empty() || board.is_empty() {
            let mut line = String::new();
            assert!(said.read_line(&mut line).expect("UTF-8") > 0, "it ended");
            for (start, to) in [("feed: ", &mut feed), ("board: http://", &mut board)] {
                if let Some(address) = line.strip_prefix(start) {
                    address.trim().trim_end_matches('/').clone_into(to);
                }
            }
        }
        std::thread::spawn(move || drop(std::io::copy(&mut said, &mut std::io::sink())));
        Self { child, feed, board }
    }

    fn post(&self, people: usize) {
        let person = |n| format!("{{\"id\":\"p{n}\",\"sex\":\"{}\"}}\n", 1 + n % 2);
        let body: String = (0..people).map(person).collect();
        let answer = ask(&self.feed, "POST", "/v1/candidates", &body);
        assert!(
            answer.contains(&format!("\"accepted\":{people}")),
            "{answer}"
        );
    }

    /// Waits until all lanes have decided of everyone.
    fn wait(&self, n: usize, people: usize) {
        loop {
            let metrics = ask(&self.feed, "GET", "/metrics", "");
            let lines = metrics.lines();
            let lanes = lines.filter(|line| line.starts_with("klero_lane_rounds_total"));
            let rounds = lanes.filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok());
            if rounds.sum::<usize>() == n * people {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn stop(&mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill is there").success());
        self.child.wait().expect("it ends");
    }
}

fn ask(address: &str, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}
