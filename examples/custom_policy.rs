//! A policy of one's own, head to head with built-in ones on the same people.
//!
//! `cargo run --release --example custom_policy`

use kleroterion::arena::Blind;
use kleroterion::compare::Summary;
use kleroterion::config::{Document, PlanBuilder};
use kleroterion::policy::Policy;
use kleroterion::presets::PRESETS;
use kleroterion::protocol::{Move, View};
use kleroterion::report::medium::Medium;
use kleroterion::report::table::table;
use kleroterion::run::{Settings, run};

/// Accepts everybody until half the places are taken, and then only whoever has a value of which
/// the committee has fewer than one in four.
#[derive(Clone, Default)]
struct SecondThoughts {
    members: u32,
    /// Members by (attribute, value).
    counts: std::collections::BTreeMap<(usize, u16), u32>,
}

impl Policy for SecondThoughts {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        let values = view.candidate(0).values();
        let rare =
            |(i, &v): (usize, &u16)| 4 * self.counts.get(&(i, v)).unwrap_or(&0) < self.members;
        let accept = u64::from(self.members) <= view.places_left().unwrap_or(0)
            || values.iter().enumerate().any(rare);
        if accept {
            self.members += 1;
            for place in values.iter().copied().enumerate() {
                *self.counts.entry(place).or_default() += 1;
            }
        }
        Move::decide(accept)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let document = Document::parse(PRESETS[0].text)?;
    let plan = PlanBuilder::of(document)
        .own_policy(
            "second thoughts",
            Box::new(Blind(SecondThoughts::default())),
        )
        .build()?;
    let result = run(&plan, &Settings::default(), |_| Ok(()))?;
    let summary = Summary::of(&result, &plan.judge);
    print!(
        "{}",
        table(&result, &summary, &plan.judge, false, &Medium::default())
    );
    Ok(())
}
