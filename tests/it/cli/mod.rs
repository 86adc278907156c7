//! The command line as users and scripts meet it: the real binary, in a folder of its own.

pub mod terminal;
