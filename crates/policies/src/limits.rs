//! The bounds of tables and of work: what is larger is computed another way, or refused.

// Committees

/// The most cells of a product law that are gone through one by one.
pub const MOST_VISITED_CELLS: u32 = 1 << 20;

/// The most cells for which probabilities are looked up in a table rather than multiplied.
pub const MOST_LOOKED_UP_CELLS: u32 = 1 << 16;

/// The most respondents of a forecast over a list of people, because more take too long.
pub const MOST_RESPONDENTS: usize = 5_000;

/// The most steps of a forecast over slates, because more take too long.
pub const MOST_SLATE_STEPS: u64 = 200_000_000;

/// The most cells of a program, so that tables over all of them stay below 128 MB.
pub const MOST_TABLE_CELLS: usize = 1 << 24;

/// The most values of all attributes of a program, because the fits factor matrices with a row for
/// each.
pub const MOST_VALUES: usize = 2_048;

// Cohorts

/// The most groups that several attributes may make, because each interview goes through all of
/// them.
pub const MOST_GROUPS: u64 = 4096;

// Pools

/// The most products in a full sweep, because more would take minutes. For what they come to in
/// all see [`MOST_WORK`].
pub const MOST_PRODUCTS: f64 = 4e8;

/// The most probabilities of a problem, because more would take a gigabyte.
pub const MOST_PROBABILITIES: f64 = 6e7;

/// The most products in all, because more would take minutes. This bounds work and not time, so
/// that what can be solved does not depend on the machine.
pub const MOST_WORK: f64 = 2e10;

/// The most changes of choices from round to round, because more would take half a gigabyte.
pub const MOST_CHANGES: usize = 20_000_000;

/// The most applicants a round for which more than the limit of large N is reported.
pub const MOST_APPLICANTS: u32 = 20_000;

/// The largest n for which the expectations of order statistics are kept, all of an n together. Of
/// a larger n each is integrated on request, in some 10 microseconds.
pub const MOST_TABULATED: u32 = 1_000;
