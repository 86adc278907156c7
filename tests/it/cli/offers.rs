//! `[yield]`, through the binary: those who are chosen may decline.

use serde_json::Value;

use super::stories::events;
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
        // All offers are accepted, and told; nothing else differs.
        let decisions = ["plain", "yield"].map(|folder| {
            let mut events = events(&terminal.read(&format!("{folder}/decisions.ndjson")));
            for event in &mut events {
                let offers = event.as_object_mut().expect("an object").remove("offers");
                let offers = offers.unwrap_or_default();
                let offers = offers.as_array().into_iter().flatten();
                assert!({ offers }.all(|offer| offer["takes"] == true), "{event}");
            }
            events
        });
        assert!(
            decisions[0] == decisions[1] && decisions[0].len() > 1,
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
fn weighed(text: &str) -> String {
    let text = text.replace("refill = true\n", "");
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
    terminal.put("my.toml", weighed(&text));
    terminal.done(&args);
    let sums = |label: &str| values(&terminal, label, "cohort_value");
    let gaps = sums("weighed").into_iter().zip(sums("SWAP"));
    let (gap, se) = mean(&gaps.map(|(a, b)| a - b).collect::<Vec<_>>());
    assert!(gap > 0.5 && gap > 4.0 * se, "{gap} +- {se}");
    // Half of all: every comparison is the same, to the last bit. Ties are decided by the label.
    let text = [
        (
            "by = { group = { 0 = 0.9, 1 = 0.9, 2 = 0.5 } }",
            "rate = 0.5",
        ),
        (
            "stop = \"budget\"",
            "stop = { within = 0.2 }\nstrong = \"never\"",
        ),
        ("budget = 600", "interview_cap = 100_000"),
        ("refill = true\n", ""),
    ]
    .iter()
    .fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let weighs = text
        .replacen(
            "label = \"SWAP\"",
            "label = \"SWAP\"\nweigh_yield = true",
            1,
        )
        .replace("within = 0.2", "within = 0.1");
    let [plain, halved] = [text, weighs].map(|text| {
        terminal.put("my.toml", text);
        terminal.done(&args);
        ["cost", "cohort_value", "declined"].map(|metric| values(&terminal, "SWAP", metric))
    });
    assert!(
        plain == halved && plain[0].len() == 100,
        "{plain:?} {halved:?}"
    );
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

/// Two households of two, whose first declines and whose second accepts.
const HOUSEHOLDS: &str = r#"name = "a declined place and the household"
seed = 2
replications = 3
[source]
type = "file"
path = "house.csv"
id = "id"
order = "file"
attributes = { kind = { column = "kind" } }
[rules]
slate = 4
choose = { exactly = 2 }
until = { rounds = 1 }
unique = ["address"]
[yield]
by = { kind = { first = 0.0, second = 1.0 } }
refill = true
[[policy]]
label = "all"
kind = "accept_all"
[report]
judge = ["seats_filled"]
"#;

/// What the first decision of a run says of some key: a list of ids.
fn ids(terminal: &Terminal, folder: &str, key: &str) -> Vec<String> {
    let text = terminal.read(&format!("{folder}/decisions.ndjson"));
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let ids = first[key].as_array().into_iter().flatten();
    ids.map(|id| id.as_str().expect("an id").trim_matches('"').to_owned())
        .collect()
}

#[test]
fn the_second_of_a_household_is_offered_the_place_that_the_first_declines() {
    let terminal = Terminal::new();
    let people = "id,kind,address\n1,first,s1\n2,second,s1\n3,first,s2\n4,second,s2\n";
    let all = ["1", "2", "3", "4"];
    // People by row; who takes a place; who declines; who is shown.
    for (name, refill, edit, chosen, declined, shown) in [
        (
            "all four",
            true,
            "",
            &["2", "4"][..],
            &["1", "3"][..],
            &all[..],
        ),
        ("no refill", false, "", &[], &["1", "3"], &["1", "3"]),
        (
            "the first accept",
            true,
            "first = 1.0",
            &["1", "3"],
            &[],
            &["1", "3"],
        ),
        ("one each", true, "slate", &["2", "4"], &["1", "3"], &all),
    ] {
        terminal.put("house.csv", people);
        let mut text = HOUSEHOLDS.replace("refill = true", &format!("refill = {refill}"));
        if edit.starts_with("first") {
            text = text.replace("first = 0.0", edit);
        }
        if edit == "slate" {
            let one = "slate = 1\nchoose = \"at_most_one\"\nuntil = { accepted = 2 }";
            text = text.replace(
                "slate = 4\nchoose = { exactly = 2 }\nuntil = { rounds = 1 }",
                one,
            );
        }
        terminal.put("my.toml", &text);
        let args = ["run", "my.toml", "-q", "--trace", "decisions", "--force"];
        terminal.done(&[&args[..], &["--out", "d"]].concat());
        let filled = values(&terminal, "all", "seats_filled");
        let seats = chosen.len() as f64 / 2.0;
        assert_eq!(filled, [seats; 3], "{name}");
        if edit != "slate" {
            assert_eq!(ids(&terminal, "d", "chosen"), chosen, "{name}");
            assert_eq!(ids(&terminal, "d", "declined"), declined, "{name}");
            assert_eq!(ids(&terminal, "d", "shown"), shown, "{name}");
        }
        let rows = terminal.read("d/replications.csv");
        assert!(rows.contains("0,all,screened,,4\n"), "{name}: all came");
    }
}

/// Two of a household in a cohort: who is shown is drawn, so each can be interviewed; only who is
/// shown counts for the impact ratio.
#[test]
fn each_of_a_household_can_be_interviewed_and_only_who_is_shown_counts() {
    let terminal = Terminal::new();
    let mut people = "id,kind,address,worth\n".to_owned();
    for home in 0..6 {
        people += &format!(
            "{0},first,s{home},1\n{1},second,s{home},2\n",
            2 * home,
            2 * home + 1
        );
    }
    terminal.put("house.csv", people);
    let text = HOUSEHOLDS
        .replace("replications = 3", "replications = 60")
        .replace("slate = 4", "slate = \"all\"")
        .replace("order = \"file\"", "order = \"file\"\nutility = \"worth\"")
        .replace(
            "[yield]\nby = { kind = { first = 0.0, second = 1.0 } }\nrefill = true\n",
            "[feedback.interview]\ntype = \"gaussian_looks\"\nsd = 0.1\n",
        )
        .replace(
            "unique =",
            "interviews = [{ name = \"weak\", cost = 1, gain = 1 }]\nbudget = 20\nunique =",
        )
        .replace("kind = \"accept_all\"", "kind = \"uniform_interviews\"")
        .replace("seats_filled", "impact_ratio");
    terminal.put("my.toml", &text);
    let args = [
        "run",
        "my.toml",
        "-q",
        "--trace",
        "decisions",
        "--trace-replications",
        "all",
        "--keep",
        "all",
    ];
    terminal.done(&[&args[..], &["--out", "d"]].concat());
    let mut second = 0;
    for line in terminal.read("d/decisions.ndjson").lines() {
        let decision: Value = serde_json::from_str(line).expect("JSON");
        let shown: Vec<u32> = (decision["shown"].as_array().expect("a list").iter())
            .map(|id| {
                id.as_str()
                    .expect("an id")
                    .trim_matches('"')
                    .parse()
                    .expect("a number")
            })
            .collect();
        let homes: Vec<u32> = shown.iter().map(|id| id / 2).collect();
        assert_eq!(homes, [0, 1, 2, 3, 4, 5], "one of each household");
        second += shown.iter().filter(|id| *id % 2 == 1).count();
    }
    // Of 360 half, within four standard errors.
    assert!((142..=218).contains(&second), "{second}");
    let rate = |kind: &str| {
        let rates = values(&terminal, "all", &format!("selection_rate.{kind}"));
        rates.iter().sum::<f64>()
    };
    // Two of those of a kind who are shown at most, not of all six of it.
    assert!(rate("second") / 60.0 > 0.5, "{}", rate("second"));
}
