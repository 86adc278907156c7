//! The same bytes, through the binary: whatever the batch, the threads, the runtime, the company
//! and its order.

use crate::support::configs::PEOPLE;
use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;
use crate::support::{config, data};

/// `accept_all` is done after 150 rounds, greedy after thousands.
#[test]
fn the_main_job() {
    let text = config("committee-brexit-like.toml");
    same_bytes(&Terminal::new(), &text, &["--replications", "3"]);
}

/// Lanes that end by a foul or stall in the middle of a batch end at the same round in all.
#[test]
fn lanes_that_break_off() {
    let text = config("committee-brexit-like.toml");
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.max_rounds=333",
        "--set",
        "report.at={ rounds = [1, 7, 64, 150, 333] }",
    ];
    same_bytes(&Terminal::new(), &text, &more);
    let more = ["--replications", "2", "--set", "rules.choose=exactly_one"];
    same_bytes(&Terminal::new(), &text, &more);
}

/// Slates of several, of which a batch holds whole ones alone.
#[test]
fn slates_of_several() {
    let text = config("committee-syn6.toml");
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.slate=5",
        "--set",
        "rules.choose=any",
        "--set",
        "rules.until.accepted=100",
        "--set",
        "report.at=[50, 100]",
    ];
    same_bytes(&Terminal::new(), &text, &more);
}

/// People of a small file, in every order, with slates that do not come out even.
#[test]
fn people_of_a_file_in_every_order() {
    let terminal = Terminal::new();
    let mut people = "SEX,AGE,w\n".to_owned();
    for i in 0..103_u32 {
        people += &format!("{},{},{}\n", 1 + i * i % 7 % 2, 18 + i * 37 % 71, 1 + i % 3);
    }
    terminal.put("people.csv", people);
    let policies = "[[policy]]\nlabel = \"greedy\"\nkind = \"greedy\"\ntolerance = 0.2\n\n\
        [[policy]]\nlabel = \"lot\"\nkind = \"cmdp\"\n\n\
        [[policy]]\nlabel = \"all\"\nkind = \"accept_all\"\n\n[report]\nat = [5, 10]\n\
        baseline = \"all\"\n";
    let text = format!("{PEOPLE}\n{policies}").replace("accepted = 4", "accepted = 20");
    for (order, replications) in [("file", "1"), ("shuffled", "3"), ("resampled", "3")] {
        let text = text.replace("\"resampled\"", &format!("{order:?}"));
        for slate in ["1", "4"] {
            let slate = format!("rules.slate={slate}");
            same_bytes(
                &terminal,
                &text,
                &["--replications", replications, "--set", &slate],
            );
        }
    }
}

/// Bandits that learn from outcomes some rounds late, and oracles.
#[test]
fn bandits() {
    for name in ["grazzi2022-fig1.toml", "grazzi2022-groups.toml"] {
        let more = [
            "--replications",
            "2",
            "--set",
            "rules.until.rounds=150",
            "--set",
            "report.at=[7, 64, 150]",
            "--set",
            "feedback.outcome.delay={ uniform = [0, 9] }",
        ];
        same_bytes(&Terminal::new(), &config(name), &more);
    }
}

/// One round of interviews, in which lanes buy other looks at the same people.
#[test]
fn cohorts() {
    let text = config("schumann2019-t2.toml");
    // A lane that plays alone is scored by what the config says, not by what it would seek itself.
    let objective = "report.objective=[\"top_k\", \"diverse\"]";
    let more = ["--replications", "3", "--set", objective];
    same_bytes(&Terminal::new(), &text, &more);
    // Strong interviews that say more of one group.
    let gain = "{ by = \"group\", of = { \"0\" = 9, \"1\" = 1.5, \"2\" = 4 } }";
    let text = text.replace("gain = 5", &format!("gain = {gain}"));
    assert!(text.contains(gain));
    same_bytes(&Terminal::new(), &text, &more);
}

/// Real people, where KLERO_DATA has them.
#[test]
fn real_people() {
    let Some(path) = data("acs-national2018.csv") else {
        return;
    };
    let text = config("committee-acs.toml");
    let path = format!("source.path={:?}", path.display().to_string());
    same_bytes(
        &Terminal::new(),
        &text,
        &["--replications", "2", "--set", &path],
    );
}
