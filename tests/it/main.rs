//! Integration tests, one binary.

mod papers;
mod support;
mod tidy;
