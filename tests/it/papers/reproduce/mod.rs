//! `klero reproduce`: every study in its quick form through the binary, and what is said of wrong
//! requests.

mod expected;
mod people;
mod requests;
mod studies;
