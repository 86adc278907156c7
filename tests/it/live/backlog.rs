//! Programs that fail in the backlog: among people who were in the journal when the run was killed, and
//! whom their lane had not seen.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::Value;

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, ask, live, post};
use crate::support::programs::exec;
use crate::support::says::Says as _;

/// A line beyond the limit.
const LONG: &str = "head -c 1100000 /dev/zero | tr '\\0' x; sleep 100";
/// Lines without end.
const FLOOD: &str = r#"exec yes '{"type":"select","round":0,"chosen":[]}'"#;
/// Late answers, fewer than twenty in a row.
const LATE: &str = "if [ $n -lt 105 ]; then sleep 0.5; fi";
/// How long an answer may take.
const DEADLINE: Duration = Duration::from_millis(300);

/// A program that takes 20 ms for each of the first rounds, and from round 100 on does something else.
fn failing(fault: &str) -> String {
    let program = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'
while read -r message; do
  case $message in *'"bye"'*) exit 0;; *'"slate"'*) ;; *) continue;; esac
  n=${{message#*'"round":'}}; n=${{n%%,*}}
  if [ $n -ge 100 ]; then {fault}; elif [ -e slow ]; then sleep 0.02; fi
  echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
done"#
    );
    exec("odd", &["sh", "-c", &program]) + "deadline = \"300ms\"\n"
}

/// A run of that program among others, killed while it was far behind two hundred people.
fn killed(place: &Place, fault: &str, acts: &str) {
    let seat = failing(fault) + acts;
    place.write(
        "http.toml",
        &config(HTTP, "until = { rounds = 250 }", &seat),
    );
    place.write("slow", "");
    let mut run = place.start(&live("run"));
    post(run.feed(), "/v1/candidates", &lines(&people(200)));
    thread::sleep(Duration::from_millis(600));
    run.kill();
    std::fs::remove_file(place.path("slow")).expect("it is there");
}

/// Tries the cases, four at a time: they mostly wait.
fn each<T: Copy + Sync>(cases: &[T], does: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        for first in 0..4 {
            let some = cases.iter().skip(first).step_by(4);
            scope.spawn(|| some.for_each(|case| does(*case)));
        }
    });
}

/// Waits until all people were decided by those who still play.
fn whole(feed: SocketAddr, rounds: f64) {
    let begun = Instant::now();
    loop {
        let (_, metrics) = ask(feed, "GET", "/metrics", "");
        let all = metrics
            .lines()
            .filter(|line| line.starts_with("klero_lane_rounds_total"));
        let most = all.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        if most.fold(0.0, f64::max) >= rounds {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{metrics}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Whatever a shadow does among people whom it had not seen costs its own lane alone, and the run is
/// taken up again as often as it is killed.
#[test]
fn a_shadow_that_fails_in_the_backlog_costs_its_own_lane_alone() {
    let cases = [
        ("exit 3", "left"),
        ("kill -9 $$", "left"),
        ("exec >&-; sleep 100", "left"),
        ("sleep 100", "left"),
        (": leave; sleep 100", "left"),
        ("echo rubbish", "disqualified"),
        (LONG, "left"),
        (FLOOD, "disqualified"),
        (LATE, "horizon"),
    ];
    each(&cases, |(fault, ending)| {
        let place = Place::new();
        killed(&place, fault, on_timeout(fault));
        for _ in 0..2 {
            let mut run = place.start(&["resume", "run"]);
            whole(run.feed(), 200.0);
            run.kill();
        }
        let mut run = place.start(&["resume", "run"]);
        post(run.feed(), "/v1/candidates", &lines(&people(250)[200..]));
        run.hears("no lane plays any more");
        assert_eq!(run.stop().0, Some(0), "{fault}");
        let endings = place.read("run/endings.csv");
        endings.says(&format!("0,odd,{ending},"));
        endings.says("0,queue,horizon,");
        let (code, _, stderr) = place.run(&["replay", "run", "--out", "again"]);
        assert_eq!(code, Some(0), "{fault}: {stderr}");
        for name in ["replications.csv", "endings.csv", "selected.csv"] {
            let [one, other] =
                ["run", "again"].map(|folder| place.read(&format!("{folder}/{name}")));
            assert!(one == other, "{fault}: {name}");
        }
    });
}

/// What is said of late answers in the config of a program that fails so.
fn on_timeout(fault: &str) -> &'static str {
    match fault.starts_with(": leave") {
        true => "on_timeout = \"leave\"\n",
        false => "",
    }
}

/// An acting program that fails in the backlog keeps no one waiting longer than its deadlines allow:
/// the fallback decides, or it is said that no policy acts; what was decided before stays.
#[test]
fn an_acting_program_that_fails_in_the_backlog_holds_its_deadlines() {
    let cases = [
        ("exit 3", true, [0, 2]),
        ("exec >&-; sleep 100", true, [0, 21]),
        ("sleep 100", true, [19, 21]),
        (": leave; sleep 100", true, [0, 2]),
        ("echo rubbish", true, [0, 2]),
        (LONG, true, [0, 2]),
        (FLOOD, true, [0, 2]),
        (LATE, false, [5, 19]),
        ("sleep 100", false, [19, 21]),
        (": leave; sleep 100", false, [0, 2]),
        ("kill -9 $$", false, [0, 2]),
    ];
    each(&cases, |(fault, fallback, [least, most])| {
        let place = Place::new();
        let fallback_line = if fallback {
            "fallback = \"queue\"\n"
        } else {
            ""
        };
        let acts = format!(
            "{}[live]\nacting = \"odd\"\n{fallback_line}",
            on_timeout(fault)
        );
        killed(&place, fault, &acts);
        let mut run = place.start(&["resume", "run"]);
        let feed = run.feed();
        // The first answer is there once what was decided before is.
        post_one(feed, &people(100)[98]);
        let acted = fallback || fault == LATE;
        let expected = if acted { 200 } else { 503 };
        let all = people(201);
        let mut asked = Instant::now();
        for person in &all[99..] {
            let (status, answer) = post_one(feed, person);
            assert!(status == 200 || status == expected, "{fault}: {answer}");
            // One after another; a loaded machine may take its time.
            let took = asked.elapsed();
            assert!(
                took < DEADLINE + Duration::from_secs(2),
                "{fault}: {took:?}: {answer}"
            );
            asked = Instant::now();
        }
        let (status, answer) = post_one(feed, &all[200]);
        assert_eq!(status, expected, "{fault}: {answer}");
        let by = if fault == LATE { "odd" } else { "queue" };
        let acting = format!("\"acting\":\"{by}\"");
        assert!(!acted || answer.contains(&acting), "{fault}: {answer}");
        let (_, metrics) = ask(feed, "GET", "/metrics", "");
        let forfeits = "klero_lane_forfeits_total{policy=\"odd\"} ";
        let forfeits = metrics.lines().find_map(|line| line.strip_prefix(forfeits));
        let forfeits: u64 = forfeits.expect("it is counted").parse().expect("a number");
        assert!(
            (least..=most).contains(&forfeits),
            "{fault}: {forfeits} answers were late"
        );
        run.kill();
        let mut run = place.start(&["resume", "run"]);
        let feed = run.feed();
        let (again, _) = post_one(feed, &all[200]);
        assert_eq!(again, expected, "{fault}");
        assert!(matches!(run.stop().0, Some(0 | 130)), "{fault}");
        let (code, _, stderr) = place.run(&["replay", "run", "--out", "again"]);
        assert_eq!(code, Some(0), "{fault}: {stderr}");
        // A stop interrupts lanes, which in a replay end with the stream.
        for name in ["replications.csv", "selected.csv"] {
            let [one, other] =
                ["run", "again"].map(|folder| place.read(&format!("{folder}/{name}")));
            assert!(one == other, "{fault}: {name}");
        }
    });
}

/// A program that fails by what it finds in the world ends where it had ended, and as it had, though that is
/// gone when the run is taken up: the fallback's decisions, or that it plays no more, were shown.
#[test]
fn what_ended_a_program_ends_it_again_in_another_world() {
    const RUBBISH: &str = "echo rubbish";
    const FOUL: &str = r#"echo "{\"type\":\"select\",\"round\":$n,\"chosen\":[7]}"; continue"#;
    for (at, fault, ending, why) in [
        (
            5,
            RUBBISH,
            "disqualified",
            "round 5: line 6 of its output is no message",
        ),
        (5, FOUL, "disqualified", "round 5: "),
        (
            1,
            RUBBISH,
            "disqualified",
            "round 1: line 2 of its output is no message",
        ),
        (1, FOUL, "disqualified", "round 1: "),
        (
            0,
            RUBBISH,
            "disqualified",
            "line 1 of its output is no message",
        ),
        (5, "exit 3", "left", "its program ended (exit status: 3)"),
        (0, "exit 3", "left", "its program ended (exit status: 3)"),
    ] {
        for acts in [
            "[live]\nacting = \"odd\"\nfallback = \"queue\"\n",
            "[live]\nacting = \"odd\"\n",
            "[live]\nacting = \"queue\"\n",
        ] {
            ends_again(at, fault, (ending, why), acts);
        }
    }
}

fn ends_again(at: u64, fault: &str, (ending, why): (&str, &str), acts: &str) {
    let place = Place::new();
    let program = format!(
        r#"n=0; if [ -e junk ] && [ {at} = 0 ]; then {fault}; fi
read -r hello; echo '{{"type":"ready"}}'
while read -r message; do
  case $message in *'"bye"'*) exit 0;; *'"slate"'*) ;; *) continue;; esac
  n=$((n+1)); if [ -e junk ] && [ $n -eq {at} ]; then {fault}; fi
  echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
done"#
    );
    let seat = exec("odd", &["sh", "-c", &program]) + "deadline = \"10s\"\n" + acts;
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", &seat));
    place.write("junk", "");
    let mut run = place.start(&live("run"));
    let feed = run.feed();
    post(feed, "/v1/candidates", &lines(&people(10)));
    let decides = acts.contains("queue");
    let sent = |feed, person: usize| {
        let (status, answer) = post_one(feed, &people(person)[person - 1]);
        assert_eq!(status == 200, decides, "{at}, {fault}, {acts}: {answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        (
            answer["decision"].clone(),
            answer["policies"]["odd"].clone(),
        )
    };
    let shown = sent(feed, 11);
    whole(feed, 11.0);
    an_end_is_noted(&place);
    run.kill();
    std::fs::remove_file(place.path("junk")).expect("it is there");
    for person in [12, 13] {
        let mut run = place.start(&["resume", "run"]);
        let feed = run.feed();
        if decides {
            // A shadow may not have decided yet.
            let (again, shown) = (sent(feed, 11), &shown);
            assert_eq!(again.0, shown.0, "{at}, {fault}, {acts}");
            assert_ne!(again.1["decision"], "selected", "{at}, {fault}, {acts}");
        }
        sent(feed, person);
        whole(feed, if decides { person as f64 } else { 11.0 });
        run.kill();
    }
    let mut run = place.start(&["resume", "run"]);
    post(run.feed(), "/v1/candidates", &lines(&people(40)[10..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0), "{at}, {fault}, {acts}");
    let endings = place.read("run/endings.csv");
    let is_so = endings.contains(&format!("0,odd,{ending},")) && endings.contains(why);
    assert!(is_so, "{at}, {fault}, {acts}: {endings}");
    let (code, _, stderr) = place.run(&["replay", "run", "--out", "again"]);
    assert_eq!(code, Some(0), "{at}, {fault}, {acts}: {stderr}");
    for name in ["replications.csv", "endings.csv", "selected.csv"] {
        let [one, other] = ["run", "again"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(one == other, "{at}, {fault}, {acts}: {name}");
    }
}

/// Waits until the journal says that a program has ended.
fn an_end_is_noted(place: &Place) {
    let begun = Instant::now();
    let store = Connection::open(place.path("run/journal.sqlite")).expect("a database");
    let find = "SELECT count(*) FROM entry WHERE kind = 'forfeit'";
    while store.query_row(find, [], |row| row.get::<_, i64>(0)) != Ok(1) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no end is noted");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Asks for the decision on a person.
fn post_one(feed: SocketAddr, person: &str) -> (u16, String) {
    ask(feed, "POST", "/v1/decisions", person)
}
