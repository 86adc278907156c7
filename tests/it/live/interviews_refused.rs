//! What interviewers and the organiser are told where something can't be taken, and what becomes
//! of interviews that no one holds.

use std::io::Write;
use std::net::SocketAddr;

use super::interviews::{HTTP, PEOPLE, TWO, config, get, open, people};
use crate::support::process::{Place, ask, live, post, same};

fn place(live: &str) -> Place {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, PEOPLE, TWO, live));
    place
}

/// Answers all that is asked until no lane plays any more.
fn answer_all(address: SocketAddr) {
    while let Some(answers) = open(address, 60, TWO) {
        post(address, "/v1/looks", &answers);
    }
}

/// Posts something that is to be refused so.
#[track_caller]
fn refused(address: SocketAddr, path: &str, body: &str, status: u16, words: &[&str]) {
    let (found, answer) = ask(address, "POST", path, body);
    assert_eq!(found, status, "{path} {body}: {answer}");
    for words in words.iter().chain(&["help"]) {
        assert!(answer.contains(words), "{words}: {answer}");
    }
}

/// The bodies of the journal's entries of a kind.
fn entries(place: &Place, folder: &str, kind: &str) -> Vec<String> {
    let store = place.path(folder).join("journal.sqlite");
    let store = rusqlite::Connection::open(store).expect("a journal");
    let find = "SELECT body FROM entry WHERE kind = ?1 ORDER BY seq";
    let mut find = store.prepare(find).expect("SQL");
    let found = find.query_map([kind], |row| row.get(0)).expect("rows");
    found.map(|body| body.expect("a body")).collect()
}

/// Plays a run's journal again: its results are the same.
#[track_caller]
fn again(place: &Place, folder: &str) {
    let args = ["replay", folder, "--trace", "decisions", "-q"];
    place.good(&[&args[..], &["--out", "again", "--force"]].concat());
    same(place, folder, "again");
}

#[test]
fn what_contradicts_or_is_about_nothing_is_refused_and_says_why() {
    let place = place("");
    let mut run = place.start(&live("run"));
    let address = run.feed();
    refused(
        address,
        "/v1/slates",
        "{}",
        409,
        &["no candidate is on the slate"],
    );
    refused(address, "/v1/slates", "[]", 400, &[]);
    refused(address, "/v1/slates", "7", 422, &["no object", "{}"]);
    refused(
        address,
        "/v1/slates",
        "{\"raund\":1}",
        422,
        &["no member `raund`"],
    );
    refused(address, "/v1/slates", "{\"round\":0}", 422, &["from 1"]);
    post(address, "/v1/candidates", &people());
    refused(
        address,
        "/v1/slates",
        "{\"round\":2}",
        409,
        &["that of round 1"],
    );
    refused(
        address,
        "/v1/withdrawals",
        "{\"candidate\":\"zoe\"}",
        422,
        &["no candidate of this id"],
    );
    let gone = "{\"candidate\":\"p7\"}";
    assert_eq!(post(address, "/v1/withdrawals", gone)["accepted"], 1);
    assert_eq!(post(address, "/v1/withdrawals", gone)["duplicates"], 1);
    assert_eq!(post(address, "/v1/slates", "{}")["candidates"], 59);
    refused(
        address,
        "/v1/slates",
        "{}",
        409,
        &["the last slate was closed"],
    );
    let late = "{\"id\":\"late\",\"gender\":\"F\"}";
    refused(
        address,
        "/v1/candidates",
        late,
        409,
        &["the last slate is closed"],
    );
    // Who came before is known still.
    assert_eq!(post(address, "/v1/candidates", &people())["duplicates"], 60);

    let first = open(address, 1, TWO).expect("something is asked");
    assert!(first.contains("\"p0\""), "{first}");
    let look = |candidate: &str, kind: &str, value: &str| {
        format!("{{\"candidate\":\"{candidate}\",\"kind\":\"{kind}\",\"value\":{value}}}")
    };
    let unasked = ["no policy wants this interview", "GET /v1/looks"];
    refused(
        address,
        "/v1/looks",
        &look("zoe", "phone", "1"),
        422,
        &unasked,
    );
    refused(
        address,
        "/v1/looks",
        &look("p0", "visit", "1"),
        422,
        &unasked,
    );
    let (phon, far) = (look("p0", "phon", "1"), look("p0", "phone", "21"));
    refused(address, "/v1/looks", &phon, 422, &["did you mean `phone`?"]);
    refused(address, "/v1/looks", &far, 422, &["from 0 to 20"]);
    refused(
        address,
        "/v1/looks",
        &look("p7", "phone", "1"),
        422,
        &["withdrew"],
    );
    refused(
        address,
        "/v1/looks",
        "{}",
        422,
        &["`candidate` is missing", "`kind` is missing"],
    );
    assert_eq!(post(address, "/v1/looks", &first)["accepted"], 1);
    assert_eq!(post(address, "/v1/looks", &first)["duplicates"], 1);
    let other = first.replace("\"value\":", "\"value\":1");
    refused(
        address,
        "/v1/looks",
        &other,
        409,
        &["answered before", "that holds"],
    );
    // After the slate is closed: no interview of theirs is held any more, and no other in the round.
    post(address, "/v1/withdrawals", "{\"candidate\":\"p9\"}");
    let open_now = get(address, "/v1/looks")["looks"].to_string();
    assert!(
        !open_now.contains("\"p9\"") && open_now.contains("\"p8\""),
        "{open_now}"
    );
    assert!(
        get(address, "/v1/looks?all=true")
            .to_string()
            .contains("withdrawn")
    );
    let (status, answer) = ask(address, "GET", "/v1/looks?all=perhaps", "");
    assert!(
        status == 400 && answer.contains("true or false"),
        "{answer}"
    );
    answer_all(address);
    run.hears("no lane plays any more");
    refused(
        address,
        "/v1/looks",
        &look("zoe", "phone", "1"),
        422,
        &unasked,
    );
    refused(
        address,
        "/v1/candidates",
        late,
        410,
        &["no lane runs any more"],
    );
    assert_eq!(run.stop().0, Some(0));
    // Who withdrew before the slate was closed was shown to no policy.
    assert!(!place.read("run/decisions.ndjson").contains("\"p7\""));
    let rows = place.read("run/replications.csv");
    assert!(rows.contains("0,SWAP,looks_unanswered,,1"), "{rows}");
    assert_eq!(entries(&place, "run", "withdrawal").len(), 2);
    again(&place, "run");
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
        assert!(rows.contains(&format!("0,{policy},pulls,,20")), "{rows}");
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
        assert!(stdout.contains("held for SWAP alone"), "{stdout}");
        folders.push(folder);
    }
    same(&place, &folders[0], &folders[1]);
    let rows = place.read("run1/replications.csv");
    assert!(!rows.contains("SWAP,looks_unanswered"), "{rows}");
    assert!(rows.contains("random,looks_unanswered,,1"), "{rows}");
    again(&place, "run1");

    // Another policy is asked later: what is on record answers it, what is not is said.
    let more = "[[policy]]\nlabel = \"late\"\nkind = \"random_interviews\"\n";
    place.write("more.toml", more);
    let args = [
        "replay",
        "run1",
        "--policies",
        "more.toml",
        "--trace",
        "decisions",
    ];
    place.good(&[&args[..], &["--out", "more", "-q"]].concat());
    let rows = place.read("more/replications.csv");
    assert!(rows.contains("late,looks_unanswered,,1"), "{rows}");
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
    let args = [
        "live",
        "stdin.toml",
        "--trace",
        "decisions",
        "--stay",
        "--out",
        "run",
    ];
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
    let args = [
        "live",
        "file.toml",
        "--trace",
        "decisions",
        "--stay",
        "--out",
        "run",
    ];
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
    let args = [
        "live",
        "http.toml",
        "--hide-identities",
        "--out",
        "run",
        "--trace",
        "decisions",
    ];
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

#[test]
fn a_run_without_interviewers_has_no_desk_and_a_slate_of_a_size_closes_itself() {
    let place = Place::new();
    let text = config(HTTP, "type = \"people\"", TWO, "");
    let (rules, _) = text
        .split_once("[feedback.interview]")
        .expect("there is one");
    let rules = rules.split("interviews =").next().expect("rules");
    let text = format!(
        "{}[[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n",
        rules
            .replace("slate = \"all\"", "slate = 1")
            .replace("{ exactly = 8 }", "\"any\"")
    );
    place.write("http.toml", &text);
    let mut run = place.start(&live("run"));
    let address = run.feed();
    refused(address, "/v1/slates", "{}", 409, &["number of people"]);
    refused(
        address,
        "/v1/looks",
        "{\"candidate\":\"a\",\"value\":1}",
        404,
        &["no interviewer"],
    );
    let (status, answer) = ask(address, "GET", "/v1/looks", "");
    assert!(
        status == 404 && answer.contains("no interviewer"),
        "{answer}"
    );
    run.kill();

    for (text, words) in [
        (
            config(
                HTTP,
                "type = \"people\"",
                TWO,
                "[live]\nclose = \"soon\"\nlook_deadline = \"0s\"",
            ),
            &["`live.close`", "`live.look_deadline`", "36h"][..],
        ),
        (
            config(HTTP, "type = \"people\"", TWO, "[live]\nclose = \"2d\"")
                .replace("slate = \"all\"", "slate = 60"),
            &["no slate of this run is closed by its time"],
        ),
        (
            config(
                HTTP,
                "type = \"gaussian_looks\"",
                TWO,
                "[live]\nlook_deadline = \"2d\"",
            ),
            &[
                "no one is asked to hold interviews",
                "worth nothing in particular",
            ],
        ),
        (
            config(HTTP, "type = \"people\"\nrange = [3, 1]", TWO, ""),
            &["the least and the greatest value"],
        ),
    ] {
        place.write("wrong.toml", &text);
        let (code, _, stderr) = place.run(&["check", "wrong.toml"]);
        assert_eq!(code, Some(2), "{stderr}");
        for words in words {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
    }
    place.write("stdin.toml", &config("type = \"stdin\"", PEOPLE, TWO, ""));
    let (code, _, stderr) = place.run(&["run", "stdin.toml"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("keeps no journal") && stderr.contains("klero live"),
        "{stderr}"
    );
}
