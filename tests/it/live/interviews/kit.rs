//! What the tests of interviews share: people, their marks, an interviewer who answers.

use std::net::SocketAddr;

use serde_json::Value;

use crate::support::process::{Place, ask, post, same};

pub const MANY: usize = 60;

/// Two kinds of interviews, at two costs.
pub const TWO: &str =
    "[{ name = \"phone\", cost = 1, gain = 1 }, { name = \"visit\", cost = 3, gain = 5 }]";

/// One kind.
pub const ONE: &str = "[{ name = \"phone\", cost = 1, gain = 1 }]";

/// A number from 0 to 10 with one digit behind the point, which hangs on these two alone.
pub fn mark(person: usize, nth: usize) -> f64 {
    let word = (person as u64 * 1_000_003 + nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let worth = (person * 37 % 61) as f64 / 10.0;
    let noise = (word >> 40) % 40;
    ((worth + noise as f64 / 10.0) * 10.0).round() / 10.0
}

/// The answer of the interview `nth` (from 0) of any kind. Where there are two kinds it is the same
/// each time, because the file does not say which kind a mark is of.
pub fn answer(person: usize, nth: usize, kinds: &str) -> f64 {
    mark(person, if kinds == ONE { nth } else { 0 })
}

pub fn group(person: usize) -> &'static str {
    if person.is_multiple_of(3) { "F" } else { "M" }
}

/// Whether a person takes a place.
pub fn takes(person: usize) -> bool {
    group(person) == "F"
}

/// A config of these people.
pub fn config(source: &str, feedback: &str, kinds: &str, live: &str) -> String {
    format!(
        r#"name = "hiring"
seed = 7
[source]
{source}
id = "id"
[source.attributes]
gender = {{ column = "gender", values = {{ F = "F", M = "M" }} }}
[rules]
slate = "all"
choose = {{ exactly = 8 }}
until = {{ rounds = 1 }}
interviews = {kinds}
budget = 200
[feedback.interview]
{feedback}
sd = 1.2
[[policy]]
label = "SWAP"
kind = "swap"
[[policy]]
label = "turn"
kind = "uniform_interviews"
[[policy]]
label = "random"
kind = "random_interviews"
[report]
judge = ["cost"]
{live}
"#
    )
}

pub const HTTP: &str = "type = \"http\"\naddress = \"127.0.0.1:0\"";
pub const PEOPLE: &str = "type = \"people\"\nrange = [0, 20]";

/// All people, a line each.
pub fn people() -> String {
    let person = |n| format!("{{\"id\":\"p{n}\",\"gender\":\"{}\"}}\n", group(n));
    (0..MANY).map(person).collect()
}

pub fn get(address: SocketAddr, path: &str) -> Value {
    let (status, text) = ask(address, "GET", path, "");
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

/// The interviews that are open, at most this many, as an interviewer answers them; none once no
/// lane plays any more.
pub fn open(address: SocketAddr, most: usize, kinds: &str) -> Option<String> {
    loop {
        if ask(address, "GET", "/readyz", "")
            .1
            .contains("no lane runs any more")
        {
            return None;
        }
        let listed = get(address, "/v1/looks");
        let looks = listed["looks"].as_array().expect("a list");
        if looks.is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(2));
            continue;
        }
        let line = |look: &Value| {
            let candidate = look["candidate"].as_str().expect("an id");
            let person = candidate[1..].parse().expect("a number");
            let nth = look["nth"].as_u64().expect("a number");
            let value = match look["kind"] == "offer" {
                true => takes(person).to_string(),
                false => answer(person, nth as usize - 1, kinds).to_string(),
            };
            format!(
                "{{\"candidate\":\"{candidate}\",\"kind\":{},\"nth\":{nth},\"value\":{value},\
                 \"by\":\"Mira\"}}\n",
                look["kind"]
            )
        };
        return Some(looks.iter().take(most).map(line).collect());
    }
}

/// A place with a live config, which has this in `[live]`.
pub fn place(live: &str) -> Place {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, PEOPLE, TWO, live));
    place
}

/// Answers all that is asked until no lane plays any more.
pub fn answer_all(address: SocketAddr) {
    while let Some(answers) = open(address, 60, TWO) {
        post(address, "/v1/looks", &answers);
    }
}

/// Posts something that is to be refused so.
#[track_caller]
pub fn refused(address: SocketAddr, path: &str, body: &str, status: u16, words: &[&str]) {
    let (found, answer) = ask(address, "POST", path, body);
    assert_eq!(found, status, "{path} {body}: {answer}");
    for words in words.iter().chain(&["help"]) {
        assert!(answer.contains(words), "{words}: {answer}");
    }
}

/// The bodies of the journal's entries of a kind.
pub fn entries(place: &Place, folder: &str, kind: &str) -> Vec<String> {
    let store = place.path(folder).join("journal.sqlite");
    let store = rusqlite::Connection::open(store).expect("a journal");
    let find = "SELECT body FROM entry WHERE kind = ?1 ORDER BY seq";
    let mut find = store.prepare(find).expect("SQL");
    let found = find.query_map([kind], |row| row.get(0)).expect("rows");
    found.map(|body| body.expect("a body")).collect()
}

/// Plays a run's journal again: its results are the same.
#[track_caller]
pub fn again(place: &Place, folder: &str) {
    let args = ["replay", folder, "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "again", "--force"]].concat());
    same(place, folder, "again");
}
