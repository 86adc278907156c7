//! The true law of rewards, for oracles.

/// The CDF F_a of the expected reward of each group: what only an oracle is handed.
pub trait GroupCdf: Send + Sync {
    /// F_group(reward), 0 to 1: how many of the group are worth no more, in expectation.
    fn rank(&self, group: usize, reward: f64) -> f64;
}

impl<F: Fn(usize, f64) -> f64 + Send + Sync> GroupCdf for F {
    fn rank(&self, group: usize, reward: f64) -> f64 {
        self(group, reward)
    }
}
