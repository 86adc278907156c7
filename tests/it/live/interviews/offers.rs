//! People who are chosen and say whether they take their places.

use super::kit::{HTTP, PEOPLE, TWO, again, config, entries, get, open, people, refused};
use super::same::{as_recorded, recorded};
use crate::support::process::{Place, live, post};
use crate::support::says::Says as _;

/// The live config, with this in `[yield]` and in `[live]`.
fn text(offers: &str, live: &str) -> String {
    config(HTTP, PEOPLE, TWO, live) + &format!("[yield]\n{offers}\n")
}

#[test]
fn places_go_to_others_as_in_a_run_where_the_same_people_decline() {
    for refill in ["refill = true\n", ""] {
        let place = recorded(
            TWO,
            &format!("[yield]\n{refill}by = {{ gender = {{ M = 0.0 }} }}\n"),
        );
        place.write(
            "http.toml",
            &text(&format!("type = \"people\"\n{refill}"), ""),
        );
        let mut run = place.start(&live("live"));
        let mut address = run.feed();
        post(address, "/v1/candidates", &people());
        post(address, "/v1/slates", "{}");
        let (mut kills, mut offered) = (0, 0);
        while let Some(answers) = open(address, 9, TWO) {
            post(address, "/v1/looks", &answers);
            offered += answers.matches("\"offer\"").count();
            // While offers are open, and once more when others have the places.
            if offered > 4 * kills && kills < 4 {
                kills += 1;
                run.kill();
                run = place.start(&["resume", "live"]);
                address = run.feed();
            }
        }
        run.hears("no lane plays any more");
        assert_eq!(run.stop().0, Some(0));
        assert!(kills == 4 || refill.is_empty());
        as_recorded(&place, "live");
        let decisions = place.read("live/decisions.ndjson");
        decisions.says("\"declined\":[\"");
        again(&place, "live");
    }
}

#[test]
fn who_withdraws_or_is_silent_does_not_take_the_place() {
    let place = Place::new();
    let live_section = "[live]\nacting = \"SWAP\"\nlook_deadline = \"3s\"";
    place.write(
        "http.toml",
        &text("type = \"people\"\nrefill = true", live_section),
    );
    let mut run = place.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    post(address, "/v1/slates", "{}");
    let mut waited = false;
    while let Some(answers) = open(address, 60, TWO) {
        let Some(offer) = answers.lines().find(|line| line.contains("\"offer\"")) else {
            post(address, "/v1/looks", &answers);
            continue;
        };
        let wrong = offer.replace("true", "0.5").replace("false", "0.5");
        refused(address, "/v1/looks", &wrong, 422, &["true or 1"]);
        if waited {
            post(address, "/v1/looks", &answers);
            continue;
        }
        // Of the first eight one withdraws; no one else says anything until the time is over.
        waited = true;
        let looks = get(address, "/v1/looks")["looks"].clone();
        let looks = looks.as_array().expect("a list");
        assert_eq!(looks.len(), 8);
        let body = serde_json::json!({ "candidate": looks[0]["candidate"] });
        post(address, "/v1/withdrawals", &body.to_string());
        while get(address, "/v1/looks")["missed"] != 7 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    run.hears("no lane plays any more");
    let (code, stdout, _) = run.stop();
    assert_eq!(code, Some(0));
    stdout.says("offered for SWAP alone");
    assert_eq!(entries(&place, "run", "miss").len(), 7);
    let rows = place.read("run/replications.csv");
    let value = |row: &str| {
        let found = rows.lines().find_map(|line| line.strip_prefix(row));
        found.map(|value| value.parse::<f64>().expect("a number"))
    };
    // Those eight, and whoever of the others declines.
    let declined = value("0,SWAP,declined,,").expect("it is measured");
    assert!(declined >= 8.0, "{rows}");
    assert_eq!(value("0,SWAP,seats_filled,,"), Some(1.0));
    again(&place, "run");
}

#[test]
fn without_people_to_ask_the_command_says_what_to_do() {
    let place = Place::new();
    place.write("http.toml", &text("type = \"people\"", ""));
    place.write("more.toml", &text("type = \"people\"\nrate = 0.5", ""));
    place.write(
        "mixed.toml",
        &text("type = \"people\"", "").replace(
            PEOPLE,
            "type = \"exec\"\ncommand = [\"python3\", \"interviewer.py\"]",
        ),
    );
    for (file, words) in [
        ("http.toml", "keeps no journal"),
        ("more.toml", "rate"),
        ("mixed.toml", "a program answers the rest"),
    ] {
        let (code, _, error) = place.run(&["run", file]);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(words), "{words}: {error}");
    }
}
