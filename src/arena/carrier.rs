//! The way in which a lane gets generated answers.

/// Who opens generated answers: a choice of speed, never of meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// The lane itself, where an answer costs nothing but its computation.
    #[default]
    Lane,
    /// The feedback task of the lane, over a channel: all questions of a move are one message.
    Task,
}
