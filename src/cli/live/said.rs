//! Messages for the user of a live run: unplayed records, and the addresses on which it listens.

use std::net::SocketAddr;
use std::path::Path;

use super::super::show;
use kleroterion::feed::FeedSpec;
use kleroterion::live::session::{Listening, LiveResult};

/// The reasons of the first refusals, without the records' words, and the remedy if all records
/// look like another codec's.
pub fn refusals(played: &LiveResult, feed: &FeedSpec) -> Vec<String> {
    let reasons = played.first_refused.reasons.iter();
    let reason = |(line, why): &(u64, String)| format!("line {line} was refused: {why}");
    let mut told: Vec<String> = reasons.map(reason).collect();
    let other = played.first_refused.other_codec(feed.reading.codec());
    if let Some(other) = other.filter(|_| played.read_nobody()) {
        let looks = match other {
            "csv" => "rows of separated text: read them with",
            _ => "JSON objects: read them with",
        };
        told.push(format!(
            "all records look like {looks} --set 'source.decoding.codec=\"{other}\"'"
        ));
    }
    told
}

/// The place where the refused records of a run are kept, as text.
pub fn kept_in(folder: &Path) -> String {
    format!(" (see {})", folder.join("bad.ndjson").display())
}

/// The numbers of records that came and were not played, as a sentence; `None` without any. `place`
/// says where refused records are kept.
pub fn left_out(played: &LiveResult, place: &str) -> Option<String> {
    let all = [
        (
            played.refused,
            ["record", "records"],
            format!("refused{place}"),
        ),
        (
            played.left_out,
            ["record", "records"],
            "left out by `where`".into(),
        ),
        (played.duplicates, ["repeat", "repeats"], "dropped".into()),
    ];
    let some = all.into_iter().filter(|(n, ..)| *n > 0);
    let told = some.map(|(n, words, what)| format!("{n} {} {what}", words[usize::from(n != 1)]));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Prints the addresses on which a live run listens, and the persons who are played again first.
/// `wanted` is the board's address in the config.
pub(super) fn say_where(listening: &Listening, wanted: SocketAddr, quiet: bool) {
    if quiet {
        return;
    }
    if let Some(address) = listening.feed {
        show::say(&format!("feed: {address}"));
    }
    if let Some(address) = listening.board {
        show::say(&format!("board: http://{address}"));
        if wanted.port() != 0 && wanted.port() != address.port() {
            show::say(&format!("note: {wanted} is in use by another program"));
        }
    }
    if listening.persons > 0 {
        let people = match listening.persons {
            1 => "1 person".to_owned(),
            many => format!("{many} people"),
        };
        show::say(&format!(
            "note: the journal has {people}, who are played again first"
        ));
    }
}
