//! A policy of one's own as a kind that a config names, head to head with a built-in one.
//!
//! `cargo run --release --example own_policy`

use std::error::Error;

use kleroterion::prelude::*;

/// Accepts everybody until half the places are taken, and then whoever has a rare value.
#[derive(Clone, Default)]
struct Rare {
    members: u32,
    of_value: [u32; 2],
}

impl Policy for Rare {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let value = usize::from(view.candidate(0).values()[0]);
        let has_room = u64::from(self.members) <= view.places_left().unwrap_or(0);
        let accept = has_room || 2 * self.of_value[value] <= self.members;
        self.members += u32::from(accept);
        self.of_value[value] += u32::from(accept);
        Move::decide(accept)
    }
}

const CONFIG: &str = r#"
replications = 200
source = { type = "categorical", shares = { gender = { F = 0.3, M = 0.7 } } }
target = { gender = { F = 0.5, M = 0.5 } }
rules = { choose = "at_most_one", until = { accepted = 40 } }
policy = [{ label = "everybody", kind = "accept_all" }, { label = "ours", kind = "rare_values" }]
report = { judge = ["representation_loss"], baseline = "everybody" }
"#;

/// The table of the run.
pub fn table() -> Result<String, Box<dyn Error>> {
    let about = "accepts half, then rare values";
    let kind = PolicyKind::new("rare_values", about, |_, _| Some(Rare::default()));
    let registry = Registry::default().policy(kind)?;
    let request = JobRequest::text("own.toml", CONFIG, ".").with_registry(registry);
    let finished = Job::load(request)?.play(&JobWatch::default())?;
    Ok(finished.table(false, &Medium::default()))
}

#[allow(dead_code, reason = "tests print the table themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", table()?);
    Ok(())
}
