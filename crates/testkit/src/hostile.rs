//! Hostile input: a target takes any bytes, and panics where the program must not do what it did.
//!
//! The targets lie in files `hostile.rs` of their rooms. The programs of `fuzz/` give them bytes as
//! well.

use std::fs;

use proptest::test_runner::{Config, TestError, TestRunner};

use crate::mutation::{examples, inputs};

/// Gives a target its `thousandths` of a million inputs, or of a hundred million in the long form
/// (`KLERO_LONG`). A build without optimisation takes a fiftieth. The inputs are changed examples
/// of `fuzz/corpus/NAME` and of another folder of the project.
///
/// # Panics
/// Panics if the target finds a fault.
pub fn feed(name: &str, thousandths: u32, more: Option<&str>, eat: impl Fn(&[u8])) {
    let mut all = examples(&format!("fuzz/corpus/{name}"));
    all.extend(more.into_iter().flat_map(examples));
    all.iter().for_each(|example| eat(example));
    let mut runner = TestRunner::new(Config {
        cases: thousandths * thousands(),
        failure_persistence: None,
        ..Config::default()
    });
    let ran = runner.run(&inputs(all), |bytes| {
        eat(&bytes);
        Ok(())
    });
    match ran {
        Ok(()) => {}
        Err(TestError::Fail(why, bytes)) => {
            let (file, bytes) = (kept(name, &bytes), bytes.escape_ascii().to_string());
            let bytes: String = bytes.chars().take(2000).collect();
            panic!("{name}: {why}\nthe input, whole in {file}: {bytes}");
        }
        Err(abort) => panic!("{name}: {abort}"),
    }
}

fn thousands() -> u32 {
    match (std::env::var_os("KLERO_LONG"), cfg!(debug_assertions)) {
        (Some(_), _) => 100_000,
        (None, false) => 1000,
        (None, true) => 20,
    }
}

/// Writes the input that a target failed at into a file of its own, and says which.
fn kept(name: &str, bytes: &[u8]) -> String {
    let file = std::env::temp_dir().join(format!("klero-hostile-{name}"));
    let written = fs::write(&file, bytes);
    written.map_or_else(|error| error.to_string(), |()| file.display().to_string())
}
