//! The people of a config as a stream: batches come by `StreamExt` until enough of a group came.
//!
//! `cargo run --release --example streams`

use std::path::Path;

use kleroterion::arena::batches;
use kleroterion::config::{Document, check};
use kleroterion::draw::Key;
use kleroterion::protocol::Batch;
use kleroterion::source::FeedError;
use tokio_stream::StreamExt;

const WORLD: &str = r#"
seed = 7
[source]
type = "people"
shares = { gender = { F = 0.5, M = 0.5 }, degree = { yes = 0.3, no = 0.7 } }
score = { law = "beta", a = 2.0, b = 3.0 }
arrivals = { poisson = "10/min" }
[rules]
slate = 10
choose = "any"
until = { rounds = 1000 }
[[policy]]
label = "all"
kind = "accept_all"
"#;

/// The number of rounds until `wanted` people with a degree came, and the time that takes in
/// seconds.
pub async fn waits(wanted: usize) -> Result<(u64, f64), Box<dyn std::error::Error>> {
    let plan = check(&Document::parse(WORLD)?, Path::new("."))?;
    let degree = plan.world.schema.attribute("degree").ok_or("no degree")?;
    let source = (plan.world.source)(Key::new(plan.seed, 0));
    let mut came = 0;
    // A batch of one person is one round.
    let mut enough = batches(source, 1).filter_map(|batch: Result<Batch, FeedError>| {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => return Some(Err(error)),
        };
        let people = (0..batch.persons().len() as u32).map(|row| batch.persons().shown(row));
        let last = people.clone().next_back()?.arrival()?;
        came += people.filter(|one| one.values()[degree] == 0).count();
        (came >= wanted).then(|| Ok((batch.round_number(0), last)))
    });
    Ok(enough.next().await.ok_or("the stream ended")??)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let (rounds, seconds) = runtime.block_on(waits(100))?;
    println!("100 people with a degree: {rounds} rounds, {seconds:.0} s");
    Ok(())
}
