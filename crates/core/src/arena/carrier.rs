//! The task of a lane that draws generated answers.

/// The task that draws generated answers. The choice changes speed, never results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// The feedback task of the lane, over a channel. It draws answers ahead, in sealed blocks, so
    /// one message carries many.
    #[default]
    Task,
    /// The lane itself. Suited to many policies that decide in less time than a message takes.
    Lane,
}
