//! `klero journal`: a live run's journal verified, repaired and copied.

use super::people::{HTTP, config, lines, people};
use crate::support::process::{Place, live, post};
use crate::support::says::Says as _;

/// A live run of twenty people that goes on.
fn begun() -> (Place, crate::support::process::Live) {
    let place = Place::new();
    place.write("http.toml", &config(HTTP, "until = { rounds = 40 }", ""));
    let mut run = place.start(&live("run"));
    post(run.feed(), "/v1/candidates", &lines(&people(20)));
    (place, run)
}

/// A copy that was made while the run went on plays and goes on as the run itself.
#[test]
fn a_copy_of_a_run_under_way_plays_the_same() {
    let (place, run) = begun();
    let said = place.good(&["journal", "backup", "run", "copy"]);
    said.says("copy: a copy of run: ");
    said.says("entries of 20 people");
    place.good(&["journal", "verify", "run"]);
    assert_eq!(run.stop().0, Some(130));
    assert!(
        place
            .good(&["journal", "verify", "copy"])
            .starts_with("copy: whole: ")
    );
    for (folder, again) in [("run", "a"), ("copy", "b")] {
        place.good(&["replay", folder, "--trace", "decisions", "--out", again]);
    }
    for name in ["decisions.ndjson", "selected.csv", "replications.csv"] {
        let [a, b] = ["a", "b"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert_eq!(a, b, "{name}");
    }
    let mut run = place.start(&["resume", "copy"]);
    post(run.feed(), "/v1/candidates", &lines(&people(40)[20..]));
    run.hears("no lane plays any more");
    assert_eq!(run.stop().0, Some(0));
}

#[test]
fn a_journal_without_its_head_is_repaired_where_that_is_asked_for() {
    let (place, run) = begun();
    run.kill();
    std::fs::remove_file(place.path("run/journal.head")).expect("it is there");
    for args in [
        &["journal", "verify", "run"][..],
        &["journal", "repair", "run"],
        &["journal", "repair", "run", "--cut"],
    ] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!((code, &*stdout), (Some(1), ""), "{args:?}: {stderr}");
        let help = "`klero journal repair run --without-head`";
        assert!(stderr.contains(help), "{args:?}: {stderr}");
    }
    let (code, _, stderr) = place.run(&["resume", "run"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("klero journal repair");
    let said = place.good(&["journal", "repair", "run", "--without-head"]);
    said.says("repaired: ");
    said.says("can't be known without the head");
    let said = place.good(&["journal", "repair", "run"]);
    said.says("there is nothing to repair");
    let mut run = place.start(&["resume", "run"]);
    let again = post(run.feed(), "/v1/candidates", &lines(&people(21)));
    assert_eq!(
        (&again["accepted"], &again["duplicates"]),
        (&1.into(), &20.into())
    );
    let (code, _, stderr) = place.run(&["journal", "repair", "run"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("another run is under way");
    assert_eq!(run.stop().0, Some(130));
}

#[test]
fn what_is_no_journal_is_refused() {
    let (place, run) = begun();
    assert_eq!(run.stop().0, Some(130));
    place.write("file", "");
    for (args, words) in [
        (
            &["journal", "verify", "none"][..],
            "none: there is no such folder",
        ),
        (
            &["journal", "repair", "file"],
            "file is a file, not the folder of a run",
        ),
        (
            &["journal", "backup", "run", "run"],
            "run: is there already",
        ),
        (
            &["journal", "backup", "run", "file"],
            "file: is there already",
        ),
        (
            &["journal", "backup", "run", "no/where"],
            "make it first: mkdir -p no",
        ),
        (
            &["journal", "backup", "run", "file/where"],
            "name a folder that is not there yet",
        ),
        (&["journal", "mend", "run"], "unrecognized subcommand"),
    ] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!((code, &*stdout), (Some(2), ""), "{args:?}: {stderr}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

/// Whatever wants the head of a journal says by which words it is made anew.
#[test]
fn a_head_that_is_gone_has_its_remedy_everywhere() {
    let (place, run) = begun();
    assert_eq!(run.stop().0, Some(130));
    let head = place.path("run/journal.head");
    for head_is in [None, Some("short")] {
        std::fs::remove_file(&head).expect("it is there");
        if let Some(text) = head_is {
            std::fs::write(&head, text).expect("it can be written");
        }
        for args in [
            &["resume", "run"][..],
            &["replay", "run"],
            &["journal", "verify", "run"],
            &["journal", "backup", "run", "copy"],
            &["journal", "repair", "run"],
        ] {
            let (code, _, stderr) = place.run(args);
            assert!(matches!(code, Some(1 | 2)), "{args:?}: {stderr}");
            let words = ["--without-head", "  help: ", "run/journal.head"];
            for word in words {
                assert!(stderr.contains(word), "{args:?}: no {word:?} in {stderr}");
            }
            assert!(!stderr.contains('\u{fffd}'), "{args:?}: {stderr}");
        }
        std::fs::write(&head, "").expect("it can be written");
    }
    place.good(&["journal", "repair", "run", "--without-head"]);
}

/// A copy replaces none, and says by which name there is a new one each time.
#[test]
fn a_second_copy_of_one_name_leaves_the_first_and_says_what_to_do() {
    let (place, run) = begun();
    place.good(&["journal", "backup", "run", "copy"]);
    let names = ["journal.sqlite", "journal.head", "config.toml"];
    let read = || names.map(|name| std::fs::read(place.path("copy").join(name)).expect("a file"));
    let before = read();
    let (code, stdout, stderr) = place.run(&["journal", "backup", "run", "copy"]);
    assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
    stderr.says("copy: is there already, and a copy replaces none");
    stderr.says("\"copy-$(date +%F-%H%M%S)\"");
    assert!(!stderr.contains("os error"), "{stderr}");
    assert!(read() == before, "the first copy is as it was");
    assert_eq!(run.stop().0, Some(130));
}

/// A copy knows of which run it is one, and does not go on while that run does.
#[test]
fn a_copy_says_that_it_is_one_and_waits_for_its_original() {
    let (place, run) = begun();
    place.good(&["journal", "backup", "run", "copy"]);
    place.good(&["journal", "backup", "copy", "again"]);
    let refused = |folder: &str, words: &str| {
        let (code, _, stderr) = place.run(&["resume", folder]);
        assert_eq!(code, Some(2), "{stderr}");
        stderr.says(words);
    };
    refused("copy", "/run, and that run is under way");
    place.good(&["replay", "copy", "--out", "played"]);
    assert_eq!(run.stop().0, Some(130));
    // No original is under way: it says what it is, and goes on.
    let mut one = place.start(&["resume", "copy"]);
    let note = one.hears("note: this run is a copy of ");
    note.says("/run, made 20");
    note.says(" UTC with 20 people");
    one.feed();
    // A copy of a copy names the copy.
    refused("again", "/copy, and that run is under way");
    assert_eq!(one.stop().0, Some(130));
    // Another run in the place of the original is none of its.
    std::fs::rename(place.path("run"), place.path("lost")).expect("a folder");
    let mut other = place.start(&live("run"));
    post(other.feed(), "/v1/candidates", &lines(&people(40)[30..]));
    let mut one = place.start(&["resume", "copy"]);
    one.feed();
    assert_eq!(one.stop().0, Some(130));
    assert_eq!(other.stop().0, Some(130));
    // In the place of the original it goes on.
    std::fs::remove_dir_all(place.path("run")).expect("a folder");
    std::fs::rename(place.path("copy"), place.path("run")).expect("a folder");
    let mut one = place.start(&["resume", "run"]);
    one.feed();
    assert_eq!(one.stop().0, Some(130));
}
