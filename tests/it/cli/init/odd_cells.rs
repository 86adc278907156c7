//! Cells that are written in another way than the quotas write them: what the program takes is kept,
//! and what it does not take is said once, with the right remedy.

use super::{config, init, sex};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

/// 40 people with ages of two ranges, and the cells of some rows.
fn people(ages: [&str; 2], others: &[(usize, &str)]) -> String {
    let mut text = "id,sex,Alter\n".to_owned();
    for at in 0..40 {
        let other = others.iter().find(|(row, _)| *row == at);
        let age = other.map_or(ages[at / 2 % 2], |(_, other)| other);
        text += &format!("p{at},{},\"{age}\"\n", sex(at));
    }
    text
}

/// Quotas of these values.
fn quotas(sexes: [&str; 2], ages: [&str; 2]) -> String {
    let of = |name: &str, values: [&str; 2]| {
        values
            .map(|value| format!("{name},\"{value}\",4,6\n"))
            .concat()
    };
    format!(
        "category,name,min,max\n{}{}",
        of("sex", sexes),
        of("Alter", ages)
    )
}

#[test]
fn ranges_with_blanks_and_other_dashes_are_those_of_the_quotas() {
    for (written, due) in [
        (["16 - 34", "35+"], ["16-34", "35+"]),
        (["16-34", "35 +"], ["16-34", "35+"]),
        (["16 \u{2013} 34", "35+"], ["16-34", "35+"]),
        (["16-34", "35+"], ["16 - 34", "35 +"]),
        (["16 -34", "35\u{a0}+"], ["16-34", "35+"]),
        (["16\u{2212}34 JAHRE", "AB 35"], ["16-34 Jahre", "ab 35"]),
        (
            ["moins de 35", "35 ANS ET PLUS"],
            ["Moins de 35", "35 ans et plus"],
        ),
    ] {
        // Most cells are as the quotas have them, or few are.
        for others in [vec![], vec![(2, written[1]), (9, written[0])]] {
            let terminal = Terminal::new();
            let ages = if others.is_empty() { written } else { due };
            terminal.put("people.csv", people(ages, &others));
            terminal.put("quotas.csv", quotas(["F", "M"], due));
            let (config, said) = config(&terminal, &["people.csv", "quotas.csv"]);
            config.never_says("where = [");
            said.never_says("slip");
            said.never_says("warning");
            terminal
                .done(&["check", "my.toml"])
                .says("40 of 40 rows kept");
        }
    }
}

#[test]
fn an_odd_cell_among_ages_is_named_alone() {
    let numbers: Vec<String> = (0..40).map(|at| (16 + at * 3 % 60).to_string()).collect();
    for (cell, is_unknown) in [
        ("35 Jahre", false),
        ("ca. 40", false),
        ("treinta", false),
        ("k.A.", true),
        ("keine Angabe", true),
        ("", true),
    ] {
        let others: Vec<(usize, &str)> = numbers.iter().map(|n| &**n).enumerate().collect();
        let mut others = others;
        others[13].1 = cell;
        let terminal = Terminal::new();
        terminal.put("people.csv", people(["", ""], &others));
        terminal.put("quotas.csv", quotas(["F", "M"], ["16-39", "40+"]));
        let files = ["people.csv", "quotas.csv"];
        if is_unknown {
            let (written, said) = config(&terminal, &files);
            said.says("line 15 has no `Alter`: left out");
            written.says("16-39 = [16.0, 40.0]");
            continue;
        }
        let said = init(&terminal, &files);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        said.stderr.says(&format!(
            "line 15 has '{cell}' in `Alter`, which is no number"
        ));
        said.stderr.says(&format!("--where \"Alter != '{cell}'\""));
        said.stderr.says("1 problem; my.toml was written");
        let checked = terminal.exits(2, &["check", "my.toml"]).stderr;
        checked.says("people.csv:15:3: ");
        checked.says("which the bands of `Alter` need");
        // A config without bands is told about the bands.
        let bare: String = terminal
            .read("my.toml")
            .lines()
            .filter(|line| !line.starts_with("bands = "))
            .map(|line| format!("{line}\n"))
            .collect();
        terminal.put("bare.toml", bare);
        let checked = terminal.exits(2, &["check", "bare.toml"]).stderr;
        checked.says("`Alter` holds numbers (");
        checked.says("bands = { Alter = { \"16-39\" = [16, 40], \"40+\" = [40, inf] } }");
    }
}

#[test]
fn a_value_within_another_is_no_misspelling_of_it() {
    for (sexes, known) in [
        (["Male", "Female"], "female"),
        (["man", "woman"], "woman"),
        (["urbain", "suburbain"], "suburbain"),
    ] {
        let mut text = "id,sex,Alter\n".to_owned();
        for at in 0..40 {
            text += &format!("p{at},{},{}\n", sexes[at % 2], ["16-34", "35+"][at / 2 % 2]);
        }
        let terminal = Terminal::new();
        terminal.put("people.csv", text);
        terminal.put("quotas.csv", quotas([known, "other"], ["16-34", "35+"]));
        let said = init(&terminal, &["people.csv", "quotas.csv"]);
        let unnamed = format!("{}' in `sex`, which the quotas do not name", sexes[0]);
        said.stderr.says(&unnamed);
        said.stderr.never_says("correct it (");
        let checked = terminal.exits(2, &["check", "my.toml"]).stderr;
        checked.says(&format!("`sex` has no value '{}'", sexes[0]));
        checked.never_says("did you mean");
    }
}

#[test]
fn rows_that_are_left_out_are_not_warned_of() {
    let ages = ["18-34", "35+"];
    for (more, said_of) in [
        (
            "p98,Prefer not to say,\np99,Prefer not to say,\n",
            "lines 42 and 43 have no `Alter`: left out",
        ),
        (",,Gesamt: 40\n", "line 42 has no `sex`: left out"),
        (",,Total: 40\n", "line 42 has no `sex`: left out"),
        ("p3,divers,\n", "line 42 has no `Alter`: left out"),
        ("Total,40,\n", "line 42 is a row of sums"),
    ] {
        let terminal = Terminal::new();
        terminal.put("people.csv", people(ages, &[]) + more);
        terminal.put("quotas.csv", quotas(["F", "M"], ages));
        let (_, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        said.says(said_of);
        said.never_says("warning");
        terminal.done(&["check", "my.toml"]).says("40 of 4");
    }
}

/// Letters of other alphabets look the same and make another value: the letter is named.
#[test]
fn letters_that_look_the_same_are_named() {
    let ages = ["18-34", "35+"];
    for (sexes, odd, letter) in [
        (["Mann", "Frau"], "\u{41c}ann", "\u{41c} (U+041C)"),
        (["M", "F"], "\u{41c}", "\u{41c} (U+041C)"),
        (["Ontario", "Québec"], "\u{41e}ntario", "\u{41e} (U+041E)"),
        (["Homme", "Femme"], "\u{397}omme", "\u{397} (U+0397)"),
        (["Hombre", "Mujer"], "H\u{43e}mbre", "\u{43e} (U+043E)"),
    ] {
        let due = format!("it looks like '{}', but {letter}", sexes[0]);
        // In few rows and in many, with quotas, with a target and without.
        for many in [1, 9] {
            let mut text = "id,sex,Alter\n".to_owned();
            for at in 0..60 {
                let is_odd = at % 2 == 0 && at < 2 * many;
                let sex = if is_odd { odd } else { sexes[at % 2] };
                text += &format!("p{at},{sex},{}\n", ages[at / 2 % 2]);
            }
            let terminal = Terminal::new();
            terminal.put("people.csv", text);
            terminal.put("quotas.csv", quotas(sexes, ages));
            for files in [&["people.csv", "quotas.csv"][..], &["people.csv"]] {
                let said = init(&terminal, files);
                assert!(said.stderr.contains(&due), "{odd} {many}: {}", said.stderr);
            }
            terminal.put(
                "my.toml",
                format!(
                    "replications = 2\nseed = 1\n[source]\ntype = \"file\"\npath = \"people.csv\"\norder = \"shuffled\"\n\
                     [source.attributes]\nsex = {{ column = \"sex\" }}\n[target.sex]\n{0:?} = 0.5\n{1:?} = 0.5\n\
                     [rules]\nchoose = \"at_most_one\"\nuntil = {{ accepted = 5 }}\n[[policy]]\nlabel = \"all\"\n\
                     kind = \"accept_all\"\n",
                    sexes[0], sexes[1]
                ),
            );
            let checked = terminal.done(&["check", "my.toml"]);
            assert!(checked.contains(&due), "{odd} {many}: {checked}");
        }
    }
}

/// `ß` has no capital that is written, so `WEISS` is `weiß`.
#[test]
fn a_sharp_s_is_two() {
    for (sexes, odd) in [
        (["weiß", "rot"], "WEISS"),
        (["Weiss", "rot"], "weiß"),
        (["Straße", "Platz"], "STRA\u{1e9e}E"),
    ] {
        let mut text = "id,SEX,Alter\n".to_owned();
        for at in 0..40 {
            let sex = if at % 4 == 0 { odd } else { sexes[at % 2] };
            text += &format!("p{at},{sex},18-34\n");
        }
        let terminal = Terminal::new();
        terminal.put("people.csv", text);
        let quotas = "category,name,min,max\nsex,A,4,6\nsex,B,4,6\nAlter,18-34,4,12\n";
        let quotas = quotas.replace(",A,", &format!(",{},", sexes[0]));
        terminal.put(
            "quotas.csv",
            quotas.replace(",B,", &format!(",{},", sexes[1])),
        );
        let (_, said) = config(&terminal, &["people.csv", "quotas.csv"]);
        said.never_says("slip");
        let checked = terminal.done(&["check", "my.toml"]);
        checked.says("40 of 40 rows kept");
        let (_, said) = config(&terminal, &["people.csv"]);
        said.says("column `SEX`: attribute, it has 2 values");
    }
}

/// What is wrong with each row of a column is one problem.
#[test]
fn dates_and_ranges_in_other_words_are_said_once() {
    for (ages, names, what, help) in [
        (
            ["01.05.1978", "24.12.1955"],
            ["16-39", "40+"],
            "`Alter` holds dates ('01.05.1978' in line 2), and the quotas name 16-39, 40+",
            "write ages in a column `Alter`, in years",
        ),
        (
            ["1978-05-01", "1955-12-24"],
            ["16 bis 39", "ab 40"],
            "`Alter` holds dates ('1978-05-01' in line 2)",
            "in place of dates",
        ),
        (
            ["16-39", "40+"],
            ["16 bis 39", "40 und älter"],
            "have '16-39' in `Alter`, which the quotas do not name",
            "correct it ('16 bis 39'?)",
        ),
        (
            ["16 à 39 ans", "40 ans et plus"],
            ["16-39", "40+"],
            "have '16 à 39 ans' in `Alter`",
            "correct it ('16-39'?)",
        ),
    ] {
        let terminal = Terminal::new();
        terminal.put("people.csv", people(ages, &[]));
        terminal.put("quotas.csv", quotas(["F", "M"], names));
        let said = init(&terminal, &["people.csv", "quotas.csv"]);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains(what), "{what}: {}", said.stderr);
        assert!(said.stderr.contains(help), "{help}: {}", said.stderr);
        said.stderr.never_says("more like these");
        let problems = said.stderr.matches("help: ").count();
        assert!(problems <= 2, "{problems}: {}", said.stderr);
    }
}
