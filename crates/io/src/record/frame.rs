//! A piece of a stream of bytes that is one record, and what can be wrong with it.

use super::quotes::Misquoted;

/// The most bytes that are kept of a frame that is too long.
pub(super) const HEAD: usize = 200;

/// A frame without its end of line, never blank.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The number of the line on which it begins, or of the message, from 1.
    pub(crate) line: u64,
    /// The bytes of the frame; for a frame that is too long, the first ones.
    pub(crate) bytes: &'a [u8],
    /// The fault of the frame itself, such as its length.
    pub(crate) fault: Option<FrameFault>,
}

/// The reason why a frame holds no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameFault {
    /// It is longer than a frame may be.
    TooLong,
    /// The quotes of a field are wrong.
    Misquoted(Misquoted),
    /// There is no count where one is due, so that nothing after it can be read.
    Uncounted,
    /// The stream ends before it does.
    CutOff,
}
