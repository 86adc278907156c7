//! A live run in the background, and those who send to it.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any test takes, unless something hangs.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with configs, and the binary run in it.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("it can be written");
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_klero"));
        command.args(args).current_dir(self.folder.path());
        command.env_remove("RUST_LOG").env_remove("KLERO_TOKEN");
        command
    }

    /// Runs to the end: the exit code, stdout, stderr.
    pub fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        self.run_with(args, &[])
    }

    /// The same, in this environment.
    pub fn run_with(
        &self,
        args: &[&str],
        environment: &[(&str, &str)],
    ) -> (Option<i32>, String, String) {
        let mut command = self.command(args);
        command.envs(environment.iter().copied());
        let output = command.stdin(Stdio::null()).output();
        let output = output.expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// Runs to an end that is to be good; its stdout.
    #[track_caller]
    pub fn good(&self, args: &[&str]) -> String {
        let (code, stdout, stderr) = self.run(args);
        assert_eq!(code, Some(0), "{args:?}: {stderr}");
        stdout
    }

    /// Starts a live run; returns once it says that it listens, where it does.
    pub fn start(&self, args: &[&str]) -> Live {
        self.start_with(args, &[])
    }

    pub fn start_with(&self, args: &[&str], environment: &[(&str, &str)]) -> Live {
        let mut command = self.command(args);
        command.envs(environment.iter().copied());
        Live::of(command)
    }

    /// Starts a live run by another program, which finds `klero` on the path.
    pub fn start_by(&self, program: &str, args: &[&str]) -> Live {
        let klero = Path::new(env!("CARGO_BIN_EXE_klero")).parent();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.args(args).current_dir(self.folder.path());
        command.env_remove("RUST_LOG").env_remove("KLERO_TOKEN");
        let folder = klero.expect("a folder").display();
        command.env("PATH", format!("{folder}:{path}"));
        Live::of(command)
    }
}

/// A live run in the background; killed when it is dropped.
pub struct Live {
    child: Child,
    pub stdin: Option<ChildStdin>,
    said: mpsc::Receiver<String>,
    heard: Vec<String>,
}

impl Live {
    fn of(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let (sender, said) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            said,
            heard: Vec::new(),
        }
    }

    /// Waits for a line on stderr that begins so; what follows.
    #[track_caller]
    pub fn hears(&mut self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.said.recv_timeout(left) else {
                panic!("it never said {start:?}: {:?}", self.heard);
            };
            self.heard.push(line.clone());
            if let Some(rest) = line.strip_prefix(start) {
                return rest.to_owned();
            }
        }
    }

    /// Where its feed listens; none where it ends before it listens.
    pub fn feed_or_end(&mut self) -> Option<SocketAddr> {
        loop {
            match self.said.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.heard.push(line.clone());
                    if let Some(feed) = line.strip_prefix("feed: ") {
                        return Some(feed.parse().expect("an address"));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => panic!("it hangs: {:?}", self.heard),
            }
        }
    }

    /// Waits for a line on stderr that has these words in it.
    #[track_caller]
    pub fn hears_of(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.heard.last().is_some_and(|line| line.contains(words)) {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.said.recv_timeout(left) else {
                panic!("it never said {words:?}: {:?}", self.heard);
            };
            self.heard.push(line);
        }
    }

    /// Where its feed listens.
    pub fn feed(&mut self) -> SocketAddr {
        self.hears("feed: ").parse().expect("an address")
    }

    pub fn board(&mut self) -> SocketAddr {
        self.hears("board: http://").parse().expect("an address")
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Ends it at once, as a crash would.
    pub fn kill(mut self) {
        self.child.kill().expect("it lives");
        self.child.wait().expect("it ends");
    }

    /// Waits for its end: the exit code, stdout, stderr.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.stdin.take());
        let mut stdout = String::new();
        let mut pipe = self.child.stdout.take().expect("piped");
        pipe.read_to_string(&mut stdout).expect("UTF-8");
        let status = self.child.wait().expect("it ends");
        self.heard.extend(self.said.iter());
        (status.code(), stdout, self.heard.join("\n"))
    }

    /// Interrupts it and waits for its end.
    pub fn stop(self) -> (Option<i32>, String, String) {
        self.signal("-INT");
        self.end()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The arguments that play `http.toml` live into a folder, its decisions written down.
pub fn live(folder: &str) -> [&str; 7] {
    [
        "live",
        "http.toml",
        "--no-board",
        "--trace",
        "decisions",
        "--out",
        folder,
    ]
}

/// Sends a request and reads the whole answer: status and body.
pub fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> (u16, String) {
    ask_with(
        address,
        method,
        path,
        "content-type: application/json\r\n",
        body,
    )
}

/// The same with these headers.
pub fn ask_with(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String) {
    try_ask_with(address, method, path, headers, body).expect("it answers")
}

/// The same; an error where no whole answer comes.
pub fn try_ask_with(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         {headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(cut)?;
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    let mut lengths = head
        .lines()
        .filter_map(|line| line.strip_prefix("content-length: "));
    let length = lengths.next().map(str::parse);
    match length {
        Some(length) if length != Ok(body.len()) => Err(cut()),
        _ => Ok((status.ok_or_else(cut)?, body.to_owned())),
    }
}

/// Posts something that is to be taken.
#[track_caller]
pub fn post(address: SocketAddr, path: &str, body: &str) -> serde_json::Value {
    let (status, answer) = ask(address, "POST", path, body);
    assert!((200..300).contains(&status), "{status}: {answer}");
    serde_json::from_str(&answer).expect("JSON")
}

/// Posts people with these headers, who are to be taken.
#[track_caller]
pub fn post_with(address: SocketAddr, headers: &str, body: &str) -> serde_json::Value {
    let (status, answer) = ask_with(address, "POST", "/v1/candidates", headers, body);
    assert!((200..300).contains(&status), "{status}: {answer}");
    serde_json::from_str(&answer).expect("JSON")
}

/// Files that must be the same whatever way the people came.
pub const SAME: [&str; 6] = [
    "course.csv",
    "decisions.ndjson",
    "endings.csv",
    "replications.csv",
    "selected.csv",
    "summary.json",
];

/// The files of a run's folder and the number of its journal's entries; the store itself is
/// SQLite's.
pub fn files(place: &Place, folder: &str) -> BTreeMap<String, String> {
    let listed = std::fs::read_dir(place.path(folder)).expect("it is there");
    let names = listed.map(|entry| entry.expect("it can be listed").file_name());
    let names = names.map(|name| name.display().to_string());
    // The report is made of the others.
    let is_result = |name: &String| {
        !name.starts_with("journal.") && !["figures", "report.html"].contains(&name.as_str())
    };
    let names = names.filter(is_result);
    let read = |name: String| (name.clone(), place.read(&format!("{folder}/{name}")));
    let mut files: BTreeMap<_, _> = names.map(read).collect();
    let store = place.path(folder).join("journal.sqlite");
    let store = rusqlite::Connection::open(store).expect("a journal");
    let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    let count = store.query_row("SELECT count(*) FROM entry", [], count);
    let count = count.expect("a count").to_string();
    files.insert("entries".to_owned(), count);
    files
}

/// Whether a run's folder holds what it held.
#[track_caller]
pub fn untouched(place: &Place, folder: &str, before: &BTreeMap<String, String>) {
    let now = files(place, folder);
    let names = now.keys().chain(before.keys());
    let other: Vec<_> = names
        .filter(|name| now.get(*name) != before.get(*name))
        .collect();
    assert!(other.is_empty(), "{other:?}");
}

/// Whether two folders of runs hold the same results.
#[track_caller]
pub fn same(place: &Place, a: &str, b: &str) {
    for name in SAME {
        let read = |folder: &str| place.read(&Path::new(folder).join(name).display().to_string());
        let (one, other) = (read(a), read(b));
        assert!(one == other, "{name} of {a} and {b} differ");
        assert!(!one.is_empty());
    }
}
