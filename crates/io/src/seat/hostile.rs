//! Messages of a program, given any bytes.

use std::sync::LazyLock;

use super::decode::{Question, read_move, read_ready};
use super::wire::answering::FromAnswerer;
use super::wire::{FromProgram, Hello};
use super::words::ProgramWords;
use crate::record::outside;

/// A run that sells two kinds of interview.
static HELLO: LazyLock<Hello> = LazyLock::new(|| {
    let hello = r#"{
        "protocol": 1, "label": "ours", "seed": 7,
        "rules": {
            "slate": 4, "choose": {"at_most": 2}, "until": {"accepted": 9}, "max_rounds": null,
            "interviews": [
                {"name": "talk", "cost": 1, "gain": 1}, {"name": "test", "cost": 6, "gain": 5}
            ],
            "interview_cap": 8, "budget": 20, "run_budget": null, "outcomes": null,
            "quota": null, "enforce": false
        },
        "attributes": {"sex": ["male", "female"]}, "features": ["x"], "scored": false,
        "target": null, "target_quota": null, "known": {"law": null, "group": null, "look_noise": null, "outcome_noise": null}
    }"#;
    serde_json::from_str(hello).expect("it is a hello")
});

/// A line of a program: what it is refused with is one short line that moves no cursor.
pub fn seat(bytes: &[u8]) {
    let line = bytes
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    if let Err(error) = read_ready((1, line), ProgramWords::Shown) {
        harmless(&error);
    }
    if let Err(error) = read_move((1, line), &Question::default(), &HELLO, ProgramWords::Shown) {
        harmless(&error);
    }
    harmless(&ProgramWords::Shown.line(line));
    if let Ok(said) = outside::read::<FromProgram>(line) {
        let text = serde_json::to_string(&said).expect("it can be written");
        let again: FromProgram = serde_json::from_str(&text).expect("it can be read again");
        assert!(
            again == said,
            "a message says another thing when it is read again"
        );
    }
    let _ = outside::read::<FromAnswerer>(line);
}

#[track_caller]
fn harmless(error: &str) {
    assert!(!error.contains(char::is_control), "it moves a cursor");
    assert!(error.chars().count() < 1000, "it is long");
}

#[cfg(test)]
mod tests {
    use kleroterion_testkit::hostile::feed;

    #[test]
    fn any_message_of_a_program_is_read_or_refused() {
        feed("seat", 160, None, super::seat);
    }
}
