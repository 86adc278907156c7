//! The decisions are those of a run over the same answers, whatever happens meanwhile.

use std::fmt::Write;

use super::kit::{HTTP, MANY, ONE, PEOPLE, TWO, answer, config, get, group, open, people};
use crate::support::process::{Place, ask, live, post};

/// How many marks the file has of each person: more than any policy asks for.
const MARKS: usize = 60;

/// A place with a run over the recorded answers in the folder `file`, and a live config.
fn place(kinds: &str) -> Place {
    recorded(kinds, "")
}

/// The same; the run has this in its config too.
pub fn recorded(kinds: &str, more: &str) -> Place {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, PEOPLE, kinds, ""));
    let reviews: Vec<String> = (0..MARKS).map(|nth| format!("mark{nth}")).collect();
    let mut rows = format!("id,gender,worth,{}\n", reviews.join(","));
    for person in 0..MANY {
        write!(rows, "p{person},{},0", group(person)).expect("memory");
        for nth in 0..MARKS {
            write!(rows, ",{}", answer(person, nth, kinds)).expect("memory");
        }
        rows.push('\n');
    }
    place.write("people.csv", &rows);
    let source = format!(
        "type = \"file\"\npath = \"people.csv\"\nutility = \"worth\"\nreviews = {reviews:?}"
    );
    let text = config(&source, "type = \"recorded_looks\"", kinds, more);
    place.write("file.toml", &text);
    let args = ["run", "file.toml", "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "file"]].concat());
    place
}

/// Whether the decisions of a folder are those of the run over the recorded answers.
#[track_caller]
pub fn as_recorded(place: &Place, folder: &str) {
    for name in ["decisions.ndjson", "selected.csv", "endings.csv"] {
        let (file, other) = (
            place.read(&format!("file/{name}")),
            place.read(&format!("{folder}/{name}")),
        );
        assert!(
            file == other,
            "{name} of {folder} differs:\n{file}\n{other}"
        );
        assert!(file.lines().count() > 1);
    }
}

#[test]
fn sixty_people_are_chosen_as_by_a_run_over_the_recorded_answers() {
    for kinds in [ONE, TWO] {
        let place = place(kinds);
        let mut run = place.start(&live("live"));
        let address = run.feed();
        post(address, "/v1/candidates", &people());
        let closed = post(address, "/v1/slates", "{}");
        assert_eq!(
            (&closed["round"], &closed["candidates"]),
            (&1.into(), &60.into())
        );
        let mut asked = 0;
        while let Some(answers) = open(address, 7, kinds) {
            asked += post(address, "/v1/looks", &answers)["accepted"]
                .as_u64()
                .expect("a count");
        }
        let all = get(address, "/v1/looks?all=true");
        assert_eq!((&all["open"], &all["answered"]), (&0.into(), &asked.into()));
        run.hears("no lane plays any more");
        assert_eq!(run.stop().0, Some(0));
        as_recorded(&place, "live");
        // What lanes share is asked once: three lanes bought more than was answered.
        let rows = place.read("live/replications.csv");
        let pulls = rows.lines().filter(|row| row.contains(",pulls,,"));
        let pulls: f64 = pulls
            .map(|row| {
                row.rsplit(',')
                    .next()
                    .expect("a value")
                    .parse::<f64>()
                    .expect("a number")
            })
            .sum();
        assert!(
            pulls > asked as f64 + 100.0,
            "{pulls} were bought, {asked} asked: {rows}"
        );
        place.good(&[
            "replay",
            "live",
            "--trace",
            "decisions",
            "--out",
            "again",
            "-q",
        ]);
        as_recorded(&place, "again");
    }
}

#[test]
fn killed_ten_times_it_loses_no_answer() {
    let place = place(TWO);
    let mut run = place.start(&live("killed"));
    let mut address = run.feed();
    let (first, rest) = {
        let all = people();
        let lines: Vec<&str> = all.lines().collect();
        (lines[..30].join("\n"), lines[30..].join("\n"))
    };
    post(address, "/v1/candidates", &first);
    run.kill();
    run = place.start(&["resume", "killed"]);
    address = run.feed();
    post(address, "/v1/candidates", &rest);
    post(address, "/v1/slates", "{\"round\":1}");
    run.kill();
    run = place.start(&["resume", "killed"]);
    address = run.feed();
    assert_eq!(
        post(address, "/v1/slates", "{\"round\":1}")["duplicate"],
        true
    );
    let (mut kills, mut answered) = (2, 0);
    while let Some(answers) = open(address, 9, TWO) {
        if kills < 10 && answered % 3 == 1 {
            // Sent without waiting for the answer: it may be taken or not, in part or whole.
            let body = answers.clone();
            let sender = std::thread::spawn(move || {
                std::panic::catch_unwind(|| ask(address, "POST", "/v1/looks", &body))
            });
            std::thread::sleep(std::time::Duration::from_micros(kills * 700));
            run.kill();
            drop(sender.join());
            kills += 1;
            run = place.start(&["resume", "killed"]);
            address = run.feed();
            // Who did not hear sends once more.
            let again = post(address, "/v1/looks", &answers);
            let both = again["accepted"].as_u64().zip(again["duplicates"].as_u64());
            assert_eq!(
                both.map(|(a, b)| a + b),
                Some(answers.lines().count() as u64)
            );
        } else {
            post(address, "/v1/looks", &answers);
        }
        answered += 1;
    }
    assert_eq!(kills, 10);
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    as_recorded(&place, "killed");
}
