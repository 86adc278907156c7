//! An organiser's two files, from end to end.

use kleroterion::people::organisers::Categories;
use kleroterion::record::file::How;

use crate::support::configs::{ORGANISER, with};
use crate::support::terminal::Terminal;
use crate::support::{config, many, plan, play, project, stats, values};

/// Of each replication how many members have a value, at the end of a lane that filled its
/// committee of 40.
fn members(result: &kleroterion::compare::RunResult, label: &str, value: &str) -> Vec<u32> {
    let shares = values(result, label, &format!("share.{value}"), None);
    let filled = values(result, label, "filled", None);
    shares
        .into_iter()
        .zip(filled)
        .filter(|(_, filled)| *filled == 1.0)
        .map(|(share, _)| (40.0 * share).round() as u32)
        .collect()
}

#[test]
fn committees_of_the_example_keep_the_quotas_that_their_policy_promises() {
    let folder = project().join("configs");
    let kept = |kind: &str, label: &str| {
        format!("\n[[policy]]\nlabel = \"{label} kept\"\nkind = \"{kind}\"\nkeep_feasible = true\n")
    };
    let lanes = kept("greedy", "greedy") + &kept("virtual_queue", "queue");
    let plan = plan(
        &(config("organiser.toml") + &lanes),
        &folder,
        &[&many(100), "rules.until.accepted=40"],
    );
    let result = play(&plan);
    let categories = Categories::load(
        &folder.join("organiser/categories.csv"),
        &How::default(),
        Some(40),
    );
    let categories = categories.expect("the example's file is right");
    let mut short = 0;
    for category in categories.attributes() {
        for value in &category.values {
            let name = format!("{}:{}", category.name, value.name);
            let quota = value.quota;
            for label in ["look-ahead", "greedy kept", "queue kept"] {
                let kept = members(&result, label, &name);
                assert_eq!(kept.len() as u64, plan.replications, "{label}");
                assert!(
                    kept.iter().all(|n| (quota.min..=quota.max).contains(n)),
                    "{label}, {name}: {kept:?}"
                );
            }
            let capped = members(&result, "greedy", &name);
            assert!(capped.iter().all(|n| *n <= quota.max), "{name}: {capped:?}");
            short += capped.iter().filter(|n| **n < quota.min).count();
        }
    }
    // Greedy need not keep the minimums, so it means something that the look-ahead does.
    assert!(short > 0);
    let screened = |label: &str| stats(&result, label, "screened", None).mean;
    assert!(screened("queue kept") < 0.7 * screened("look-ahead"));
    assert!(screened("queue kept") < 1.6 * screened("queue"));
}

#[test]
fn targets_are_the_midpoints_of_the_quotas() {
    let folder = project().join("configs");
    let plan = plan(&config("organiser.toml"), &folder, &[]);
    let target = plan.target.clone().expect("a target");
    // Ages: 12-14, 14-16 and 11-13, midpoints 13, 15 and 12 of 40.
    let ages = &target.rows()[1].1;
    assert!(
        ages.iter()
            .zip([13.0, 15.0, 12.0])
            .all(|(a, m)| (a - m / 40.0).abs() < 1e-12),
        "{ages:?}"
    );
}

const RESPONDENTS: &str = "ID,Gender,Age\na,Female,18-39\nb,Male,18-39\nc,Female,40+\nd,Male,40+\n";

/// What is said of the same quotas and people, however the files spell them.
fn said(categories: &str, respondents: &str) -> String {
    let terminal = Terminal::new();
    terminal.put("my.toml", ORGANISER);
    terminal.put("categories.csv", categories);
    terminal.put("respondents.csv", respondents);
    // Four people make one committee of four; drawn with replacement they make many.
    let anew = ["--set", "source.order=\"resampled\""];
    let args = ["run", "my.toml", "--replications", "5", "--format", "json"];
    terminal.done(&[&args[..], &anew].concat())
}

#[test]
fn all_dialects_and_spellings_give_the_same_run() {
    let rows = "Gender,Female,1,3\nGender,Male,2,2\nAge,18-39,2,3\nAge,40+,1,2\n";
    let plain = said(&format!("feature,value,min,max\n{rows}"), RESPONDENTS);
    assert!(plain.contains("share.Gender:Female"));
    for header in ["category,name,min,max", "category,feature,min,max"] {
        assert_eq!(
            said(&format!("{header}\n{rows}"), RESPONDENTS),
            plain,
            "{header}"
        );
    }
    // Flexible bounds, other columns, columns in another order, rows without a feature, a byte
    // order mark, capitals and blanks, lines that end as on Windows.
    let categories = "\u{feff}note, VALUE ,Feature,MAX,min,min_flex,max_flex\r\n\
        ,Female,Gender,3,1,0,4\r\n\
        x, Male,gender,2,2,,\r\n,,,,,,\r\n,18-39,Age,3,2,2,3\r\n,\"40+\", AGE ,2,1,1,2\r\n";
    let respondents = "\u{feff}name, AGE ,id,gender\r\nAda,18-39,a, FEMALE\r\n\
        Bob, 18-39 ,b,male\r\n\
        Cleo,40+,c,\"Female\"\r\nDan,40+,d,MALE\r\n";
    assert_eq!(said(categories, respondents), plain);
    // Other quotas give another run.
    let other = rows.replace("Female,1,3", "Female,2,2");
    assert_ne!(
        said(&format!("feature,value,min,max\n{other}"), RESPONDENTS),
        plain
    );
}

#[test]
fn the_config_that_a_run_writes_finds_both_files_from_anywhere() {
    let terminal = Terminal::new();
    terminal.put("here/my.toml", ORGANISER);
    terminal.put(
        "here/categories.csv",
        "feature,value,min,max\nGender,Female,2,2\nGender,Male,2,2\n",
    );
    terminal.put("here/respondents.csv", RESPONDENTS);
    let before = terminal.done(&["run", "here/my.toml", "--out", "out", "--format", "json"]);
    assert_eq!(
        terminal.done(&["run", "out/config.toml", "--format", "json"]),
        before
    );
}

#[test]
fn quotas_of_a_file_go_before_those_around_the_targets_and_a_tolerance_before_both() {
    let terminal = Terminal::new();
    let wide = "feature,value,min,max\nGender,Female,0,4\nGender,Male,0,4\n";
    terminal.put("categories.csv", wide);
    terminal.put("respondents.csv", RESPONDENTS);
    let females = |label: &str, tolerance: &str| {
        let greedy = "kind = \"greedy\"\n";
        let config = with(ORGANISER, &[(greedy, &format!("{greedy}{tolerance}"))]);
        let set = ["replications=50", "source.order=\"resampled\""];
        let plan = plan(&config, &terminal.path(""), &set);
        values(&play(&plan), label, "share.Female", None)
    };
    let halves = |shares: Vec<f64>| shares.iter().all(|share| *share == 0.5);
    assert!(halves(females("greedy", "tolerance = 0\n")));
    assert!(!halves(females("greedy", "")) && !halves(females("look-ahead", "")));
}

#[test]
fn a_value_that_no_respondent_has_and_no_quota_needs_is_left_out() {
    let config = |policies: &str| {
        let (head, _) = ORGANISER.split_once("[[policy]]").expect("it has policies");
        let head = head.replace("id = \"id\"", "id = \"id\"\norder = \"resampled\"");
        format!("{head}{policies}[report]\njudge = [\"representation_loss\"]\n")
    };
    let kinds = [
        "cmdp",
        "proportional",
        "greedy",
        "quota_lookahead",
        "virtual_queue",
    ];
    let policies = kinds.map(|kind| format!("[[policy]]\nlabel = \"{kind}\"\nkind = \"{kind}\"\n"));
    let terminal = Terminal::new();
    terminal.put("my.toml", config(&policies.concat()));
    terminal.put("respondents.csv", RESPONDENTS);
    let rows =
        "feature,value,min,max\nGender,Female,1,3\nGender,Male,2,2\nAge,18-39,2,3\nAge,40+,1,2\n";
    let run = |categories: &str| {
        terminal.put("categories.csv", categories);
        let few = ["run", "my.toml", "--replications", "5", "--keep", "all"];
        terminal.done(&[&few[..], &["--format", "csv"]].concat())
    };
    let without = run(rows);
    let with = run(&format!("{rows}Age,90+,0,1\n"));
    let of_others = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.contains("90+"));
        lines.map(str::to_owned).collect()
    };
    assert_ne!(with, without, "the value has a share of its own");
    assert_eq!(of_others(&with), of_others(&without));
}

/// 60 people of two attributes in the order of a file that puts the rare ones last.
fn sixty() -> String {
    let row = |k: u32| {
        let gender = ["Female", "Male"][usize::from(k.is_multiple_of(3))];
        let age = ["18-39", "40+", "90+"][usize::from(k >= 20) + usize::from(k >= 56)];
        format!("p{k},{gender},{age}\n")
    };
    let rows: String = (0..60).map(row).collect();
    format!("ID,Gender,Age\n{rows}")
}

#[test]
fn a_look_ahead_that_must_choose_a_number_of_a_slate_keeps_the_rules_and_the_quotas() {
    let terminal = Terminal::new();
    let config = ORGANISER
        .replace("id = \"id\"", "id = \"id\"\norder = \"shuffled\"")
        .replace(
            "choose = \"at_most_one\"",
            "choose = { exactly = 12 }\nslate = 30",
        )
        .replace("until = { accepted = 4 }", "until = { accepted = 12 }");
    let (head, _) = config.split_once("[[policy]]").expect("it has policies");
    let policy = "[[policy]]\nlabel = \"look-ahead\"\nkind = \"quota_lookahead\"\n";
    terminal.put("my.toml", format!("{head}{policy}"));
    terminal.put("respondents.csv", sixty());
    let quotas = [("Gender", "Female", 5, 6), ("Gender", "Male", 6, 7)];
    let ages = [
        ("Age", "18-39", 5, 5),
        ("Age", "40+", 5, 7),
        ("Age", "90+", 0, 2),
    ];
    let row = |(a, v, min, max): &(&str, &str, u32, u32)| format!("{a},{v},{min},{max}\n");
    let rows: String = quotas.iter().chain(&ages).map(row).collect();
    terminal.put("categories.csv", format!("feature,value,min,max\n{rows}"));
    let out = ["run", "my.toml", "--replications", "20", "--out", "out"];
    terminal.done(&[&out[..], &["--trace-replications", "all"]].concat());
    let endings = terminal.read("out/endings.csv");
    let filled = endings.lines().filter(|line| line.ends_with(",filled,"));
    assert_eq!(filled.count(), 20, "{endings}");
    // A row of selected.csv is a person: of each replication 12, all quotas kept.
    let selected = terminal.read("out/selected.csv");
    for (attribute, value, min, max) in quotas.iter().chain(&ages) {
        let mut counts = [0_u32; 20];
        for line in selected.lines().skip(1) {
            let replication = line
                .split(',')
                .next()
                .and_then(|cell| cell.parse::<usize>().ok());
            let of_value = line.split(',').any(|cell| cell == *value);
            counts[replication.expect("a number")] += u32::from(of_value);
        }
        let kept = counts.iter().all(|n| (min..=max).contains(&n));
        assert!(kept, "{attribute} {value}: {counts:?}");
    }
}
