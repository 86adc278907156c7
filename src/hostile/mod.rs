//! What comes from outside, given any bytes: what `fuzz/` runs, and the tests with mutated examples.
//!
//! A target takes any bytes. It panics where the program must not do what it did. Each room keeps
//! its own, in a file `hostile.rs`.

mod configs;
#[cfg(test)]
mod mutation;
#[cfg(test)]
mod tests;

/// A place where bytes come in from outside.
#[derive(Clone, Copy, Debug)]
pub struct HostileTarget {
    /// Its name: that of its file in `fuzz/fuzz_targets` and of its folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Gives it bytes.
    pub eat: fn(&[u8]),
    /// How many of a thousand inputs of the tests it takes: cheap targets take more.
    pub share: u32,
}

/// All of them.
pub const TARGETS: [HostileTarget; 9] = [
    target("config", configs::config, 10),
    target("json", crate::feed::hostile::json, 339),
    target("csv", crate::feed::hostile::csv, 200),
    target("events", crate::feed::hostile::events, 150),
    target("tape", crate::feed::hostile::tape, 60),
    target("seat", crate::seat::hostile::seat, 160),
    target("entry", crate::journal::hostile::entry, 50),
    target("journal", crate::journal::hostile::journal, 1),
    target("http", crate::web::hostile::http, 30),
];

const fn target(name: &'static str, eat: fn(&[u8]), share: u32) -> HostileTarget {
    HostileTarget { name, eat, share }
}

/// Gives bytes to the target of this name.
///
/// # Panics
/// Where there is none, or where the target finds a fault.
pub fn eat(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.unwrap_or_else(|| panic!("there is no target {name}"));
    (target.eat)(bytes);
}
