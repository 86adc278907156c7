//! People who are in a file twice: `klero init` and `klero check` judge them alike.

use super::{config, init, sex};
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;

const QUOTAS: &str = "category,name,min,max\nsex,F,4,6\nsex,M,4,6\n";

/// A table of 31 rows with a name and a counter, and of some rows what stands in their place.
fn people(header: &str, others: &[(usize, &str)]) -> String {
    let row = |at: usize| {
        let other = others.iter().find(|(row, _)| *row == at);
        let row = format!("{},K{at},n{at}@x.org,{}", at + 1, sex(at));
        other.map_or(row, |(_, other)| (*other).to_owned())
    };
    let rows: Vec<String> = (0..31).map(row).collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

/// A terminal with these people and the quotas.
fn terminal(people: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.put("people.csv", people);
    terminal.put("quotas.csv", QUOTAS);
    terminal
}

const FILES: [&str; 2] = ["people.csv", "quotas.csv"];

#[test]
fn one_id_is_one_whatever_its_case_blanks_and_form() {
    for (id, again) in [
        ("anna", "ANNA"),
        ("Ab 3", " ab\u{a0}\u{a0}3"),
        ("Zoé", "ZOE\u{301}"),
        ("müller@x.de", "Mu\u{308}ller@X.de"),
        ("Nuñez", "NUN\u{303}EZ"),
        ("A\u{2013}7", "a-7"),
    ] {
        let first = format!("5,{id},x@x.org,F");
        let twin = format!("31,{again},X@x.org,f");
        let rows = [(4, &*first), (30, &*twin)];
        let terminal = terminal(&people("Nr,Kennung,E-Mail,sex", &rows));
        let (written, said) = config(&terminal, &FILES);
        said.says("lines 6 and 32 are one person, alike in all cells but `Nr`: they count once");
        said.says("30 of 31 are people who are kept");
        let checked = terminal.done(&["check", "my.toml"]);
        checked.says("30 of 31 rows kept");
        checked.says("lines 6 and 32 are the same in every column but one that counts the rows");
        // Where each letter matters, they are two.
        let exact = written.replace("[target]", "[target]\nexact = true");
        let plain = terminal
            .read("people.csv")
            .replace("X@x.org,f", "y@x.org,F");
        terminal.put("people.csv", plain);
        terminal.put("exact.toml", exact);
        terminal
            .done(&["check", "exact.toml"])
            .says("31 of 31 rows kept");
        // As two different rows they are an error everywhere.
        let said = init(&terminal, &FILES);
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        said.stderr.says("lines 6 and 32 have the id");
        said.stderr.says("differ in `Nr`, `E-Mail`");
        for command in ["check", "run"] {
            let said = terminal.exits(2, &[command, "my.toml"]).stderr;
            said.says("people.csv:32:2: the id ");
            said.says("is that of line 6 too, as ");
            said.says("`exact = true`");
        }
    }
}

/// The same of people who are grouped by their own columns.
#[test]
fn ids_of_files_are_compared_as_those_of_respondents() {
    let people = |twin: &str| people("Nr,id,E-Mail,sex", &[(30, twin)]);
    let terminal = terminal(&people("31,k4,N4@x.org,m"));
    let (written, said) = config(&terminal, &["people.csv"]);
    assert!(sex(4) == "M", "the twin is alike");
    said.says("lines 6 and 32 are one person, alike in all cells but `Nr`: they count once");
    let checked = terminal.done(&["check", "my.toml"]);
    checked.says("30 of 31 rows kept");
    checked.says("lines 6 and 32 are the same in every column but one that counts the rows");
    terminal.put("people.csv", people("31,k4,other@x.org,M"));
    let said = terminal.exits(2, &["check", "my.toml"]).stderr;
    said.says("people.csv:32:2: the id 'k4' in `id` is that of line 6 too, as 'K4'");
    said.says("differ in `Nr`, `E-Mail`");
    let exact = written.replace("id = \"id\"", "id = \"id\"\nexact = true");
    terminal.put("exact.toml", exact);
    terminal
        .done(&["check", "exact.toml"])
        .says("31 of 31 rows kept");
}

#[test]
fn a_counter_hides_no_double_with_gaps_or_without() {
    let alike = "lines 6 and 32 are alike in all cells but";
    let once = "lines 6 and 32 are one person, alike in all cells but";
    for (header, twin, due) in [
        ("Lfd. Nr.,Kennung,E-Mail,sex", "31,K4,n4@x.org,M", once),
        ("Lfd. Nr.,Kennung,E-Mail,sex", "40,K4,n4@x.org,M", once),
        ("N°,identifiant,courriel,sex", "31,K4,n4@x.org,M", once),
        ("Núm.,código,correo,sex", "33,K4,n4@x.org,M", once),
        ("Lfd. Nr.,Kennung,E-Mail,sex", "31,K99,n4@x.org,M", alike),
        ("Lfd. Nr.,Kennung,E-Mail,sex", "50,K99,n4@x.org,M", alike),
        ("N°,identifiant,courriel,sex", "32,K99,n4@x.org,M", alike),
        ("Núm.,código,correo,sex", "31,K99,N4@x.org,m", alike),
    ] {
        let terminal = terminal(&people(header, &[(30, twin)]));
        let (written, said) = config(&terminal, &FILES);
        assert!(said.contains(due), "{header} {twin}: {said}");
        said.says("30 of 31 are people who are kept");
        let checked = terminal.done(&["check", "my.toml"]);
        checked.says("30 of 31 rows kept");
        let left: Vec<&str> = written
            .lines()
            .filter(|line| line.starts_with("where = ["))
            .collect();
        if due == once {
            assert!(left.is_empty(), "{left:?}");
            continue;
        }
        assert!(left[0].contains("!= 'K99'"), "{left:?}");
        // Without the filter `check` names the two.
        terminal.put("my.toml", written.replace(left[0], ""));
        let checked = terminal.done(&["check", "my.toml"]);
        checked.says("31 of 31 rows kept");
        checked.says("lines 6 and 32 are the same in every column but");
    }
}

#[test]
fn contacts_that_few_share_make_one_person_and_others_do_not() {
    let rows = |header: &str, cells: &dyn Fn(usize) -> String| {
        let rows: String = (0..60)
            .map(|at| format!("p{at},{},{}\n", sex(at / 4), cells(at)))
            .collect();
        format!("id,sex,{header}\n{rows}")
    };
    let of = |names: &[&str], at: usize| names[at % names.len()].to_owned();
    let few = ["Anna", "Bert", "Dora", "Emil"];
    // Two names of a list of 40, of which each pair but one is there once.
    let both = |at: usize| {
        let at = if at == 59 { 55 } else { at };
        format!("V{},N{}", at % 20, at / 3)
    };
    for (header, cells, kept) in [
        (
            "Vorname",
            &(|at| of(&few, at)) as &dyn Fn(usize) -> String,
            60,
        ),
        ("Nachname", &|at| format!("N{}", at / 4 % 20), 60),
        ("Telefon", &|at| of(&["ja", "nein"], at), 60),
        ("prénom", &|at| format!("P{}", at % 12), 60),
        ("apellido", &|at| format!("A{}", at % 30), 60),
        (
            "Straße",
            &|at| format!("Weg {}", ["A", "B", "C"][at % 3]),
            60,
        ),
        ("Vorname,Nachname", &both, 59),
        (
            "correo",
            &|at| format!("n{}@x.org", if at == 59 { 56 } else { at }),
            59,
        ),
        (
            "Telefon",
            &|at| format!("0361 55{:03}", if at == 59 { 58 } else { at }),
            59,
        ),
    ] {
        let text = rows(header, cells);
        let terminal = terminal(&text);
        let (_, said) = config(&terminal, &FILES);
        let checked = terminal.done(&["check", "my.toml"]);
        assert!(
            checked.contains(&format!("{kept} of 60 rows kept")),
            "{header}: {checked}"
        );
        if kept == 60 {
            said.never_says("one person");
            continue;
        }
        said.says("where such rows are two people, say that no column names them: --columns ");
        let names: Vec<String> = header
            .split(',')
            .map(|name| format!("{name}=out"))
            .collect();
        let names = names.join(",");
        assert!(said.contains(&names), "{said}");
        let (written, _) = config(&terminal, &[&FILES[..], &["--columns", &names]].concat());
        written.never_says("where = [");
    }
}

#[test]
fn a_number_by_which_people_are_known_stays_the_id() {
    for name in ["Losnummer", "Teilnehmernummer", "Bewerberkennung", "LosNr"] {
        let mut text = format!("{name},sex,Geburtsjahr,Straße\n");
        for at in 0..33 {
            let id = if at >= 30 { at - 30 } else { at };
            text += &format!(
                "ab{id},{},{},{}\n",
                sex(at / 3),
                1950 + at % 9,
                ["Ring", "Markt"][at % 2]
            );
        }
        let terminal = terminal(&text);
        let said = init(&terminal, &FILES).stderr;
        said.says(&format!(
            "column `{name}`: id, by its name (otherwise: --id COLUMN)"
        ));
        said.says("lines 2 and 32 have the id 'ab0'");
        said.says("column `Geburtsjahr`: left out, the quotas do not name it (otherwise: ");
        said.never_says("Geburtsjahr=household");
        said.says("--columns Straße=household");
    }
    // Of others the hint is the option that makes them the id.
    let mut text = "Person,sex\n".to_owned();
    for at in 0..33 {
        let id = if at >= 30 { at - 30 } else { at };
        text += &format!("ab{id},{}\n", sex(at / 3));
    }
    let terminal = terminal(&text);
    let said = init(&terminal, &FILES).stderr;
    said.says(
        "column `Person`: left out, text: 30 different cells in 33 rows (otherwise: --id Person)",
    );
    let said = init(&terminal, &[&FILES[..], &["--id", "Person"]].concat()).stderr;
    said.says("column `Person`: id, as --id Person says");
}

/// A column that is called `id` is the id, however many rows have one: who is there twice is listed,
/// and no one is lost where the user says that it names no one.
#[test]
fn the_surest_name_is_the_id_however_often_ids_are_repeated() {
    let short = |at: usize| ["4,91521E+11", "4,91621E+11"][at / 3 % 2].to_owned();
    for (id, cell) in [
        ("id", &short as &dyn Fn(usize) -> String),
        ("Kennung", &|at| format!("k{}", at / 2)),
        ("identifiant", &|at| format!("f{}", at % 7)),
        ("identificador", &|at| format!("x{}", at / 3)),
    ] {
        let rows = (0..40).map(|at| format!("{};{};a{}\n", cell(at), sex(at), at % 5));
        let terminal = terminal(&format!("{id};sex;area\n{}", rows.collect::<String>()));
        for files in [&FILES[..1], &FILES] {
            let said = init(&terminal, files);
            assert_eq!(said.code, Some(2), "{id}: {}", said.stderr);
            said.stderr.says(&format!("column `{id}`: id, by its name"));
            said.stderr.says(" have the id ");
            let other = format!("or, where `{id}` names no one: --columns {id}=out");
            assert!(said.stderr.contains(&other), "{}", said.stderr);
            let out = format!("{id}=out");
            config(&terminal, &[files, &["--columns", &out]].concat());
            let checked = terminal.done(&["check", "my.toml"]);
            assert!(checked.contains("40 of 40 rows kept"), "{id}: {checked}");
        }
    }
    // The same of a column that is the same in each row, and of one that some rows lack.
    for cell in [|_| "Erfurt", |at: usize| ["", "a"][at % 2]] {
        let rows = (0..40).map(|at| format!("{};{};a{}\n", cell(at), sex(at), at % 3));
        let terminal = terminal(&format!("id;sex;area\n{}", rows.collect::<String>()));
        let (_, said) = config(&terminal, &FILES[..1]);
        said.says("column `id`: left out, it ");
        let checked = terminal.done(&["check", "my.toml"]);
        assert!(checked.contains("40 of 40 rows kept"), "{checked}");
        checked.says("are the same in every column, and count as");
    }
}

/// Where no config can be written, the rows that need a look are listed all the same.
#[test]
fn what_keeps_a_config_from_being_written_hides_no_row() {
    let text = people("Nr,Kennung,E-Mail,sex", &[(30, "31,K4,other@x.org,F")]);
    let terminal = terminal(&text);
    let many = QUOTAS.replace(",4,6", ",40,60");
    terminal.put("quotas.csv", many);
    let said = terminal.exits(2, &["init", FILES[0], FILES[1], "-o", "none.toml"]);
    said.stderr
        .says("lines 6 and 32 have the id 'K4' in `Kennung`");
    said.stderr.says("people can't fill a committee of");
    said.stderr.says("2 problems; nothing was written");
}
