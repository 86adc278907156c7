//! An item that holds for all people, or one for those with each value of an attribute.

/// One item for all people, or one for each value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum ByValue<T> {
    /// The same item for all.
    All(T),
    /// An item for each value.
    Each {
        /// The attribute's place in the schema.
        attribute: usize,
        /// The items, in the order of the attribute's values.
        of: Vec<T>,
    },
}

impl<T> ByValue<T> {
    /// Returns the item for a person of these values.
    #[inline]
    #[must_use]
    pub fn of(&self, values: &[u16]) -> &T {
        match self {
            Self::All(thing) => thing,
            Self::Each { attribute, of } => &of[usize::from(values[*attribute])],
        }
    }

    /// All items, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        match self {
            Self::All(thing) => std::slice::from_ref(thing).iter(),
            Self::Each { of, .. } => of.iter(),
        }
    }

    /// Returns the item for each of `levels` values of an attribute. `None` if another attribute
    /// decides it.
    #[must_use]
    pub fn by_attribute(&self, attribute: usize, levels: usize) -> Option<Vec<&T>> {
        match self {
            Self::All(thing) => Some(vec![thing; levels]),
            Self::Each { attribute: by, of } => (*by == attribute).then(|| of.iter().collect()),
        }
    }

    /// Maps all items in order. `None` if `map` gives `None` for one.
    pub fn try_map<U>(self, mut map: impl FnMut(T) -> Option<U>) -> Option<ByValue<U>> {
        Some(match self {
            Self::All(thing) => ByValue::All(map(thing)?),
            Self::Each { attribute, of } => ByValue::Each {
                attribute,
                of: of.into_iter().map(map).collect::<Option<_>>()?,
            },
        })
    }
}
