//! Quotas on pairs of values, and quotas that may be relaxed.

use super::organisers::{CATEGORIES, RESPONDENTS};
use super::{ORGANISER, Page, with};
use crate::support::terminal::Terminal;

const TARGET: &str = "categories = \"categories.csv\"";

fn page(page: &mut Page, name: &str, target: &str, categories: &str, pairs: &str) {
    let terminal = Terminal::new();
    terminal.put("my.toml", with(ORGANISER, &[(TARGET, target)]));
    terminal.put("categories.csv", categories);
    terminal.put("pairs.csv", pairs);
    terminal.put("respondents.csv", RESPONDENTS);
    page.config(name, &terminal, "my.toml");
}

#[test]
fn wrong_intersections() {
    let mut all = Page::default();
    let target = format!("{TARGET}\nintersections = \"pairs.csv\"");
    let head = "category 1,feature 1,category 2,feature 2,min,max";
    for (name, pairs) in [
        ("an empty file", String::new()),
        ("a header alone", format!("{head}\n")),
        ("no row with an attribute", format!("{head}\n,a,,b,1,2\n")),
        (
            "a header of no dialect",
            "one,other,min,max\na,b,1,2\n".into(),
        ),
        (
            "shares of a population",
            "category 1,feature 1,category 2,feature 2,population share\n\
                gender,female,age,40+,0.25\n"
                .into(),
        ),
        (
            "columns missing and there twice",
            "category_1,feature_1,category_2,min,min\ngender,female,age,1,2\n".into(),
        ),
        (
            "wrong cells",
            format!(
                "{head},min_flex,max_flex\ngendr,female,age,40+,1,2,0,2\n\
                    gender,femal,age,,2,1,1,1\ngender,female,gender,male,1,2,2,1\n\
                    gender,female,age,40+,x,-1,,\nage,40+,gender,male,0,1,0,1\n\
                    Gender,MALE,Age,40+,0,1,0,1\n"
            ),
        ),
    ] {
        page(&mut all, name, &target, CATEGORIES, &pairs);
    }
    let sound = format!("{head}\ngender,female,age,40+,1,2\n");
    let taken = format!("{CATEGORIES}gender x age,a,4,4\n");
    page(&mut all, "a name that is taken", &target, &taken, &sound);
    let alone = "intersections = \"pairs.csv\"";
    page(&mut all, "no categories", alone, CATEGORIES, &sound);
    let absent = format!("{TARGET}\nintersections = \"pears.csv\"");
    page(
        &mut all,
        "a file that is not there",
        &absent,
        CATEGORIES,
        &sound,
    );
    let terminal = Terminal::new();
    let source = "type = \"respondents\"\npath = \"respondents.csv\"\nid = \"id\"";
    let drawn = "type = \"categorical\"\nshares = { gender = { female = 0.5, male = 0.5 }, \
        age = { \"18-39\" = 0.5, \"40+\" = 0.5 } }";
    terminal.put(
        "my.toml",
        with(ORGANISER, &[(TARGET, &target), (source, drawn)]),
    );
    terminal.put("categories.csv", CATEGORIES);
    terminal.put("pairs.csv", &sound);
    all.config("people who are drawn", &terminal, "my.toml");
    insta::assert_snapshot!(all.text());
}

#[test]
fn quotas_that_clash_within_flexible_bounds_and_beyond() {
    let mut all = Page::default();
    // Three women and three people under 40 of four: two of them are women under 40.
    let categories = |women: &str, young: &str| {
        format!(
            "feature,value,min,max,min_flex,max_flex\ngender,female,{women}\ngender,male,1,1,1,2\n\
                age,18-39,{young}\nage,40+,1,1,1,2\n"
        )
    };
    let flexible = format!("{TARGET}\nflexible = true");
    for (name, target, categories) in [
        ("within", TARGET, categories("3,3,2,3", "3,3,2,3")),
        (
            "a side that may not move",
            TARGET,
            categories("3,3,,", "3,3,2,3"),
        ),
        ("beyond", TARGET, categories("3,3,3,3", "3,3,3,3")),
        (
            "beyond, relaxed",
            &flexible,
            categories("3,3,3,3", "3,3,3,3"),
        ),
        ("no flexible bounds", &flexible, CATEGORIES.into()),
    ] {
        page(&mut all, name, target, &categories, "");
    }
    let pairs = "feature1,value1,feature2,value2,min,max,max_flex\nage,18-39,gender,female,2,3,3\n";
    let target = format!("{TARGET}\nintersections = \"pairs.csv\"");
    page(
        &mut all,
        "a pair of which there is one",
        &target,
        CATEGORIES,
        pairs,
    );
    page(
        &mut all,
        "a word in place of a flag",
        &format!("{TARGET}\nflexible = \"yes\""),
        CATEGORIES,
        "",
    );
    let alone = "gender = { female = 0.5, male = 0.5 }\nflexible = true";
    page(&mut all, "flexible shares", alone, CATEGORIES, "");
    insta::assert_snapshot!(all.text());
}
