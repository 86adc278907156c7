//! Known names of columns in several languages, and words that cells hold. All lists are in the
//! form that [`plain`] returns: lower case, without accents, with one blank between words.

pub(super) use kleroterion_io::record::alike::alike as same;
pub(super) use kleroterion_io::record::plain::plain;
use kleroterion_io::record::words::Words;

/// Names of columns that name people, the surest first.
pub(super) const IDS: [Words; 2] = [
    Words(
        "id, uuid, kennung, identifiant, identificador, identificativo, identificatie, identifier,
         identification",
    ),
    Words(
        "nr, nummer, no, num, number, numero, key, code, codigo, codice, token, user, username,
         kennziffer, kennzahl, kennnummer, aktenzeichen, referenz, reference, ref, matrikel,
         lfd nr, laufende nummer, case, case number, interview nummer, interview nr, lfdn",
    ),
];

/// Names of columns that name people where nothing better does.
pub(super) const NAMES: Words = Words(
    "email, e mail, mail, courriel, correo, name, full name, nom complet, nombre completo,
     vollstandiger name",
);

/// Names of columns that count the rows of a list.
pub(super) const COUNTERS: Words = Words(
    ", index, unnamed 0, row, row number, zeile, zeilennummer, ligne, fila, riga, rij, lfd nr,
     laufende nummer, rownames, x1",
);

/// Names of columns that say what became of people, the surest first.
pub(super) const OUTCOMES: Words = Words(
    "outcome, label, target, y, result, hired, admitted, accepted, repaid, repayment, paid,
     default, defaulted, success, passed, graduated, performance, income, salary, class, approved,
     bar passed, ergebnis, eingestellt, zugelassen, bewilligt, zuruckgezahlt, bestanden, resultat,
     zusage, angenommen, aufgenommen, ausgewahlt, zuruckbezahlt, embauche, embauchee, admis,
     admise, accepte, acceptee, retenu, retenue, recrute, rembourse, resultado, contratado,
     contratada, admitido, admitida, aceptado, aceptada, aprobado, seleccionado, seleccionada,
     devuelto, esito, assunto, accettato, ammesso, aangenomen",
);

/// Names among these of columns that say as often what is known of people beforehand, where they
/// have more than two values.
pub(super) const KNOWN_BEFORE: Words = Words("income, salary, class, performance");

/// Names of columns that hold a score, the surest first.
pub(super) const SCORES: Words = Words(
    "score, probability, prob, rating, gpa, grade, points, exam, test, utility, merit, lsat,
     punkte, punktzahl, bewertung, note, puntaje, puntuacion, nota, punteggio, pointage, cijfer",
);

/// Names of columns of amounts: numbers that are measured however few different ones there are.
pub(super) const AMOUNTS: Words = Words(
    "years, year, jahre, annees, anos, anni, jaren, income, einkommen, revenu, ingresos, reddito,
     inkomen, count, anzahl, nombre d enfants, amount, betrag, montant, importe, children, kinder,
     enfants, hijos, hours, stunden, heures, horas, experience, erfahrung, duration, dauer, size,
     grosse, distance, weight, gewicht, height, household size, haushaltsgrosse",
);

/// Names of columns whose numbers are codes of groups.
pub(super) const GROUPS: Words = Words(
    "sex, gender, geschlecht, sexe, genre, sexo, genero, sesso, genere, geslacht, region, area,
     gebiet, bezirk, stadtteil, kreis, land, bundesland, quartier, barrio, distrito, district,
     ward, state, zone, education, bildung, bildungsabschluss, educacion, formation, diplome,
     istruzione, opleiding, ethnic, ethnicity, race, nationality, nationalitat, religion,
     language, sprache, langue, party, partei, group, gruppe, groupe, grupo, category, age group,
     altersgruppe, agegroup, tranche d age, tenure, status, stratum",
);

/// Names of columns of ages.
pub(super) const AGES: Words =
    Words("age, agep, alter, lebensalter, alter in jahren, age in years, edad, eta, leeftijd");

/// Words in the names of columns by which people are reached or known.
pub(super) const CONTACT_WORDS: Words = Words(
    "email, e mail, mailadresse, courriel, correo, telefon, telefono, telephone, telefoon,
     telefonnummer, tel, phone, mobile, mobil, movil, handy, handynummer, fax, vorname, nachname,
     familienname, first name, last name, surname, given name, family name, prenom, apellido,
     apellidos, cognome, voornaam, achternaam, full name, nombre completo, nom complet,
     ansprechpartner",
);

/// Whole names of these columns.
pub(super) const CONTACTS: Words = Words(
    "name, nom, nombre, nome, naam, mail, cell, portable, posta, firstname, lastname,
     name vorname, vollstandiger name, nom et prenom",
);

/// Names of columns of households and of whole addresses.
pub(super) const HOUSEHOLDS: Words = Words(
    "household, household id, haushalt, haushalt id, haushalts id, haushalt nr, haushaltsnummer,
     foyer, menage, hogar, famiglia, nucleo familiare, huishouden, address, adresse, anschrift,
     wohnadresse, postanschrift, direccion, domicilio, indirizzo, adres, address1, address 1,
     address line 1, primary address1, home address, wohnanschrift",
);

/// Names of columns of streets.
pub(super) const STREETS: Words = Words(
    "street, street address, strasse, str, strasse hausnummer, strasse und hausnummer, strasse nr,
     strasse u hausnr, rue, calle, via, straat",
);

/// Names of columns of the numbers of houses.
pub(super) const HOUSE_NUMBERS: Words = Words(
    "hausnummer, hausnr, haus nr, house number, house no, numero de rue, numero de casa,
     numero civico, huisnummer",
);

/// Returns true if a plain name is that of an address or of a part of one.
pub(super) fn is_of_address(name: &str) -> bool {
    let lists = [HOUSEHOLDS, STREETS, HOUSE_NUMBERS, PLACES];
    lists.iter().any(|list| list.has(name))
}

/// Names of columns of places, which go with a street.
pub(super) const PLACES: Words = Words(
    "plz, postleitzahl, postcode, post code, postal code, zip, zip code, zipcode, code postal,
     codigo postal, cp, cap, primary zip, wohnort, ort, city, town, ville, ciudad, citta, plaats,
     gemeinde, stadt",
);

/// Cells by which survey tools name the kind of a question, below its text.
pub(super) const RESPONSES: Words = Words(
    "response, responses, open ended response, open ended, antwort, offene antwort, reponse,
     reponse libre, respuesta, respuesta abierta, risposta, antwoord",
);

/// Cells that stand for a number that is not known.
pub(super) const UNKNOWN: Words = Words(
    "na, n a, nan, null, none, k a, keine angabe, unbekannt, unknown, missing, nc, non connu, n d,
     no data, sin datos, ",
);

/// Cells that say yes, and cells that say no.
pub(super) const YES: Words =
    Words("yes, y, true, ja, j, wahr, oui, vrai, si, s, verdadero, vero, waar");
pub(super) const NO: Words = Words("no, n, false, nein, falsch, non, faux, falso, nee, onwaar");

/// Returns true if a plain name ends with a word.
pub(super) fn ends_with(plain: &str, word: &str) -> bool {
    plain == word
        || plain
            .strip_suffix(word)
            .is_some_and(|rest| rest.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_names() {
        assert!(CONTACT_WORDS.are_in("e mail falls vorhanden"));
        assert!(!CONTACT_WORDS.are_in("namensraum"));
        assert!(ends_with("teilnehmer nr", "nr") && !ends_with("paid", "id"));
    }

    #[test]
    fn lists_are_written_as_names_are_compared() {
        let lists = [
            NAMES,
            COUNTERS,
            OUTCOMES,
            KNOWN_BEFORE,
            SCORES,
            AMOUNTS,
            GROUPS,
            AGES,
            CONTACT_WORDS,
            CONTACTS,
            HOUSEHOLDS,
            STREETS,
            HOUSE_NUMBERS,
            PLACES,
            RESPONSES,
            UNKNOWN,
            YES,
            NO,
        ];
        for name in lists.into_iter().chain(IDS).flat_map(Words::iter) {
            assert_eq!(plain(name), name);
        }
    }
}
