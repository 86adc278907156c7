//! Integration tests, one binary.

mod cli;
mod config_errors;
mod papers;
mod support;
mod tidy;
