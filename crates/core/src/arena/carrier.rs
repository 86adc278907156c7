//! The way in which a lane gets generated answers.

/// Who draws generated answers: a choice of speed, never of meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// The feedback task of the lane, over a channel. It draws answers ahead, in sealed blocks, so
    /// that one message carries many.
    #[default]
    Task,
    /// The lane itself: for large farms of policies that decide in less time than a message takes.
    Lane,
}
