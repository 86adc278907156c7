//! One kind of source: its name, its keys, how its table is read.

use crate::catalog::param::Param;
use crate::config::context::{Built, Context};
use crate::document::Reader;

/// Reads the table of a source.
type ReadSource = fn(Reader<'_>, &Context<'_>) -> Option<Built>;

/// One kind of source.
pub(super) struct SourceKind {
    /// Its name in configs.
    pub(super) name: &'static str,
    /// What it is, in a line.
    pub(super) about: &'static str,
    /// The forms that its table may have.
    pub(super) forms: &'static [SourceForm],
    /// Whether a pool may let some of its people apply; of every feed it may.
    pub(super) can_be_pooled: bool,
    /// Reads its table.
    pub(super) read: ReadSource,
}

/// The keys of a table, but for those that every source has.
pub(super) enum SourceForm {
    /// Of people who are there before the run.
    Own(&'static [Param]),
    /// Of records that come from outside: these keys, and those of reading them.
    Feed(&'static [Param]),
}

impl SourceKind {
    /// Whether it is a feed in every form.
    pub(super) fn is_feed(&self) -> bool {
        let is_feed = |form: &SourceForm| matches!(form, SourceForm::Feed(_));
        self.forms.iter().all(is_feed)
    }
}
