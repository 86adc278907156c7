//! A limit on the number of lines of a program's standard error that are handed on.

/// Lines that are handed on at once: as many as some tracebacks have.
const AT_ONCE: u32 = 200;

/// Lines a second after that.
const A_SECOND: u32 = 20;

/// Lines that may still be handed on, and those that were left out since the last one that was.
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
    /// The number of lines left out before this one; none where it is left out too.
    pub(super) fn takes(&mut self) -> Option<u64> {
        // One more is kept for the end, which says how many were left out.
        if self.left < 2 {
            self.left_out += 1;
            return None;
        }
        self.left -= 1;
        Some(std::mem::take(&mut self.left_out))
    }

    /// The number of lines left out, where that may be said now.
    pub(super) fn closes(&mut self) -> u64 {
        if self.left == 0 || self.left_out == 0 {
            return 0;
        }
        self.left -= 1;
        std::mem::take(&mut self.left_out)
    }

    /// A second has passed.
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
