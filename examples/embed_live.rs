//! A live run in a program: people go from it through a channel, and decisions come back.
//!
//! `cargo run --release --example embed_live`, which writes the folder `desk`

use std::{error::Error, path::Path, sync::mpsc, thread};

use kleroterion::feed::memory_feed;
use kleroterion::jobs::{LiveHooks, LiveJob, LiveOptions};
use kleroterion::prelude::*;

const CONFIG: &str = r#"
source = { type = "memory", id = "id", attributes = { area = { column = "area", values = { town = "town", country = "country" } } } }
target = { area = { town = 0.5, country = 0.5 } }
rules = { choose = "at_most_one", until = { accepted = 3 } }
live = { acting = "queue" }
policy = [{ label = "queue", kind = "virtual_queue" }, { label = "all", kind = "accept_all" }]
"#;
const PEOPLE: [&str; 6] = ["town", "town", "town", "country", "country", "country"];

/// Returns the decisions that count, in a run whose folder is new.
pub fn decisions(folder: &Path) -> Result<String, Box<dyn Error>> {
    let (people, feed) = memory_feed(16);
    let (watch, watched) = mpsc::sync_channel(1);
    let hooks = LiveHooks {
        watching: Box::new(move |run| drop(watch.send(run))),
        ..LiveHooks::default()
    };
    // This program's own part: it sends a person, and hears what the acting policy decides.
    let desk = thread::spawn(move || {
        let mut decisions = watched.recv().ok()?.follow(None).blocking().ok()?;
        let decided = PEOPLE.iter().enumerate().map_while(|(id, area)| {
            let _fate = people.send_blocking(format!(r#"{{"id": "{id}", "area": "{area}"}}"#))?;
            let decision = decisions.find(|one| one.acts)?;
            let word = ["no", "yes"][decision.slots.len()];
            Some(format!("{id}, {area}: {word}\n"))
        });
        Some(decided.collect::<String>())
    });
    let mut request = JobRequest::text("desk.toml", CONFIG, ".");
    request.inputs = request.inputs.with_feed(feed);
    LiveJob::load(request, folder, false, LiveOptions::default())?
        .play(&JobWatch::default(), hooks)?;
    Ok(desk.join().ok().flatten().unwrap_or_default())
}

#[allow(dead_code, reason = "tests name the folder themselves")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", decisions(Path::new("desk"))?);
    Ok(())
}
