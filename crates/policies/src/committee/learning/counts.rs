//! Counts of screened candidates by type, and the ends of episodes.

/// The counts `n_t(x)` and the bounds of the episodes.
#[derive(Clone, Debug)]
pub struct Counts {
    now: Vec<u64>,
    /// The counts at the start of the episode.
    start: Vec<u64>,
    screened: u64,
    episodes: u64,
    begins: bool,
}

impl Counts {
    /// Makes counts of no candidate, for `cells` cells. The first episode is about to begin.
    pub fn new(cells: usize) -> Self {
        Self {
            now: vec![0; cells],
            start: vec![0; cells],
            screened: 0,
            episodes: 0,
            begins: true,
        }
    }

    /// Counts a candidate. The episode ends when the cell's count reaches `max(1, 2 n_start)`.
    ///
    /// # Panics
    /// Panics if there is no cell of this number.
    #[inline]
    pub fn observe(&mut self, cell: u32) {
        let cell = cell as usize;
        self.screened += 1;
        self.now[cell] += 1;
        self.begins |= self.now[cell] >= (2 * self.start[cell]).max(1);
    }

    /// Returns true if the last episode has ended, so that another is about to begin.
    pub fn begins(&self) -> bool {
        self.begins
    }

    /// Begins an episode.
    pub fn begin(&mut self) {
        self.start.clone_from(&self.now);
        self.episodes += 1;
        self.begins = false;
    }

    /// t: the number of candidates screened.
    pub fn screened(&self) -> u64 {
        self.screened
    }

    /// The number of episodes begun.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// The counts `n_t(x)` by cell.
    pub fn by_cell(&self) -> &[u64] {
        &self.now
    }

    /// The shares `p^(x) = n_t(x) / t` by cell; uniform if no one was screened.
    pub fn shares(&self) -> Vec<f64> {
        if self.screened == 0 {
            return vec![1.0 / self.now.len() as f64; self.now.len()];
        }
        let t = self.screened as f64;
        self.now.iter().map(|&n| n as f64 / t).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The starts of the episodes by the definition, over the whole history.
    fn starts(history: &[u32]) -> Vec<usize> {
        let mut starts = vec![0];
        for t in 1..=history.len() {
            let start = *starts.last().unwrap();
            let doubled = (0..4).any(|x| {
                let count = |s: &[u32]| s.iter().filter(|&&y| y == x).count();
                let (now, then) = (count(&history[..t]), count(&history[..start]));
                now >= (2 * then).max(1) && now > then
            });
            if doubled {
                starts.push(t);
            }
        }
        starts
    }

    #[test]
    fn an_episode_ends_when_a_type_is_new_or_has_doubled() {
        let history: Vec<u32> = (0..400u32).map(|t| (t * t / 3 + t / 7) % 4).collect();
        let mut counts = Counts::new(4);
        let mut seen = Vec::new();
        for (t, &cell) in history.iter().enumerate() {
            if counts.begins() {
                counts.begin();
                seen.push(t);
            }
            counts.observe(cell);
        }
        let mut expected = starts(&history);
        expected.retain(|&t| t < history.len());
        assert_eq!(seen, expected);
        assert_eq!(counts.episodes(), seen.len() as u64);
        assert_eq!(seen[..3], [0, 1, 2]);
    }

    #[test]
    fn shares_are_uniform_before_the_first_candidate() {
        let mut counts = Counts::new(4);
        assert_eq!(counts.shares(), [0.25; 4]);
        for cell in [3, 3, 0, 3] {
            counts.observe(cell);
        }
        assert_eq!(counts.shares(), [0.25, 0.0, 0.0, 0.75]);
        assert_eq!(counts.screened(), 4);
    }
}
