//! Clients as they are: the programs and libraries that others use, and the lines of docs/live.md.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::Command;

use serde_json::{Value, json};

use super::people::{HTTP, config, lines, people};
use crate::support::ports::free_address;
use crate::support::process::{Live, PATIENCE, Place, ask, ask_with, live, post};
use crate::support::programs::{cloudevents, curl, promtool};
use crate::support::project;
use crate::support::says::Says as _;
use crate::support::schema::{fits, strict};

/// Sends a person as the package does: twice in binary mode, in structured mode, in a batch with
/// another, and asks for the decision on a third; then outcomes.
const CLOUDEVENTS: &str = r#"
import http.client, json, sys
from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent

def event(id, data):
    return CloudEvent({"type": "org.example.applied", "source": "https://example.org/a%20b",
                       "id": id, "specversion": "1.0"}, data)

def post(path, headers, body):
    connection = http.client.HTTPConnection(sys.argv[1])
    connection.request("POST", path, body, headers)
    print(connection.getresponse().read().decode().strip())

anna = event("anna 1 %41 \u00fc", {"AGEP": 30, "SEX": "2"})
for mode in (to_binary_event, to_binary_event, to_structured_event):
    message = mode(anna)
    post("/v1/candidates", message.headers, message.body)
others = [json.loads(to_structured_event(one).body)
          for one in (anna, event("bert", {"AGEP": 40, "SEX": "1"}))]
batch = {"content-type": "application/cloudevents-batch+json"}
post("/v1/candidates", batch, json.dumps(others).encode())
message = to_binary_event(event("cleo", {"AGEP": 50, "SEX": "2"}))
post("/v1/decisions", message.headers, message.body)
for mode in (to_binary_event, to_structured_event):
    message = mode(event("o", {"candidate_id": "https://example.org/a%20b bert", "outcome": 1}))
    post("/v1/outcomes", message.headers, message.body)
"#;

/// A run of people by HTTP that goes on for long, with `more` at the end of its config.
fn started(place: &Place, more: &str) -> (Live, SocketAddr) {
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 9000 }", more),
    );
    let mut run = place.start(&live("run"));
    let address = run.feed();
    (run, address)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Runs a program that is to do well; what it prints.
#[track_caller]
fn done(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    stdout
}

/// Runs a line of docs/live.md in a shell, against this address.
#[track_caller]
fn documented(place: &Place, start: &str, address: SocketAddr) -> String {
    let page = std::fs::read_to_string(project().join("docs/live.md")).expect("the page");
    let mut found = page.lines().filter(|line| line.starts_with(start));
    let line = found.next().unwrap_or_else(|| panic!("no line {start}"));
    assert_eq!(found.next(), None, "one line that begins with {start}");
    // One that follows ends after a while, with curl's exit code for that.
    let line = line
        .replace("127.0.0.1:8090", &address.to_string())
        .replace("curl -N", "curl -sN --max-time 5");
    let line = format!("{line} || test $? = 28");
    let mut shell = Command::new("sh");
    done(shell.args(["-c", &line]).current_dir(place.path("")))
}

#[test]
fn an_event_of_the_cloudevents_package_is_one_person() {
    let Some(python) = cloudevents() else {
        return;
    };
    let place = Place::new();
    let reported = "[feedback.outcome]\ntype = \"reported\"\n";
    let (run, address) = started(&place, reported);
    place.write("send.py", CLOUDEVENTS);
    let mut send = Command::new(python);
    let send = send.arg(place.path("send.py")).arg(address.to_string());
    let said = done(send);
    let answers: Vec<Value> = said.lines().map(json).collect();
    let counts = |answer: &Value| (answer["accepted"].clone(), answer["duplicates"].clone());
    let counts: Vec<_> = answers[..4].iter().map(counts).collect();
    let due = [(1, 0), (0, 1), (0, 1), (1, 1)].map(|(a, b)| (json!(a), json!(b)));
    assert_eq!(counts, due, "{said}");
    assert_eq!(answers[4]["policies"]["all"]["decision"], "selected");
    assert_eq!(answers[5]["accepted"], 1, "{said}");
    assert_eq!(answers[6]["duplicates"], 1, "{said}");
    run.stop();
    let names = ["anna 1 %41 \u{fc}", "bert", "cleo"];
    let selected = place.read("run/selected.csv");
    for name in names {
        let name = format!("https://example.org/a%20b {name}");
        assert!(selected.contains(&name), "{name}: {selected}");
    }
}

#[test]
fn promtool_finds_nothing_wrong_with_the_metrics() {
    let Some(promtool) = promtool() else {
        return;
    };
    if !curl() {
        return;
    }
    let place = Place::new();
    let (_run, address) = started(&place, "");
    post(address, "/v1/candidates", &lines(&people(20)));
    let text = documented(&place, "curl -H 'accept: text/plain'", address);
    text.says("\nklero_accepted_total 20\n");
    place.write("metrics.txt", &text);
    let metrics = std::fs::File::open(place.path("metrics.txt")).expect("it is there");
    let check = Command::new(promtool)
        .args(["check", "metrics"])
        .stdin(metrics)
        .output();
    let check = check.expect("it runs");
    let said = String::from_utf8_lossy(&[check.stdout, check.stderr].concat()).into_owned();
    assert!(check.status.success() && said.is_empty(), "{said}");
}

#[test]
fn curl_sends_compressed_people_and_sees_what_is_kept_no_more_as_a_gap() {
    if !curl() {
        return;
    }
    let place = Place::new();
    let (_run, address) = started(&place, "");
    // Three lanes, of whose decisions 4,096 are kept.
    place.write("people.ndjson", &lines(&people(2500)));
    let answer = json(&documented(&place, "gzip -c people.ndjson | curl", address));
    assert_eq!(answer["accepted"], 2500, "{answer}");
    let lanes = json(
        &ask(
            address,
            "POST",
            "/v1/decisions",
            r#"{"id":"last","AGEP":30,"SEX":"1"}"#,
        )
        .1,
    );
    let lanes = lanes["policies"].as_object().expect("an object").len() as u64;
    let events = lanes * 2501;
    // Until it has sent all: then it only says that it lives.
    let said = documented(&place, "curl -N ", address);
    let mut blocks = said.split("\n\n").filter(|block| block.starts_with("id: "));
    let oldest = events - 4096;
    let gap = format!(
        "id: {}\nevent: gap\ndata: {{\"from\":1,\"to\":{}}}",
        oldest - 1,
        oldest - 1
    );
    assert_eq!(blocks.next(), Some(&*gap));
    let decision = strict(&place.good(&["schema", "decision"]));
    for (seq, block) in (oldest..events).zip(blocks.by_ref()) {
        let start = format!("id: {seq}\nevent: decision\ndata: ");
        let data = block
            .strip_prefix(&*start)
            .unwrap_or_else(|| panic!("{seq}: {block}"));
        if seq % 100 == 0 {
            fits(&decision, data);
        }
    }
    assert_eq!(blocks.next(), None);
}

#[test]
fn answers_and_outcomes_fit_their_schemas() {
    let place = Place::new();
    let more =
        "[feedback.outcome]\ntype = \"reported\"\nrange = [0, 1]\n[live]\nacting = \"queue\"\n";
    place.write(
        "http.toml",
        &config(HTTP, "until = { accepted = 10 }", more),
    );
    let mut run = place.start(&live("run"));
    let address = run.feed();
    let schema = |subject| strict(&place.good(&["schema", subject]));
    let (answer, outcome) = (schema("answer"), schema("outcome"));
    let mut seen = Vec::new();
    for person in people(200) {
        let (status, text) = ask(address, "POST", "/v1/decisions", &person);
        if status == 410 {
            break;
        }
        fits(&answer, &text);
        seen.push(json(&text));
    }
    let (_, text) = ask(address, "POST", "/v1/decisions", &people(1)[0]);
    fits(&answer, &text);
    assert_eq!(json(&text)["duplicate"], true);
    // All shapes came: a decision that counts, none any more, and a policy that has ended.
    let any = |is: &dyn Fn(&Value) -> bool| seen.iter().any(is);
    assert!(
        any(&|a| a["decision"] == "selected") && any(&|a| a["note"].is_string()),
        "{seen:?}"
    );
    assert!(
        any(&|a| a["policies"]["all"]["ended"] == "filled"),
        "{seen:?}"
    );
    for (text, status) in [
        (r#"{"candidate_id":"p0","outcome":1}"#, 202),
        (r#"{"candidate_id":"p0","outcome":1,"policy":null}"#, 200),
        (
            r#"{"candidate_id":"p0","outcome":0.5,"policy":"queue"}"#,
            202,
        ),
        (r#"{"candidate_id":"","outcome":1}"#, 422),
        (r#"{"candidate_id":true,"outcome":1}"#, 422),
        (r#"{"candidate_id":"p0","outcome":"1"}"#, 422),
        (r#"{"candidate_id":"p0","outcome":1,"polcy":"queue"}"#, 422),
        (r#"{"outcome":1}"#, 422),
    ] {
        let (given, said) = ask(address, "POST", "/v1/outcomes", text);
        assert_eq!(given, status, "{text}: {said}");
        let fits = outcome.is_valid(&json(text));
        assert_eq!(fits, status < 300, "{text}");
    }
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    fits(&schema("summary"), &place.read("run/summary.json"));
}

#[test]
fn pages_of_listed_origins_may_ask_a_live_run() {
    let place = Place::new();
    let (_run, address) = started(&place, "[live]\norigins = [\"https://Example.org\"]\n");
    let preflight = |origin: &str| {
        let headers = format!("origin: {origin}\r\naccess-control-request-method: POST\r\n");
        ask_with(address, "OPTIONS", "/v1/candidates", &headers, "").0
    };
    assert_eq!(preflight("https://example.org"), 204);
    assert_eq!(preflight("https://example.com"), 403);
    let post = |origin: &str| {
        let headers = format!("origin: {origin}\r\ncontent-type: application/json\r\n");
        ask_with(address, "POST", "/v1/candidates", &headers, &people(1)[0])
    };
    assert_eq!(post("https://example.org").0, 202);
    let (status, said) = post("https://example.com");
    assert!(
        status == 403 && said.contains("[live] origins = "),
        "{said}"
    );
}

#[test]
fn counted_records_come_by_tcp_and_by_a_pipe() {
    let place = Place::new();
    let counted = "framing.method = \"octet_counting\"";
    let framed = |text: &str| format!("{} {text}", text.len());
    let all: String = people(100).iter().map(|person| framed(person)).collect();
    for (name, source) in [
        ("tcp", "type = \"tcp\"\naddress = \"127.0.0.1:0\""),
        ("stdin", "type = \"stdin\""),
    ] {
        let file = format!("{name}.toml");
        let source = format!("{source}\n{counted}");
        place.write(&file, &config(&source, "until = { rounds = 100 }", ""));
        let args = [
            "live",
            &file,
            "--no-board",
            "--trace",
            "decisions",
            "--out",
            name,
        ];
        let mut run = place.start(&args);
        if name == "tcp" {
            let mut stream = TcpStream::connect(run.feed()).expect("it listens");
            stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
            stream.write_all(all.as_bytes()).expect("it reads");
            stream.shutdown(Shutdown::Write).expect("a socket");
            let mut said = String::new();
            stream.read_to_string(&mut said).expect("it answers");
            assert_eq!(json(&said)["accepted"], 100, "{said}");
        } else {
            let mut stdin = run.stdin.take().expect("piped");
            stdin.write_all(all.as_bytes()).expect("it reads");
        }
        assert_eq!(run.end().0, Some(0), "{name}");
    }
    crate::support::process::same(&place, "tcp", "stdin");
    // Lines where lengths are due: nothing of them can be read, and the run says so.
    let mut run = place.start(&["live", "stdin.toml", "--no-board", "--out", "lines"]);
    let mut stdin = run.stdin.take().expect("piped");
    stdin
        .write_all(lines(&people(3)).as_bytes())
        .expect("it reads");
    drop(stdin);
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(1), "{stderr}");
    stderr.says("the stream broke off");
    stderr.says("framing.method = \"newline_delimited\"");
}

#[test]
fn a_feed_on_the_board_s_address_is_told_apart_from_a_stranger_there() {
    let place = Place::new();
    let address = free_address();
    let board = format!("[board]\naddress = \"{address}\"\n");
    let source = format!("type = \"tcp\"\naddress = \"{address}\"");
    place.write(
        "tcp.toml",
        &config(&source, "until = { rounds = 9 }", &board),
    );
    let (code, _, stderr) = place.run(&["live", "tcp.toml", "--out", "run"]);
    assert_eq!(code, Some(2), "{stderr}");
    let what = format!("the feed and the board can't both listen on {address}");
    stderr.says(&what);
    stderr.says("--no-board");
    // By HTTP one server is both.
    let source = format!("type = \"http\"\naddress = \"{address}\"");
    place.write(
        "http.toml",
        &config(&source, "until = { rounds = 9 }", &board),
    );
    let mut run = place.start(&["live", "http.toml", "--out", "both"]);
    assert_eq!((run.feed(), run.board()), (address, address));
    assert_eq!(ask(address, "GET", "/", "").0, 200);
    assert_eq!(ask(address, "POST", "/v1/candidates", &people(1)[0]).0, 202);
}
