//! Odd input.
