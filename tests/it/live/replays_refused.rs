//! Journals, policies and configs with which a run can't be resumed or replayed.

use super::people::{lines, people};
use super::replays::http;
use crate::support::process::{Place, live, post};
use crate::support::says::Says as _;

#[test]
fn what_can_not_be_taken_up_is_refused() {
    let place = Place::new();
    http(&place);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people(50)));
    // While it is under way.
    let (code, _, stderr) = place.run(&["resume", "whole"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("another run is under way");
    run.kill();
    for args in [
        &["resume", "nowhere"][..],
        &["replay", "nowhere"],
        &["live", "http.toml", "--out", "whole"],
        &["live", "http.toml", "--out", "whole", "--force"],
        &["run", "--out", "whole", "--force"],
        &["live", "http.toml", "--out", "x", "--replications", "2"],
        &[
            "live",
            "--set",
            "sweep.\"rules.max_rounds\"=[10,20]",
            "--out",
            "x",
        ],
        &["replay", "whole", "--policies", "nothing.toml"],
    ] {
        let (code, stdout, stderr) = place.run(args);
        assert_eq!((code, &*stdout), (Some(2), ""), "{args:?}: {stderr}");
        assert!(stderr.contains("help"), "{args:?}: {stderr}");
        assert!(!place.path("x").exists(), "{args:?}");
    }
    // A journal that lost its tail.
    let store = rusqlite::Connection::open(place.path("whole/journal.sqlite")).expect("a journal");
    let cut = "DELETE FROM entry WHERE seq > 30";
    store.execute_batch(cut).expect("it can be cut");
    drop(store);
    let (code, _, stderr) = place.run(&["resume", "whole"]);
    assert_eq!(code, Some(2), "{stderr}");
    stderr.says("are lost");
}

#[test]
fn a_policy_added_twice_and_one_that_is_wrong_are_reported_with_their_places() {
    let place = Place::new();
    http(&place);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people(50)));
    assert_eq!(run.stop().0, Some(130));
    let more = "[[policy]]\nlabel = \"queue\"\nkind = \"virtual_queu\"\n";
    place.write("more.toml", more);
    let (code, _, stderr) = place.run(&["replay", "whole", "--policies", "more.toml"]);
    assert_eq!(code, Some(2));
    for words in ["more.toml:2:9: ", "more.toml:3:8: ", "virtual_queue"] {
        stderr.says(words);
    }
    let (_, _, stderr) = place.run(&[
        "--log",
        "json",
        "replay",
        "whole",
        "--policies",
        "more.toml",
    ]);
    for words in [
        "\"file\":\"more.toml\",\"line\":3",
        "\"message\":\"line 3, column 8: ",
    ] {
        stderr.says(words);
    }
}

#[test]
fn a_file_that_adds_no_policy_or_something_else_is_refused() {
    let place = Place::new();
    http(&place);
    let mut run = place.start(&live("whole"));
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    let sound = "[[policy]]\nlabel = \"again\"\nkind = \"virtual_queue\"\n";
    let other = format!("{sound}\n[comparison]\nalpha = 0.1\n");
    for (text, words) in [
        ("", "more.toml: there is no policy in this file"),
        ("# none\n", "more.toml: there is no policy in this file"),
        (&*other, "more.toml:5:2: `comparison` is no policy"),
        (
            "policy = 3\n",
            "more.toml:1:1: policies that are added are sections",
        ),
        (
            "policy = [{ label = \"x\", kind = \"accept_all\" }]\n",
            "more.toml:1:1: policies that",
        ),
        (
            "[policy]\nlabel = \"x\"\n",
            "more.toml:1:2: policies that are added",
        ),
        ("[[policy\n", "more.toml:1:"),
    ] {
        place.write("more.toml", text);
        for command in ["replay", "resume"] {
            let (code, _, stderr) = place.run(&[command, "whole", "--policies", "more.toml"]);
            assert_eq!(code, Some(2), "{text}: {stderr}");
            assert!(stderr.contains(words), "{text}: {stderr}");
        }
    }
}

#[test]
fn a_config_that_was_changed_since_is_refused_but_for_where_it_listens() {
    let place = Place::new();
    http(&place);
    let mut run = place.start(&live("whole"));
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    let begun = place.read("whole/config.toml");
    let changed = begun.replace("rounds = 900", "rounds = 901");
    assert_ne!(begun, changed);
    place.write("whole/config.toml", &changed);
    for command in ["replay", "resume"] {
        let (code, _, stderr) = place.run(&[command, "whole"]);
        assert_eq!(code, Some(2), "{stderr}");
        let words = "config.toml: this is not the config that the run was begun with";
        stderr.says(words);
    }
    // At another place, and its first keys in another order.
    let (name, rest) = begun.split_once('\n').expect("more than a line");
    let (seed, rest) = rest.split_once('\n').expect("more than a line");
    let elsewhere = format!("{seed} # as before\n{name}\n{rest}").replace("127.0.0.1:0", "[::1]:0");
    place.write("whole/config.toml", &elsewhere);
    let mut run = place.start(&["resume", "whole"]);
    assert!(run.feed().is_ipv6());
    assert_eq!(run.stop().0, Some(130));
    // The journal has it.
    std::fs::remove_file(place.path("whole/config.toml")).expect("it is there");
    let mut run = place.start(&["resume", "whole"]);
    run.hears("note: config.toml was gone");
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    assert_eq!(place.read("whole/config.toml"), begun);
}
