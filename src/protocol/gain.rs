//! The information of an interview.

use super::persons::Shown;

/// The gain of a kind of interview: a look of gain s is worth s looks of gain 1 (Schumann et al.
/// 2019, Section 3). "The information gain from expending the same resource may vary over
/// applicants" (their Section 8): it may depend on what a candidate is shown as, which policies see
/// too.
#[derive(Clone, Debug, PartialEq)]
pub enum Gain {
    /// The same at every candidate.
    Same(f64),
    /// By the value of an attribute as shown.
    ByValue {
        /// The attribute's place in the schema.
        attribute: usize,
        /// The gain at each of its values.
        of: Box<[f64]>,
    },
}

impl Gain {
    /// The gain of a look at a candidate.
    ///
    /// # Panics
    /// Where the candidate is of another schema.
    #[inline]
    #[must_use]
    pub fn at(&self, shown: Shown<'_>) -> f64 {
        match self {
            Self::Same(gain) => *gain,
            Self::ByValue { attribute, of } => of[usize::from(shown.values()[*attribute])],
        }
    }

    /// Whether it is the same at every candidate.
    #[inline]
    #[must_use]
    pub fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// The gains that it can be.
    #[must_use]
    pub fn all(&self) -> &[f64] {
        match self {
            Self::Same(gain) => std::slice::from_ref(gain),
            Self::ByValue { of, .. } => of,
        }
    }

    /// The greatest that it can be.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        self.all().iter().copied().fold(f64::MIN, f64::max)
    }

    /// The least that it can be.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.all().iter().copied().fold(f64::MAX, f64::min)
    }
}

impl From<f64> for Gain {
    fn from(gain: f64) -> Self {
        Self::Same(gain)
    }
}
