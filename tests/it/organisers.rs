//! An organiser's two files, from end to end.

use kleroterion::source::organisers::Categories;

use crate::cli::terminal::Terminal;
use crate::config_errors::{ORGANISER, with};
use crate::support::{config, many, plan, play, project, values};

/// Of each replication how many members have a value, at the end of a lane that filled its committee of 40.
fn members(result: &kleroterion::score::RunResult, label: &str, value: &str) -> Vec<u32> {
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
    let plan = plan(
        &config("organiser.toml"),
        &folder,
        &[&many(100), "rules.until.accepted=40"],
    );
    let result = play(&plan);
    let categories = Categories::load(&folder.join("organiser/categories.csv"), Some(40));
    let categories = categories.expect("the example's file is right");
    let mut short = 0;
    for category in categories.attributes() {
        for value in &category.values {
            let name = format!("{}:{}", category.name, value.name);
            let kept = members(&result, "look-ahead", &name);
            assert!(3 * kept.len() as u64 > plan.replications, "{}", kept.len());
            let quota = value.quota;
            assert!(
                kept.iter().all(|n| (quota.min..=quota.max).contains(n)),
                "{name}: {kept:?}"
            );
            let capped = members(&result, "greedy", &name);
            assert!(capped.iter().all(|n| *n <= quota.max), "{name}: {capped:?}");
            short += capped.iter().filter(|n| **n < quota.min).count();
        }
    }
    // Nobody makes greedy keep the minimums, so that the look-ahead's keeping them says something.
    assert!(short > 0);
}

#[test]
fn targets_are_the_midpoints_of_the_quotas() {
    let folder = project().join("configs");
    let plan = plan(&config("organiser.toml"), &folder, &[]);
    let target = plan.target.expect("a target");
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
    // Flexible bounds, other columns, columns in another order, rows without a feature, a byte order mark, capitals and
    // blanks, lines that end as on Windows.
    let categories = "\u{feff}note, VALUE ,Feature,MAX,min,min_flex,max_flex\r\n,Female,Gender,3,1,0,4\r\n\
        x, Male,gender,2,2,,\r\n,,,,,,\r\n,18-39,Age,3,2,2,3\r\n,\"40+\", AGE ,2,1,1,2\r\n";
    let respondents = "\u{feff}name, AGE ,id,gender\r\nAda,18-39,a, FEMALE\r\nBob, 18-39 ,b,male\r\n\
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
