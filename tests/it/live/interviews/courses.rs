//! Courses of a hiring round: deadlines, shadows, other sources, hidden names, seasons.

use crate::support::terminal::typed;
use std::io::Write;

use serde_json::Value;

use super::kit::{
    HTTP, PEOPLE, TWO, again, answer_all, config, entries, get, open, people, place, refused,
};
use crate::support::process::{Place, ask, live, post, same};
use crate::support::says::Says as _;
use crate::support::schema::{fits, strict};

/// The slate is open while the instant is to come, and a run that goes on after it closes it.
#[test]
fn an_instant_closes_the_first_slate_also_after_a_restart() {
    let instant = |seconds: i64| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.unwrap().as_millis() as i64;
        let at = chrono::DateTime::from_timestamp_millis(now + 1000 * seconds).unwrap();
        format!("[live]\nclose = \"{}\"", at.to_rfc3339())
    };
    let place_of = |seconds| place(&instant(seconds));
    let slate = |address| get(address, "/v1/looks")["slate"].clone();
    let later = place_of(3600);
    let mut run = later.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    assert_eq!(slate(address)["closed"], 0);
    assert_eq!(slate(address)["candidates"], 60);
    run.kill();
    let soon = place_of(4);
    let mut run = soon.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    assert_eq!(slate(address)["closed"], 0);
    run.kill();
    std::thread::sleep(std::time::Duration::from_secs(4));
    let mut run = soon.start(&["resume", "run"]);
    let address = run.feed();
    open(address, 60, TWO).expect("something is asked");
    assert_eq!(slate(address)["closed"], 1);
    let past = place_of(-3600);
    let mut run = past.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    open(address, 60, TWO).expect("something is asked");
}

#[test]
fn what_is_not_answered_in_time_is_never_answered() {
    let place = place("[live]\nlook_deadline = \"1s\"\nclose = \"1s\"");
    let mut run = place.start(&live("run"));
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    // No one closes the slate but the clock; the first answers come in time.
    let answers = open(address, 60, TWO).expect("something is asked");
    let part: String = answers
        .lines()
        .take(20)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(post(address, "/v1/looks", &part)["accepted"], 20);
    run.hears("no lane plays any more");
    let all = get(address, "/v1/looks?all=true");
    let schema = kleroterion::json_schema::of::<kleroterion::web::LooksAnswer>();
    fits(&strict(&Value::from(schema).to_string()), &all.to_string());
    assert_eq!(
        (&all["answered"], &all["missed"]),
        (&20.into(), &40.into()),
        "{all}"
    );
    assert_eq!(run.stop().0, Some(0));
    let closed = entries(&place, "run", "slate");
    assert!(
        closed[0].contains("begun") && closed[1] == "{\"closed\":\"time\"}",
        "{closed:?}"
    );
    assert_eq!(entries(&place, "run", "miss").len(), 40);
    let rows = place.read("run/replications.csv");
    for policy in ["SWAP", "turn", "random"] {
        let row = format!("0,{policy},looks_unanswered,,40");
        assert!(rows.contains(&row), "{row}: {rows}");
        rows.says(&format!("0,{policy},pulls,,20"));
    }
    again(&place, "run");
}

#[test]
fn shadows_get_what_was_asked_for_the_acting_policy_alone() {
    let live_section = "[live]\nacting = \"SWAP\"";
    let place = place(live_section);
    let mut folders = Vec::new();
    for most in [1, 60] {
        let folder = format!("run{most}");
        let mut run = place.start(&live(&folder));
        let mut address = run.feed();
        post(address, "/v1/candidates", &people());
        post(address, "/v1/slates", "{}");
        let mut answered = 0;
        while let Some(answers) = open(address, most, TWO) {
            // After a restart each lane asks once more, in any order.
            let listed = get(address, "/v1/looks");
            for look in listed["looks"].as_array().expect("a list") {
                let is_asked = look["wanted_by"].to_string().contains("SWAP");
                assert!(is_asked || answered >= 3, "{look}");
            }
            post(address, "/v1/looks", &answers);
            answered += 1;
            if answered == 3 {
                run.kill();
                run = place.start(&["resume", &folder]);
                address = run.feed();
            }
        }
        run.hears("no lane plays any more");
        let (code, stdout, _) = run.stop();
        assert_eq!(code, Some(0));
        stdout.says("held for SWAP alone");
        folders.push(folder);
    }
    same(&place, &folders[0], &folders[1]);
    let rows = place.read("run1/replications.csv");
    rows.never_says("SWAP,looks_unanswered");
    rows.says("random,looks_unanswered,,1");
    again(&place, "run1");

    // Another policy is asked later: what is on record answers it, what is not is said.
    let more = "[[policy]]\nlabel = \"late\"\nkind = \"random_interviews\"\n";
    place.write("more.toml", more);
    let args = typed("replay run1 --policies more.toml --trace decisions");
    place.good(&[&args[..], &["--out", "more", "-q"]].concat());
    let rows = place.read("more/replications.csv");
    rows.says("late,looks_unanswered,,1");
    let of_swap = |folder: &str| {
        let text = place.read(&format!("{folder}/decisions.ndjson"));
        let lines = text
            .lines()
            .filter(|line| line.contains("\"policy\":\"SWAP\""));
        lines
            .map(|line| line.split_once(",\"round\"").expect("a round").1.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of_swap("run1"), of_swap("more"));
}

#[test]
fn people_on_the_standard_input_are_on_one_slate_and_interviewers_answer_at_the_board() {
    let place = Place::new();
    let board = "[board]\naddress = \"127.0.0.1:0\"";
    place.write(
        "stdin.toml",
        &config("type = \"stdin\"", PEOPLE, TWO, board),
    );
    let args = typed("live stdin.toml --trace decisions --stay --out run");
    let mut run = place.start(&args);
    let address = run.board();
    let mut pipe = run.stdin.take().expect("piped");
    pipe.write_all(people().as_bytes()).expect("it reads");
    drop(pipe);
    answer_all(address);
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    assert_eq!(
        entries(&place, "run", "slate"),
        ["{\"closed\":\"feed_end\"}"]
    );
    again(&place, "run");
}

#[test]
fn people_of_a_file_are_interviewed_too_and_the_round_goes_on_after_a_crash() {
    let place = Place::new();
    let mut rows = "id,gender\n".to_owned();
    for line in people().lines() {
        let person: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| person[key].as_str().expect("a text").to_owned();
        rows += &format!("{},{}\n", text("id"), text("gender"));
    }
    place.write("people.csv", &rows);
    let board = "[board]\naddress = \"127.0.0.1:0\"";
    let source = "type = \"file\"\npath = \"people.csv\"";
    place.write("file.toml", &config(source, PEOPLE, TWO, board));
    let args = typed("live file.toml --trace decisions --stay --out run");
    let mut run = place.start(&args);
    let mut address = run.board();
    let answers = open(address, 60, TWO).expect("something is asked");
    post(address, "/v1/looks", &answers);
    run.kill();
    run = place.start(&["resume", "run", "--stay"]);
    address = run.board();
    // No feed has ids to check: who was asked about may withdraw.
    refused(
        address,
        "/v1/withdrawals",
        "{\"candidate\":\"zoe\"}",
        422,
        &["no candidate"],
    );
    post(address, "/v1/withdrawals", "{\"candidate\":\"p59\"}");
    refused(address, "/v1/slates", "{}", 404, &["takes no records"]);
    answer_all(address);
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    again(&place, "run");
}

#[test]
fn interviewers_know_people_by_the_names_that_hide_them() {
    let place = place("");
    let args = typed("live http.toml --hide-identities --out run --trace decisions");
    let mut run = place.start(&[&args[..], &["--no-board"]].concat());
    let address = run.feed();
    post(address, "/v1/candidates", &people());
    post(address, "/v1/slates", "{}");
    let mut held = 0;
    while !ask(address, "GET", "/readyz", "")
        .1
        .contains("no lane runs any more")
    {
        let listed = get(address, "/v1/looks");
        let looks = listed["looks"].as_array().expect("a list");
        let line = |look: &serde_json::Value| {
            let name = look["candidate"].as_str().expect("a name");
            assert!(name.len() == 16 && !name.starts_with('p'), "{name}");
            let (kind, nth) = (&look["kind"], &look["nth"]);
            format!(
                "{{\"candidate\":\"{name}\",\"kind\":{kind},\"nth\":{nth},\"value\":7,\"by\":\"Mira\"}}\n"
            )
        };
        let answers: String = looks.iter().map(line).collect();
        if !answers.is_empty() {
            held += post(address, "/v1/looks", &answers)["accepted"]
                .as_u64()
                .expect("a count");
        }
    }
    let all = get(address, "/v1/looks?all=true").to_string();
    assert!(
        held >= 60 && !all.contains("Mira") && !all.contains("\"p1\""),
        "{all}"
    );
    assert_eq!(run.stop().0, Some(0));
    let answers = entries(&place, "run", "answer");
    assert_eq!(answers.len() as u64, held);
    assert!(
        answers.iter().all(|answer| answer.contains("Mira")),
        "{answers:?}"
    );
    for file in ["decisions.ndjson", "selected.csv", "summary.json"] {
        let text = place.read(&format!("run/{file}"));
        assert!(
            !text.contains("\"p1\"") && !text.contains("Mira"),
            "{file}: {text}"
        );
    }
}

#[test]
fn seasons_follow_one_another() {
    let place = Place::new();
    let text = config(HTTP, PEOPLE, TWO, "").replace("rounds = 1", "rounds = 2");
    place.write("http.toml", &text);
    let mut run = place.start(&live("run"));
    let mut address = run.feed();
    let all = people();
    let lines: Vec<&str> = all.lines().collect();
    post(address, "/v1/candidates", &lines[..25].join("\n"));
    assert_eq!(
        post(address, "/v1/slates", "{\"round\":1}")["candidates"],
        25
    );
    // The next season's people come while this one's are interviewed.
    post(address, "/v1/candidates", &lines[25..].join("\n"));
    post(address, "/v1/withdrawals", "{\"candidate\":\"p30\"}");
    let answers = open(address, 60, TWO).expect("something is asked");
    assert_eq!(answers.lines().count(), 25);
    post(address, "/v1/looks", &answers);
    run.kill();
    run = place.start(&["resume", "run"]);
    address = run.feed();
    assert_eq!(
        post(address, "/v1/slates", "{\"round\":1}")["duplicate"],
        true
    );
    assert_eq!(
        post(address, "/v1/slates", "{\"round\":2}")["candidates"],
        34
    );
    answer_all(address);
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
    let decisions = place.read("run/decisions.ndjson");
    assert_eq!(decisions.lines().count(), 6, "{decisions}");
    assert!(!decisions.contains("\"p30\"") && decisions.contains("\"p31\""));
    again(&place, "run");
}
