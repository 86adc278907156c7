//! A first config, written from the files that an organiser, a lender or a researcher has.
//!
//! [`Sheet`] holds the columns of a file of people, whatever its delimiter and encoding. [`Roles`]
//! guesses which column names people, groups them, or says what became of them. [`draft`] writes
//! the config: it runs at once, and each assumption is a comment in it.

mod column;
mod draft;
mod live;
mod roles;
mod setting;
mod sheet;

pub use column::{Column, ColumnKind};
pub use draft::Draft;
pub use live::{Doorway, live};
pub use roles::Roles;
pub use setting::{Setting, Wishes, draft};
pub use sheet::{Layout, Sheet};
