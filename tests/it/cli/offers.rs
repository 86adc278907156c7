//! `[yield]`, through the binary: those who are chosen may decline.

use serde_json::Value;

use crate::support::config;
use crate::support::same::same_bytes;
use crate::support::terminal::Terminal;

/// A config with this section before its policies.
fn with(name: &str, section: &str) -> String {
    let text = config(name);
    let (head, policies) = text.split_once("[[policy]]").expect("policies");
    format!("{head}[yield]\n{section}\n\n[[policy]]{policies}")
}

/// The values of a metric of a lane at the end of each replication.
fn values(terminal: &Terminal, label: &str, metric: &str) -> Vec<f64> {
    let text = terminal.read("d/replications.csv");
    let (lane, end) = (format!(",{label},{metric},,"), |line: &str| {
        line.rsplit(',').next().and_then(|value| value.parse().ok())
    });
    let lines = text.lines().filter(|line| line.contains(&lane));
    lines.filter_map(end).collect()
}

/// The mean, and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

#[test]
fn where_all_accept_nothing_changes() {
    for (name, more) in [
        ("committee-brexit-like.toml", &["--replications", "2"][..]),
        ("schumann2019-t2.toml", &["--replications", "20"]),
        (
            "pool-cohorts.toml",
            &[
                "--replications",
                "2",
                "--set",
                "rules.until.rounds=40",
                "--set",
                "report.at=[40]",
            ],
        ),
    ] {
        let terminal = Terminal::new();
        terminal.put("plain.toml", config(name));
        terminal.put("yield.toml", with(name, "rate = 1.0"));
        for folder in ["plain", "yield"] {
            let file = format!("{folder}.toml");
            let args = ["run", &file, "-q", "--trace", "decisions", "--keep", "all"];
            terminal.done(&[&args[..], &["--out", folder], more].concat());
        }
        let decisions =
            ["plain", "yield"].map(|folder| terminal.read(&format!("{folder}/decisions.ndjson")));
        assert!(
            decisions[0] == decisions[1] && decisions[0].lines().count() > 1,
            "{name}"
        );
        let rows = terminal.read("yield/replications.csv");
        for row in terminal.read("plain/replications.csv").lines() {
            assert!(rows.lines().any(|other| other == row), "{name}: {row}");
        }
        assert!(rows.contains(",accepted_offers,,1\n") && rows.contains(",declined,,0\n"));
    }
}

#[test]
fn the_same_bytes_however_offers_are_carried_out() {
    let rate = "by = { group = { 0 = 0.9, 2 = 0.3 } }\nrefill = true";
    let cohorts = with("schumann2019-t2.toml", rate);
    let of_sums = cohorts.replace("objective = \"diverse\"\n", "");
    same_bytes(&Terminal::new(), &of_sums, &["--replications", "3"]);
    let slates = [
        "rules.slate=5",
        "rules.choose={ at_most = 3 }",
        "report.at=[40]",
    ];
    let mut more = vec!["--replications", "2", "--set", "rules.until.accepted=40"];
    more.extend(slates.iter().flat_map(|set| ["--set", *set]));
    for refill in ["", "\nrefill = true"] {
        let text = with("committee-syn6.toml", &format!("rate = 0.6{refill}"));
        same_bytes(&Terminal::new(), &text, &more);
    }
    let bandits = with("grazzi2022-fig1.toml", "rate = 0.6");
    let more = [
        "--replications",
        "2",
        "--set",
        "rules.until.rounds=150",
        "--set",
        "report.at=[7, 150]",
        "--set",
        "feedback.outcome.delay={ uniform = [0, 9] }",
    ];
    same_bytes(&Terminal::new(), &bandits, &more);
}

/// The places of the accepted are filled by as many offers as a negative binomial law says, and of
/// each group as many accept as the config says.
#[test]
fn as_many_accept_as_the_config_says() {
    let terminal = Terminal::new();
    let section = "rate = 0.8\nby = { vote = { Leave = 0.5 } }";
    terminal.put("my.toml", with("committee-brexit-like.toml", section));
    let mut args = vec!["run", "my.toml", "-q", "--keep", "all", "--out", "d"];
    args.extend(["--replications", "200", "--set", "rules.until.accepted=100"]);
    args.extend(["--set", "report.at=[100]"]);
    terminal.done(&args);
    // Who comes, as the config makes it of targets and weights; then who of them accepts.
    let (leave, remain) = (0.519 * 0.85, 0.481);
    let leave = leave / (leave + remain);
    let rate = 0.8 * (0.5 * leave + 1.0 - leave);
    let near = |metric: &str, expected: f64| {
        let (mean, se) = mean(&values(&terminal, "accept all", metric));
        let off = (mean - expected).abs();
        assert!(
            se > 0.0 && off < 4.0 * se,
            "{metric}: {mean} +- {se}, {expected}"
        );
    };
    near("screened", 100.0 / rate);
    near("declined", 100.0 / rate - 100.0);
    near("share.vote:Leave", 0.8 * 0.5 * leave / rate);
}

/// A lane like `SWAP` of a config of one, which weighs by the probability to accept.
fn weighed(text: &str, edits: &[(&str, &str)]) -> String {
    let mut text = text.replace("refill = true\n", "");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let (head, rest) = text.split_once("[[policy]]").expect("policies");
    let (swap, others) = rest.split_once("\n[[policy]]").expect("several");
    let other = swap
        .replace("\"SWAP\"", "\"weighed\"")
        .trim_end()
        .to_owned();
    format!("{head}[[policy]]{swap}\n[[policy]]{other}\nweigh_yield = true\n\n[[policy]]{others}")
}

#[test]
fn a_cohort_weighed_by_who_comes_brings_more_and_where_all_come_alike_the_same() {
    let text = config("cohort-yield.toml");
    let args = [
        "run", "my.toml", "-q", "--keep", "all", "--out", "d", "--force",
    ];
    let args = [&args[..], &["--replications", "100"]].concat();
    let terminal = Terminal::new();
    terminal.put("my.toml", weighed(&text, &[]));
    terminal.done(&args);
    let sums = |label: &str| values(&terminal, label, "cohort_value");
    let gaps = sums("weighed").into_iter().zip(sums("SWAP"));
    let (gap, se) = mean(&gaps.map(|(a, b)| a - b).collect::<Vec<_>>());
    assert!(gap > 0.5 && gap > 4.0 * se, "{gap} +- {se}");
    // Half of all: every comparison is the same, to the last bit.
    let alike = [
        (
            "by = { group = { 0 = 0.9, 1 = 0.9, 2 = 0.5 } }",
            "rate = 0.5",
        ),
        (
            "stop = \"budget\"",
            "stop = { within = 0.1 }\nstrong = \"never\"",
        ),
        ("budget = 600", "interview_cap = 100_000"),
    ];
    let text = weighed(&text, &alike).replacen("within = 0.1", "within = 0.2", 1);
    terminal.put("my.toml", text);
    terminal.done(&args);
    for metric in ["cost", "cohort_value", "declined"] {
        let [plain, halved] = ["SWAP", "weighed"].map(|label| values(&terminal, label, metric));
        assert!(
            plain == halved && plain.len() == 100,
            "{metric}: {plain:?} {halved:?}"
        );
    }
}

#[test]
fn respondents_who_decline_by_a_column_need_not_cost_the_quotas() {
    let terminal = Terminal::new();
    terminal.done(&["show", "organiser", "--files", "."]);
    let people = terminal.read("organiser/respondents.csv");
    let mut rows = people.lines();
    let mut text = format!("{},comes\n", rows.next().expect("a header"));
    for (at, row) in rows.enumerate() {
        text += &format!("{row},{}\n", if at % 4 == 0 { "0" } else { "1" });
    }
    terminal.put("organiser/respondents.csv", &text);
    let config = terminal.done(&["show", "organiser"]);
    let (head, policies) = config.split_once("[[policy]]").expect("policies");
    let section = "[yield]\ncolumn = \"comes\"\n\n[[policy]]";
    terminal.put("my.toml", format!("{head}{section}{policies}"));
    let args = ["run", "my.toml", "-q", "--keep", "all", "--out", "d"];
    let more = ["--trace", "decisions", "--trace-replications", "all"];
    terminal.done(&[&args[..], &["--replications", "20"], &more].concat());
    let events = terminal.read("d/decisions.ndjson");
    let declined = events.lines().filter_map(|line| {
        let event: Value = serde_json::from_str(line).expect("JSON");
        Some(event.get("declined")?.as_array()?.len())
    });
    assert!(declined.sum::<usize>() > 100);
    // Overruled in time, the queue finds others for each quota; others may not.
    let kept = |label: &str| values(&terminal, label, "quotas_kept");
    assert_eq!(kept("\"queue, kept\""), [1.0; 20]);
    assert!(kept("queue").contains(&0.0));
}
