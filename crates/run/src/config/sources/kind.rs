//! One kind of source: its name, its keys and the reader of its table.

use crate::config::context::{Built, Context};
use crate::document::Reader;
use crate::document::param::Param;

/// Reads the table of a source.
type ReadSource = fn(Reader<'_>, &Context<'_>) -> Option<Built>;

/// One kind of source.
pub(super) struct SourceKind {
    /// The name in configs.
    pub(super) name: &'static str,
    /// A one-line description.
    pub(super) about: &'static str,
    /// The forms that its table may take.
    pub(super) forms: &'static [SourceForm],
    /// True if a pool may select which of its people apply. Every feed allows this.
    pub(super) can_be_pooled: bool,
    /// Reads its table.
    pub(super) read: ReadSource,
}

/// The keys of a table, except those that every source has.
pub(super) enum SourceForm {
    /// The keys of a source whose people exist before the run.
    Own(&'static [Param]),
    /// The keys of a source of records from outside, besides those for reading the records.
    Feed(&'static [Param]),
}

impl SourceKind {
    /// Returns true if it is a feed in every form.
    pub(super) fn is_feed(&self) -> bool {
        let is_feed = |form: &SourceForm| matches!(form, SourceForm::Feed(_));
        self.forms.iter().all(is_feed)
    }

    /// Returns true if its people have columns beyond those that policies see.
    pub(super) fn has_columns(&self) -> bool {
        self.is_feed() || ["file", "respondents"].contains(&self.name)
    }
}
