//! The usual names of the columns of quotas, and the advice for headers with other names.

use crate::people::table::sheet::Sheet;
use crate::record::plain::plain;
use crate::record::words::Words;

/// The known names of a column of quotas, as [`header_word`] gives them.
#[derive(Clone, Copy, Debug)]
pub struct HeaderNames {
    /// The usual names, by which runs find the column; messages use the first.
    usual: Words,
    /// Other names that `klero init` also knows; it mentions them, and writes them into the config.
    others: Words,
}

/// The names of the column of attributes.
pub const CATEGORY: HeaderNames = HeaderNames {
    usual: Words("category, feature"),
    others: Words(
        "kategorie, merkmal, variable, attribut, attribute, dimension, categorie, critere,
         caracteristique, categoria, criterio, caracteristica, variabile, caratteristica, kenmerk,
         variabele, criterium, criterion, kriterium",
    ),
};

/// The names of the column of values.
pub const NAME: HeaderNames = HeaderNames {
    usual: Words("name, value"),
    others: Words(
        "wert, auspragung, merkmalsauspragung, gruppe, group, valeur, modalite, groupe, valor,
         grupo, modalidad, valore, gruppo, modalita, waarde, groep, bezeichnung, option, opcion,
         opzione, optie",
    ),
};

/// The names of the column of minimums.
pub const MIN: HeaderNames = HeaderNames {
    usual: Words("min, minimum, minimo, minimal"),
    others: Words(
        "mindestens, mindestzahl, untergrenze, au moins, al menos, almeno, minstens, at least,
         von, from, desde, lower, lower bound",
    ),
};

/// The names of the column of maximums.
pub const MAX: HeaderNames = HeaderNames {
    usual: Words("max, maximum, maximo, maximal"),
    others: Words(
        "hochstens, hochstzahl, obergrenze, massimo, au plus, como maximo, al massimo, hoogstens,
         at most, bis, to, hasta, upper, upper bound",
    ),
};

/// The names of the column of flexible minimums.
pub const MIN_FLEX: HeaderNames = HeaderNames {
    usual: Words("min flex"),
    others: Words("flex min, minimum flex"),
};
/// The names of the column of flexible maximums.
pub const MAX_FLEX: HeaderNames = HeaderNames {
    usual: Words("max flex"),
    others: Words("flex max, maximum flex"),
};

/// The names of a column with both bounds in a cell.
pub const QUOTA: HeaderNames = HeaderNames {
    usual: Words(
        "quota, number, seats, anzahl, platze, sitze, soll, nombre, quotas, numero, plazas,
         cantidad",
    ),
    others: Words(
        "quote, sollwert, ziel, target, places, count, sieges, effectif, objectif, cible, cupo,
         cuota, objetivo, posti, obiettivo, zetels, aantal, doel",
    ),
};

/// The names of a column of shares of the seats.
pub const SHARE: HeaderNames = HeaderNames {
    usual: Words(
        "share, percent, percentage, anteil, prozent, part, pourcentage, proportion, porcentaje",
    ),
    others: Words("participacion, percentuale"),
};

/// The dialects: the names of the columns of attributes and of their values.
pub(super) const DIALECTS: [(&str, &str); 3] = [
    ("feature", "value"),
    ("category", "name"),
    ("category", "feature"),
];

impl HeaderNames {
    /// Returns true if runs recognise a column of this name without being given it.
    pub(crate) fn is_usual(self, name: &str) -> bool {
        self.usual.has(&header_word(name))
    }

    /// Returns true if this name is known for the column, be it usual or not.
    pub fn knows(self, name: &str) -> bool {
        self.is_usual(name) || self.others.has(&header_word(name))
    }

    /// The column of the surest usual name among some.
    pub(super) fn usual_of<'n>(
        self,
        names: impl Iterator<Item = &'n String> + Clone,
    ) -> Option<&'n String> {
        let mut words = self.usual.iter();
        words.find_map(|word| names.clone().find(|name| header_word(name) == word))
    }

    /// Returns the name of the column in messages.
    pub(super) fn first(self) -> &'static str {
        self.usual.iter().next().unwrap_or_default()
    }
}

/// Returns the name of a column of quotas for comparison: in small letters, without accents.
pub fn header_word(name: &str) -> String {
    match name.trim() {
        "%" => "percent".to_owned(),
        name => plain(name),
    }
}

/// Returns the setting to add to the config if the header of a categories file has no usual name.
/// It names the first columns not read for anything else, in the order of the usual ones.
pub(super) fn named_columns(sheet: &Sheet) -> Option<String> {
    named(sheet, |names| names)
}

/// Returns the setting for an intersections file, whose columns have equal names but for a number
/// at the end.
pub(super) fn named_pairs(sheet: &Sheet) -> Option<String> {
    named(sheet, |names| {
        let plain = |name: &String| {
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || " _-".contains(c));
            name.to_owned()
        };
        let mut plain: Vec<String> = names.iter().map(plain).collect();
        plain.dedup();
        let mut met: Vec<String> = Vec::new();
        for name in plain {
            if !met.contains(&name) {
                met.push(name);
            }
        }
        met
    })
}

fn named(sheet: &Sheet, plain: impl Fn(Vec<String>) -> Vec<String>) -> Option<String> {
    if sheet.columns().len() < 2 {
        return None;
    }
    let has = |names: HeaderNames| sheet.columns().iter().any(|name| names.is_usual(name));
    let bounds = [MIN, MAX, MIN_FLEX, MAX_FLEX, QUOTA, SHARE];
    let is_usual = |name: &String| bounds.iter().any(|names| names.is_usual(name));
    let columns = sheet.columns().iter().filter(|name| !name.is_empty());
    let free: Vec<String> = columns.filter(|name| !is_usual(name)).cloned().collect();
    let mut keys = vec!["category", "name"];
    if !has(QUOTA) && !has(SHARE) {
        keys.extend(
            [("min", MIN), ("max", MAX)]
                .iter()
                .filter(|(_, names)| !has(*names))
                .map(|(key, _)| *key),
        );
    }
    let pairs = keys.iter().zip(plain(free));
    let pairs: Vec<String> = pairs
        .map(|(key, name)| format!("{key} = {name:?}"))
        .collect();
    let list = sheet.columns().join(", ");
    (!pairs.is_empty()).then(|| {
        format!(
            "name them in [target], as in columns = {{ {} }}; the columns are {list}",
            pairs.join(", ")
        )
    })
}
