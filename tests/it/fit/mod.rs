//! `klero fit looks`: what it finds in files of reviews, and what it says of wrong ones.

mod looks;
mod wrong;
