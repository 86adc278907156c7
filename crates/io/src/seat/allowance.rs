//! A limit on the number of lines of a program's standard error that are handed on.

/// The most lines that are handed on at once: as many as a long traceback has.
const AT_ONCE: u32 = 200;

/// The lines per second that are handed on after that.
const A_SECOND: u32 = 20;

/// The number of lines that may still be handed on, and of those left out since the last one.
#[derive(Debug)]
pub(super) struct Allowance {
    left: u32,
    left_out: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            left: AT_ONCE,
            left_out: 0,
        }
    }
}

impl Allowance {
    /// Asks to hand a line on. Returns the number of lines left out before it, or `None` if it is
    /// left out too.
    pub(super) fn takes(&mut self) -> Option<u64> {
        // One more is kept for the end, which says how many were left out.
        if self.left < 2 {
            self.left_out += 1;
            return None;
        }
        self.left -= 1;
        Some(std::mem::take(&mut self.left_out))
    }

    /// Returns the number of lines left out, if a message about them may be written now, else 0.
    pub(super) fn closes(&mut self) -> u64 {
        if self.left == 0 || self.left_out == 0 {
            return 0;
        }
        self.left -= 1;
        std::mem::take(&mut self.left_out)
    }

    /// Adds the lines that one more second allows.
    pub(super) fn refill(&mut self) {
        self.left = (self.left + A_SECOND).min(AT_ONCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_and_counted_and_a_trickle_is_not() {
        let mut allowance = Allowance::default();
        let taken = |allowance: &mut Allowance, lines: u32| {
            (0..lines).filter_map(|_| allowance.takes()).count()
        };
        assert_eq!(taken(&mut allowance, 1000), 199);
        allowance.refill();
        assert_eq!(allowance.takes(), Some(801));
        allowance.refill();
        assert_eq!(taken(&mut allowance, 1000), 39);
        assert_eq!(allowance.closes(), 961);
        assert_eq!(allowance.closes(), 0);
        // After a while all is as at first.
        (0..60).for_each(|_| allowance.refill());
        assert_eq!(taken(&mut allowance, 1000), 199);
        for _ in 0..100 {
            allowance.refill();
            assert_eq!(taken(&mut allowance, 10), 10);
        }
    }
}
