//! Programs that answer interviews and say what becomes of the chosen.

use serde_json::{Value, json};

use crate::support::config;
use crate::support::programs::python;
use crate::support::project;
use crate::support::same::same_bytes;
use crate::support::terminal::{Terminal, typed};

/// A config of interviews, answered by this program.
fn cohort(command: &[&str]) -> String {
    let command = json!(command);
    config("schumann2019-t2.toml").replace(
        "type = \"gaussian_looks\"\nsd = 0.2",
        &format!("type = \"exec\"\nsd = 0.2\ncommand = {command}"),
    )
}

fn interviewer() -> String {
    let path = project().join("examples/interviewer.py");
    path.display().to_string()
}

/// A program in Python that answers each look by this expression in `id`, `kind` and `nth`, and
/// writes each question down.
fn answering(terminal: &Terminal, value: &str) -> String {
    let program = format!(
        "import json, sys\n\
         log = open('asked.txt', 'a')\n\
         for line in sys.stdin:\n    \
             message = json.loads(line)\n    \
             if message['type'] == 'hello':\n        \
                 print(json.dumps({{'type': 'ready'}}), flush=True)\n    \
             elif message['type'] == 'looks':\n        \
                 values = []\n        \
                 for look in message['looks']:\n            \
                     id, kind, nth = look['candidate']['id'], look['kind'], look['nth']\n            \
                     log.write(f'{{id}} {{kind}} {{nth}}\\n')\n            \
                     values.append({value})\n        \
                 log.flush()\n        \
                 print(json.dumps({{'type': 'answers', 'round': message['round'], 'values': values}}), flush=True)\n    \
             elif message['type'] == 'bye':\n        \
                 break\n"
    );
    terminal.put("answering.py", program);
    terminal.path("answering.py").display().to_string()
}

#[test]
fn the_model_gives_the_same_bytes_however_the_run_is_carried_out() {
    if !python() {
        return;
    }
    let interviewer = interviewer();
    let text = cohort(&["python3", &interviewer, "0.2"]);
    // Applicants without features are all worth 0 to the model: the gap never shows.
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.interview_cap=60",
        "--set",
        "report.objective=[\"top_k\", \"diverse\"]",
    ];
    same_bytes(&Terminal::new(), &text, &more);
}

/// A bandit whose outcomes come from a program decides as the model's noise has it, late or not.
#[test]
fn outcomes_come_from_a_program_too() {
    if !python() {
        return;
    }
    let command = json!(["python3", interviewer(), "0.3"]);
    let text = config("grazzi2022-groups.toml");
    let start = text.find("[feedback.outcome]").expect("outcomes");
    let end = start + text[start..].find("\n\n").expect("an end");
    let outcomes = format!("[feedback.outcome]\ntype = \"exec\"\ncommand = {command}\ndelay = 3");
    let text = format!("{}{outcomes}{}", &text[..start], &text[end..]);
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.until.rounds=40",
        "--set",
        "report.at=[7, 40]",
    ];
    same_bytes(&Terminal::new(), &text, &more);
}

/// What a generator without noise answers, and a program that answers the same.
#[test]
fn a_program_that_answers_as_a_generator_does_leads_to_the_same_decisions() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let program = answering(&terminal, "int(id) / 9");
    terminal.put("asked.toml", cohort(&["python3", &program]));
    let drawn = config("schumann2019-t2.toml").replace("sd = 0.2", "sd = 0");
    terminal.put("drawn.toml", drawn);
    let decisions = |name: &str| -> Vec<Value> {
        let out = name.replace(".toml", "");
        let sigma = ["SWAP", "strong", "weak", "diverse"]
            .map(|label| ["--set".to_owned(), format!("policy.{label}.sigma=0.2")])
            .concat();
        let sigma: Vec<&str> = sigma.iter().map(String::as_str).collect();
        let args = [
            "run",
            name,
            "-q",
            "--trace",
            "decisions",
            "--replications",
            "1",
        ];
        terminal.done(&[&args[..], &sigma, &["--out", &out]].concat());
        let text = terminal.read(&format!("{out}/decisions.ndjson"));
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
    let (asked, drawn) = (decisions("asked.toml"), decisions("drawn.toml"));
    assert_eq!(asked, drawn);
    assert_eq!(asked.len(), 4);
    // What several lanes bought is asked once.
    let log = terminal.read("asked.txt");
    let mut questions: Vec<&str> = log.lines().collect();
    let many = questions.len();
    questions.sort_unstable();
    questions.dedup();
    assert_eq!(questions.len(), many);
    assert!(many > 20, "{many}");
}

#[test]
fn a_null_is_a_look_that_is_never_answered() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let program = answering(&terminal, "None if id == '9' else int(id) / 9");
    terminal.put("my.toml", cohort(&["python3", &program]));
    let args = typed("run my.toml -q --replications 2 --format json");
    let summary: Value = serde_json::from_str(&terminal.done(&args)).expect("JSON");
    for label in ["SWAP", "strong", "weak"] {
        let metrics = &summary["policies"][label]["metrics"];
        assert!(
            metrics["looks_unanswered"]["mean"].as_f64() >= Some(1.0),
            "{label}: {metrics}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_program_is_said_and_fails_the_run() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let python = |program: &str| vec!["python3".to_owned(), "-c".to_owned(), program.to_owned()];
    let ready = "import sys,json,time\nsys.stdin.readline()\nprint('{\"type\":\"ready\"}',flush=True)\nsys.stdin.readline()\n";
    let cases = [
        (python("pass"), "ended after `hello`"),
        (
            python("print('hi',flush=True)\nimport time\ntime.sleep(9)"),
            "wrote line 1, which is no message",
        ),
        (
            python("print('{\"type\":\"ready\",\"protocol\":2}')"),
            "speaks protocol 2",
        ),
        (
            python(&format!(
                "{ready}print('{{\"type\":\"answers\",\"round\":1,\"values\":[]}}')"
            )),
            "gave 0 answers in round 1, where 10 were asked for",
        ),
        (
            python(&format!(
                "{ready}print('{{\"type\":\"answers\",\"round\":7,\"values\":[1]}}')"
            )),
            "answered round 7 where round 1 was asked",
        ),
        (
            python("print('{\"type\":\"ready\",\"protocol\":2,\"protocol\":1}')"),
            "the member 'protocol' is there twice",
        ),
        (
            python(&format!(
                "{ready}print('{{\"type\":\"answers\",\"round\":1,\"values\":[1],\"values\":[2]}}')"
            )),
            "the member 'values' is there twice",
        ),
        (
            python(&format!(
                "{ready}print('{{\"type\":\"answers\",\"round\":1,\"values\":'+'['*40+']'*40+'}}')"
            )),
            "objects and lists are more than 32 deep in `values`",
        ),
        (
            python(&format!("{ready}time.sleep(30)")),
            "was silent for 2 s after round 1",
        ),
    ];
    for (command, words) in cases {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let patience = "patience = \"2s\"\ncommand";
        terminal.put("my.toml", cohort(&command).replace("command", patience));
        let args = typed("run my.toml -q --replications 1 --only SWAP");
        let said = terminal.klero(&args);
        assert_eq!(said.code, Some(1), "{words}: {}", said.stderr);
        let flat = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {flat}");
        assert!(flat.contains("of [feedback.interview]"), "{flat}");
    }
}

/// An outcome of a program that lies beyond the range which the config declares fails the run, as
/// one that is reported is refused.
#[test]
fn an_outcome_of_a_program_lies_in_its_declared_range() {
    if !python() {
        return;
    }
    let terminal = Terminal::new();
    let text = config("grazzi2022-groups.toml");
    let start = text.find("[feedback.outcome]").expect("outcomes");
    let end = start + text[start..].find("\n\n").expect("an end");
    let run = |value: &str, range: &str| {
        let program = format!(
            "import json, sys\n\
             for line in sys.stdin:\n    \
                 message = json.loads(line)\n    \
                 if message['type'] == 'hello':\n        \
                     print(json.dumps({{'type': 'ready'}}), flush=True)\n    \
                 elif message['type'] == 'outcomes':\n        \
                     values = [{value} for _ in message['candidates']]\n        \
                     answer = {{'type': 'answers', 'round': message['round'], 'values': values}}\n        \
                     print(json.dumps(answer), flush=True)\n"
        );
        terminal.put("outcomes.py", program);
        let command = json!(["python3", terminal.path("outcomes.py")]);
        let outcomes = format!("[feedback.outcome]\ntype = \"exec\"\ncommand = {command}\n{range}");
        terminal.put(
            "my.toml",
            format!("{}{outcomes}{}", &text[..start], &text[end..]),
        );
        let five = ["--set", "rules.until.rounds=5", "--set", "report.at=[5]"];
        let more = ["run", "my.toml", "-q", "--replications", "1"];
        terminal.klero(&[&more[..], &five].concat())
    };
    for (value, range, due) in [
        ("0.5", "range = [0, 1]", None),
        ("1", "range = [0, 1]", None),
        ("None", "range = [0, 1]", None),
        ("5", "", None),
        (
            "5",
            "range = [0, 1]",
            Some("gave 5 in round 1, and must be from 0 to 1"),
        ),
        (
            "-0.25",
            "range = [0, 1]",
            Some("gave -0.25 in round 1, and must be from 0 to 1"),
        ),
        (
            "99",
            "range = [-10, 10.5]",
            Some("gave 99 in round 1, and must be from -10 to 10.5"),
        ),
        ("1e200", "", Some("gave 1e200 in round 1, beyond 1e100")),
    ] {
        let said = run(value, range);
        let flat = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        match due {
            None => assert_eq!(said.code, Some(0), "{value} {range}: {flat}"),
            Some(due) => {
                assert_eq!(said.code, Some(1), "{value} {range}: {flat}");
                assert!(flat.contains(due), "{flat}");
                assert!(flat.contains("of [feedback.outcome]"), "{flat}");
            }
        }
    }
}
