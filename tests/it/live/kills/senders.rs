//! Those who send to a run that may be killed at any moment, and what is acknowledged to them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::settings::{SLATE, Setting};
use crate::live::interviews::kit;
use crate::live::people::lines;
use crate::support::process::try_ask_with;

/// What was acknowledged to senders, in all lives of a run.
#[derive(Default)]
pub struct Acknowledged {
    /// The ids of people who were acknowledged.
    pub people: BTreeSet<String>,
    /// What became of a person, by policy, in answers.
    pub answers: BTreeMap<(String, String), String>,
    /// Decisions that a follower saw, as lines of `decisions.ndjson`.
    pub events: BTreeSet<String>,
    /// Whose outcomes were acknowledged.
    pub outcomes: BTreeSet<String>,
    /// Interviews whose answers were acknowledged: the candidate, the kind, the number.
    pub looks: BTreeSet<(String, String, u64)>,
    /// Rounds whose slates were closed.
    pub slates: BTreeSet<usize>,
}

impl Acknowledged {
    /// Takes in a decision that was shown: it never changes.
    fn decided(&mut self, id: &str, policy: &str, decision: &Value) {
        if let Some(word) = decision.as_str() {
            let at = (id.to_owned(), policy.to_owned());
            let before = self.answers.insert(at, word.to_owned());
            let before = before.as_deref().unwrap_or(word);
            assert_eq!(before, word, "{policy} decided otherwise about {id} before");
        }
    }
}

/// One life of a run, as its senders know it.
pub struct Sending<'a> {
    pub setting: Setting,
    pub address: SocketAddr,
    /// The people who have come so far, a line each.
    pub people: &'a [String],
    pub acknowledged: &'a Mutex<Acknowledged>,
    /// Nothing more is to be answered.
    pub is_over: &'a AtomicBool,
}

/// The id in a line of a person.
fn id(person: &str) -> String {
    let person: Value = serde_json::from_str(person).expect("JSON");
    person["id"].as_str().expect("an id").to_owned()
}

impl Sending<'_> {
    fn acknowledged(&self) -> MutexGuard<'_, Acknowledged> {
        self.acknowledged.lock().expect("no sender panics")
    }

    /// Sends what was not acknowledged; an error where the run is killed.
    pub fn send(&self) -> io::Result<()> {
        match self.setting {
            Setting::Native | Setting::Fallback | Setting::Committee => thread::scope(|scope| {
                let halves = [0, 1].map(|half| scope.spawn(move || self.ask_for(half)));
                let sent = halves.map(|half| half.join().expect("no sender panics"));
                sent.into_iter().collect()
            }),
            Setting::Shadows => self.people.chunks(4).try_for_each(|some| {
                let ids: BTreeSet<_> = some.iter().map(|person| id(person)).collect();
                if !ids.is_subset(&self.acknowledged().people) {
                    self.post("/v1/candidates", &lines(some))?;
                    self.acknowledged().people.extend(ids);
                }
                Ok(())
            }),
            Setting::Interviews => self.fill_slates(),
        }
    }

    /// Posts something until it is taken; none where the run is over, or it comes too late.
    fn post(&self, path: &str, body: &str) -> io::Result<Option<Value>> {
        loop {
            let json = "content-type: application/json\r\n";
            let (status, answer) = try_ask_with(self.address, "POST", path, json, body)?;
            match status {
                200..300 => {
                    let cut = |_| io::Error::from(io::ErrorKind::UnexpectedEof);
                    return serde_json::from_str(&answer).map(Some).map_err(cut);
                }
                // It comes too late, for the horizon or for all lanes.
                409 if ["/v1/outcomes", "/v1/looks"].contains(&path) => return Ok(None),
                410 => return Ok(None),
                429 | 503 => thread::sleep(Duration::from_millis(5)),
                _ => panic!("{path} {body}: {status}: {answer}"),
            }
        }
    }

    /// Asks for the decisions on half the people, and reports what became of them.
    fn ask_for(&self, half: usize) -> io::Result<()> {
        for person in self.people.iter().skip(half).step_by(2) {
            let id = id(person);
            if !self.acknowledged().people.contains(&id)
                && let Some(answer) = self.post("/v1/decisions", person)?
            {
                let acknowledged = &mut self.acknowledged();
                if let Some(acting) = answer["acting"].as_str() {
                    acknowledged.decided(&id, acting, &answer["decision"]);
                }
                for (policy, of) in answer["policies"].as_object().expect("policies") {
                    acknowledged.decided(&id, policy, &of["decision"]);
                }
                acknowledged.people.insert(id.clone());
            }
            let is_due = |acknowledged: &Acknowledged| {
                acknowledged.people.contains(&id) && !acknowledged.outcomes.contains(&id)
            };
            if self.setting == Setting::Committee && is_due(&self.acknowledged()) {
                let outcome = format!("{{\"candidate_id\":\"{id}\",\"outcome\":{}}}", id.len());
                if self.post("/v1/outcomes", &outcome)?.is_some() {
                    self.acknowledged().outcomes.insert(id);
                }
            }
        }
        Ok(())
    }

    /// Sends the people of each slate, and closes it.
    fn fill_slates(&self) -> io::Result<()> {
        for (slate, people) in self.people.chunks_exact(SLATE).enumerate() {
            let round = slate + 1;
            if self.acknowledged().slates.contains(&round) {
                continue;
            }
            self.post("/v1/candidates", &lines(people))?;
            let ids = people.iter().map(|person| id(person));
            self.acknowledged().people.extend(ids);
            self.post("/v1/slates", &format!("{{\"round\":{round}}}"))?;
            self.acknowledged().slates.insert(round);
        }
        Ok(())
    }

    /// Holds the interviews that are wanted until the run is over or killed.
    pub fn interview(&self) -> io::Result<()> {
        while self.setting == Setting::Interviews && !self.is_over.load(Ordering::Relaxed) {
            let (_, listed) = try_ask_with(self.address, "GET", "/v1/looks", "", "")?;
            let listed: Value = serde_json::from_str(&listed)?;
            let looks = listed["looks"].as_array().expect("a list");
            if looks.is_empty() {
                thread::sleep(Duration::from_millis(5));
            }
            for look in looks {
                let candidate = look["candidate"].as_str().expect("an id");
                let person = candidate[1..].parse().expect("a number");
                let nth = look["nth"].as_u64().expect("a number");
                let value = kit::answer(person, nth as usize - 1, kit::TWO);
                let kind = look["kind"].as_str().expect("a name");
                let answer = format!(
                    "{{\"candidate\":\"{candidate}\",\"kind\":\"{kind}\",\"nth\":{nth},\"value\":{value}}}"
                );
                if self.post("/v1/looks", &answer)?.is_some() {
                    let look = (candidate.to_owned(), kind.to_owned(), nth);
                    self.acknowledged().looks.insert(look);
                }
            }
        }
        Ok(())
    }

    /// Follows decisions as they are shown, until the run ends.
    pub fn follow(&self) -> io::Result<()> {
        let mut stream = TcpStream::connect(self.address)?;
        let request = format!(
            "GET /v1/decisions?from=0 HTTP/1.0\r\nhost: {}\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes())?;
        for line in BufReader::new(stream).split(b'\n') {
            let line = String::from_utf8(line?).expect("UTF-8");
            // What is cut off is no JSON, and a gap has no policy.
            if let Some(data) = line.strip_prefix("data: ")
                && serde_json::from_str::<Value>(data).is_ok_and(|data| data["policy"].is_string())
            {
                self.acknowledged().events.insert(data.to_owned());
            }
        }
        Ok(())
    }
}
