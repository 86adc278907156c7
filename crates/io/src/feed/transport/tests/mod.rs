//! Helpers for the tests of feeds.

pub(in crate::feed) mod doubles;
