//! Integration tests, one binary.

mod arena;
mod doubles;
mod referee;
