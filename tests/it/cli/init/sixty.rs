//! Sixty small files: encodings, separators, languages and faults, each with the next of the others.
//! `klero check` refuses no config of `klero init` of which that did not say so.

use super::{cp1252, init, utf16};
use crate::support::terminal::Terminal;

/// A language a line: names of columns, two groups, three areas, names of the columns of quotas, the
/// word for a sum, and a slip for the first group.
const TONGUES: [&str; 5] = [
    "id/gender/area/e-mail/income|female/male|north/south/east|category/name/min/max|Total|femlae",
    "Nr/Geschlecht/Bezirk/E-Mail/Einkommen|weiblich/männlich|Süd/Nord/Müllerwiese|\
     Kategorie/Wert/Min/Max|Summe|weiblch",
    "identifiant/sexe/quartier/courriel/revenu|féminin/masculin|Évêché/Gare/Hôpital|\
     Catégorie/Valeur/Minimum/Maximum|Total général|fémiin",
    "número/género/barrio/correo/ingresos|mujer/hombre|Peñón/Centro/Río|\
     Categoría/Valor/Mínimo/Máximo|Suma|mujre",
    "codice/sesso/quartiere/posta/reddito|femmina/maschio|Città vecchia/Università/Mare|\
     Categoria/Valore/Minimo/Massimo|Totale|femmnia",
];

/// What is odd in a file, and what `init` says of it.
const FAULTS: [(&str, &str); 12] = [
    ("nothing", ""),
    ("row twice", "they count once"),
    ("id twice", "have the id"),
    ("person twice", "alike in all cells but"),
    ("blank cell", ": left out"),
    ("blank rows", "2 blank rows skipped"),
    ("total", "is a row of sums, and no person: left out"),
    ("slip", "a slip for"),
    ("case", ""),
    ("stranger", "which the quotas do not name"),
    ("survey", "a further header row of a survey tool"),
    ("declared", ""),
];

/// The words of a language, by their place.
fn words(tongue: &'static str) -> Vec<Vec<&'static str>> {
    let words = tongue.split('|').map(|words| words.split('/').collect());
    words.collect()
}

/// The rows of people, the cells of each separated by `mark`.
fn people(words: &[Vec<&str>], fault: &str, mark: char) -> String {
    let point = if mark == ',' { '.' } else { ',' };
    let row = |at: usize, number: usize| {
        let (gender, area) = (words[1][at * 7 / 3 % 2], words[2][at / 2 % 3]);
        [
            format!("{}", 100 + number),
            gender.into(),
            area.into(),
            format!("p{at}@example.org"),
            format!("{}{point}5", 1000 + at * 37 % 701),
        ]
    };
    let mut rows: Vec<[String; 5]> = (0..48).map(|at| row(at, at * 3)).collect();
    let of = |cells: [&str; 5]| cells.map(str::to_owned);
    match fault {
        "row twice" => rows.push(rows[5].clone()),
        "id twice" => rows[9][0] = rows[5][0].clone(),
        "person twice" => rows.push(row(5, 999)),
        "blank cell" => rows[7][1] = String::new(),
        "blank rows" => rows.extend([of([""; 5]), of([""; 5])]),
        "total" => rows.push(of([words[4][0], "48", "", "", ""])),
        "slip" => rows[11][1] = words[5][0].into(),
        "case" => rows[11][1] = format!("{} ", rows[11][1].to_uppercase()),
        "stranger" => rows[3..6]
            .iter_mut()
            .for_each(|row| row[1] = "divers".into()),
        "survey" => rows.insert(
            0,
            of(["", "Response", "Response", "Open-Ended Response", ""]),
        ),
        _ => {}
    }
    let mark = mark.to_string();
    let rows = rows.iter().map(|row| row.join(&mark));
    let lines = std::iter::once(words[0].join(&mark)).chain(rows);
    let declared = match fault {
        "declared" => format!("sep={mark}\n"),
        _ => String::new(),
    };
    format!("{declared}{}\n", lines.collect::<Vec<_>>().join("\r\n"))
}

fn quotas(words: &[Vec<&str>], mark: char) -> String {
    let mark = &mark.to_string();
    let of = |at: usize| {
        let most = (12 / words[at].len() + 2).to_string();
        let row = |value: &&str| [words[0][at], value, "2", &most].join(mark) + "\n";
        words[at].iter().map(row).collect::<String>()
    };
    format!("{}\n{}{}", words[3].join(mark), of(1), of(2))
}

fn encoded(text: &str, encoding: usize) -> Vec<u8> {
    match encoding {
        0 => text.as_bytes().to_vec(),
        1 => format!("\u{feff}{text}").into_bytes(),
        2 => cp1252(text),
        _ => utf16(text),
    }
}

#[test]
fn check_never_refuses_what_init_wrote_without_having_said_so() {
    let terminal = Terminal::new();
    let mut ran = 0;
    for at in 0..60 {
        let (encoding, mark_at, tongue_at) = (at / 15, at / 5 % 3, at % 5);
        let mark = [';', ',', '\t'][mark_at];
        let words = words(TONGUES[tongue_at]);
        let (fault, due) = FAULTS[at % FAULTS.len()];
        let with_quotas = (at / FAULTS.len() + tongue_at).is_multiple_of(2);
        let case = format!("{encoding} {mark:?} {} {fault} {with_quotas}", words[0][0]);
        let text = people(&words, fault, mark);
        terminal.put("people.csv", encoded(&text, encoding));
        let text = quotas(&words, mark);
        terminal.put("quotas.csv", encoded(&text, (encoding + mark_at) % 4));
        let both = ["people.csv", "quotas.csv"];
        let said = init(&terminal, &both[..1 + usize::from(with_quotas)]);
        let heard = said.stderr.contains(due) || (fault, with_quotas) == ("stranger", false);
        assert!(heard, "{case}: {}", said.stderr);
        for column in &words[0] {
            let is_said = said.stderr.contains(&format!("column `{column}`: "));
            assert!(is_said, "{case} {column}: {}", said.stderr);
        }
        let checked = terminal.klero(&["check", "my.toml"]);
        let runs = said.stderr.contains("next: klero run my.toml");
        let both = format!("{}{}", said.stderr, checked.stderr);
        assert_eq!(runs, checked.code == Some(0), "{case}: {both}");
        assert_eq!(said.code, checked.code, "{case}");
        let may_fail = ["id twice", "stranger"].contains(&fault);
        assert!(runs || may_fail, "{case}: {both}");
        ran += usize::from(runs);
    }
    assert!(ran >= 50, "{ran} of 60 run");
    assert_eq!(terminal.names("."), ["my.toml", "people.csv", "quotas.csv"]);
}
