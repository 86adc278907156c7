//! The real arena, with scripted doubles around it.

mod answers;
mod backpressure;
mod chance;
mod endings;
mod households;
mod interviews;
mod mixture;
mod offers;
mod oracles;
mod outcomes;
mod outside;
mod panics;
mod pools;
mod referee;
mod seasons;
mod slots;
