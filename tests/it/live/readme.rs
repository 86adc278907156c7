//! The README's first live run, its commands copied from there.

use std::process::Command;

use crate::support::process::Place;
use crate::support::programs::curl;
use crate::support::project;
use crate::support::says::Says as _;

/// The commands of the section's blocks, block by block.
fn blocks() -> Vec<Vec<String>> {
    let readme = std::fs::read_to_string(project().join("README.md")).expect("it is there");
    let section = readme.split("\n## Live\n").nth(1).expect("the section");
    let section = section.split("\n## ").next().expect("its text");
    let blocks = section.split("```sh\n").skip(1);
    let block = |text: &str| {
        text.split("```")
            .next()
            .expect("a block")
            .lines()
            .map(str::to_owned)
            .collect()
    };
    blocks.map(block).collect()
}

/// Runs a line as a user would, `klero` being on the path.
#[track_caller]
fn shell(place: &Place, line: &str) -> String {
    let klero = std::path::Path::new(env!("CARGO_BIN_EXE_klero"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", klero.parent().expect("a folder").display());
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(place.path(""));
    let output = command.env("PATH", path).output().expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{line}: {stdout}{stderr}");
    stdout
}

#[test]
fn the_first_live_run_goes_as_the_readme_says() {
    if !curl() {
        return;
    }
    let blocks = blocks();
    let [first, asked, resumed, replayed] = &blocks[..] else {
        panic!("four blocks, not {}", blocks.len());
    };
    let place = Place::new();
    let words: Vec<&str> = first[0].split(' ').collect();
    assert_eq!(words[..2], ["klero", "live"]);
    // But for the ports, which other tests may have.
    let ports = [
        "--set",
        "source.address=\"127.0.0.1:0\"",
        "--set",
        "board.address=\"127.0.0.1:0\"",
    ];
    let mut run = place.start(&[&words[1..], &ports].concat());
    let (feed, board) = (run.feed().to_string(), run.board());
    let answers: Vec<String> = asked
        .iter()
        .map(|line| shell(&place, &line.replace("127.0.0.1:8090", &feed)))
        .collect();
    for (answer, words) in answers.iter().zip([
        "\"acting\":\"queue\",\"decision\":\"selected\"",
        "\"accepted\":2",
        "\"accepted\":1",
        "event: decision",
        "klero_accepted_total 3",
    ]) {
        assert!(
            answer
                .replace(": ", ":")
                .replace("event:", "event: ")
                .contains(words),
            "{words}: {answer}"
        );
    }
    let page = shell(&place, &format!("curl -s http://{board}/"));
    page.says("a panel from volunteers");
    let (code, stdout, stderr) = run.stop();
    assert_eq!(code, Some(130), "{stderr}");
    stdout.says("first come");

    let words: Vec<&str> = resumed[0].split(' ').collect();
    let mut run = place.start(&words[1..]);
    run.board();
    assert_eq!(run.stop().0, Some(130));

    let said: Vec<String> = replayed.iter().map(|line| shell(&place, line)).collect();
    assert!(said[1].contains("stricter"), "{said:?}");
}
