//! Names as lists of words in several languages have them, and the words for a sum.

use super::words::Words;

/// Words that begin a row of sums, as [`plain`] gives them.
const TOTALS: Words = Words(
    "total, totals, grand total, sum, summe, gesamt, gesamtsumme, gesamtergebnis, insgesamt,
     somme, suma, totale, somma, totaal, total general, ensemble",
);

/// Returns true if a cell is a word for a sum, such as "total".
pub fn is_total(cell: &str) -> bool {
    TOTALS.has(&plain(cell))
}

/// The words of a name: small letters without accents and marks, one blank between words.
pub fn plain(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.trim().chars() {
        // "ResponseId" is two words.
        if before.is_lowercase() && letter.is_uppercase() {
            words.push(' ');
        }
        before = letter;
        for letter in letter.to_lowercase() {
            match bare(letter) {
                Some(bare) => words += bare,
                None if letter.is_alphanumeric() => words.push(letter),
                // A mark above a letter, as in a name that is not composed.
                None if ('\u{300}'..='\u{36f}').contains(&letter) => {}
                None => words.push(' '),
            }
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A letter without its accent; none of a letter that has none.
fn bare(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
        'ç' => "c",
        'è' | 'é' | 'ê' | 'ë' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | '°' | 'º' => "o",
        'ù' | 'ú' | 'û' | 'ü' => "u",
        'ß' => "ss",
        'œ' => "oe",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_people_write_them() {
        for (name, due) in [
            (" ID-Nr. ", "id nr"),
            ("ResponseId", "response id"),
            ("N°", "no"),
            ("nº", "no"),
            ("Straße", "strasse"),
            ("Größe", "grosse"),
            ("Année", "annee"),
            ("E-Mail, falls vorhanden", "e mail falls vorhanden"),
            ("Que\u{301}bec", "quebec"),
            ("nationbuilder_id", "nationbuilder id"),
            ("PLZ", "plz"),
            ("#", ""),
        ] {
            assert_eq!(plain(name), due, "{name}");
        }
    }

    #[test]
    fn words_for_a_sum_are_known_however_they_are_written() {
        assert!(TOTALS.iter().all(|word| plain(word) == word));
        for (cell, due) in [
            ("Summe", true),
            ("GESAMT:", true),
            ("Total général", true),
            ("Totale", true),
            ("", false),
            ("Gesamtschule", false),
        ] {
            assert_eq!(is_total(cell), due, "{cell}");
        }
    }
}
