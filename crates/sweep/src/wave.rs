//! The waves of a point that goes on until all comparisons are decided: 1, 2, 4, ... leaves.

/// Returns the number of leaves after the next wave of a point that has `has` of `all` leaves.
#[must_use]
pub fn wave(has: u32, all: u32) -> u32 {
    has.saturating_mul(2).saturating_add(1).min(all)
}

#[cfg(test)]
mod tests {
    use super::wave;

    #[test]
    fn waves_double() {
        let mut has = 0;
        let mut waves = Vec::new();
        while has < 20 {
            let next = wave(has, 20);
            waves.push(next - has);
            has = next;
        }
        assert_eq!(waves, [1, 2, 4, 8, 5]);
    }
}
