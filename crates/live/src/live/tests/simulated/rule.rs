//! A rule whose decisions depend on all that came before.

/// A rule whose decisions depend on all people who came, all reports and all late answers.
#[derive(Debug, Default)]
pub(super) struct Rule(u64);

impl Rule {
    fn mix(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The rule of a policy of this name.
    pub(super) fn of(policy: &str) -> Self {
        let mut rule = Self::default();
        rule.mix(policy.as_bytes());
        rule
    }

    /// Hears the outcome of a person of this id.
    pub(super) fn hear_of(&mut self, id: &str, value: f64) {
        self.mix(id.as_bytes());
        self.mix(&value.to_le_bytes());
    }

    /// Hears an outcome.
    pub(super) fn hear(&mut self, person: u64, value: f64) {
        self.mix(&person.to_le_bytes());
        self.mix(&value.to_le_bytes());
    }

    /// Decides a slate of one. Returns the chosen slots.
    pub(super) fn decide(&mut self, id: &str, is_late: bool) -> Vec<u32> {
        self.mix(id.as_bytes());
        self.mix(&[u8::from(is_late)]);
        let chosen = !is_late && (self.0 >> 33).is_multiple_of(2);
        if chosen { vec![0] } else { Vec::new() }
    }
}
