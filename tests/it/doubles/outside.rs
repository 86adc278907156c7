//! A mind at the other end of the mail.

use async_trait::async_trait;
use kleroterion::arena::{Outside, SeatCandidate, SeatMove, SeatReply, SeatRequest};
use kleroterion::protocol::Ending;
use kleroterion::protocol::Stop;

use super::mind::{Deed, Diary, Event, Heard, Mind, Seen, Sight};

/// A mind outside: it builds its sight from the mail alone.
pub struct Afield {
    mind: Box<dyn Mind>,
    diary: Diary,
    sight: Option<Sight>,
}

impl Afield {
    pub fn new(mind: Box<dyn Mind>, diary: Diary) -> Self {
        Self {
            mind,
            diary,
            sight: None,
        }
    }

    fn read(&mut self, message: SeatRequest) {
        match message {
            SeatRequest::Slate {
                round,
                candidates,
                places,
                places_left,
                looks_left,
                money_left,
            } => {
                self.sight = Some(Sight {
                    round,
                    seen: candidates.into_iter().map(seen).collect(),
                    places,
                    places_left,
                    looks_left,
                    money_left,
                    answers: vec![],
                });
            }
            SeatRequest::Answers {
                round,
                answers,
                looks_left,
                money_left,
            } => {
                let sight = self.sight.as_mut().expect("a slate comes before answers");
                assert_eq!(sight.round, round);
                for (answer, gain) in answers
                    .iter()
                    .map(|answer| (answer, GAINS[answer.pull.kind]))
                {
                    sight.seen[answer.pull.slot as usize]
                        .file
                        .add(answer.value, gain);
                }
                (sight.looks_left, sight.money_left) = (looks_left, money_left);
                sight.answers = answers;
            }
            SeatRequest::Declined { round, person } => {
                let number = seen(person).number;
                self.diary.write(Event::Declined(round, number));
                self.mind.decline(round, number);
            }
            SeatRequest::Correction { .. } => unreachable!("no outcome here is told from outside"),
            SeatRequest::Outcome {
                decided,
                person,
                value,
            } => {
                let person = seen(person);
                let heard = Heard {
                    decided,
                    number: person.number,
                    group: person.group,
                    x: person.x,
                    score: person.score,
                    value,
                    p: None,
                };
                self.diary.write(Event::Heard(heard.clone()));
                assert_eq!(self.mind.learn(&heard), None, "no panics outside");
            }
        }
    }
}

/// The gains of the kinds of interview, which an outside policy knows from the rules.
pub const GAINS: [f64; 3] = [1.0, 2.0, 4.0];

fn seen(person: SeatCandidate) -> Seen {
    Seen {
        number: person.id.parse().unwrap(),
        group: person.values[0],
        x: person.features[0],
        score: person.score.unwrap(),
        file: person.file,
        merit: None,
    }
}

#[async_trait]
impl Outside for Afield {
    async fn answer(&mut self, mail: Vec<SeatRequest>) -> Result<SeatReply, Stop> {
        mail.into_iter().for_each(|message| self.read(message));
        let sight = self.sight.clone().expect("mail ends with a question");
        self.diary.write(Event::Saw(sight.clone()));
        let thought = self.mind.act(&sight, None);
        let owned = |notes: Vec<(&str, f64)>| {
            let notes = notes.into_iter();
            notes
                .map(|(name, value)| (name.to_owned(), value))
                .collect()
        };
        match thought.deed {
            Deed::Move(answer) => Ok(SeatReply::Move(SeatMove {
                answer,
                measures: owned(thought.measures),
                reason: owned(thought.reasons),
            })),
            Deed::Panic(words) => panic!("{words}"),
            Deed::Leave => Err(Ending::Left.into()),
        }
    }

    async fn farewell(&mut self, mail: Vec<SeatRequest>) {
        mail.into_iter().for_each(|message| self.read(message));
        self.diary.write(Event::Farewell);
    }
}
