//! `klero trace --candidate`: whatever a candidate is called, and where none has that name.

use super::stories::{events, has};
use super::with;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const ODD: [&str; 9] = [
    "a b",
    "x,\"y\"",
    "-5",
    "--round",
    "\u{e9}t\u{e9}",
    "*",
    "tab\tid",
    "<b>{\"j\":1}</b>",
    "back\\slash",
];

/// People with odd names, each shown once to two lanes with odd labels.
fn odd() -> Terminal {
    let terminal = Terminal::new();
    let mut people = csv::Writer::from_writer(Vec::new());
    people.write_record(["id", "sex"]).expect("a row");
    for (at, id) in ODD.into_iter().enumerate() {
        let sex = ["m", "f"][at % 2];
        people.write_record([id, sex]).expect("a row");
    }
    terminal.put("people.csv", people.into_inner().expect("rows"));
    let config = r#"
name = "odd"
seed = 1
replications = 2
[source]
type = "file"
path = "people.csv"
order = "shuffled"
id = "id"
[source.attributes]
sex = { column = "sex" }
[target]
sex = { m = 0.5, f = 0.5 }
[rules]
slate = 1
choose = "at_most_one"
until = { rounds = 9 }
[[policy]]
label = "-v, \"all\""
kind = "accept_all"
[[policy]]
label = "queue"
kind = "virtual_queue"
"#;
    terminal.put("my.toml", config);
    let run = ["run", "my.toml", "-q", "--out", "d"];
    let kept = ["--trace", "decisions", "--trace-replications", "all"];
    terminal.done(&with(&run, &kept));
    terminal
}

#[test]
fn whatever_an_id_or_a_label_looks_like_it_is_found() {
    let terminal = odd();
    for id in ODD {
        let args = ["trace", "d", "--format", "ndjson", "--candidate", id];
        let found = events(&terminal.done(&args));
        assert_eq!(found.len(), 4, "{id}");
        assert!(found.iter().all(|event| has(event, "shown", id)), "{id}");
        let more = ["--policy", "-v, \"all\"", "--replication", "1"];
        let found = events(&terminal.done(&with(&args, &more)));
        assert_eq!(found.len(), 1, "{id}");
        let story = terminal.done(&["trace", "d", "--candidate", id]);
        story.says(": 4 of 36 decisions\n");
        assert!(!story.contains('\t'), "{story}");
    }
}

#[test]
fn a_candidate_who_is_not_found_is_looked_for() {
    let terminal = odd();
    let all = events(&terminal.read("d/decisions.ndjson"));
    let round = |replication: u64| {
        let event = all
            .iter()
            .find(|event| event["replication"] == replication && has(event, "shown", "*"));
        event.expect("it is shown")["round"].to_string()
    };
    let other = round(0).parse::<u64>().expect("a number") % 9 + 1;
    let at = [other.to_string(), round(0)];
    let here = ["trace", "d", "--replication", "0", "--round", &at[0]];
    let found = [
        (
            vec!["trace", "d", "--candidate", "back/slash"],
            "person back/slash was never shown; did you mean `back\\slash`?".to_owned(),
        ),
        (
            vec!["trace", "d", "--candidate", "a  b", "--candidate", "a b"],
            "person a  b was never shown; did you mean `a b`?".to_owned(),
        ),
        (
            vec!["trace", "d", "--candidate", "no such person"],
            "person no such person was never shown\n".to_owned(),
        ),
        (
            with(&here, &["--candidate", "*"]),
            format!(
                "person * is in 4 decisions that the other filters leave out, \
                 first in round {} of replication 0",
                at[1]
            ),
        ),
    ];
    for (args, words) in found {
        for format in ["table", "ndjson"] {
            let said = terminal.exits(0, &with(&args, &["--format", format]));
            said.stderr.says(&words);
        }
    }
    let said = terminal.klero(&["trace", "d", "--candidate", "a b"]);
    assert_eq!(said.stderr, "");
}
