//! Clocks that are wrong: before 1970, or set while a run goes on or is stopped.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::interviews::kit;
use super::outcomes::REPORTED;
use super::people::{HTTP, config, lines, people};
use crate::support::process::{Live, Place, ask, live, post};
use crate::support::says::Says as _;
use crate::support::wants::skip;

/// The library that gives a program another clock; without it the test is skipped.
#[track_caller]
fn faketime() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten();
    let folders = folders.flatten().map(|entry| entry.path());
    let mut libraries = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    let found = libraries.find(|path| path.is_file());
    if found.is_none() {
        skip("faketime", "there is no libfaketimeMT.so.1 in /usr/lib");
    }
    found
}

/// A program's environment under a clock that says this date at first.
fn clock<'a>(library: &'a str, date: &'a str) -> [(&'a str, &'a str); 3] {
    [
        ("LD_PRELOAD", library),
        ("FAKETIME", date),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ]
}

/// People without names keep apart, whatever the clock says when the run is taken up again.
#[test]
fn a_clock_that_is_set_back_costs_no_one() {
    let Some(library) = faketime() else {
        return;
    };
    let library = library.to_str().expect("plain");
    let place = Place::new();
    let named = config(HTTP, "until = { rounds = 40 }", "");
    place.write("http.toml", &named.replace("id = \"id\"\n", ""));
    let people = "{\"AGEP\":30,\"SEX\":\"1\"}\n".repeat(10);
    // Those that bear no @ do not move on.
    let dates = [
        "@2026-06-01 00:00:00",
        "2026-06-01 00:00:00",
        "2026-06-01 00:00:00",
        "@1999-05-05 00:00:00",
    ];
    for (time, date) in dates.into_iter().enumerate() {
        let args = match time {
            0 => live("run").to_vec(),
            _ => vec!["resume", "run"],
        };
        let mut run = place.start_with(&args, &clock(library, date));
        let (status, answer) = ask(run.feed(), "POST", "/v1/candidates", &people);
        assert_eq!(status, 202, "{date}: {answer}");
        assert!(answer.contains("\"accepted\":10"), "{date}: {answer}");
        match time {
            3 => {
                run.hears("no lane plays any more");
                assert_eq!(run.stop().0, Some(0));
                break;
            }
            _ => run.kill(),
        }
    }
    let screened = place.read("run/replications.csv");
    screened.says(",screened,,40");
}

#[test]
fn a_clock_before_1970_is_refused() {
    let Some(library) = faketime() else {
        return;
    };
    let library = library.to_str().expect("plain");
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let run = place.start_with(&live("run"), &clock(library, "@1960-01-01 00:00:00"));
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("the clock of this machine is before 1970");
    stderr.says("help: set the clock");
}

/// A run whose clock is set.
struct Clocked {
    place: Place,
    library: String,
}

impl Clocked {
    /// A place with this config; none where the test is skipped.
    #[track_caller]
    fn new(config: &str) -> Option<Self> {
        let library = faketime()?.to_str().expect("plain").to_owned();
        let place = Place::new();
        place.write("http.toml", config);
        let clocked = Self { place, library };
        clocked.set("2026-06-02");
        Some(clocked)
    }

    /// Sets the clock, also that of a run that goes on.
    fn set(&self, day: &str) {
        self.place.write("next", &format!("@{day} 12:00:00\n"));
        let set = std::fs::rename(self.place.path("next"), self.place.path("clock"));
        set.expect("it is there");
    }

    fn start(&self, args: &[&str]) -> (Live, SocketAddr) {
        let clock = self.place.path("clock");
        let environment = [
            ("LD_PRELOAD", &*self.library),
            ("FAKETIME_TIMESTAMP_FILE", clock.to_str().expect("plain")),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ];
        let mut run = self.place.start_with(args, &environment);
        let address = run.feed();
        (run, address)
    }

    /// The same run, after it was killed where it `is_killed`.
    fn goes_on(&self, (run, address): (Live, SocketAddr), is_killed: bool) -> (Live, SocketAddr) {
        if !is_killed {
            return (run, address);
        }
        run.kill();
        self.start(&["resume", "run"])
    }
}

/// Waits until something is so; whether it was within ten seconds.
fn soon(mut is_so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

/// Days to which the clock is set on the second of June, and whether the run was killed before.
const SET: [(&str, bool); 4] = [
    ("2026-06-01", false),
    ("2026-06-01", true),
    ("2016-06-01", false),
    ("2026-06-03", false),
];

/// Plays a case for each day of [`SET`], all at the same time: most of it is waiting.
#[track_caller]
fn on_each_day(config: &str, case: impl Fn(Clocked, &str, bool) + Sync) {
    let mut places = Vec::new();
    for _ in SET {
        let Some(clocked) = Clocked::new(config) else {
            return;
        };
        places.push(clocked);
    }
    let case = &case;
    std::thread::scope(|scope| {
        for (clocked, (day, is_killed)) in places.into_iter().zip(SET) {
            scope.spawn(move || case(clocked, day, is_killed));
        }
    });
}

#[test]
fn a_clock_that_is_set_keeps_no_slate_and_no_interview_open() {
    let ends = "[live]\nlook_deadline = \"2s\"\nclose = \"2s\"";
    let text = kit::config(kit::HTTP, kit::PEOPLE, kit::TWO, ends);
    on_each_day(&text, |clocked, day, is_killed| {
        let (run, address) = clocked.start(&live("run"));
        post(address, "/v1/candidates", &kit::people());
        clocked.set(day);
        let (run, address) = clocked.goes_on((run, address), is_killed);
        let looks = |address| kit::get(address, "/v1/looks?all=true");
        let is_closed = || looks(address)["slate"]["closed"] == 1;
        assert!(soon(is_closed), "{day}: {}", looks(address));
        assert!(soon(|| looks(address)["open"] != 0), "{day}");
        clocked.set("2026-05-05");
        let (run, address) = clocked.goes_on((run, address), is_killed);
        let is_missed = || looks(address)["missed"].as_u64() > Some(0);
        assert!(soon(is_missed), "{day}: {}", looks(address));
        run.kill();
    });
}

#[test]
fn a_clock_that_is_set_keeps_no_outcome_waited_for() {
    let more = format!("{REPORTED}horizon = \"2s\"\n");
    let text = config(HTTP, "until = { rounds = 40 }", &more);
    on_each_day(&text, |clocked, day, is_killed| {
        let (run, address) = clocked.start(&live("run"));
        post(address, "/v1/candidates", &lines(&people(9)));
        // The first mark of the clock.
        std::thread::sleep(Duration::from_millis(300));
        clocked.set(day);
        let (run, address) = clocked.goes_on((run, address), is_killed);
        post(address, "/v1/candidates", &people(10)[9]);
        let outcome = "{\"candidate_id\":\"p0\",\"outcome\":1,\"policy\":\"learner\"}";
        let is_late = || ask(address, "POST", "/v1/outcomes", outcome).0 == 409;
        std::thread::sleep(Duration::from_secs(4));
        assert!(is_late(), "{day}");
        run.kill();
    });
}

/// A clock that jumps forward while a run goes on ends nothing before its time, and once it is set
/// right all goes on as if it had not.
#[test]
fn a_clock_that_jumps_forward_ends_nothing_before_its_time() {
    let ends = "[live]\nlook_deadline = \"1h\"\nclose = \"1h\"";
    let text = kit::config(kit::HTTP, kit::PEOPLE, kit::TWO, ends);
    let Some(clocked) = Clocked::new(&text) else {
        return;
    };
    let (run, address) = clocked.start(&live("run"));
    let people: Vec<String> = kit::people().lines().map(str::to_owned).collect();
    post(address, "/v1/candidates", &lines(&people[..30]));
    clocked.set("2026-06-03");
    // Whatever comes has the recorder look at the clock.
    post(address, "/v1/candidates", &lines(&people[30..31]));
    std::thread::sleep(Duration::from_millis(200));
    post(address, "/v1/candidates", &lines(&people[31..]));
    let looks = kit::get(address, "/v1/looks");
    assert_eq!(looks["slate"]["closed"], 0, "{looks}");
    post(address, "/v1/slates", "{}");
    kit::open(address, 1, kit::TWO).expect("something is asked");
    clocked.set("2026-06-09");
    let answers = kit::open(address, 9, kit::TWO).expect("something is asked");
    post(address, "/v1/looks", &answers);
    clocked.set("2026-06-02");
    kit::open(address, 1, kit::TWO).expect("something is asked");
    let looks = kit::get(address, "/v1/looks?all=true");
    assert_eq!(looks["missed"], 0, "{looks}");
    run.kill();
}
