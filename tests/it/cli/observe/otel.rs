//! Spans of a run at a collector of the test's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::configs::SOUND;
use crate::support::ports::free_address;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// Longer than any test takes, unless something hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Takes requests and answers them with a status; hands on the first line of each, and its body.
fn collector(status: &'static str) -> (String, mpsc::Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (sender, requests) = mpsc::sync_channel(1024);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            loop {
                let (mut first, mut length) = (String::new(), 0);
                if !reader.read_line(&mut first).is_ok_and(|n| n > 0) {
                    break;
                }
                let mut line = first.clone();
                while line.trim() != "" {
                    line.clear();
                    reader.read_line(&mut line).expect("a header");
                    let lower = line.to_ascii_lowercase();
                    if let Some(n) = lower.strip_prefix("content-length:") {
                        length = n.trim().parse().expect("a length");
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).expect("a body");
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
                let stream = reader.get_mut();
                stream.write_all(answer.as_bytes()).expect("it listens");
                if sender.send((first, body)).is_err() {
                    return;
                }
            }
        }
    });
    (format!("http://{address}"), requests)
}

/// The exit code, stdout and stderr of a run that sends its spans there.
fn run(endpoint: &str) -> (Option<i32>, String, String) {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let mut command = terminal.command(&["run", "my.toml", "--quiet"]);
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    // Several requests, so that each could be complained of.
    command.env("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8");
    let output = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn holds(body: &[u8], word: &str) -> bool {
    body.windows(word.len()).any(|part| part == word.as_bytes())
}

#[test]
fn a_collector_gets_the_spans_of_all_tasks() {
    let (endpoint, requests) = collector("200 OK");
    let (code, _, stderr) = run(&endpoint);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let (first, mut body) = requests.recv_timeout(PATIENCE).expect("spans were sent");
    assert!(first.starts_with("POST /v1/traces HTTP/1.1"), "{first}");
    // All that was sent before the program ended.
    let rest: Vec<_> = requests.try_iter().collect();
    assert!(!rest.is_empty(), "it is sent in several requests");
    body.extend(rest.into_iter().flat_map(|(_, body)| body));
    for word in [
        "source",
        "lane",
        "scorer",
        "replication",
        "batch",
        "greedy .05",
        "klero",
    ] {
        assert!(holds(&body, word), "nothing of {word}");
    }
}

#[test]
fn a_collector_that_is_not_there_or_refuses_is_one_warning() {
    let gone = format!("http://{}", free_address());
    let (refusing, _requests) = collector("503 Service Unavailable");
    let (_, table, _) = run("");
    for endpoint in [gone, refusing] {
        let (code, stdout, stderr) = run(&endpoint);
        assert_eq!((code, &stdout), (Some(0), &table), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(
            stderr.starts_with("warning: spans are not sent: "),
            "{stderr}"
        );
        stderr.says(&endpoint);
    }
}

#[test]
fn nothing_is_sent_unless_asked_for() {
    let (code, _, stderr) = run("");
    assert_eq!((code, &*stderr), (Some(0), ""));
}
