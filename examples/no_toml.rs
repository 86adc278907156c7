//! A run without TOML: a plan put together in a program, with a policy that is an object.
//!
//! `cargo run --release --example no_toml`

use std::error::Error;

use kleroterion::prelude::*;

/// Accepts each candidate with one probability, by lot.
#[derive(Clone)]
struct Lot(f64);

impl Policy for Lot {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        Move::decide(view.draw().uniform() < self.0)
    }
}

/// The answer of the run.
pub fn answer() -> Result<String, Box<dyn Error>> {
    let plan = Plan::builder()
        .name("by lot")
        .seed(1)
        .replications(200)
        .source("categorical", |keys| {
            keys.set("shares.gender.F", 0.3).set("shares.gender.M", 0.7)
        })
        .target(|keys| keys.set("gender.F", 0.5).set("gender.M", 0.5))
        .rules(|keys| keys.set("choose", "at_most_one").set("until.accepted", 40))
        .policy("queue", "virtual_queue", |keys| keys)
        .own_policy("lot", Box::new(Blind(Lot(0.5))))
        .judge(["representation_loss"])
        .baseline("lot")
        .build()?;
    let result = run(&plan, &Settings::default(), |_| Ok(()))?;
    let summary = Summary::of(&result, &plan.judge);
    let pair = &summary.pairs[0];
    Ok(format!(
        "{} is {} than {}\n",
        pair.a,
        pair.verdict.word(),
        pair.b
    ))
}

#[allow(dead_code, reason = "tests print the answer themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", answer()?);
    Ok(())
}
