//! People's own values, quotas and columns, from file to result: one rule for case, blanks and Unicode
//! form; what the target does not name; who withdrew; ranges of outcomes.

use std::fmt::Write as _;

use crate::support::says::Says as _;
use crate::support::terminal::{Said, Terminal, on_one_line, typed};

/// A committee from a file.
const FILE: &str = r#"name = "values"
replications = 400
seed = 2
[source]
type = "file"
path = "people.csv"
id = "id"
order = "shuffled"
[source.attributes]
gender = { column = "gender" }
[target]
gender = { Female = 0.5, Male = 0.5 }
[rules]
choose = "at_most_one"
until = { accepted = 10 }
[[policy]]
label = "look-ahead"
kind = "quota_lookahead"
"#;

/// A committee from an organiser's two files.
const ORGANISER: &str = r#"name = "organiser"
replications = 2
seed = 1
[source]
type = "respondents"
path = "people.csv"
id = "id"
[target]
categories = "quotas.csv"
[rules]
choose = "at_most_one"
until = { accepted = 10 }
[[policy]]
label = "look-ahead"
kind = "quota_lookahead"
"#;

/// A file of people `p0`, `p1`, …, one attribute each.
fn people(header: &str, cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = format!("{header}\n");
    for (n, cell) in cells.into_iter().enumerate() {
        writeln!(text, "p{n},{}", cell.as_ref()).unwrap();
    }
    text
}

/// What `klero check` says of a config and its files.
fn checked(config: &str, files: &[(&str, &str)]) -> Said {
    let terminal = Terminal::new();
    terminal.put("my.toml", config);
    for (name, text) in files {
        terminal.put(name, text);
    }
    terminal.klero(&["check", "my.toml"])
}

/// What is said where a config is right.
#[track_caller]
fn right(config: &str, files: &[(&str, &str)]) -> String {
    let said = checked(config, files);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    on_one_line(&(said.stdout + &said.stderr))
}

/// What is said where it is wrong.
#[track_caller]
fn wrong(config: &str, files: &[(&str, &str)]) -> String {
    let said = checked(config, files);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    on_one_line(&said.stderr)
}

/// 59 women in three spellings and 21 men, for 5 seats each: each woman has 5/59, each man 5/21.
#[test]
fn spellings_of_one_value_are_one_group() {
    let women = [
        "Female",
        "female",
        "FEMALE",
        "female\u{a0}",
        "Fem\u{200b}ale",
    ];
    let women = (0..59).map(|n| women[n * n % 5]);
    let cells: Vec<&str> = women.chain((0..21).map(|_| "Male")).collect();
    let terminal = Terminal::new();
    terminal.put("my.toml", FILE);
    terminal.put("people.csv", people("id,Gender", &cells));
    terminal.done(&["run", "my.toml", "--out", "out", "-q"]);
    let chances = terminal.read("out/chances.csv");
    let mut lines = chances
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name| header.iter().position(|known| *known == name).unwrap();
    let (id, chance) = (column("id"), column("share"));
    let mut met = 0;
    for line in lines {
        let n: usize = line[id][1..].parse().unwrap();
        let due = if n < 59 { 5.0 / 59.0 } else { 5.0 / 21.0 };
        let found: f64 = line[chance].parse().unwrap();
        // Four standard deviations of 400 draws.
        let off = 4.0 * (due * (1.0 - due) / 400.0_f64).sqrt();
        assert!((found - due).abs() < off, "{line:?} {due}");
        met += 1;
    }
    assert_eq!(met, 80);
}

#[test]
fn exact_spellings_are_kept_apart_where_that_is_asked() {
    let text = people("id,gender", ["F", "f", "M", "F", "f", "M"]);
    let files = [("people.csv", text.as_str())];
    let with = |attribute: &str, target: &str| {
        let config = FILE.replace("gender = { column = \"gender\" }", attribute);
        let config = config.replace("accepted = 10", "accepted = 3");
        config.replace("gender = { Female = 0.5, Male = 0.5 }", target)
    };
    let three = "gender = { F = 0.4, f = 0.3, M = 0.3 }";
    right(
        &with("gender = { column = \"gender\", exact = true }", three),
        &files,
    );
    let all = with("gender = { column = \"gender\" }", three);
    right(
        &all.replace("id = \"id\"", "id = \"id\"\nexact = true"),
        &files,
    );
    let said = wrong(&all, &files);
    said.says("the target names gender F twice: as F and as f");
    let listed =
        "gender = { column = \"gender\", values = { F = \"women\", f = \"others\", M = \"men\" } }";
    let said = wrong(&with(listed, "gender = { women = 0.5, men = 0.5 }"), &files);
    said.says("'F' and 'f' are one value");
    said.says("exact = true");
    let where_ = |exact: &str| {
        let keys = format!("id = \"id\"\nwhere = [\"gender != 'f'\"]{exact}");
        with(
            "gender = { column = \"gender\" }",
            "gender = { F = 0.5, M = 0.5 }",
        )
        .replace("id = \"id\"", &keys)
    };
    let said = right(&where_("\nexact = true"), &files);
    said.says("4 of 6 rows kept; `gender != 'f'` removes 2");
    let said = wrong(&where_(""), &files);
    said.says("gender has no value F in the source");
}

#[test]
fn what_the_target_does_not_name_is_counted_and_said() {
    let cells = (0..100).map(|n| match n {
        0..24 => "Other",
        24..62 => "Female",
        _ => "MALE",
    });
    let text = people("id,gender", cells);
    let files = [("people.csv", text.as_str())];
    let note = "gender: 24 of 100 people have a value that the target does not name: Other 24; no rule will choose \
                them for it";
    let said = right(FILE, &files);
    said.says(note);
    let allowed = FILE.replace("[target]", "[target]\nothers = \"allow\"");
    assert!(right(&allowed, &files).contains(note));
    let terminal = Terminal::new();
    terminal.put(
        "my.toml",
        FILE.replace("replications = 400", "replications = 2"),
    );
    terminal.put("people.csv", &text);
    let said = terminal.klero(&["run", "my.toml"]);
    assert!(on_one_line(&(said.stdout + &said.stderr)).contains(note));
    let refused = FILE.replace("[target]", "[target]\nothers = \"refuse\"");
    let said = wrong(&refused, &files);
    said.says("does not name: Other 24 (people.csv, lines 2, 3, 4,");
    said.says("others = \"allow\"");
    // Where all are named nothing is said.
    let named = FILE.replace("Male = 0.5", "male = 0.4, other = 0.1");
    let said = right(&named, &files);
    said.never_says("does not name");
    // An organiser's quotas.
    let quotas = "category,name,min,max\ngender,female,4,6\ngender,male,4,6\n";
    let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
    let said = wrong(ORGANISER, &files);
    said.says("`gender` has no value 'Other'");
    let said = right(
        &ORGANISER.replace("[target]", "[target]\nothers = \"allow\""),
        &files,
    );
    said.says(note);
    let source =
        "type = \"file\"\norder = \"shuffled\"\nattributes = { gender = { column = \"gender\" } }";
    let of_file = ORGANISER.replace("type = \"respondents\"", source);
    assert!(right(&of_file, &files).contains(note));
    let said = wrong(
        &of_file.replace("[target]", "[target]\nothers = \"refuse\""),
        &files,
    );
    said.says("does not name: Other 24 (people.csv, lines 2,");
}

#[test]
fn ages_against_ranges_name_bands() {
    let text = people("id,age", (20..60).map(|age| age.to_string()));
    let quotas = "category,name,min,max\nage,20-39,4,6\nage,40 und älter,4,6\n";
    let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
    let said = wrong(ORGANISER, &files);
    let bands = "bands = { age = { \"20-39\" = [20, 40], \"40 und älter\" = [40, inf] } }";
    said.says("`age` holds numbers (20, 21, …)");
    said.says(bands);
    right(
        &ORGANISER.replace("id = \"id\"", &format!("id = \"id\"\n{bands}")),
        &files,
    );
    let misspelt = bands.replace("40 und älter", "40 und alt");
    let said = wrong(
        &ORGANISER.replace("id = \"id\"", &format!("id = \"id\"\n{misspelt}")),
        &files,
    );
    said.says("the quotas have no age 40 und alt");
    // A file's attribute.
    let config = FILE.replace(
        "gender = { column = \"gender\" }",
        "age = { column = \"age\" }",
    );
    let config = config.replace(
        "gender = { Female = 0.5, Male = 0.5 }",
        "age = { \"20-39\" = 0.5, \"40+\" = 0.5 }",
    );
    let said = wrong(&config, &files);
    let bands = "bands = { \"20-39\" = [20, 40], \"40+\" = [40, inf] }";
    said.says("the target names ranges of age");
    said.says(bands);
    right(
        &config.replace(
            "{ column = \"age\" }",
            &format!("{{ column = \"age\", {bands} }}"),
        ),
        &files,
    );
}

/// Those who withdrew are left out of a comparison and of a draw.
#[test]
fn people_who_withdrew_are_not_drawn() {
    let cells = (0..40).map(|n| {
        format!(
            "{},{}",
            ["F", "m"][n % 2],
            if n % 4 < 2 { "" } else { "Ja" }
        )
    });
    let text = people("id,gender,zurückgezogen", cells);
    let quotas = "category,name,min,max\ngender,f,4,6\ngender,M,4,6\n";
    let config = ORGANISER.replace(
        "id = \"id\"",
        "id = \"id\"\nwhere = [\"zurückgezogen != 'ja'\"]",
    );
    let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
    let said = right(&config, &files);
    said.says("20 of 40 rows kept; `zurückgezogen != 'ja'` removes 20");
    let terminal = Terminal::new();
    terminal.put("my.toml", config.replace("replications = 2\n", ""));
    terminal.put("people.csv", &text);
    terminal.put("quotas.csv", quotas);
    terminal.done(&typed(
        "draw my.toml --policy look-ahead --seed-from '3 14 15' --out panel",
    ));
    let panel = terminal.read("panel/panel.csv");
    let passed_over = terminal.read("panel/passed-over.csv");
    assert_eq!(
        (panel.lines().count(), passed_over.lines().count()),
        (11, 11)
    );
    assert!(!panel.contains("Ja") && !passed_over.contains("Ja"));
    terminal.done(&["draw", "verify", "panel"]);
}

/// A column of probabilities is that of the respondents who are kept, with decimal commas.
#[test]
fn chances_of_those_who_withdrew_are_not_read() {
    let cells = (0..40).map(|n| {
        let gone = n % 4 == 3;
        format!(
            "{};{};{}",
            ["F", "M"][n % 2],
            if gone { "ja" } else { "" },
            if gone { "?" } else { "0,05" }
        )
    });
    let text = people("id;gender;weg;p", cells)
        .replace(',', ";")
        .replace("0;05", "0,05");
    let quotas = "category,name,min,max\ngender,F,4,6\ngender,M,4,6\n";
    let config = ORGANISER.replace("id = \"id\"", "id = \"id\"\nwhere = [\"weg != 'ja'\"]")
        + "[dropout]\ncolumn = \"p\"\n";
    let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
    let said = right(&config, &files);
    said.says("30 of 40 rows kept");
}

#[test]
fn quotas_are_read_as_organisers_write_them() {
    let text = people("id,gender", (0..30).map(|n| ["F", "M"][n % 2]));
    let said = |quotas: &str, target: &str| {
        let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
        right(
            &ORGANISER.replace("[target]", &format!("[target]\n{target}")),
            &files,
        )
    };
    let blank = said("category,name,min,max\ngender,F,4,\ngender,M,4,6\n", "");
    blank.says("a blank maximum is the committee's 10 (line 2)");
    let shares = said("category;name;quota\ngender;F;48 %\ngender;M;52,0 %\n", "");
    shares.says(
        "shares of 10 seats became seats, minimums rounded down and maximums up: F 48 %: 4 to 5",
    );
    said("category;name;Anzahl\ngender;F;5\ngender;M;4 bis 6\n", "");
    let german = "Merkmal;Ausprägung;von;bis\ngender;F;4;6\ngender;M;4;6\n";
    let files = [("people.csv", text.as_str()), ("quotas.csv", german)];
    let refused = wrong(ORGANISER, &files);
    let columns =
        "columns = { category = \"Merkmal\", name = \"Ausprägung\", min = \"von\", max = \"bis\" }";
    refused.says(columns);
    said(german, columns);
    let refused = wrong(
        &ORGANISER.replace("[target]", "[target]\ncolumns = { catgory = \"x\" }"),
        &files,
    );
    refused.says("catgory");
    refused.says("category");
}

/// A second draw of these files reads what is left of them.
#[test]
fn a_second_draw_reads_columns_of_other_names() {
    let text = people("id,gender", (0..30).map(|n| ["F", "M"][n % 2]));
    for (quotas, columns) in [
        (
            "Merkmal;Ausprägung;von;bis\ngender;F;40 %;\ngender;M;4;6\n",
            "columns = { category = \"Merkmal\", name = \"Ausprägung\", min = \"von\", max = \"bis\" }",
        ),
        (
            "groupe;critère;combien\ngender;F;4 à 6\ngender;M;5\n",
            "columns = { category = \"groupe\", name = \"critère\", quota = \"combien\" }",
        ),
    ] {
        let terminal = Terminal::new();
        let config = ORGANISER.replace("replications = 2\n", "");
        terminal.put(
            "my.toml",
            config.replace("[target]", &format!("[target]\n{columns}")),
        );
        terminal.put("people.csv", &text);
        terminal.put("quotas.csv", quotas);
        terminal.done(&typed(
            "draw my.toml --policy look-ahead --seed-from '3 14 15' --out panel",
        ));
        let panel = terminal.read("panel/panel.csv");
        let staying: Vec<&str> = panel.lines().take(9).collect();
        terminal.put("staying.csv", staying.join("\n") + "\n");
        let second = typed("draw --after panel --keep staying.csv --seed-from '6 9' --out panel2");
        let said = terminal.done(&second);
        said.says("8 members stay, and 2 were drawn");
        terminal.done(&["draw", "verify", "panel2"]);
    }
}

/// Minimums that sum to 16 of 12 seats, and flexible bounds that reach 8.
#[test]
fn flexible_quotas_reach_sums() {
    let cells = (0..48).map(|n| format!("{},z{}", ["F", "M"][n % 2], n / 2 % 4 + 1));
    let text = people("id,g,z", cells);
    let quotas = "category,name,min,max,min_flex,max_flex\ng,F,5,7,5,7\ng,M,5,7,5,7\nz,z1,4,5,2,6\nz,z2,4,5,2,6\n\
                  z,z3,4,5,2,6\nz,z4,4,5,2,6\n";
    let files = [("people.csv", text.as_str()), ("quotas.csv", quotas)];
    let config = ORGANISER.replace("accepted = 10", "accepted = 12");
    let said = wrong(&config, &files);
    said.says("sum to 16, more than the committee's 12");
    said.says("flexible = true");
    let said = right(
        &config.replace("[target]", "[target]\nflexible = true"),
        &files,
    );
    said.says("they are relaxed (flexible = true) by the smallest change");
    said.says("4 seats in all: lower the minimum of z");
}

#[test]
fn names_that_collide_are_refused() {
    let config = |shares: &str, target: &str| {
        format!(
            "replications = 2\nseed = 1\n[source]\ntype = \"categorical\"\nshares = {shares}\n[target]\n{target}\n\
             [rules]\nchoose = \"at_most_one\"\nuntil = {{ accepted = 20 }}\n[[policy]]\nlabel = \"all\"\n\
             kind = \"accept_all\"\n"
        )
    };
    for (shares, target, names) in [
        (
            r#"{ "a" = { "b:c" = 0.2, x = 0.8 }, "a:b" = { c = 0.7, y = 0.3 } }"#,
            r#"a = { "b:c" = 0.5, x = 0.5 }"#,
            "`a:b:c`: the value b:c of the attribute a, and the value c of the attribute a:b",
        ),
        (
            r#"{ "Bezirk:Nord" = { "1" = 0.2, "2" = 0.8 }, "Bezirk" = { "Nord:1" = 0.7, y = 0.3 } }"#,
            r#""Bezirk:Nord" = { "1" = 0.5, "2" = 0.5 }"#,
            "`Bezirk:Nord:1`",
        ),
        (
            r#"{ "a:" = { "b" = 0.2, x = 0.8 }, "a" = { ":b" = 0.7, y = 0.3 } }"#,
            r#""a:" = { "b" = 0.5, x = 0.5 }"#,
            "`a::b`",
        ),
    ] {
        let said = wrong(&config(shares, target), &[]);
        said.says(names);
        said.says("rename one of them");
    }
    right(
        &config(
            r#"{ "a:b" = { c = 0.2, x = 0.8 }, a = { b = 0.7, y = 0.3 } }"#,
            r#"a = { b = 0.5, y = 0.5 }"#,
        ),
        &[],
    );
}

#[test]
fn recorded_outcomes_lie_in_the_range_that_is_declared() {
    let text = "id,gender,repaid\na,Female,1\nb,Male,5\nc,Female,0\nd,Male,\n";
    let config = FILE.replace("accepted = 10", "accepted = 2")
        + "[feedback.outcome]\ntype = \"recorded\"\ncolumn = \"repaid\"\nrange = [0, 1]\n";
    let said = wrong(&config, &[("people.csv", text)]);
    said.says("people.csv:3:3");
    said.says("'5' in `repaid` is not in its range, 0 to 1");
    right(&config, &[("people.csv", &text.replace(",5\n", ",0.5\n"))]);
}
