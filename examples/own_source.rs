//! People from a source of one's own, which a config names and sets up.
//!
//! `cargo run --release --example own_source`

use std::{error::Error, sync::Arc};

use kleroterion::prelude::*;

/// People who come in turn: one of each value, over and over.
struct Turns(Arc<Schema>, u64);

#[async_trait::async_trait]
impl Source for Turns {
    async fn next(&mut self, persons: usize) -> Result<Option<Batch>, FeedError> {
        let mut batch = Batch::new(Arc::clone(&self.0), self.1 + 1, self.1);
        for _ in 0..persons.max(1) {
            let value = (self.1 % 2) as u16;
            let persons = batch.persons_mut();
            persons.push(u32::from(value), &[value], &[], None);
            batch.close_round();
            self.1 += 1;
        }
        Ok(Some(batch))
    }
}

/// The shares of those whom a policy accepts that accepts everyone.
pub fn shares() -> Result<String, Box<dyn Error>> {
    let kind = SourceKind::new("turns", "people in turn, of two values", |_, _| {
        let (name, values) = ("turn".into(), vec!["first".into(), "second".into()]);
        let schema = Schema::new(vec![Attribute { name, values }], vec![], false);
        let schema = Arc::new(schema.ok()?);
        let of = Arc::clone(&schema);
        let source = move |_: Key| Box::new(Turns(Arc::clone(&of), 0)) as Box<dyn Source>;
        Some(World::new(schema, Known::default(), Arc::new(source)))
    });
    let config = "source = { type = 'turns' }\nrules = { choose = 'any', until = { rounds = 9 } }\n\
                  policy = [{ label = 'all', kind = 'accept_all' }]\nreplications = 2";
    let registry = Registry::default().source(kind)?;
    let request = JobRequest::text("turns.toml", config, ".").with_registry(registry);
    let finished = Job::load(request)?.play(&JobWatch::default())?;
    let all = &finished.runs[0].summary.policies["all"].metrics;
    Ok(format!("{:.3} first\n", all["share.first"].mean))
}

#[allow(dead_code, reason = "tests print the shares themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", shares()?);
    Ok(())
}
