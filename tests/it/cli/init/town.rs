//! An invented town's export, as a registration tool writes it: in Windows-1252, separated by
//! semicolons, with German headers and the faults that such files have.

use super::cp1252;

/// The next number below `n` of a small generator.
fn next(state: &mut u64, n: u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % n) as usize
}

const AGES: [&str; 4] = ["16-29", "30-44", "45-59", "60 und älter"];
const AREAS: [&str; 5] = [
    "Altstadt",
    "Brühlervorstadt",
    "Johannesplatz",
    "Löbervorstadt",
    "Rieth",
];
const SCHOOLS: [&str; 3] = ["ohne Abschluss", "Ausbildung", "Hochschulabschluss"];
const STREETS: [&str; 6] = [
    "Gartenstraße",
    "Mühlweg",
    "Lange Brücke",
    "Am Anger",
    "Schillerstr.",
    "Roßgasse",
];
const NAMES: [&str; 8] = [
    "Anna Groß",
    "Jörg Müller",
    "Käthe Weiß",
    "Uwe Böhm",
    "Ilse Jäger",
    "Max Köhler",
    "Eva Schön",
    "Tim Bär",
];

/// The export: people, of whom some are there twice, have a cell blank or misspelt; blank
/// rows and a row of sums at the end.
pub(super) fn export(people: usize) -> Vec<u8> {
    let mut state = 38;
    let mut rows: Vec<[String; 9]> = Vec::new();
    for at in 0..people {
        let mut pick = |n: usize| next(&mut state, n as u64);
        let gender = [
            "weiblich",
            "männlich",
            "weiblich",
            "männlich",
            "weiblich",
            "männlich",
            "divers",
        ][pick(7)];
        let gender = if pick(9) > 0 && gender == "divers" {
            "weiblich"
        } else {
            gender
        };
        let (age, area, school) = (AGES[pick(4)], AREAS[pick(5)], SCHOOLS[pick(3)]);
        let street = format!("{} {}", STREETS[pick(6)], 1 + pick(60));
        let plz = ["99084", "99085", "99086", "99089"][pick(4)];
        rows.push([
            (at + 1).to_string(),
            format!("{} {at}", NAMES[pick(8)]),
            format!("person{at}@example.org"),
            gender.into(),
            age.into(),
            area.into(),
            school.into(),
            street,
            plz.into(),
        ]);
    }
    // The same form sent twice; the same person under a second number; slips; blanks.
    rows.push(rows[11].clone());
    let mut again = rows[27].clone();
    again[0] = (people + 1).to_string();
    rows.push(again);
    rows[40][3] = "weibllich".into();
    rows[41][3] = "WEIBLICH".into();
    rows[42][5] = "Rieht".into();
    rows[43][4] = String::new();
    rows[44][6] = String::new();
    rows.extend([(); 3].map(|()| Default::default()));
    let mut total: [String; 9] = Default::default();
    total[0] = "Summe".into();
    total[1] = people.to_string();
    rows.push(total);
    let header = "Nr;Name;E-Mail;Geschlecht;Altersgruppe;Stadtteil;Bildung;Straße;PLZ";
    let rows: String = rows.iter().map(|row| row.join(";") + "\r\n").collect();
    cp1252(&format!("{header}\r\n{rows}"))
}

/// The quotas for 20 places.
pub(super) fn quotas() -> Vec<u8> {
    let mut text = String::from("Kategorie;Wert;Min;Max\r\n");
    let mut of = |category: &str, values: &[&str], min: u32, max: u32| {
        for value in values {
            text += &format!("{category};{value};{min};{max}\r\n");
        }
    };
    of("Geschlecht", &["weiblich", "männlich"], 8, 11);
    of("Geschlecht", &["divers"], 0, 1);
    of("Altersgruppe", &AGES, 4, 6);
    of("Stadtteil", &AREAS, 3, 5);
    of("Bildung", &SCHOOLS, 6, 8);
    cp1252(&text)
}
