//! Killed again and again while people come: none is lost, none comes twice, and the result is the
//! same.

use std::time::Duration;

use super::people::{HTTP, config, lines, people};
use crate::support::long;
use crate::support::process::{Place, ask, live, post, same};

const MANY: usize = 1200;

#[test]
fn killed_at_any_moment_it_goes_on_with_all_that_was_acknowledged() {
    let place = Place::new();
    // One more than there are: no lane is ever over.
    let until = format!("until = {{ rounds = {} }}", MANY + 1);
    place.write("http.toml", &config(HTTP, &until, ""));
    let people = people(MANY);
    let mut run = place.start(&live("whole"));
    post(run.feed(), "/v1/candidates", &lines(&people));
    assert_eq!(run.stop().0, Some(130));

    // Two kills each: 200, in the long form 2,400.
    let each = if long() > 1 { 1 } else { 12 };
    let mut run = place.start(&live("killed"));
    for (n, part) in people.chunks(each).enumerate() {
        let address = run.feed();
        // Sent without waiting for the answer: it may be taken or not, in part or whole.
        let body = lines(part);
        let sender = std::thread::spawn(move || {
            std::panic::catch_unwind(|| ask(address, "POST", "/v1/candidates", &body))
        });
        std::thread::sleep(Duration::from_micros((n as u64 * 977) % 6000));
        run.kill();
        drop(sender.join());
        run = place.start(&["resume", "killed"]);
        // Who did not hear sends once more.
        let address = run.feed();
        let answer = post(address, "/v1/candidates", &lines(part));
        let (new, old) = (&answer["accepted"], &answer["duplicates"]);
        let both = new.as_u64().zip(old.as_u64()).map(|(a, b)| a + b);
        assert_eq!(both, Some(part.len() as u64));
        run.kill();
        run = place.start(&["resume", "killed"]);
    }
    // Once it listens it hears an interrupt.
    run.feed();
    assert_eq!(run.stop().0, Some(130));
    same(&place, "whole", "killed");
}
