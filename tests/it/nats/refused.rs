//! Configs whose policies can't play elsewhere: `klero check` says why, and what to do.

use crate::live::people::config;
use crate::support::process::Place;
use crate::support::project;

/// A config, its last policy elsewhere.
fn remote(text: &str) -> String {
    let found = text.rfind("\nkind = \"").expect("a policy has a kind");
    let (head, tail) = text.split_at(found);
    assert!(head.contains("[[policy]]"));
    format!("{head}\nwhere = \"remote\"{tail}")
}

/// A preset that comes with the program.
fn preset(name: &str) -> String {
    let path = project().join("configs").join(name);
    std::fs::read_to_string(path).expect("it is there")
}

/// That it is refused, once, with its place and these words.
#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let place = Place::new();
    place.write("here.toml", text);
    place.write("there.toml", &remote(text));
    let (code, _, stderr) = place.run(&["check", "here.toml"]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = place.run(&["check", "there.toml"]);
    assert_eq!(code, Some(2), "{stderr}");
    let words = words.iter().chain(&["there.toml:", "help: ", "1 problem"]);
    for word in words {
        assert!(stderr.contains(word), "{word:?}: {stderr}");
    }
}

#[test]
fn people_who_are_generated_do_not_travel() {
    let words = ["here they are generated", "[source] type = \"http\""];
    for name in ["live-show.toml", "committee-syn6.toml"] {
        refused(&preset(name), &words);
    }
}

#[test]
fn interviews_and_offers_that_people_answer_are_held_at_the_recorder() {
    let words = ["people answer", "at the recorder", "leave `where` out"];
    refused(&preset("hiring-live.toml"), &words);
    let offers = config(
        "type = \"http\"\naddress = \"127.0.0.1:0\"",
        "until = { accepted = 5 }",
        "[yield]\ntype = \"people\"",
    );
    refused(&offers, &words);
}
