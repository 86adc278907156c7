//! Documents of the texts of configs.

use crate::error::JobError;
use crate::text::ConfigText;
use kleroterion_run::document::Document;

/// Returns true if a file holds people or results, judged by its name.
pub(crate) fn is_table(named: &str) -> bool {
    let named = named.to_lowercase();
    let mut endings = [".csv", ".ndjson", ".jsonl", ".json", ".tsv"].into_iter();
    endings.any(|ending| named.ends_with(ending))
}

/// The document of a text.
pub(crate) fn parse(text: &ConfigText) -> Result<Document, JobError> {
    let document = Document::parse(&text.text);
    let document = document.map_err(|found| JobError::in_text(found, text))?;
    Ok(document.named(text.name()))
}
