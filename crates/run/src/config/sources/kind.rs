//! One kind of source: its name, its keys and the reader of its table.

use std::sync::Arc;

use crate::config::context::{Built, Context};
use crate::config::plan::World;
use crate::document::Reader;
use crate::document::param::Param;

/// Reads the table of a source.
type ReadSource = fn(Reader<'_>, &Context<'_>) -> Option<Built>;

/// A function of a program's own, which reads the table of a source.
type ReadOwn = dyn Fn(&mut Reader<'_>, &Context<'_>) -> Option<World> + Send + Sync;

/// One kind of source.
#[derive(Clone)]
pub struct SourceKind {
    /// The name in configs.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The forms of the table of a built-in kind. A kind of a program's own has one, which its reader
    /// has.
    pub(super) forms: &'static [SourceForm],
    /// True if a pool may select which of its people apply. Every feed allows this.
    pub(super) can_be_pooled: bool,
    /// Reads its table.
    pub(super) read: SourceReader,
}

/// The keys of a table, except those that every source has.
#[derive(Clone)]
pub(super) enum SourceForm {
    /// The keys of a source whose people exist before the run.
    Own(&'static [Param]),
    /// The keys of a source of records from outside, besides those for reading the records.
    Feed(&'static [Param]),
}

/// The reader of the table of a source.
#[derive(Clone)]
pub(super) enum SourceReader {
    /// That of a built-in kind.
    BuiltIn(ReadSource),
    /// That of a program's own kind, with its form.
    Own(SourceForm, Arc<ReadOwn>),
}

impl SourceKind {
    /// A kind of source without keys of its own, which `read` makes from its table.
    ///
    /// `read` reads all its keys before it gives up, so that one wrong key hides no other. Its
    /// stream has slates of the size that the context says, and emits people by addressed draws
    /// only: then it is the same whatever the batch.
    pub fn new(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>, &Context<'_>) -> Option<World> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            about,
            forms: &[],
            can_be_pooled: false,
            read: SourceReader::Own(SourceForm::Own(&[]), Arc::new(read)),
        }
    }

    /// Sets its keys.
    #[must_use]
    pub fn with(mut self, params: &'static [Param]) -> Self {
        if let SourceReader::Own(own, _) = &mut self.read {
            *own = SourceForm::Own(params);
        }
        self
    }

    /// Lets pools select which of its people apply.
    #[must_use]
    pub fn pooled(mut self) -> Self {
        self.can_be_pooled = true;
        self
    }

    /// Returns the forms that its table may take.
    pub(super) fn forms(&self) -> &[SourceForm] {
        match &self.read {
            SourceReader::BuiltIn(_) => self.forms,
            SourceReader::Own(form, _) => std::slice::from_ref(form),
        }
    }

    /// Returns true if it comes with the program.
    pub(super) fn is_built_in(&self) -> bool {
        matches!(self.read, SourceReader::BuiltIn(_))
    }

    /// Reads the table of a source of this kind.
    pub(super) fn read(&self, mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
        match &self.read {
            SourceReader::BuiltIn(read) => read(table, context),
            SourceReader::Own(_, read) => {
                let world = read(&mut table, context);
                table.finish();
                world.map(Built::of)
            }
        }
    }

    /// Returns true if it is a feed in every form.
    pub(super) fn is_feed(&self) -> bool {
        let is_feed = |form: &SourceForm| matches!(form, SourceForm::Feed(_));
        self.forms().iter().all(is_feed)
    }

    /// Returns true if its people have columns beyond those that policies see.
    pub(super) fn has_columns(&self) -> bool {
        self.is_feed() || ["file", "respondents"].contains(&self.name)
    }
}
