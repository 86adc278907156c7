//! The protocol's page is true: its exchange is what a run and the model policy say to each other.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use kleroterion::seat::PAGE;
use kleroterion::seat::wire::{FromProgram, ToProgram};
use serde_json::Value;

use super::{exec, model, python};
use crate::support::terminal::Terminal;

/// The lines of the page that are messages, in order: whether the policy says it, and the line.
fn messages() -> Vec<(bool, &'static str)> {
    let sent = |line: &'static str| line.strip_prefix("-> ").map(|line| (false, line));
    let said = |line: &'static str| line.strip_prefix("<- ").map(|line| (true, line));
    PAGE.lines()
        .filter_map(|line| sent(line).or_else(|| said(line)))
        .collect()
}

/// The first exchange, up to `bye`.
fn exchange() -> Vec<(bool, &'static str)> {
    let all = messages();
    let end = all
        .iter()
        .position(|(_, line)| line.contains("\"bye\""))
        .expect("it ends");
    all[..=end].to_vec()
}

#[test]
fn every_message_on_the_page_is_one() {
    let all = messages();
    assert!(all.len() > exchange().len() + 4, "{}", all.len());
    for (says, line) in all {
        let again = if says {
            let said: FromProgram =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let read: Value = serde_json::to_value(&said).expect("it can be written");
            assert_eq!(
                read["type"],
                serde_json::from_str::<Value>(line).expect("JSON")["type"]
            );
            continue;
        } else {
            let message: ToProgram =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            serde_json::to_string(&message).expect("it can be written")
        };
        assert_eq!(again, line);
    }
}

#[test]
fn the_model_policy_answers_as_the_page_says() {
    if !python() {
        return;
    }
    let mut child = Command::new("python3")
        .args([&*model(), "lottery"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for (says, line) in exchange() {
        if says {
            let answer = lines.next().expect("an answer").expect("text");
            assert_eq!(answer, line);
        } else {
            writeln!(stdin, "{line}").expect("it reads");
        }
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    assert!(lines.next().is_none(), "it says no more");
}

/// The config of the page, and a policy that hands the messages on and writes them down.
#[test]
fn a_run_says_what_the_page_says() {
    if !python() {
        return;
    }
    let config = PAGE
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let config = config.expect("a config on the page");
    let terminal = Terminal::new();
    let log = terminal.path("log").display().to_string();
    let head = config.split("[[policy]]").next().expect("a head");
    let script = format!("tee -a '{log}' | python3 '{}' lottery", model());
    terminal.put(
        "my.toml",
        format!("{head}{}", exec("mine", &["sh", "-c", &script])),
    );
    terminal.done(&["run", "my.toml", "-q"]);
    let sent = exchange()
        .into_iter()
        .filter(|(says, _)| !says)
        .map(|(_, line)| line);
    assert_eq!(
        terminal.read("log").lines().collect::<Vec<_>>(),
        sent.collect::<Vec<_>>()
    );
}

#[test]
fn the_page_and_the_schema_are_printed() {
    let terminal = Terminal::new();
    assert_eq!(terminal.done(&["seat", "protocol"]), PAGE);
    let schema: Value = serde_json::from_str(&terminal.done(&["schema", "seat"])).expect("JSON");
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    let types = |side: &str| -> Vec<String> {
        let messages = schema["$defs"][side]["oneOf"].as_array().expect("a list");
        let name = |message: &Value| {
            message["properties"]["type"]["const"]
                .as_str()
                .map(str::to_owned)
        };
        messages.iter().filter_map(name).collect()
    };
    assert_eq!(
        types("Told"),
        [
            "hello",
            "slate",
            "answers",
            "outcome",
            "declined",
            "correction",
            "bye"
        ]
    );
    assert_eq!(types("Said"), ["ready", "interview", "select", "stall"]);
    // Each member of a message on the page is in the schema.
    let text = schema.to_string();
    for (_, line) in messages() {
        let message: Value = serde_json::from_str(line).expect("JSON");
        for name in message.as_object().expect("an object").keys() {
            assert!(text.contains(&format!("\"{name}\":")), "{name}");
        }
    }
}
