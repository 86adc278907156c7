//! What a run logs on stderr, and where else it is asked to.

#[cfg(feature = "otel")]
mod otel;

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::configs::SOUND;
use crate::support::terminal::Terminal;

/// People by a pipe.
const PIPED: &str = r#"name = "piped"
seed = 1

[source]
type = "stdin"
[source.attributes]
gender = { column = "gender", values = { M = "M", F = "F" } }

[target]
gender = { M = 0.4, F = 0.6 }

[rules]
slate = 1
choose = "at_most_one"
until = { accepted = 100 }

[[policy]]
label = "all"
kind = "accept_all"

[[policy]]
label = "greedy .05"
kind = "greedy"
tolerance = 0.05
"#;

/// Two people, and a third whose record is refused.
const PEOPLE: &str = r#"{"id":"person-1","groups":{"gender":"F"}}
{"id":"person-2","groups":{"gender":"M"}}
{"id":"person-3","groups":{"gender":"X"}}
"#;

/// The exit code, and each line of stderr, which is to be an object with what every line has.
#[track_caller]
fn logged(command: &mut Command) -> (Option<i32>, Vec<Value>) {
    let output = command.output().expect("the binary runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    let lines = stderr.lines().map(|line| {
        let object: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for member in ["timestamp", "level", "target"] {
            assert!(object[member].is_string(), "no {member}: {line}");
        }
        assert!(object["fields"]["message"].is_string(), "{line}");
        object
    });
    (output.status.code(), lines.collect())
}

fn message(line: &Value) -> &str {
    line["fields"]["message"].as_str().expect("a message")
}

/// The lines with a message that begins so.
fn with<'a>(lines: &'a [Value], start: &str) -> Vec<&'a Value> {
    let found = lines.iter().filter(|line| message(line).starts_with(start));
    found.collect()
}

#[test]
fn each_line_of_a_good_run_is_an_object() {
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        SOUND.replace("[report]", "[report]\nalpha = 0.05"),
    );
    let args = ["run", "my.toml", "--log", "json"];
    let (code, lines) = logged(&mut terminal.command(&args));
    assert_eq!(code, Some(0));
    // Notes are logged whatever RUST_LOG says, unless they are not wanted.
    let notes = lines.len();
    assert!(notes > 0);
    assert!(
        lines.iter().all(|line| line["level"] == "INFO"),
        "{lines:?}"
    );
    let (_, off) = logged(terminal.command(&args).env("RUST_LOG", "off"));
    assert_eq!(off.len(), notes);
    let (_, quiet) = logged(&mut terminal.command(&["--log=json", "run", "my.toml", "--quiet"]));
    assert_eq!(quiet, Vec::<Value>::new());
}

#[test]
fn a_log_has_each_round_and_lane_once_and_names_no_candidate() {
    let terminal = Terminal::new();
    terminal.put("piped.toml", PIPED);
    terminal.put("people.ndjson", PEOPLE);
    let args = [
        "live",
        "piped.toml",
        "--out",
        "run",
        "--no-board",
        "--log",
        "json",
    ];
    let people = || std::fs::File::open(terminal.path("people.ndjson")).expect("it is there");
    let live = |args: &[&str], level: &str| {
        let mut command = terminal.command(args);
        logged(command.env("RUST_LOG", level).stdin(people()))
    };
    let (code, lines) = live(&args, "kleroterion=trace");
    assert_eq!(code, Some(0));
    let rounds = with(&lines, "a round was decided");
    let pairs: Vec<_> = rounds
        .iter()
        .map(|line| (&line["fields"]["round"], line["span"]["lane"].as_str()))
        .collect();
    for lane in ["all", "greedy .05"] {
        for round in [1, 2] {
            let this = (&Value::from(round), Some(lane));
            assert_eq!(
                pairs.iter().filter(|pair| **pair == this).count(),
                1,
                "{pairs:?}"
            );
        }
    }
    assert_eq!(pairs.len(), 4);
    let all = rounds.iter().filter(|line| line["span"]["lane"] == "all");
    let chosen: Vec<_> = all.map(|line| line["fields"]["chosen"].clone()).collect();
    assert_eq!(chosen, [1, 1], "accept_all accepts each");
    let refused = with(&lines, "records were refused");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["fields"]["refused"], 1);
    let committed: u64 = with(&lines, "committed")
        .iter()
        .filter_map(|line| line["fields"]["entries"].as_u64())
        .sum();
    assert_eq!(committed, 3);
    let ended: Vec<_> = with(&lines, "a lane has ended")
        .iter()
        .map(|line| line["fields"]["ending"].clone())
        .collect();
    assert_eq!(ended, ["source_ended", "source_ended"]);
    for name in ["person-1", "person-2", "person-3"] {
        assert!(!lines.iter().any(|line| line.to_string().contains(name)));
    }

    // Where rounds are not asked for, none is logged; what went before is.
    let (code, lines) = live(&["resume", "run", "--no-board", "--log", "json"], "info");
    assert_eq!(code, Some(0));
    assert_eq!(with(&lines, "a round was decided"), Vec::<&Value>::new());
    let whole = with(&lines, "the journal is whole");
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0]["fields"]["entries"], 3);
    assert_eq!(whole[0]["fields"]["persons"], 2);
    let stages: Vec<_> = with(&lines, "the run is at a further stage")
        .iter()
        .map(|line| line["fields"]["stage"].clone())
        .collect();
    assert_eq!(stages, ["Following", "Over"]);
}

#[test]
fn where_it_listens_is_logged_in_an_object() {
    let terminal = Terminal::new();
    terminal.put(
        "piped.toml",
        format!("{PIPED}\n[board]\naddress = \"127.0.0.1:0\"\n"),
    );
    let args = ["live", "piped.toml", "--out", "run", "--log", "json"];
    let mut command = terminal.command(&args);
    let (code, lines) = logged(command.env("RUST_LOG", "info").stdin(Stdio::null()));
    assert_eq!(code, Some(0));
    let listening = with(&lines, "listening");
    let board = listening[0]["fields"]["board"]
        .as_str()
        .expect("an address");
    let address: std::net::SocketAddr = board.parse().expect("an address");
    assert_ne!(address.port(), 0);
    assert_eq!(with(&lines, &format!("board: http://{board}")).len(), 1);
}

#[test]
fn each_problem_of_a_wrong_config_is_an_object_with_its_place() {
    let terminal = Terminal::new();
    let wrong = SOUND
        .replace("tolerance", "tolerence")
        .replace("replications = 4", "replications = 0");
    terminal.put("my.toml", &wrong);
    let (code, lines) = logged(&mut terminal.command(&["run", "my.toml", "--log", "json"]));
    assert_eq!(code, Some(2));
    assert!(lines.iter().all(|line| line["level"] == "ERROR"));
    let fields = |line: &Value| line["fields"].clone();
    let line = wrong
        .lines()
        .position(|line| line.starts_with("replications"));
    let first = fields(&lines[0]);
    assert_eq!(first["file"], "my.toml");
    assert_eq!(first["line"], line.expect("it is there") + 1);
    assert_eq!(first["column"], 16);
    let tolerance = |line: &&Value| line["fields"]["help"] == "did you mean `tolerance`?";
    let misspelt = fields(lines.iter().find(tolerance).expect("it is noted"));
    let what = misspelt["what"].as_str().expect("it says what");
    assert!(what.starts_with("unknown key `tolerence`"), "{what}");
    let last = fields(&lines[lines.len() - 1]);
    assert_eq!(last["problems"], lines.len() - 1);

    let option = ["run", "my.toml", "--log=json", "--set", "rules.slate="];
    let (code, lines) = logged(&mut terminal.command(&option));
    assert_eq!(code, Some(2));
    assert!(lines[0]["fields"]["option"].is_string(), "{lines:?}");
}

#[test]
fn a_failed_run_and_unknown_words_are_objects() {
    let terminal = Terminal::new();
    let program = "kind = \"exec\"\ncommand = [\"true\"]";
    terminal.put("my.toml", SOUND.replace("kind = \"accept_all\"", program));
    let mut command = terminal.command(&["run", "my.toml", "--strict", "--log", "json"]);
    let (code, lines) = logged(command.env("RUST_LOG", "kleroterion::seat=info"));
    assert_eq!(code, Some(1));
    let failed = with(&lines, "policy all could not be started");
    assert_eq!(failed.len(), 1, "{lines:?}");
    assert_eq!(failed[0]["level"], "ERROR");
    let seats = with(&lines, "a seat has ended");
    assert_eq!(seats.len(), 4, "one a replication");
    for seat in seats {
        assert_eq!(seat["fields"]["policy"], "all");
        assert_eq!(seat["fields"]["ending"], "left");
        assert!(seat["fields"]["detail"].is_string(), "{seat}");
    }

    for args in [
        &["--log", "json", "frobnicate"][..],
        &["run", "--log=json", "--no-such"],
    ] {
        let (code, lines) = logged(&mut terminal.command(args));
        assert_eq!((code, lines.len()), (Some(2), 1), "{args:?}");
        assert_eq!(lines[0]["level"], "ERROR");
    }
}

#[test]
fn text_is_for_people_as_ever() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let mut command = terminal.command(&["run", "my.toml"]);
    let output = command.env("RUST_LOG", "debug").output().expect("it runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        stderr
            .lines()
            .any(|line| line.contains("task{task=\"lane\"") || line.contains("task=\"lane\"")),
        "{stderr}"
    );
    assert!(!stderr.contains('\u{1b}'), "colours where nobody sees them");
    assert!(serde_json::from_str::<Value>(stderr.lines().next().unwrap_or_default()).is_err());
}

#[cfg(not(feature = "otel"))]
#[test]
fn a_collector_that_this_build_sends_nothing_to_is_noted() {
    let terminal = Terminal::new();
    terminal.put("my.toml", SOUND);
    let stderr = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = terminal.command(args);
        for name in ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SDK_DISABLED"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output();
        String::from_utf8(output.expect("the binary runs").stderr).expect("UTF-8")
    };
    let run = ["run", "my.toml", "-q"];
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    let warning = "warning: spans are not sent: OTEL_EXPORTER_OTLP_ENDPOINT is set, but this klero \
                   is built without the feature otel; build it with --features otel";
    assert_eq!(stderr(&run, &[endpoint]).lines().next(), Some(warning));
    let traces = (
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        "http://127.0.0.1:4318",
    );
    assert!(stderr(&run, &[traces]).contains("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set"));
    for (args, variables) in [
        (&run[..], &[][..]),
        (&run, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")]),
        (&run, &[endpoint, ("OTEL_SDK_DISABLED", "true")]),
        (&["list", "policies"], &[endpoint]),
    ] {
        let said = stderr(args, variables);
        assert!(!said.contains("otel"), "{variables:?}: {said}");
    }
}
