//! People and lanes over NATS JetStream, with real servers.

#[cfg(feature = "nats")]
mod carried;
#[cfg(feature = "nats")]
mod feed;
#[cfg(feature = "nats")]
mod joins;
#[cfg(feature = "nats")]
mod lag;
#[cfg(feature = "nats")]
mod lanes;
#[cfg(feature = "nats")]
mod measured;
#[cfg(feature = "nats")]
mod own;
#[cfg(feature = "nats")]
mod promise;
#[cfg(feature = "nats")]
mod refused;
#[cfg(feature = "nats")]
mod secrets;
#[cfg(feature = "nats")]
pub mod server;

/// Without the feature a config is refused kindly, whatever else is wrong with it.
#[cfg(not(feature = "nats"))]
#[test]
fn a_program_without_nats_says_how_to_get_one() {
    use crate::support::process::Place;
    use crate::support::wants::skip;

    let place = Place::new();
    place.write(
        "nats.toml",
        &crate::live::people::config(
            "type = \"nats\"\nstream = \"PEOPLE\"\ndurable = \"run1\"",
            "",
            "",
        ),
    );
    let (code, _, stderr) = place.run(&["check", "nats.toml"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("built without NATS"), "{stderr}");
    assert!(stderr.contains("--features nats"), "{stderr}");
    skip("nats", "this build has no feature `nats`");
}
