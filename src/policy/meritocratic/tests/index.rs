//! The fast index against counting.
