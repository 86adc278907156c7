//! One stream, whatever way it comes: the same decisions, bit for bit.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::path::Path;

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Live, Place, SAME, post, post_with, same};
use crate::support::says::Says as _;

const MANY: usize = 20_000;

/// All rounds of the people there are.
fn until(many: usize) -> String {
    format!("until = {{ rounds = {many} }}")
}

fn live<'a>(name: &'a str, out: &'a str, batch: &'a str) -> Vec<&'a str> {
    let always = ["live", name, "--out", out, "--no-board"];
    [&always[..], &["--trace", "decisions", "--batch", batch]].concat()
}

/// All that a run of a file and one of a feed are to have in common: the law of those in a file is
/// known, so that more is measured of it.
fn common(place: &Place, folder: &str, name: &str) -> String {
    let text = place.read(&Path::new(folder).join(name).display().to_string());
    let beyond = |line: &&str| !line.contains("gain_regret");
    text.lines().filter(beyond).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn ends_well(live: Live) {
    let (code, stdout, stderr) = live.end();
    assert_eq!(code, Some(0), "{stderr}");
    stdout.says("horizon");
}

#[test]
fn twenty_thousand_people_by_every_feed_are_decided_as_from_the_file() {
    let place = Place::new();
    let people = people(MANY);
    let (text, until) = (lines(&people), until(MANY));
    place.write("people.ndjson", &text);
    let file = config("type = \"file\"\npath = \"people.ndjson\"", &until, "");
    place.write("file.toml", &file);
    place.good(&[
        "run",
        "file.toml",
        "--out",
        "file",
        "--trace",
        "decisions",
        "-q",
    ]);

    let write = |name: &str, source: &str| place.write(name, &config(source, &until, ""));
    write("stdin.toml", "type = \"stdin\"");
    for batch in ["1", "7", "64", "1024"] {
        let out = format!("stdin-{batch}");
        let mut run = place.start(&live("stdin.toml", &out, batch));
        let mut pipe = run.stdin.take().expect("piped");
        pipe.write_all(text.as_bytes()).expect("it reads");
        drop(pipe);
        ends_well(run);
    }

    write("tcp.toml", "type = \"tcp\"\naddress = \"127.0.0.1:0\"");
    let mut run = place.start(&live("tcp.toml", "tcp", "1024"));
    let mut stream = TcpStream::connect(run.feed()).expect("it listens");
    stream.write_all(text.as_bytes()).expect("it reads");
    stream.shutdown(Shutdown::Write).expect("a socket");
    ends_well(run);

    write("http.toml", HTTP);
    let mut run = place.start(&live("http.toml", "http", "1024"));
    let address = run.feed();
    let mut taken = 0;
    for part in people.chunks(3001) {
        let answer = post(address, "/v1/candidates", &lines(part));
        taken += answer["accepted"].as_u64().expect("a number");
    }
    assert_eq!(taken, MANY as u64);
    run.hears("no lane plays any more");
    run.signal("-INT");
    ends_well(run);

    write("tape.toml", "type = \"tape\"\npath = \"people.ndjson\"");
    ends_well(place.start(&live("tape.toml", "tape", "1024")));

    let tail = "type = \"file\"\nfollow = true\npath = \"growing.ndjson\"";
    write("tail.toml", tail);
    let run = place.start(&live("tail.toml", "tail", "1024"));
    let mut file = std::fs::File::create(place.path("growing.ndjson")).expect("it can be made");
    for part in text.as_bytes().chunks(400_000) {
        file.write_all(part).expect("it can be written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    ends_well(run);

    for name in SAME.into_iter().filter(|name| *name != "summary.json") {
        let (one, other) = (
            common(&place, "file", name),
            common(&place, "stdin-1", name),
        );
        assert!(one == other, "{name} from the file and from a feed differ");
    }
    for feed in [
        "stdin-7",
        "stdin-64",
        "stdin-1024",
        "tcp",
        "http",
        "tape",
        "tail",
    ] {
        same(&place, "stdin-1", feed);
    }
}

#[test]
fn separated_text_is_read_as_records_are() {
    let place = Place::new();
    let people = people(500);
    let person = |line: &String| {
        let person: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let cell = |name: &str| person[name].to_string().replace('"', "");
        format!("{},{},{}\r\n", cell("SEX"), cell("id"), cell("AGEP"))
    };
    let rows: String = people.iter().map(person).collect();
    let until = until(500);
    place.write("json.toml", &config("type = \"stdin\"", &until, ""));
    let csv = "type = \"stdin\"\ndecoding.codec = \"csv\"";
    place.write("csv.toml", &config(csv, &until, ""));
    for (name, text) in [
        ("json.toml", lines(&people)),
        ("csv.toml", format!("SEX,id,AGEP\r\n{rows}")),
    ] {
        let mut run = place.start(&live(name, &name[..3], "64"));
        let mut pipe = run.stdin.take().expect("piped");
        pipe.write_all(text.as_bytes()).expect("it reads");
        drop(pipe);
        ends_well(run);
    }
    same(&place, "jso", "csv");

    let named = "decoding = { codec = \"csv\", columns = [\"SEX\", \"id\", \"AGEP\"] }";
    place.write("http.toml", &config(HTTP, &until, ""));
    let rows_alone = config(&format!("{HTTP}\n{named}"), &until, "");
    place.write("named.toml", &rows_alone);
    let rows: Vec<&str> = rows.lines().collect();
    let (header, lines_of) = (
        "content-type: text/csv\r\n",
        "content-type: application/x-ndjson\r\n",
    );
    for (name, out) in [
        ("http.toml", "lines"),
        ("http.toml", "rows"),
        ("named.toml", "named"),
    ] {
        let mut run = place.start(&live(name, out, "64"));
        let address = run.feed();
        let mut taken = 0;
        for (part, people) in rows.chunks(170).zip(people.chunks(170)) {
            let part = part.join("\r\n");
            let answer = match out {
                "lines" => post_with(address, lines_of, &lines(people)),
                "rows" => post_with(address, header, &format!("SEX,id,AGEP\r\n{part}\r\n")),
                // Nothing but the config says what these are.
                _ => post_with(address, "", &part),
            };
            taken += answer["accepted"].as_u64().expect("a number");
        }
        assert_eq!(taken, 500, "{out}");
        run.hears("no lane plays any more");
        run.signal("-INT");
        ends_well(run);
        same(&place, "jso", out);
    }
    // What was kept of a body of rows is the stream.
    place.good(&[
        "replay",
        "rows",
        "--trace",
        "decisions",
        "--out",
        "again",
        "-q",
    ]);
    same(&place, "rows", "again");
}

#[test]
fn a_paced_stream_is_the_stream() {
    let place = Place::new();
    let set = [
        "--set",
        "rules.until.accepted=5",
        "--set",
        "report.at=[5]",
        "--trace",
        "decisions",
        "--seed",
        "3",
    ];
    let paced = ["--set", "source.pace=\"20000/s\""];
    for (out, more) in [("fast", &[][..]), ("paced", &paced[..])] {
        let args = [&["live", "--out", out, "--no-board"], more, &set].concat();
        place.good(&args);
    }
    same(&place, "fast", "paced");
    let run = ["run", "--replications", "1", "--out", "run", "-q"];
    place.good(&[&run[..], &set].concat());
    same(&place, "fast", "run");
}

#[test]
fn a_feed_can_be_run_without_being_kept() {
    let place = Place::new();
    let people = people(300);
    place.write("stdin.toml", &config("type = \"stdin\"", &until(300), ""));
    let feed = |args: &[&str]| {
        let mut run = place.start(args);
        let mut pipe = run.stdin.take().expect("piped");
        pipe.write_all(lines(&people).as_bytes()).expect("it reads");
        drop(pipe);
        ends_well(run);
    };
    feed(&live("stdin.toml", "kept", "64"));
    feed(&[
        "run",
        "stdin.toml",
        "--out",
        "run",
        "--trace",
        "decisions",
        "-q",
    ]);
    same(&place, "kept", "run");
    assert!(!place.path("run/journal.sqlite").exists());
}

#[test]
fn whom_where_leaves_out_is_counted_whatever_way_they_come() {
    let place = Place::new();
    // A misspelt column leaves everybody out.
    let source = |kind: &str| format!("{kind}\nwhere = [\"AGE >= 18\"]");
    place.write("people.ndjson", &lines(&people(20)));
    for (name, kind) in [
        ("stdin", "type = \"stdin\""),
        ("tape", "type = \"tape\"\npath = \"people.ndjson\""),
        ("http", HTTP),
    ] {
        place.write("left.toml", &config(&source(kind), &until(100), ""));
        let mut run = place.start(&["live", "left.toml", "--no-board", "--out", name]);
        if name == "http" {
            let answer = post(run.feed(), "/v1/candidates", &lines(&people(20)));
            assert_eq!(answer["left_out"], 20);
            run.signal("-INT");
        } else if let Some(mut stdin) = run.stdin.take().filter(|_| name == "stdin") {
            stdin
                .write_all(lines(&people(20)).as_bytes())
                .expect("it reads");
        }
        let (_, _, stderr) = run.end();
        let note = "note: 20 records left out by `where`";
        assert!(stderr.contains(note), "{name}: {stderr}");
    }
}

/// People of a world with arrivals are let out when they arrive, and decided as without a clock.
#[test]
fn arrivals_are_let_out_at_their_times() {
    let place = Place::new();
    let world = crate::config::worlds::WORLD.replace("replications = 2", "replications = 1");
    // 150 rounds of five, half a person a second and more: within seconds at this speed.
    let world = world.replace("times = 4 } }", "times = 4 }, speed = 200 }");
    place.write("world.toml", &world);
    let more = ["--no-board", "--trace", "decisions"];
    let begun = std::time::Instant::now();
    place.good(&[&["live", "world.toml", "--out", "live"], &more[..]].concat());
    let took = begun.elapsed().as_secs_f64();
    let run = [
        "run",
        "world.toml",
        "--out",
        "run",
        "--trace",
        "decisions",
        "--people",
        "-q",
    ];
    place.good(&run);
    same(&place, "live", "run");
    let people = place.read("run/people.csv");
    let last = people
        .lines()
        .last()
        .and_then(|line| line.rsplit(',').next());
    let last: f64 = last.expect("a person").parse().expect("a time");
    assert!(
        last > 200.0 && took >= last / 200.0,
        "{took} s for {last} s"
    );
}
