//! `klero` alone and `klero skill`: every command line and config that they show works.

use std::process::{Command, Stdio};

use crate::support::terminal::{Said, Terminal, said};

/// Runs a line by the shell, as a reader would.
fn shell(terminal: &Terminal, line: &str) -> Said {
    let program = env!("CARGO_BIN_EXE_klero");
    let mut command = Command::new("sh");
    let script = format!("klero() {{ '{program}' \"$@\"; }}\n{line}");
    command.args(["-c", &script]).current_dir(terminal.path(""));
    command.env_remove("KLERO_DATA").stdin(Stdio::null());
    said(command)
}

/// The lines of a page's blocks of one language; or, of its TOML, the block.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let blocks = page.split(&*opening).skip(1);
    let body = |block: &str| block.split("```").next().expect("a block ends").to_owned();
    blocks.map(body).collect()
}

/// People as a file and as records.
fn with_people() -> Terminal {
    let terminal = Terminal::new();
    let person = |n: usize| {
        (
            format!("p{n}"),
            ["F", "M"][n % 2],
            ["18-34", "35-59", "60+"][n % 3],
        )
    };
    let people = || (0..90).map(person);
    let rows = people().map(|(id, gender, age)| format!("{id},{gender},{age}\n"));
    terminal.put(
        "people.csv",
        format!("id,gender,age\n{}", rows.collect::<String>()),
    );
    let records = people().map(|(id, gender, age)| {
        format!("{{\"id\":\"{id}\",\"groups\":{{\"gender\":\"{gender}\",\"age\":\"{age}\"}}}}\n")
    });
    terminal.put("people.ndjson", records.collect::<String>());
    terminal
}

#[test]
fn every_command_and_config_of_the_page_works() {
    let terminal = with_people();
    let page = terminal.done(&["skill"]);
    assert!(page.lines().count() <= 120, "one page");
    let configs = blocks(&page, "toml");
    assert_eq!(configs.len(), 1);
    terminal.put("two.toml", &configs[0]);
    let lines = blocks(&page, "sh").concat();
    let mut commands = 0;
    for line in lines.lines() {
        let said = shell(&terminal, line);
        assert_eq!(said.code, Some(0), "{line}: {}", said.stderr);
        commands += 1;
    }
    assert!(commands >= 18, "{commands}");
    // What the page says of the results is there.
    let summary = terminal.read("summary.json");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("it is JSON");
    assert!(summary["answer"]["headline"].is_string());
    for member in ["metric", "a", "b", "mean", "lo", "hi", "verdict", "needed"] {
        assert!(summary["pairs"][0].get(member).is_some(), "{member}");
    }
    for file in [
        "summary.csv",
        "verdicts.csv",
        "replications.csv",
        "series.csv",
        "selected.csv",
        "people.csv",
    ] {
        assert!(terminal.path("traced").join(file).exists(), "{file}");
    }
    assert!(terminal.path("results/report.html").exists());
}

/// A problem is a line of JSON with the members that the page names.
#[test]
fn problems_are_lines_of_json_as_the_page_says() {
    let terminal = with_people();
    let page = terminal.done(&["skill"]);
    terminal.put(
        "bad.toml",
        blocks(&page, "toml")[0].replace("\"greedy\"\ntol", "\"greedi\"\ntol"),
    );
    let said = terminal.exits(2, &["--log", "json", "check", "bad.toml"]);
    let first = said.stderr.lines().next().expect("a problem");
    let problem: serde_json::Value = serde_json::from_str(first).expect("it is JSON");
    for member in ["file", "line", "column", "what", "help"] {
        assert!(problem["fields"].get(member).is_some(), "{member}: {first}");
    }
}

#[test]
fn alone_it_shows_three_ways_in_that_work() {
    let terminal = with_people();
    let alone = terminal.klero(&[]);
    assert_eq!((alone.code, &*alone.stdout), (Some(2), ""));
    insta::assert_snapshot!(alone.stderr);
    let commands = alone
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("  "));
    // A remark follows after blanks.
    let commands = commands.map(|line| line.split("   ").next().expect("a command"));
    let commands: Vec<_> = commands.collect();
    assert_eq!(commands.len(), 6);
    for line in commands {
        // What would wait for people is only read.
        let line = match line.contains("live live.toml") {
            true => "klero check live.toml".to_owned(),
            false => line.to_owned(),
        };
        let said = shell(&terminal, &line);
        assert_eq!(said.code, Some(0), "{line}: {}", said.stderr);
    }
}
