//! Integration tests, one binary.

mod cli;
mod config_errors;
