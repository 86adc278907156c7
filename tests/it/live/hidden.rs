//! Hidden identities in runs of all settings: no output of any command names a person.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::interviews::kit as interviews;
use super::people::{HTTP, config};
use crate::support::configs::{LENDER, ORGANISER, PEOPLE, with};
use crate::support::process::{Place, ask, post};
use crate::support::programs::exec;

/// The number of people who come.
const MANY: usize = 24;

/// In the id and the name of each of them, and nowhere else: names of temporary folders are
/// shorter.
const MARKS: [&str; 2] = ["Quibbex", "Zyxname"];

fn id(n: usize) -> String {
    // Marks that are not seen make it no other person to a grep.
    format!("Quibbex{n:02}\u{200b}Y")
}

/// People as lines of JSON, with a name that no run reads.
fn lines() -> String {
    let mut lines = String::new();
    for n in 0..MANY {
        let (age, sex) = (20 + 2 * n, 1 + n % 2);
        let id = id(n);
        let line = format!(
            "{{\"id\":\"{id}\",\"AGEP\":{age},\"SEX\":\"{sex}\",\"name\":\"Zyxname{n}\"}}\n"
        );
        lines += &line;
    }
    lines
}

/// The same people as tables.
fn tables(place: &Place) {
    let mut people = String::from("id,SEX,AGE,w,sex,score,repaid,name\n");
    let mut respondents = String::from("id,gender,age,name\n");
    for n in 0..MANY {
        let (age, sex, id) = (20 + 2 * n, 1 + n % 2, id(n));
        let (gender, old) = (["F", "M"][n % 2], ["young", "old"][usize::from(n > 11)]);
        writeln!(
            people,
            "{id},{sex},{age},1,{gender},{n},{},Zyxname{n}",
            n % 2
        )
        .expect("text");
        writeln!(respondents, "{id},{gender},{old},Zyxname{n}").expect("text");
    }
    place.write("people.csv", &people);
    place.write("respondents.csv", &respondents);
    let quotas = "category,name,min,max\ngender,F,2,2\ngender,M,2,2\nage,young,1,3\nage,old,1,3\n";
    place.write("categories.csv", quotas);
}

/// A program that says whom it is shown, in this way, in its round 4.
fn telling(fault: &str) -> String {
    let program = format!(
        r#"read -r hello; echo '{{"type":"ready"}}'; n=0
while read -r message; do
  echo "saw $message" >&2
  case $message in *'"bye"'*) exit 0;; *'"slate"'*) ;; *) continue;; esac
  n=$((n+1)); id=$(echo "$message" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  if [ $n -eq 4 ]; then {fault}; fi
  echo "{{\"type\":\"select\",\"round\":$n,\"chosen\":[0]}}"
done"#
    );
    exec("telling", &["sh", "-c", &program])
}

/// All that was said and written in a test, with where.
#[derive(Default)]
struct Outputs(Vec<(String, String)>);

impl Outputs {
    fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.0.push((name.into(), text.into()));
    }

    fn add_run(&mut self, place: &Place, args: &[&str]) -> Option<i32> {
        let (code, stdout, stderr) = place.run_with(args, &[("RUST_LOG", "kleroterion=trace")]);
        self.add(format!("{args:?}: stdout"), stdout);
        self.add(format!("{args:?}: stderr"), stderr);
        code
    }

    /// All files of a folder, but for the journal.
    fn add_folder(&mut self, folder: &Path) {
        for file in std::fs::read_dir(folder).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").display().to_string();
            match path.is_dir() {
                true => self.add_folder(&path),
                false if name.starts_with("journal.") => {}
                false => {
                    let bytes = std::fs::read(&path).expect("it can be read");
                    self.add(path.display().to_string(), String::from_utf8_lossy(&bytes));
                }
            }
        }
    }

    /// All that the servers of a run show.
    fn add_pages(&mut self, feed: Option<SocketAddr>, board: SocketAddr) {
        for path in ["/", "/report/", "/v1/board/rounds/3", "/readyz", "/healthz"] {
            self.add(format!("board {path}"), ask(board, "GET", path, "").1);
        }
        self.add("the board's events", first_events(board));
        for path in ["/metrics", "/readyz"] {
            if let Some(feed) = feed {
                self.add(format!("feed {path}"), ask(feed, "GET", path, "").1);
            }
        }
    }

    /// Asks all that can be asked of a folder that was written.
    fn add_commands(&mut self, place: &Place, config: &str, is_live: bool) {
        for args in [
            &["check", config][..],
            &["explain", config],
            &["report", "run"],
            &["report", "run", "--format", "json"],
            &["trace", "run"],
            &["trace", "run", "--round", "2"],
            &["trace", "run", "--format", "json"],
        ] {
            self.add_run(place, args);
        }
        if is_live {
            for args in [
                &[
                    "replay",
                    "run",
                    "--people",
                    "--trace",
                    "decisions",
                    "--out",
                    "again",
                ][..],
                &["journal", "verify", "run"],
                &["journal", "backup", "run", "copy"],
            ] {
                let code = self.add_run(place, args);
                let (_, said) = self.0.last().expect("something");
                assert_eq!(code, Some(0), "{args:?}: {said}");
            }
            self.add_folder(&place.path("again"));
        }
        self.add_folder(&place.path("run"));
    }

    /// Holds that something was said, and none of it names anyone.
    #[track_caller]
    fn name_nobody(&self, setting: &str) {
        let all: usize = self.0.iter().map(|(_, text)| text.len()).sum();
        assert!(all > 5_000 && self.0.len() > 10, "{setting}: {all} bytes");
        for (name, text) in &self.0 {
            for mark in MARKS {
                let Some(at) = text.find(mark) else { continue };
                let about = text[..at]
                    .char_indices()
                    .rev()
                    .nth(120)
                    .map_or(0, |(at, _)| at);
                let rest: String = text[about..].chars().take(240).collect();
                panic!("{setting}: {name} names a person: {rest:?}");
            }
        }
    }
}

/// The first events of a board.
pub fn first_events(board: SocketAddr) -> String {
    let mut stream = TcpStream::connect(board).expect("it listens");
    let request = format!("GET /v1/board HTTP/1.1\r\nhost: {board}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    stream
        .set_read_timeout(Some(Duration::from_millis(700)))
        .expect("a socket");
    let (mut read, mut some) = (Vec::new(), [0; 1 << 14]);
    // It ends where nothing more comes for a while.
    while let Ok(n) = stream.read(&mut some) {
        read.extend_from_slice(&some[..n]);
        if n == 0 || read.len() > 1 << 20 {
            break;
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

const HIDE: [&str; 6] = [
    "--hide-identities",
    "--people",
    "--trace",
    "decisions",
    "--out",
    "run",
];

/// Plays tables by `klero run`.
fn recorded(setting: &str, text: &str) {
    let (place, mut outputs) = (Place::new(), Outputs::default());
    tables(&place);
    place.write("my.toml", text);
    let args = [&["run", "my.toml"], &HIDE[..]].concat();
    let code = outputs.add_run(&place, &args);
    let (_, said) = outputs.0.last().expect("something");
    assert_eq!(code, Some(0), "{setting}: {said}");
    outputs.add_commands(&place, "my.toml", false);
    let sweep = [
        "run",
        "my.toml",
        "--sweep",
        "seed=1,2",
        "--hide-identities",
        "--people",
    ];
    let code = outputs.add_run(&place, &[&sweep[..], &["--out", "sweep"]].concat());
    let (_, said) = outputs.0.last().expect("something");
    assert_eq!(code, Some(0), "{setting}, a sweep: {said}");
    outputs.add_folder(&place.path("sweep"));
    outputs.name_nobody(setting);
}

/// Plays a feed live; `more`: what follows the people by HTTP, path and body.
fn lived(setting: &str, text: &str, more: &[(&str, String)]) {
    let (place, mut outputs) = (Place::new(), Outputs::default());
    let board = "\n[board]\naddress = \"127.0.0.1:0\"\n";
    let text = text.replacen("\n[[policy]]", &format!("{board}[[policy]]"), 1);
    place.write("my.toml", &text);
    place.write("people.ndjson", &lines());
    let args = [&["live", "my.toml"], &HIDE[..]].concat();
    let log = [("RUST_LOG", "kleroterion=trace")];
    let mut run = place.start_with(&args, &log);
    // Open until the pages are read: the run ends with it.
    let mut stdin = run.stdin.take().expect("piped");
    let feed = match text.contains("type = \"stdin\"") {
        true => {
            let bad = "{\"id\":\"Quibbex99Y\",\"SEX\":\"Q\"}\n";
            stdin
                .write_all((lines() + bad).as_bytes())
                .expect("it reads");
            None
        }
        false if text.contains("follow = true") => None,
        false => Some(run.feed()),
    };
    let board = run.board();
    if let Some(feed) = feed {
        if text.contains("type = \"tcp\"") {
            let mut stream = TcpStream::connect(feed).expect("it listens");
            stream.write_all(lines().as_bytes()).expect("it reads");
            stream
                .shutdown(std::net::Shutdown::Write)
                .expect("a socket");
            let mut receipt = String::new();
            drop(stream.read_to_string(&mut receipt));
        } else {
            let bad = "{\"id\":\"Quibbex98Y\",\"AGEP\":\"old\",\"SEX\":\"Quibbex\"}\n";
            post(feed, "/v1/candidates", &(lines() + bad));
            for (path, body) in more {
                ask(feed, "POST", path, body);
            }
        }
    }
    std::thread::sleep(Duration::from_millis(800));
    outputs.add_pages(feed.filter(|_| !text.contains("type = \"tcp\"")), board);
    drop(stdin);
    let (_, stdout, stderr) = run.stop();
    outputs.add("live: stdout", stdout);
    outputs.add("live: stderr", stderr);
    // It goes on as it was begun.
    if !text.contains("type = \"stdin\"") {
        let mut run = place.start_with(&["resume", "run"], &log);
        run.board();
        let (_, stdout, stderr) = run.stop();
        outputs.add("resume: stdout", stdout);
        outputs.add("resume: stderr", stderr);
    }
    outputs.add_commands(&place, "my.toml", true);
    outputs.name_nobody(setting);
}

#[test]
fn no_output_of_a_run_over_tables_names_a_person() {
    let people = with(PEOPLE, &[("weight = \"w\"", "weight = \"w\"\nid = \"id\"")]);
    recorded("one by one", &people);
    recorded("one by one, a program", &(people + &telling("exit 3")));
    let lender = with(
        LENDER,
        &[("score = \"score\"", "score = \"score\"\nid = \"id\"")],
    );
    recorded("slates and outcomes", &lender);
    recorded("respondents", ORGANISER);
    recorded(
        "respondents, a program",
        &(ORGANISER.to_owned() + &telling("echo \"junk $message\"")),
    );
}

#[test]
fn no_output_of_a_live_run_names_a_person() {
    let rounds = "until = { rounds = 40 }";
    let stdin = "type = \"stdin\"\non_error = \"skip\"";
    let tcp = "type = \"tcp\"\naddress = \"127.0.0.1:0\"";
    let follow = "type = \"file\"\nfollow = true\npath = \"people.ndjson\"";
    let acting = format!(
        "[live]\nacting = \"telling\"\nfallback = \"queue\"\n{}deadline = \"4s\"\n",
        telling("exit 3")
    );
    let outcome = |n: usize| format!("{{\"candidate_id\":\"{}\",\"outcome\":0.5}}\n", id(n));
    let outcomes: String = (0..MANY).map(outcome).collect();
    let leaves = format!("{{\"candidate_id\":\"{}\"}}\n", id(1));
    let reported = "[feedback.outcome]\ntype = \"reported\"\n";
    let slates = config(HTTP, "slate = 3\nuntil = { rounds = 40 }", "");
    for (setting, text, more) in [
        ("by HTTP", config(HTTP, rounds, ""), vec![]),
        ("from stdin", config(stdin, rounds, ""), vec![]),
        ("by TCP", config(tcp, rounds, ""), vec![]),
        (
            "a file that is followed",
            config(follow, rounds, ""),
            vec![],
        ),
        ("slates", slates, vec![("/v1/withdrawals", leaves)]),
        ("acting", config(HTTP, rounds, &acting), vec![]),
        (
            "outcomes",
            config(HTTP, rounds, reported),
            vec![("/v1/outcomes", outcomes)],
        ),
        (
            "a shadow that tells",
            config(
                HTTP,
                rounds,
                &telling("echo \"{\\\"type\\\":\\\"$id\\\"}\""),
            ),
            vec![(
                "/v1/candidates",
                lines().replace("\"SEX\":\"1\"", "\"SEX\":\"2\""),
            )],
        ),
    ] {
        lived(setting, &text, &more);
    }
}

/// Interviewers are shown ids, because they are to find the people; no one else is.
#[test]
fn no_output_of_a_season_of_interviews_names_a_person() {
    let board = "[board]\naddress = \"127.0.0.1:0\"\n";
    let text = interviews::config(HTTP, interviews::PEOPLE, interviews::ONE, board);
    let (place, mut outputs) = (Place::new(), Outputs::default());
    place.write("my.toml", &text);
    let log = [("RUST_LOG", "kleroterion=trace")];
    let mut run = place.start_with(&[&["live", "my.toml"], &HIDE[..]].concat(), &log);
    let (feed, board) = (run.feed(), run.board());
    let person = |n: usize| {
        format!(
            "{{\"id\":\"{}\",\"gender\":\"{}\"}}\n",
            id(n),
            ["F", "M"][n % 2]
        )
    };
    post(
        feed,
        "/v1/candidates",
        &(0..MANY).map(person).collect::<String>(),
    );
    post(feed, "/v1/slates", "{}");
    for answered in 0.. {
        if ask(feed, "GET", "/readyz", "")
            .1
            .contains("no lane runs any more")
        {
            assert!(answered > 10, "{answered}");
            break;
        }
        let listed: Value =
            serde_json::from_str(&ask(feed, "GET", "/v1/looks", "").1).expect("JSON");
        for look in listed["looks"].as_array().expect("a list").iter().take(4) {
            let mut answer = look.clone();
            let members = answer.as_object_mut().expect("an object");
            members.retain(|name, _| ["candidate", "kind", "nth"].contains(&name.as_str()));
            members.insert("value".into(), (3 + answered % 5).into());
            ask(feed, "POST", "/v1/looks", &answer.to_string());
        }
        if answered == 3 {
            outputs.add_pages(Some(feed), board);
        }
    }
    outputs.add_pages(Some(feed), board);
    let (_, stdout, stderr) = run.stop();
    outputs.add("live: stdout", stdout);
    outputs.add("live: stderr", stderr);
    outputs.add_commands(&place, "my.toml", true);
    outputs.name_nobody("interviews");
}

/// The test would find a name: without hiding, each of these is in some output.
#[test]
fn without_hiding_people_are_named() {
    let (place, mut outputs) = (Place::new(), Outputs::default());
    place.write(
        "my.toml",
        &config(HTTP, "until = { rounds = 20 }", &telling("exit 3")),
    );
    let mut run = place.start(&["live", "my.toml", "--no-board", "--people", "--out", "run"]);
    post(run.feed(), "/v1/candidates", &lines());
    run.hears("no lane plays any more");
    let (_, _, stderr) = run.stop();
    outputs.add_folder(&place.path("run"));
    let files: Vec<&str> = outputs.0.iter().map(|(_, text)| &**text).collect();
    assert!(
        files.iter().any(|text| text.contains("Quibbex00")),
        "in files"
    );
    assert!(stderr.contains("telling: saw {"), "{stderr}");
    // On stderr marks that are not seen are spelt out.
    assert!(
        stderr.contains("Quibbex00⟨U+200B⟩Y") && !stderr.contains('\u{200b}'),
        "{stderr}"
    );
}
