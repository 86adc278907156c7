//! The kinds of `[pool]`: their names, keys and readers.

use std::sync::Arc;

use crate::document::Reader;
use crate::document::param::Param;
use kleroterion_core::pool::PoolResponse;

/// The built-in forms of pools.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PoolForm {
    Fixed,
    Share,
    RoleModel,
    Order,
    Weighted,
}

/// A function that reads the response of a program's own, to the groups of these names.
type ReadResponse =
    dyn Fn(&mut Reader<'_>, Option<&[String]>) -> Option<Arc<dyn PoolResponse>> + Send + Sync;

/// The reader of the table of a kind of pools.
#[derive(Clone)]
pub(super) enum PoolReader {
    BuiltIn(PoolForm),
    Own(Arc<ReadResponse>),
}

/// One kind of pools.
#[derive(Clone)]
pub struct PoolKind {
    /// The name in configs.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    pub(super) params: &'static [Param],
    pub(super) read: PoolReader,
}

impl PoolKind {
    /// A kind of pools whose groups' shares move by eta times a response. It has the keys `by`,
    /// `start` and `eta`; `read` makes the response from the table and the names of the groups.
    /// These are `None` where the source is wrong. The response may muster who applies, too.
    ///
    /// Theory foretells nothing of its course: policies have no prospect in it, and those that plan
    /// ahead refuse it.
    pub fn new<R: PoolResponse + 'static>(
        name: &'static str,
        about: &'static str,
        read: impl Fn(&mut Reader<'_>, Option<&[String]>) -> Option<R> + Send + Sync + 'static,
    ) -> Self {
        let read = move |table: &mut Reader<'_>, groups: Option<&[String]>| {
            read(table, groups).map(|response| Arc::new(response) as Arc<dyn PoolResponse>)
        };
        Self {
            name,
            about,
            params: &[],
            read: PoolReader::Own(Arc::new(read)),
        }
    }

    /// Sets its keys beyond `by`, `start` and `eta`.
    #[must_use]
    pub fn with(mut self, params: &'static [Param]) -> Self {
        self.params = params;
        self
    }

    /// A built-in kind.
    pub(super) fn built_in(
        form: PoolForm,
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
    ) -> Self {
        Self {
            name,
            about,
            params,
            read: PoolReader::BuiltIn(form),
        }
    }
}
