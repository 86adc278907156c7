//! The whole program `klero` with a policy of one's own: every command knows it.
//!
//! `cargo run --release --example own_klero -- list policies`

use std::process::ExitCode;

use kleroterion::prelude::*;

/// Accepts each candidate with one probability, by lot.
#[derive(Clone)]
struct Lot(f64);

impl Policy for Lot {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        Move::decide(view.draw().uniform() < self.0)
    }
}

fn main() -> ExitCode {
    let lot = PolicyKind::new("lot", "accepts one in two, by lot", |_, _| Some(Lot(0.5)));
    let registry = Registry::default().policy(lot).expect("the name is free");
    kleroterion::cli::run_with(registry)
}
