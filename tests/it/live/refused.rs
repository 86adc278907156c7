//! Records on the standard input that can't be read: kept, and reported without the people's words.

use std::io::Write;

use super::people::{config, lines, people};
use crate::support::process::Place;
use crate::support::says::Says as _;

/// Runs a stream with these records; the exit code and stderr.
fn run(place: &Place, args: &[&str], records: &str) -> (Option<i32>, String) {
    let mut run = place.start(args);
    let mut stdin = run.stdin.take().expect("piped");
    stdin.write_all(records.as_bytes()).expect("it reads");
    drop(stdin);
    let (code, _, stderr) = run.end();
    (code, stderr)
}

fn stdin() -> String {
    config("type = \"stdin\"", "until = { rounds = 5000 }", "")
}

#[test]
fn what_is_refused_is_kept_and_the_first_reasons_are_printed() {
    let place = Place::new();
    place.write("stdin.toml", &stdin());
    let wrong = [
        r#"{"id":"ann o'hara","AGEP":30,"SEX":"secret ' word"}"#,
        r#"{"id":"x","SEX":"1"}"#,
        "secret, \"words\"",
        r#"{"id":"y","SEX":"1","AGEP":"secret"}"#,
        r#"{"id":"z","SEX":"1","secret":1}"#,
    ];
    let records = lines(&people(20)) + &wrong.join("\n") + "\n";
    for args in [
        &["run", "stdin.toml", "--out", "kept"][..],
        &["live", "stdin.toml", "--no-board", "--out", "live"],
    ] {
        let (code, stderr) = run(&place, args, &records);
        assert_eq!(code, Some(0), "{stderr}");
        let bad = place.read(&format!("{}/bad.ndjson", args[args.len() - 1]));
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
        let bad: Vec<_> = bad.lines().map(read).collect();
        assert_eq!(
            (bad.len(), &bad[1]["line"], &bad[1]["record"]),
            (5, &22.into(), &wrong[1].into())
        );
        stderr.says("5 records refused (see ");
        stderr.says(
            "note: line 21 was refused: '\u{2026}' in `SEX` is not among the values of `sex`",
        );
        stderr.says("note: line 22 was refused: there is no `AGEP`");
        assert_eq!(stderr.matches("was refused:").count(), 3, "{stderr}");
        for word in ["secret", "o'hara", "words", "codec"] {
            assert!(!stderr.contains(word), "{word}: {stderr}");
        }
    }
    let (_, stderr) = run(&place, &["run", "stdin.toml"], &records);
    stderr.says("5 records refused (with --out DIR");
    // Nothing of one run is left for the next.
    let args = ["run", "stdin.toml", "--out", "kept", "--force"];
    assert_eq!(run(&place, &args, &lines(&people(20))).0, Some(0));
    assert!(!place.path("kept/bad.ndjson").exists());
}

#[test]
fn a_feed_of_another_codec_hears_which_one_it_seems_to_be() {
    let place = Place::new();
    place.write("json.toml", &stdin());
    let csv = stdin().replace("id = \"id\"", "id = \"id\"\ndecoding = { codec = \"csv\" }");
    place.write("csv.toml", &csv);
    let rows = "id,AGEP,SEX\na,30,1\nb,40,2\n";
    let objects = lines(&people(3));
    for (config, wrong, right, other) in [
        ("json.toml", rows, &*objects, "csv"),
        ("csv.toml", &objects, rows, "json"),
    ] {
        let (code, stderr) = run(&place, &["run", config], wrong);
        // One that can't name its columns has broken off.
        let why = ["no record could be read", "the stream broke off"];
        assert!(
            code == Some(1) && why.iter().any(|why| stderr.contains(why)),
            "{stderr}"
        );
        let live = [
            "live",
            config,
            "--no-board",
            "--force",
            "--out",
            &format!("live {other}"),
        ];
        let (code, said) = run(&place, &live, wrong);
        assert!(
            code == Some(1) && why.iter().any(|why| said.contains(why)),
            "{said}"
        );
        let set = format!("source.decoding.codec=\"{other}\"");
        said.says(&set);
        stderr.says(&set);
        let (code, stderr) = run(&place, &["run", config, "--set", &set], wrong);
        assert_eq!(code, Some(0), "{stderr}");
        let (code, stderr) = run(&place, &["run", config], right);
        assert!(code == Some(0) && !stderr.contains("codec"), "{stderr}");
    }
}

/// Rubbish of a few bytes a line costs more on disk than it has itself, up to a limit.
#[test]
fn what_is_kept_of_refused_records_is_bounded_and_all_are_counted() {
    let place = Place::new();
    place.write("stdin.toml", &stdin());
    let (good, many) = (lines(&people(3)), 40_000);
    let records = good + &"x\n".repeat(many);
    let args = ["live", "stdin.toml", "--no-board", "--out", "live"];
    let (code, stderr) = run(&place, &args, &records);
    assert_eq!(code, Some(0), "{stderr}");
    let said = "40000 records refused (see ";
    assert!(stderr.replace(',', "").contains(said), "{stderr}");
    let bad = place.read("live/bad.ndjson");
    assert!(bad.len() < 6 << 20, "{} bytes", bad.len());
    let (mut kept, mut counted) = (0, 0);
    for line in bad.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        match line["records"].as_u64() {
            Some(records) => counted += records,
            None => kept += 1,
        }
    }
    assert!(kept > 10_000 && counted > 10_000, "{kept} {counted}");
    assert_eq!(kept + counted, many as u64);
    // The journal has the same: a run that goes on counts the same.
    let journal = std::fs::metadata(place.path("live/journal.sqlite"));
    assert!(journal.expect("it is there").len() < 12 << 20);
    let (_, stderr) = run(&place, &["resume", "live"], "");
    assert!(stderr.replace(',', "").contains(said), "{stderr}");
    assert_eq!(place.read("live/bad.ndjson"), bad);
}
