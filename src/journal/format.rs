//! The formats of a journal, and the schema of its database in each.

use rusqlite::Connection;

/// A format of journals. A journal keeps the format that it was begun in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// The chain covers number, kind, id and body of each entry.
    One,
    /// The chain covers all columns of each entry, and the facts.
    Two,
}

/// The tables of all formats.
pub(super) const TABLES: [&str; 2] = [
    "CREATE TABLE fact(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    "CREATE TABLE entry(
        seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT, person INTEGER, policy TEXT, body TEXT NOT NULL, chain BLOB NOT NULL
    ) STRICT",
];

/// The indexes that make the first of two entries count.
const UNIQUE: [&str; 2] = [
    "CREATE UNIQUE INDEX person ON entry(id) WHERE kind = 'candidate'",
    "CREATE UNIQUE INDEX outcome ON entry(id, ifnull(policy, '')) WHERE kind = 'outcome'",
];

/// Journals that were begun before there were corrections lack this.
const CORRECTIONS: &str =
    "CREATE INDEX correction ON entry(id, ifnull(policy, ''), seq) WHERE kind = 'correction'";

/// The name of the index [`CORRECTIONS`].
const CORRECTION: &str = "correction";

impl Format {
    /// The format of a journal that is begun now.
    pub(super) const NOW: Self = Self::Two;

    /// The format of a word.
    pub(super) fn of(word: &str) -> Option<Self> {
        let all = [Self::One, Self::Two].into_iter();
        all.into_iter().find(|format| format.word() == word)
    }

    /// The word under which a journal keeps its format.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Two => "2",
        }
    }
}

/// Makes the tables and indexes of a journal.
pub(super) fn make(store: &Connection) -> rusqlite::Result<()> {
    let all = TABLES.into_iter().chain(UNIQUE).chain([CORRECTIONS]);
    for statement in all {
        store.execute_batch(statement)?;
    }
    Ok(())
}

/// Makes the index of corrections where it is missing.
pub(super) fn make_corrections(store: &Connection) -> rusqlite::Result<()> {
    let find = "SELECT count(*) FROM sqlite_schema WHERE name = ?1";
    let found: i64 = store.query_row(find, [CORRECTION], |row| row.get(0))?;
    match found {
        0 => store.execute_batch(CORRECTIONS),
        _ => Ok(()),
    }
}

/// The difference between the schema of a database and that of a journal; none where they agree.
pub(super) fn foreign(store: &Connection, format: Format) -> rusqlite::Result<Option<String>> {
    let mut select = store.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let rows = select.query_map([], |row| {
        let sql: Option<String> = row.get(2)?;
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, sql))
    })?;
    let mut wanted: Vec<&str> = TABLES.into_iter().chain(UNIQUE).collect();
    wanted.push(CORRECTIONS);
    for row in rows {
        let (kind, name, sql) = row?;
        // SQLite makes the index of a primary key itself.
        let Some(sql) = sql else { continue };
        let same = |wanted: &&str| words(wanted) == words(&sql);
        match wanted.iter().position(same) {
            Some(at) => drop(wanted.swap_remove(at)),
            None => return Ok(Some(format!("the {kind} {name:?} is not the journal's"))),
        }
    }
    if format == Format::One {
        wanted.retain(|sql| *sql != CORRECTIONS);
    }
    let name = |sql: &str| {
        let end = sql.find(" ON ").or_else(|| sql.find('(')).unwrap_or(0);
        sql[..end].trim_start_matches("CREATE ").to_owned()
    };
    Ok(wanted
        .first()
        .map(|sql| format!("{} is missing", name(sql))))
}

/// SQL without its layout.
fn words(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}
