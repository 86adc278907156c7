//! The facts that go with a journal: its format, and what the run was begun with.

use rusqlite::{Connection, params};

use super::chain::Chain;
use super::format::Format;

/// The fact that says whether persons have ids of their own. It is noted with the first person.
pub(super) const NAMED: &str = "named";

/// The fact that says in which format the journal is.
pub(super) const FORMAT: &str = "format";

/// The fact with the link that covers all others but [`NAMED`].
const START: &str = "start";

/// The facts of a journal.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) format: Format,
    /// All but [`NAMED`] and [`START`].
    begun: Vec<(String, String)>,
    pub(super) named: Option<bool>,
    start: Option<String>,
}

impl Facts {
    /// The facts of a journal that is begun now.
    pub(super) fn new(more: &[(&str, String)]) -> Self {
        let format = (FORMAT.to_owned(), Format::NOW.word().to_owned());
        let more = more
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        let begun: Vec<_> = [format].into_iter().chain(more).collect();
        let start = Some(Chain::of_facts(&begun).hex());
        Self {
            format: Format::NOW,
            begun,
            named: None,
            start,
        }
    }

    /// The facts of a journal of this format.
    pub(super) fn read(store: &Connection, format: Format) -> rusqlite::Result<Self> {
        let mut facts = Self {
            format,
            begun: Vec::new(),
            named: None,
            start: None,
        };
        let mut select = store.prepare("SELECT key, value FROM fact NOT INDEXED")?;
        let rows = select.query_map([], |row| <(String, String)>::try_from(row))?;
        for row in rows {
            let (key, value) = row?;
            match &*key {
                NAMED => facts.named = Some(value == "true"),
                START => facts.start = Some(value),
                _ => facts.begun.push((key, value)),
            }
        }
        Ok(facts)
    }

    /// Writes them into the table.
    pub(super) fn write(&self, store: &Connection) -> rusqlite::Result<()> {
        let mut insert = store.prepare("INSERT INTO fact VALUES (?1, ?2)")?;
        for (key, value) in &self.begun {
            insert.execute(params![key, value])?;
        }
        if let Some(start) = &self.start {
            insert.execute(params![START, start])?;
        }
        if let Some(named) = self.named {
            insert.execute(params![NAMED, named.to_string()])?;
        }
        Ok(())
    }

    /// The link before the first entry.
    pub(super) fn chain(&self) -> Chain {
        match self.format {
            Format::One => Chain::default(),
            Format::Two => Chain::of_facts(&self.begun),
        }
    }

    /// Whether they are what the journal was begun with, as far as its format says.
    pub(super) fn are_whole(&self) -> bool {
        self.format == Format::One || self.start == Some(self.chain().hex())
    }
}
