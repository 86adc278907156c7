//! `klero fit`: what it finds in files, and what it says of wrong ones.

mod looks;
mod newton;
mod scores;
mod scores_of_papers;
mod scores_wrong;
mod wrong;
