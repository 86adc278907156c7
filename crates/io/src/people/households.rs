//! Households, the people who live together: `unique = ["address", "postcode"]`.

use std::collections::BTreeMap;

use crate::record::fold;

/// Numbers households by the cells that name them, compared without regard to case, blanks and
/// Unicode form.
///
/// People whose cells are all blank are not known to live with anyone: each is a household of their
/// own.
///
/// ```
/// use kleroterion_io::people::Households;
///
/// let mut households = Households::default();
/// assert_eq!(households.number(["1 High St", "AB1"]), 0);
/// assert_eq!(households.number(["2 High St", "AB1"]), 1);
/// assert_eq!(households.number([" 1 HIGH ST ", "ab1"]), 0);
/// assert_eq!((households.number(["", " "]), households.number(["", ""])), (2, 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Households {
    numbers: BTreeMap<Vec<String>, u32>,
    next: u32,
    blank: u32,
}

impl Households {
    /// Returns the number of a person's household, from 0 in the order of first mention.
    pub fn number<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> u32 {
        let name: Vec<String> = cells.into_iter().map(fold).collect();
        let number = if name.iter().all(String::is_empty) {
            self.blank += 1;
            self.next
        } else {
            *self.numbers.entry(name).or_insert(self.next)
        };
        if number == self.next {
            self.next += 1;
        }
        number
    }

    /// The number of households so far.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.next
    }

    /// The number of people whose cells were all blank.
    #[must_use]
    pub fn blank(&self) -> u32 {
        self.blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_not_run_together() {
        let mut households = Households::default();
        assert_eq!(households.number(["ab", "c"]), 0);
        assert_eq!(households.number(["a", "bc"]), 1);
        assert_eq!(households.number(["", "abc"]), 2);
        assert_eq!(households.number(["AB", " C "]), 0);
        assert_eq!((households.count(), households.blank()), (3, 0));
    }

    #[test]
    fn letters_beyond_ascii_are_folded_too() {
        let mut households = Households::default();
        assert_eq!(households.number(["ÉGLISE 1"]), 0);
        assert_eq!(households.number(["église 1"]), 0);
        assert_eq!(households.number([" "]), 1);
        assert_eq!((households.count(), households.blank()), (2, 1));
    }
}
