//! Quotas on pairs of values and quotas that are relaxed, from end to end.

use crate::support::configs::{ORGANISER, with};
use crate::support::says::Says as _;
use crate::support::terminal::{Terminal, on_one_line};

const CATEGORIES: &str =
    "feature,value,min,max\nGender,Female,4,8\nGender,Male,4,8\nAge,18-39,4,8\nAge,40+,4,8\n";

const PAIRS: &str = "category 1,feature 1,category 2,feature 2,min,max
Gender,Female,Age,18-39,1,1
Age,40+,Gender,Male,1,2
";

const TARGET: &str = "categories = \"categories.csv\"";

/// 60 people of whom the four pairs of values are alike in number.
fn sixty() -> String {
    let row = |k: u32| {
        let gender = ["Female", "Male"][(k % 2) as usize];
        let age = ["18-39", "40+"][(k / 2 % 2) as usize];
        format!("p{k},{gender},{age}\n")
    };
    let rows: String = (0..60).map(row).collect();
    format!("id,Gender,Age\n{rows}")
}

fn config(target: &str) -> String {
    let edits = [
        ("accepted = 4", "accepted = 12"),
        (TARGET, target),
        ("seed = 1", "seed = 1\nreplications = 20"),
    ];
    with(ORGANISER, &edits)
}

fn terminal(target: &str, pairs: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("my.toml", config(target));
    terminal.put("categories.csv", CATEGORIES);
    terminal.put("pairs.csv", pairs);
    terminal.put("respondents.csv", sixty());
    terminal
}

fn paired() -> String {
    format!("{TARGET}\nintersections = \"pairs.csv\"")
}

/// Of each replication that a lane filled, how many members have all of some words in their row.
fn counts(terminal: &Terminal, label: &str, words: &[&str]) -> Vec<usize> {
    let endings = terminal.read("out/endings.csv");
    let selected = terminal.read("out/selected.csv");
    let filled = endings.lines().filter_map(|line| {
        let replication = line.strip_suffix(&format!(",{label},filled,"))?;
        let start = format!("{replication},{label},");
        let rows = selected.lines().filter(|row| row.starts_with(&start));
        let has = |row: &&str| {
            words
                .iter()
                .all(|word| row.split(',').any(|cell| cell == *word))
        };
        Some(rows.filter(has).count())
    });
    filled.collect()
}

#[test]
fn quotas_on_pairs_are_kept_like_all_others() {
    let out = [
        "run",
        "my.toml",
        "--out",
        "out",
        "--trace-replications",
        "all",
        "-q",
    ];
    let with_pairs = terminal(&paired(), PAIRS);
    with_pairs.done(&out);
    let without = terminal(TARGET, PAIRS);
    without.done(&out);
    let (young, old) = (["Female", "18-39"], ["Male", "40+"]);
    let kept = counts(&with_pairs, "look-ahead", &young);
    assert!(kept.len() >= 10, "{kept:?}");
    assert!(kept.iter().all(|n| *n == 1), "{kept:?}");
    let kept = counts(&with_pairs, "look-ahead", &old);
    assert!(kept.iter().all(|n| (1..=2).contains(n)), "{kept:?}");
    // Greedy keeps the maximums.
    let capped = counts(&with_pairs, "greedy", &young);
    assert!(
        !capped.is_empty() && capped.iter().all(|n| *n <= 1),
        "{capped:?}"
    );
    // Otherwise there are committees that break them, so the test says something.
    let free = counts(&without, "look-ahead", &young);
    assert!(free.iter().any(|n| *n > 1), "{free:?}");
    // A pair is an attribute of its own.
    let selected = with_pairs.read("out/selected.csv");
    let header = selected.lines().next().expect("a header");
    assert!(header.ends_with("Gender,Age,Gender x Age"), "{header}");
    selected.says(",Female,18-39,Female x 18-39");
    selected.says(",Female,40+,other");
    let again = ["run", "out/config.toml", "--format", "csv"];
    let first = with_pairs.done(&["run", "my.toml", "--format", "csv"]);
    assert_eq!(with_pairs.done(&again), first);
}

#[test]
fn all_dialects_of_pairs_give_the_same_run() {
    let run = |pairs: &str, source: Option<&str>| {
        let terminal = terminal(&paired(), pairs);
        if let Some(source) = source {
            let own = "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"";
            terminal.put("my.toml", with(&config(&paired()), &[(own, source)]));
        }
        terminal.done(&["run", "my.toml", "--format", "csv", "--keep", "all"])
    };
    let plain = run(PAIRS, None);
    let rows = PAIRS.split_once('\n').expect("a header").1;
    for header in [
        "feature 1,value 1,feature 2,value 2,min,max",
        "category_1,name_1,category_2,name_2,Min,MAX",
        "Category1, Feature1,category2,feature2,min,max",
    ] {
        assert_eq!(run(&format!("{header}\n{rows}"), None), plain, "{header}");
    }
    let other = "\u{feff}note;max;feature-2;Category-2;feature-1;category-1;min;min_flex\r\n\
        x;1;18-39;age; FEMALE ;gender;1;\r\n;;;;;;;\r\n;2;male;GENDER;40+;Age;1;0\r\n";
    assert_eq!(run(other, None), plain);
    let file = "type = \"file\"\npath = \"respondents.csv\"\nid = \"id\"\norder = \"shuffled\"\n\
        attributes = { Gender = { column = \"Gender\" }, Age = { column = \"Age\" } }";
    assert_eq!(run(PAIRS, Some(file)), plain);
    let tighter = PAIRS.replace(",1,2\n", ",1,1\n");
    assert_ne!(run(&tighter, None), plain);
}

#[test]
fn a_dropped_attribute_takes_its_pairs_with_it() {
    let terminal = terminal(&paired(), PAIRS);
    let drop = ["--drop-attributes", "Age", "--out", "out", "-q"];
    terminal.done(&[&["run", "my.toml"][..], &drop].concat());
    let selected = terminal.read("out/selected.csv");
    let header = selected.lines().next().expect("a header");
    assert!(header.ends_with("id,Gender"), "{header}");
    assert!(!selected.contains("18-39") && !selected.contains("40+"));
}

/// A replay leaves out what the run left out.
#[test]
fn a_replay_leaves_out_the_pairs_of_a_dropped_attribute() {
    let terminal = terminal(&format!("{}\n[live]\n", paired()), PAIRS);
    let drop = ["--drop-attributes", "Age", "--out", "out", "--no-board"];
    terminal.done(&[&["live", "my.toml"][..], &drop].concat());
    terminal.done(&["replay", "out", "--out", "again"]);
    let selected = terminal.read("again/selected.csv");
    assert_eq!(selected, terminal.read("out/selected.csv"));
    assert!(!selected.contains("18-39") && !selected.contains("40+"));
}

/// At least 9 women under 40 of 12, where 15 of 60 are: with at most 8 under 40 that takes one seat.
#[test]
fn quotas_that_clash_are_relaxed_by_the_fewest_seats_and_every_output_says_so() {
    let pairs = "category 1,feature 1,category 2,feature 2,min,max,min_flex,max_flex
Gender,Female,Age,18-39,9,12,5,12
";
    let strict = terminal(&paired(), pairs);
    let said = strict.klero(&["check", "my.toml"]);
    assert_eq!(said.code, Some(2));
    said.stderr.says("`flexible = true` in [target] makes it");
    let terminal = terminal(&format!("{}\nflexible = true", paired()), pairs);
    let out = [
        "run",
        "my.toml",
        "--out",
        "out",
        "--trace-replications",
        "all",
        "--keep",
        "all",
    ];
    let said = terminal.done(&out);
    let change = "No committee keeps all quotas, so they are relaxed (flexible = true) by the \
        smallest change within the flexible bounds that would do, 1 seat in all: lower the \
        minimum of Gender x Age Female x 18-39 from 9 to 8";
    assert!(on_one_line(&said).contains(change), "{said}");
    assert!(terminal.read("out/summary.json").contains(change));
    let young = counts(&terminal, "look-ahead", &["Female", "18-39"]);
    assert_eq!(young, [8; 20], "each committee keeps the relaxed quotas");
    // What a committee is off is counted against the relaxed quotas.
    let count = |words: &[&str]| counts(&terminal, "greedy", words);
    let (women, young) = (count(&["Female"]), count(&["18-39"]));
    let both = count(&["Female", "18-39"]);
    assert_eq!(both.len(), 20);
    let miss = |n: usize| 4_usize.saturating_sub(n) + n.saturating_sub(8);
    let off = |k: usize| {
        let alone = [women[k], 12 - women[k], young[k], 12 - young[k]];
        alone.into_iter().map(miss).sum::<usize>() + 8_usize.saturating_sub(both[k])
    };
    let rows = terminal.read("out/replications.csv");
    for k in 0..20 {
        let row = format!("{k},greedy,seats_off,,{}\n", off(k));
        assert!(rows.contains(&row), "{row}");
    }
}
