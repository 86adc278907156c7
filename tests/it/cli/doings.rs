//! What lanes did besides choosing: interviews, offers, outcomes heard, pools; in decisions, in
//! tables and in sentences.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::stories::events;
use crate::support::same::same_bytes;
use crate::support::terminal::{Terminal, with};

/// A hiring season of two rounds, of which some decline and others are chosen in their place.
const HIRING: &str = r#"
name = "hiring"
seed = 3
[source]
type = "gaussian_groups"
groups = { u = { mean = 0.0, variance = 1.0 }, v = { mean = 0.5, variance = 1.0 } }
[pool]
type = "fixed"
start = { u = 0.5 }
[rules]
slate = 24
choose = { exactly = 3 }
until = { rounds = 2 }
interviews = [{ name = "phone", cost = 1, gain = 1 }, { name = "visit", cost = 3, gain = 5 }]
budget = 60
[feedback.interview]
type = "gaussian_looks"
sd = 0.3
[yield]
rate = 0.6
refill = true
[[policy]]
label = "SWAP"
kind = "swap"
[[policy]]
label = "turn"
kind = "uniform_interviews"
[report]
baseline = "turn"
"#;

/// The rows of a table, each by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut csv = csv::Reader::from_reader(text.as_bytes());
    let names = csv.headers().expect("a header").clone();
    let named = |row: csv::StringRecord| {
        let cells = names.iter().zip(row.iter());
        cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    };
    csv.records()
        .map(|row| named(row.expect("a row")))
        .collect()
}

fn list<'a>(event: &'a Value, member: &str) -> &'a [Value] {
    event[member].as_array().map_or(&[], Vec::as_slice)
}

fn ids(list: &Value) -> BTreeSet<&str> {
    let all = list.as_array().into_iter().flatten();
    all.map(|id| id.as_str().expect("an id")).collect()
}

fn hiring() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", HIRING);
    terminal.done(&["run", "my.toml", "-q", "--trace", "decisions", "--out", "d"]);
    terminal
}

#[test]
fn each_interview_has_its_answer_its_price_and_its_reason() {
    let terminal = hiring();
    let events = events(&terminal.read("d/decisions.ndjson"));
    assert_eq!(events.len(), 4);
    let mut contested = 0;
    for event in &events {
        assert_eq!(event["version"], 2);
        let looks = list(event, "looks");
        let costs = looks
            .iter()
            .map(|look| look["cost"].as_f64().expect("a price"));
        assert_eq!(costs.sum::<f64>(), event["cost"], "{event}");
        let shown = ids(&event["shown"]);
        for look in looks {
            let candidate = look["candidate"].as_str().expect("an id");
            assert!(
                shown.contains(candidate) && look["value"].is_f64(),
                "{look}"
            );
            let price = [("phone", 1.0), ("visit", 3.0)];
            assert!(
                price
                    .iter()
                    .any(|(kind, cost)| look["kind"] == *kind && look["cost"] == *cost)
            );
            if event["policy"] == "turn" {
                assert!(look.get("why").is_none(), "{look}");
            } else if look["why"].get("first").is_none() {
                // The person is in one of M and M~ alone, and the radius is a number.
                let (m, rival) = (&look["cohorts"]["m"], &look["cohorts"]["m_tilde"]);
                let (m, rival) = (ids(m), ids(rival));
                assert!(m.contains(candidate) != rival.contains(candidate), "{look}");
                assert_eq!(m.len(), rival.len(), "{look}");
                assert!(m.is_subset(&shown) && rival.is_subset(&shown));
                assert!(
                    look["why"]["radius"]
                        .as_f64()
                        .is_some_and(|radius| radius > 0.0)
                );
                contested += 1;
            }
        }
        // The first looks are one at each.
        let first = looks.iter().take(24);
        let first: BTreeSet<_> = first
            .filter_map(|look| look["candidate"].as_str())
            .collect();
        assert_eq!(first, shown, "{event}");
    }
    assert!(contested > 5, "{contested}");
}

#[test]
fn the_tables_of_interviews_offers_and_cohorts_say_what_the_decisions_say() {
    let terminal = hiring();
    let events = events(&terminal.read("d/decisions.ndjson"));
    let [interviews, offers, cohort] = ["interviews", "offers", "cohort"]
        .map(|name| rows(&terminal.read(&format!("d/{name}.csv"))));
    let mut declined = 0;
    let mut again = 0;
    for event in &events {
        let is_of = |row: &&BTreeMap<String, String>| {
            row["policy"] == event["policy"].as_str().expect("a label")
                && event["round"] == row["round"].parse::<u64>().expect("a round")
        };
        let of_it: Vec<_> = interviews.iter().filter(is_of).collect();
        let looks = list(event, "looks");
        assert_eq!(of_it.len(), looks.len());
        for (row, look) in of_it.iter().zip(looks) {
            assert_eq!(
                (&*row["id"], &*row["kind"]),
                (
                    look["candidate"].as_str().expect("an id"),
                    look["kind"].as_str().expect("a kind")
                )
            );
            assert_eq!(row["value"].parse::<f64>().ok(), look["value"].as_f64());
            assert_eq!((&*row["by"], &*row["asked"]), ("generated", ""));
        }
        let (chosen, refused) = (ids(&event["chosen"]), ids(&event["declined"]));
        let of_it: Vec<_> = offers.iter().filter(is_of).collect();
        assert_eq!(of_it.len(), list(event, "offers").len());
        for (row, offer) in of_it.iter().zip(list(event, "offers")) {
            let id = &*row["id"];
            let takes = offer["takes"] == true;
            assert_eq!(row["reply"], if takes { "accepted" } else { "declined" });
            assert_eq!(
                (chosen.contains(id), refused.contains(id)),
                (takes, !takes),
                "{row:?}"
            );
            again += usize::from(row["turn"] != "1");
        }
        assert_eq!(of_it.len(), chosen.len() + refused.len());
        declined += refused.len();
        let of_it: Vec<_> = cohort.iter().filter(is_of).collect();
        assert_eq!(of_it.len(), 24);
        for row in of_it {
            let id = &*row["id"];
            let mine: Vec<_> = looks
                .iter()
                .filter(|look| look["candidate"] == id)
                .collect();
            assert_eq!(row["interviews"], mine.len().to_string());
            let gain = |look: &Value| if look["kind"] == "phone" { 1.0 } else { 5.0 };
            let weight: f64 = mine.iter().map(|look| gain(look)).sum();
            let sum: f64 = mine
                .iter()
                .map(|look| gain(look) * look["value"].as_f64().expect("a mark"))
                .sum();
            let mark: f64 = row["mark"].parse().expect("a mark");
            assert!((mark - sum / weight).abs() < 1e-9, "{row:?}");
            let known = match (chosen.contains(id), refused.contains(id)) {
                (true, _) => ("1", "accepted"),
                (_, true) => ("1", "declined"),
                _ => ("0", ""),
            };
            assert_eq!((&*row["chosen"], &*row["reply"]), known, "{row:?}");
        }
    }
    assert!(declined > 2 && again > 0, "{declined} {again}");
}

#[test]
fn the_tables_and_the_trace_do_not_depend_on_how_a_run_is_carried_out() {
    let terminal = Terminal::new();
    same_bytes(&terminal, HIRING, &["--replications", "3"]);
    for name in ["interviews", "offers", "cohort"] {
        let text = terminal.read(&format!("first/{name}.csv"));
        assert!(
            text.lines().any(|line| line.starts_with("2,SWAP,2,")),
            "{name}"
        );
    }
}

#[test]
fn a_person_is_told_of_in_sentences_and_a_stream_begins_with_its_cohort() {
    let terminal = hiring();
    let events = events(&terminal.read("d/decisions.ndjson"));
    let looks = list(&events[0], "looks");
    let last = looks.last().expect("an interview");
    let id = last["candidate"].as_str().expect("an id");
    let told = terminal.done(&[
        "trace",
        "d",
        "--round",
        "1",
        "--policy",
        "SWAP",
        "--candidate",
        id,
    ]);
    let head = format!(
        "interview {0} of {0}: {1} with {id}",
        looks.len(),
        last["kind"].as_str().expect("a kind")
    );
    assert!(
        told.contains("\nround 1, SWAP\n") && told.contains(&head),
        "{told}"
    );
    assert!(told.contains("M~ has"), "{told}");
    let said = terminal.done(&["run", "my.toml", "--out", "e"]);
    assert!(
        said.starts_with("Who was interviewed and chosen by SWAP, round 2\n"),
        "{said}"
    );
    // Of several streams there is no one cohort.
    let said = terminal.done(&["run", "my.toml", "--out", "f", "--replications", "2"]);
    assert!(!said.contains("Who was interviewed"), "{said}");
    terminal.done(&["report", "d"]);
    assert!(
        terminal
            .read("d/report.html")
            .contains("Who was interviewed and chosen")
    );
}

#[test]
fn hidden_people_have_no_marks_and_no_ids_in_any_table() {
    let terminal = Terminal::new();
    terminal.put("my.toml", HIRING);
    let args = [
        "run",
        "my.toml",
        "-q",
        "--trace",
        "decisions",
        "--hide-identities",
        "--out",
        "d",
    ];
    terminal.done(&args);
    for name in ["interviews", "offers", "cohort"] {
        let table = rows(&terminal.read(&format!("d/{name}.csv")));
        assert!(!table.is_empty());
        for row in table {
            assert_eq!(row["id"].len(), 16, "{row:?}");
            assert_eq!(row.get("value").map_or("", String::as_str), "");
            assert_eq!(row.get("mark").map_or("", String::as_str), "");
        }
    }
    for event in events(&terminal.read("d/decisions.ndjson")) {
        let people = list(&event, "looks").iter().chain(list(&event, "offers"));
        for one in people {
            assert_eq!(one["candidate"].as_str().map(str::len), Some(16), "{one}");
            assert!(one.get("value").is_none_or(Value::is_null), "{one}");
            let cohorts = one.get("cohorts").and_then(Value::as_object);
            for set in cohorts.into_iter().flat_map(|sets| sets.values()) {
                assert!(ids(set).iter().all(|id| id.len() == 16), "{one}");
            }
        }
    }
    #[cfg(unix)]
    for name in [
        "interviews.csv",
        "offers.csv",
        "cohort.csv",
        "decisions.ndjson",
    ] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(terminal.path(&format!("d/{name}"))).expect("it is there");
        assert_eq!(mode.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

#[test]
fn a_pool_is_told_before_and_after_each_round() {
    let terminal = Terminal::new();
    let config = terminal.done(&["show", "puranik2022-fig1d"]);
    terminal.put("my.toml", config);
    let args = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "1",
        "--trace",
        "decisions",
        "--out",
    ];
    for (out, more) in [("d", &[][..]), ("one", &["--batch", "1"])] {
        terminal.done(&with(&with(&args, &[out]), more));
    }
    let text = terminal.read("d/decisions.ndjson");
    assert!(text == terminal.read("one/decisions.ndjson"));
    let mut before: BTreeMap<String, Value> = BTreeMap::new();
    let mut moved = 0;
    for event in events(&text) {
        let pool = &event["pool"];
        if let Some(after) = before.insert(event["policy"].to_string(), pool["after"].clone()) {
            assert_eq!(after, pool["before"], "{event}");
        }
        moved += usize::from(pool["after"] != pool["before"]);
        let applied = pool["applied"].as_object().expect("counts").values();
        let applied: u64 = applied.map(|count| count.as_u64().expect("a count")).sum();
        assert_eq!(applied as usize, list(&event, "shown").len());
        let shares = |which: &str| {
            let shares = pool[which].as_object().expect("shares").values();
            shares
                .map(|share| share.as_f64().expect("a share"))
                .sum::<f64>()
        };
        assert!((shares("before") - 1.0).abs() < 1e-9 && (shares("after") - 1.0).abs() < 1e-9);
    }
    assert!(moved > 10, "{moved}");
}

#[test]
fn outcomes_are_heard_of_those_chosen_and_as_late_as_they_are() {
    let terminal = Terminal::new();
    terminal.put("my.toml", terminal.done(&["show", "grazzi2022-delay"]));
    let args = [
        "run",
        "my.toml",
        "-q",
        "--replications",
        "1",
        "--trace",
        "decisions",
        "--out",
        "d",
    ];
    let mut set = Vec::new();
    for one in [
        "rules.until={ rounds = 60 }",
        "report.at=[50]",
        "sweep={}",
        "feedback.outcome.delay=3",
    ] {
        set.extend(["--set", one]);
    }
    terminal.done(&with(&args, &set));
    let (mut chosen, mut late, mut heard) = (BTreeSet::new(), BTreeSet::new(), 0);
    for event in events(&terminal.read("d/decisions.ndjson")) {
        let round = event["round"].as_u64().expect("a round");
        let key = |round: u64, id: &str| (event["policy"].to_string(), round, id.to_owned());
        chosen.extend(ids(&event["chosen"]).into_iter().map(|id| key(round, id)));
        for outcome in list(&event, "heard") {
            let decided = outcome["decided"].as_u64().expect("a round");
            let id = outcome["candidate"].as_str().expect("an id");
            // Each is heard once, and of someone whom this policy chose.
            assert!(chosen.remove(&key(decided, id)), "{outcome}");
            assert_eq!(outcome["late"], round - decided);
            late.insert(round - decided);
            heard += 1;
        }
    }
    assert!(heard > 100, "{heard}");
    assert_eq!(late, BTreeSet::from([3]));
    // Who asks for a person is told when their outcome was heard, also in later rounds.
    let of_5 = terminal.done(&["trace", "d", "--candidate", "5"]);
    let shown = terminal.done(&["trace", "d", "--candidate", "5", "--format", "ndjson"]);
    assert_eq!(
        of_5.contains("outcome of 5, chosen in round"),
        shown.contains("\"heard\":[{\"candidate\":\"5\"")
    );
}
