//! Sixty small files: encodings, separators, languages and faults, each with the next of the others.
//! `klero check` refuses no config of `klero init` of which that did not say so.

use super::{cp1252, init, utf16};
use crate::support::terminal::Terminal;

/// The words of a language: names of columns, of two groups with their values, of quotas.
struct Tongue {
    columns: [&'static str; 5],
    gender: [&'static str; 2],
    area: [&'static str; 3],
    quotas: [&'static str; 4],
    total: &'static str,
    slip: &'static str,
}

const TONGUES: [Tongue; 5] = [
    Tongue {
        columns: ["id", "gender", "area", "e-mail", "income"],
        gender: ["female", "male"],
        area: ["north", "south", "east"],
        quotas: ["category", "name", "min", "max"],
        total: "Total",
        slip: "femlae",
    },
    Tongue {
        columns: ["Nr", "Geschlecht", "Bezirk", "E-Mail", "Einkommen"],
        gender: ["weiblich", "männlich"],
        area: ["Süd", "Nord", "Müllerwiese"],
        quotas: ["Kategorie", "Wert", "Min", "Max"],
        total: "Summe",
        slip: "weiblch",
    },
    Tongue {
        columns: ["identifiant", "sexe", "quartier", "courriel", "revenu"],
        gender: ["féminin", "masculin"],
        area: ["Évêché", "Gare", "Hôpital"],
        quotas: ["Catégorie", "Valeur", "Minimum", "Maximum"],
        total: "Total général",
        slip: "fémiin",
    },
    Tongue {
        columns: ["número", "género", "barrio", "correo", "ingresos"],
        gender: ["mujer", "hombre"],
        area: ["Peñón", "Centro", "Río"],
        quotas: ["Categoría", "Valor", "Mínimo", "Máximo"],
        total: "Suma",
        slip: "mujre",
    },
    Tongue {
        columns: ["codice", "sesso", "quartiere", "posta", "reddito"],
        gender: ["femmina", "maschio"],
        area: ["Città vecchia", "Università", "Mare"],
        quotas: ["Categoria", "Valore", "Minimo", "Massimo"],
        total: "Totale",
        slip: "femmnia",
    },
];

/// What is odd in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    RowTwice,
    IdTwice,
    PersonTwice,
    BlankCell,
    BlankRows,
    Total,
    Slip,
    Case,
    Stranger,
    Survey,
    Declared,
}

use Fault::*;

const FAULTS: [Fault; 12] = [
    Nothing,
    RowTwice,
    IdTwice,
    PersonTwice,
    BlankCell,
    BlankRows,
    Total,
    Slip,
    Case,
    Stranger,
    Survey,
    Declared,
];

impl Fault {
    /// What `init` says of it.
    fn said(self, with_quotas: bool) -> &'static str {
        match self {
            Nothing | Case | Declared => "",
            RowTwice => "they count once",
            IdTwice => "have the id",
            PersonTwice => "alike in all cells but",
            BlankCell => ": left out",
            BlankRows => "2 blank rows skipped",
            Total => "is a row of sums, and no person: left out",
            Slip => "a slip for",
            Stranger if with_quotas => "which the quotas do not name",
            Stranger => "",
            Survey => "a further header row of a survey tool",
        }
    }
}

/// The rows of people, the cells of each separated by `mark`.
fn people(tongue: &Tongue, fault: Fault, mark: char) -> String {
    let income = |at: usize| match mark {
        ',' => format!("{}.5", 1000 + at * 37 % 701),
        _ => format!("{},5", 1000 + at * 37 % 701),
    };
    let row = |at: usize, number: usize| {
        let (gender, area) = (tongue.gender[at * 7 / 3 % 2], tongue.area[at / 2 % 3]);
        [
            format!("{}", 100 + number),
            gender.into(),
            area.into(),
            format!("p{at}@example.org"),
            income(at),
        ]
    };
    let mut rows: Vec<[String; 5]> = (0..48).map(|at| row(at, at * 3)).collect();
    let blank = || ["", "", "", "", ""].map(str::to_owned);
    match fault {
        Nothing | Declared | Survey => {}
        RowTwice => rows.push(rows[5].clone()),
        IdTwice => rows[9][0] = rows[5][0].clone(),
        PersonTwice => rows.push(row(5, 999)),
        BlankCell => rows[7][1] = String::new(),
        BlankRows => rows.extend([blank(), blank()]),
        Total => rows.push([
            tongue.total.into(),
            "48".into(),
            String::new(),
            String::new(),
            String::new(),
        ]),
        Slip => rows[11][1] = tongue.slip.into(),
        Case => rows[11][1] = format!("{} ", rows[11][1].to_uppercase()),
        Stranger => {
            rows[3][1] = "divers".into();
            rows[4][1] = "divers".into();
            rows[5][1] = "divers".into();
        }
    }
    let mut header = vec![tongue.columns.map(str::to_owned)];
    if fault == Survey {
        header.push(["", "Response", "Response", "Open-Ended Response", ""].map(str::to_owned));
    }
    let lines: Vec<String> = header
        .iter()
        .chain(&rows)
        .map(|row| row.join(&mark.to_string()))
        .collect();
    let declared = if fault == Declared {
        format!("sep={mark}\n")
    } else {
        String::new()
    };
    format!("{declared}{}\n", lines.join("\r\n"))
}

fn quotas(tongue: &Tongue, mark: char) -> String {
    let of = |name: &str, values: &[&str]| -> Vec<String> {
        let most = 12 / values.len() + 2;
        let row = |value: &&str| [name, value, "2", &most.to_string()].join(&mark.to_string());
        values.iter().map(row).collect()
    };
    let header = tongue.quotas.join(&mark.to_string());
    let rows = [
        of(tongue.columns[1], &tongue.gender),
        of(tongue.columns[2], &tongue.area),
    ]
    .concat();
    format!("{header}\n{}\n", rows.join("\n"))
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
    let (mut ran, mut files) = (0, 0);
    for encoding in 0..4 {
        for (mark_at, mark) in [';', ',', '\t'].into_iter().enumerate() {
            for (tongue_at, tongue) in TONGUES.iter().enumerate() {
                let fault = FAULTS[files % FAULTS.len()];
                let with_quotas = (files / FAULTS.len() + tongue_at).is_multiple_of(2);
                files += 1;
                let case = format!(
                    "{encoding} {mark:?} {} {fault:?} {with_quotas}",
                    tongue.columns[0]
                );
                terminal.put(
                    "people.csv",
                    encoded(&people(tongue, fault, mark), encoding),
                );
                terminal.put(
                    "quotas.csv",
                    encoded(&quotas(tongue, mark), (encoding + mark_at) % 4),
                );
                let files = if with_quotas {
                    &["people.csv", "quotas.csv"][..]
                } else {
                    &["people.csv"]
                };
                let said = init(&terminal, files);
                let heard = said.stderr.contains(fault.said(with_quotas));
                assert!(heard, "{case}: {}", said.stderr);
                for column in tongue.columns {
                    assert!(
                        said.stderr.contains(&format!("column `{column}`: ")),
                        "{case}: {}",
                        said.stderr
                    );
                }
                let checked = terminal.klero(&["check", "my.toml"]);
                let runs = said.stderr.contains("next: klero run my.toml");
                assert_eq!(
                    runs,
                    checked.code == Some(0),
                    "{case}: {}{}",
                    said.stderr,
                    checked.stderr
                );
                assert_eq!(said.code, checked.code, "{case}");
                assert!(
                    runs || matches!(fault, IdTwice | Stranger),
                    "{case}: {}",
                    said.stderr
                );
                ran += usize::from(runs);
            }
        }
    }
    assert_eq!(files, 60);
    assert!(ran >= 50, "{ran} of {files} run");
    assert_eq!(terminal.names("."), ["my.toml", "people.csv", "quotas.csv"]);
}
