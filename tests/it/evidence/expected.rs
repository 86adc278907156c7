//! What `klero explain` expects of a committee is held against play.

use std::path::Path;

use kleroterion::config::Plan;
use kleroterion::report::forecast::StationaryForecast;

use crate::support::{near, plan, play, project, stats, wants};

/// A config with `cmdp` as its one lane, without what asks for others.
fn alone(text: &str) -> String {
    let mut config: toml::Table = text.parse().expect("TOML");
    for key in ["policy", "report", "output", "board", "live"] {
        config.remove(key);
    }
    let lane = "[[policy]]\nlabel = \"cmdp\"\nkind = \"cmdp\"\n";
    format!("{config}\n{lane}[report]\njudge = [\"screened\"]\n")
}

/// The text of a config without its sweep, and the keys of its first point.
fn first_point(text: &str) -> (String, Vec<String>) {
    let mut config: toml::Table = text.parse().expect("TOML");
    let sweep = config.remove("sweep").unwrap_or(toml::Table::new().into());
    let keys = sweep.as_table().expect("a table").iter();
    let first = |(key, values): (&String, &toml::Value)| {
        let value = values.get(0).expect("a value");
        format!("{key}={value}")
    };
    let keys = keys.map(first).collect();
    (config.to_string(), keys)
}

fn expected(plan: &Plan) -> Option<StationaryForecast> {
    StationaryForecast::of(plan, false).expect("the targets can be met")
}

/// Plays a plan, and holds those screened, and what they stand for, against what is expected;
/// whether anything was.
#[track_caller]
fn holds(what: &str, text: &str, folder: &Path, set: &[&str]) -> bool {
    let asked = plan(text, folder, set);
    let said = expected(&asked);
    let Some((screened, said)) = said.and_then(|said| Some((said.expected_screened?, said))) else {
        return false;
    };
    let replications = (1.5e6 / screened).clamp(20.0, 400.0) as u64;
    let setting = format!("replications={replications}");
    let result = play(&plan(text, folder, &[set, &[&*setting]].concat()));
    let played = stats(&result, "cmdp", "screened", None);
    println!(
        "{what}: {screened:.2}, played {:.2} +- {:.2}",
        played.mean,
        played.se.unwrap()
    );
    // What is rare may not be among those played, so that their own error is 0.
    let sd = said.sd_screened.unwrap_or(0.0);
    near(what, &played, screened, sd / (replications as f64).sqrt());
    if let Some(contacts) = said.expected_contacts {
        near(
            what,
            &stats(&result, "cmdp", "contacts", None),
            contacts,
            0.0,
        );
    }
    true
}

/// All presets of which something is expected.
#[test]
fn of_every_preset_that_has_a_closed_form() {
    let folder = project().join("configs");
    let mut names: Vec<String> = (std::fs::read_dir(&folder).expect("a folder"))
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    let mut held = Vec::new();
    for name in &names {
        let text = std::fs::read_to_string(folder.join(name)).expect("a config");
        if !text.contains("[target]")
            || text.contains("type = \"http\"")
            || text.contains("\"stdin\"")
        {
            continue;
        }
        if text.contains("acs-national2018.csv") && wants::found("acs-national2018.csv").is_none() {
            continue;
        }
        let (text, point) = first_point(&text);
        let point: Vec<&str> = point.iter().map(String::as_str).collect();
        if holds(name, &alone(&text), &folder, &point) {
            held.push(&**name);
        }
    }
    for wanted in [
        "committee-brexit-like.toml",
        "do2021-fig1.toml",
        "organiser.toml",
    ] {
        assert!(held.contains(&wanted), "{held:?}");
    }
}

/// A config of a pool, without what asks for more than its share.
fn pool_alone(text: &str) -> String {
    let mut config: toml::Table = text.parse().expect("TOML");
    for key in ["report", "output", "board"] {
        config.remove(key);
    }
    format!("{config}\n[report]\njudge = [\"selection_rate\"]\n")
}

/// Where theory says of a pool at its N at which share it rests and how far it swings, it does: from
/// 14 time constants on, when a millionth is left of the start.
#[test]
fn of_every_preset_of_a_pool_the_rest_and_the_swing() {
    let folder = project().join("configs");
    let mut held = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.contains("type = \"positive_reinforcement\"") || !text.contains("gaussian_groups")
        {
            continue;
        }
        let (text, point) = first_point(&text);
        let text = pool_alone(&text);
        let point: Vec<&str> = point.iter().map(String::as_str).collect();
        let asked = plan(&text, &folder, &point);
        let lanes = asked.lanes.iter();
        let foretold: Vec<_> = lanes
            .filter_map(|lane| {
                let prospect = lane.policy.prospect.as_ref()?;
                let (rest, pace) = (prospect.drift_zero?, prospect.time_constant?);
                let share = format!("pool_share.{}", prospect.group);
                Some((
                    &lane.label,
                    share,
                    rest,
                    prospect.stationary_sd_finite?,
                    pace,
                ))
            })
            .collect();
        let slowest = foretold.iter().map(|lane| lane.4).fold(0.0, f64::max);
        if foretold.is_empty() {
            continue;
        }
        let rounds = format!("rules.until.rounds={}", (14.0 * slowest).ceil() + 1.0);
        let result = play(&plan(
            &text,
            &folder,
            &[&point[..], &[&*rounds, "replications=100"]].concat(),
        ));
        for (label, share, rest, sd, _) in foretold {
            let what = format!("{} {label}", path.display());
            let played = stats(&result, label, &share, None);
            near(&what, &played, rest, 0.0);
            // The standard deviation of 100 runs is known to 7 %.
            let swing = played.se.expect("several") * 10.0;
            println!(
                "{what}: {rest:.4} {sd:.4}, played {:.4} {swing:.4}",
                played.mean
            );
            assert!((swing / sd - 1.0).abs() < 0.28, "{what}: {swing}, {sd}");
            held += 1;
        }
    }
    assert!(held >= 12, "{held}");
}

const WORLD: &str = r#"
name = "a committee"
seed = 5
[source]
type = "categorical"
volunteering_rate = { gender = { M = 0.05, F = 0.1 } }
joint = [
    { gender = "M", age = "S", p = 0.3333333333333333 },
    { gender = "M", age = "J", p = 0.25 },
    { gender = "F", age = "S", p = 0.25 },
    { gender = "F", age = "J", p = 0.1666666666666667 },
]
[target]
gender = { M = 0.5, F = 0.5 }
age = { S = 0.5, J = 0.5 }
[rules]
slate = 1
choose = "any"
until = { accepted = 40 }
"#;

const ARRIVE: &str = r#"
name = "slates by time"
seed = 5
[source]
type = "people"
shares = { gender = { F = 0.6, M = 0.4 }, age = { young = 0.5, old = 0.5 } }
volunteering_rate = { gender = { F = 0.04, M = 0.02 } }
misread = { age = 0.1 }
arrivals = { poisson = "2/min" }
[target]
gender = { F = 0.5, M = 0.5 }
age = { young = 0.5, old = 0.5 }
[rules]
slate = { every = "5min" }
choose = "any"
until = { accepted = 60 }
"#;

const YIELD: &str = "[yield]\nrate = 0.9\nby = { age = { J = 0.5 } }\n";
const BOTH: &str = "[yield]\nby = { age = { J = 0.5 }, gender = { F = 0.8 } }\n";

/// Those who decline, slates of all sorts, and both.
#[test]
fn of_those_who_decline_and_of_the_last_slate() {
    let young = "[yield]\nby = { age = { young = 0.5 } }\n";
    for (what, text, offers, set) in [
        ("one by one", WORLD, "", &[][..]),
        ("some decline", WORLD, YIELD, &[]),
        ("by two attributes", WORLD, BOTH, &[]),
        ("refilled one by one", WORLD, YIELD, &["yield.refill=true"]),
        ("slates of seven", WORLD, "", &["rules.slate=7"]),
        (
            "of which two at most",
            WORLD,
            "",
            &["rules.slate=7", "rules.choose={ at_most = 2 }"],
        ),
        (
            "and some decline",
            WORLD,
            YIELD,
            &["rules.slate=7", "rules.choose={ at_most = 2 }"],
        ),
        (
            "at most one",
            WORLD,
            BOTH,
            &["rules.slate=30", "rules.choose=\"at_most_one\""],
        ),
        (
            "a slate as large as the committee",
            WORLD,
            "",
            &["rules.slate=40"],
        ),
        (
            "few slates",
            WORLD,
            YIELD,
            &["rules.slate=10", "rules.max_rounds=8"],
        ),
        ("by time", ARRIVE, "", &[]),
        ("by time, and some decline", ARRIVE, young, &[]),
    ] {
        let text = alone(&format!("{text}{offers}"));
        assert!(
            holds(what, &text, Path::new("."), set),
            "{what}: nothing is said"
        );
    }
}

/// What can't be counted is not said, and why.
#[test]
fn what_cannot_be_counted_is_not_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut people = "id,gender,home\n".to_owned();
    for k in 0..40 {
        people += &format!("{k},{},{}\n", if k % 2 == 0 { "M" } else { "F" }, k / 2);
    }
    std::fs::write(folder.path().join("people.csv"), people).expect("it can be written");
    let file = "name = \"people\"\nseed = 1\n[source]\ntype = \"file\"\npath = \"people.csv\"\n\
                order = \"shuffled\"\nattributes = { gender = { column = \"gender\" } }\n\
                [target]\ngender = { M = 0.5, F = 0.5 }\n[rules]\nslate = 1\n\
                choose = \"at_most_one\"\nuntil = { accepted = 5 }\n";
    let several = ["rules.slate=7", "yield.refill=true"];
    for (what, text, offers, set, why) in [
        (
            "households",
            file,
            "",
            &["rules.unique=[\"home\"]"][..],
            "household",
        ),
        ("refilled", WORLD, YIELD, &several, "judged again"),
        (
            "fixed",
            WORLD,
            "",
            &["rules.slate=7", "rules.choose={ exactly = 2 }"],
            "fix how many",
        ),
        (
            "people say",
            WORLD,
            "[yield]\ntype = \"people\"\n",
            &[],
            "not known",
        ),
        (
            "days",
            ARRIVE,
            "",
            &["source.arrivals={ poisson = \"2/min\", daily = [1, 2] }"],
            "no one law",
        ),
    ] {
        let asked = plan(&alone(&format!("{text}{offers}")), folder.path(), set);
        let said = expected(&asked).expect("the gain is said");
        assert_eq!(
            (said.expected_screened, said.sd_screened),
            (None, None),
            "{what}"
        );
        assert!(
            said.loosenings.is_empty() && said.expected_contacts.is_none(),
            "{what}"
        );
        let words = said.sentences().join(" ");
        assert!(
            words.contains("is not said: ") && words.contains(why),
            "{what}: {words}"
        );
    }
}
