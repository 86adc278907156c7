//! A live run: a stream from outside, written to a journal as it comes and played by the lanes.

mod answerer;
mod bad;
mod clock;
pub mod elsewhere;
mod error;
pub mod glance;
mod hooks;
pub mod notes;
mod opening;
mod options;
pub mod paced;
mod past;
pub mod recorder;
mod refusals;
mod rounds;
pub mod session;
mod settled;
pub mod stream;

pub use error::RecorderError;

#[cfg(test)]
mod tests {
    mod simulated;
}
