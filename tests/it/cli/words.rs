//! What the commands say of themselves.

use kleroterion::catalog::kinds;
use kleroterion::presets::PRESETS;
use kleroterion::score::catalogue;

use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, typed};

#[test]
fn version_and_help() {
    let terminal = Terminal::new();
    assert_eq!(
        terminal.done(&["--version"]),
        format!("klero {}\n", env!("CARGO_PKG_VERSION"))
    );
    for command in ["run", "check", "explain", "fit", "list"] {
        let help = terminal.done(&[command, "--help"]);
        assert_eq!(terminal.done(&["help", command]), help);
        help.says("\nExamples:\n  klero ");
    }
    let help = terminal.done(&["--help"]);
    insta::assert_snapshot!(help);
}

/// The examples of the help texts are no idle talk: those that need no file of the user's run.
#[test]
fn the_examples_of_the_help_texts_run() {
    let terminal = Terminal::new();
    let project = env!("CARGO_MANIFEST_DIR");
    let mut ran = 0;
    for page in [
        &["--help"][..],
        &["run", "--help"],
        &["check", "--help"],
        &["explain", "--help"],
        &["list", "--help"],
        &["trace", "--help"],
    ] {
        let help = terminal.done(page);
        let examples = help.split("Examples:\n").nth(1).expect("examples");
        for line in examples
            .lines()
            .map_while(|line| line.strip_prefix("  klero "))
        {
            let command = line.split("   ").next().expect("a command").trim();
            if [
                "my.toml",
                "acs",
                "reviews.csv",
                "people.csv",
                "scores.csv",
                "DIR",
                "my_policy",
                // It stays until Ctrl-C: tests/it/live runs it.
                "live-http",
            ]
            .iter()
            .any(|file| command.contains(file))
            {
                continue;
            }
            let config = command.replace("configs/", &format!("{project}/configs/"));
            let mut words: Vec<_> = config.split(' ').map(str::to_owned).collect();
            // The one quoted word holds a blank.
            if let Some(at) = words.iter().position(|word| word.starts_with('\'')) {
                let rest = words.split_off(at).join(" ");
                words.push(rest.trim_matches('\'').to_owned());
            }
            if words[0] == "run" {
                match words.iter().position(|word| word == "--replications") {
                    Some(at) => words[at + 1] = "2".to_owned(),
                    None => words.extend(["--replications", "2"].map(str::to_owned)),
                }
            }
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            terminal.done(&words);
            ran += 1;
        }
    }
    assert!(ran >= 6, "{ran} examples ran");
}

#[test]
fn list_names_all_there_is() {
    let terminal = Terminal::new();
    // So wide that each has a line of its own.
    let listed = |words: &[&str]| terminal.wide(words, 10_000);
    let all = listed(&["list"]);
    let parts =
        ["policies", "sources", "pools", "metrics", "presets"].map(|word| listed(&["list", word]));
    assert_eq!(all, parts.join("\n"));
    let names = |part: &str| -> Vec<String> {
        let rows = part.lines().skip(1);
        let name = |row: &str| row.split_whitespace().next().expect("a name").to_owned();
        rows.map(name).collect()
    };
    let policies: Vec<_> = kinds().map(|kind| kind.name).collect();
    let metrics: Vec<_> = catalogue().map(|(name, _)| name).collect();
    let presets: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    let known = [
        &policies[..],
        &known_types("source"),
        &known_types("pool"),
        &metrics,
        &presets,
    ];
    for (part, known) in parts.iter().zip(known) {
        assert_eq!(names(part), known, "{part}");
        // A line each: what it is, and what can be set.
        assert!(
            part.lines()
                .skip(1)
                .all(|row| row.split_whitespace().count() > 2),
            "{part}"
        );
    }
}

/// The types that a section of a config knows, as the refusal of another one lists them.
fn known_types(section: &str) -> Vec<&'static str> {
    let terminal = Terminal::new();
    terminal.put("my.toml", format!("[{section}]\ntype = \"?\"\n"));
    let stderr = terminal.klero(&["check", "my.toml"]).stderr;
    let words = stderr.split("known words: ").nth(1).expect("the words");
    let words = words.lines().next().expect("a line").to_owned().leak();
    words.split(", ").collect()
}

#[test]
fn check_says_what_a_run_would_do_and_assume() {
    let terminal = Terminal::new();
    let mut page = String::new();
    let bare = "[source]\ntype = \"categorical\"\nshares = { a = { x = 0.5, y = 0.5 } }\n[rules]\n\
        choose = \"any\"\n\
        until = { rounds = 1 }\n[[policy]]\nlabel = \"a\\u00e9\"\nkind = \"accept_all\"\n";
    terminal.put("bare.toml", bare);
    terminal.put(
        "ends.toml",
        crate::support::configs::PEOPLE
            .replace("{ accepted = 4 }", "\"source_ends\"")
            .replace("resampled", "file"),
    );
    terminal.put("people.csv", crate::support::configs::ROWS);
    for args in [
        &["check"][..],
        &[
            "check",
            "committee-syn6",
            "--only",
            "queue",
            "--replications",
            "1",
        ],
        &[
            "check",
            "committee-brexit-like",
            "--set",
            "report.pairs=all",
            "--only",
            "queue,cmdp",
        ],
        &["check", "bare.toml"],
        &["check", "ends.toml"],
    ] {
        page += &format!("$ klero {}\n{}\n", args.join(" "), terminal.done(args));
    }
    insta::assert_snapshot!(page);
    assert_eq!(
        terminal.names(""),
        ["bare.toml", "ends.toml", "people.csv"],
        "a check writes nothing"
    );
}

/// A folder of results may bear the name of a preset.
#[test]
fn a_preset_is_found_where_a_folder_has_its_name() {
    let terminal = Terminal::new();
    let args = typed("run committee-syn6 --replications 2 --out committee-syn6");
    terminal.done(&args);
    terminal.done(&[&args[..], &["--force"]].concat());
}
