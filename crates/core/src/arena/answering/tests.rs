//! A feedback task whose lane is a hand: what it asks outside, and when it ends.

use std::sync::Mutex;

use super::super::by_hand::{batch, key};
use super::*;

/// The words of a reason, and the people that each names.
type Named = Vec<(String, Vec<String>)>;

/// The questions that an answerer heard, and the number of farewells.
#[derive(Default)]
struct Heard {
    asked: Vec<(u64, Vec<(u64, u64)>)>,
    /// The number of applicants that came with each, and the people whom its reason names.
    slates: Vec<(usize, Named)>,
    farewells: usize,
}

/// Answers each question with the person's number; fails in round 9, and in round 8 it has no
/// answers.
struct Clerk(Arc<Mutex<Heard>>);

#[async_trait::async_trait]
impl Answerer for Clerk {
    async fn answer(&mut self, asking: Asking) -> Result<Vec<Option<f64>>, AnswerFailure> {
        let questions = asking.questions.iter();
        let asked = questions.clone().map(|one| (one.person, one.nth)).collect();
        let mut heard = self.0.lock().unwrap();
        heard.asked.push((asking.round, asked));
        heard.slates.push((asking.applicants.len(), asking.cohorts));
        drop(heard);
        match asking.round {
            9 => Err(AnswerFailure::Fails("on strike".into())),
            8 => Ok(vec![]),
            _ => Ok(questions.map(|one| Some(one.person as f64)).collect()),
        }
    }

    async fn farewell(&mut self) {
        self.0.lock().unwrap().farewells += 1;
    }
}

/// A task with a clerk outside, the lane's end, and what the clerk has heard.
fn task() -> (impl Future<Output = ()>, FeedbackPort, Arc<Mutex<Heard>>) {
    let heard: Arc<Mutex<Heard>> = Arc::default();
    let clerk = Arc::clone(&heard);
    let maker: AnswererMaker = Arc::new(move |_| Box::new(Clerk(Arc::clone(&clerk))));
    let (port, (asked, answers)) = channels();
    (
        answering_task(Some(maker), key(), asked, answers),
        port,
        heard,
    )
}

/// Asks for interviews of this kind with people who answer outside.
fn looks(round: u64, of: &[(u32, usize)]) -> ToFeedback {
    let mut batch = batch(&[3]);
    batch.seal_looks(SealedAnswers::Outside);
    let query = |&(row, kind): &(u32, usize)| Query {
        row,
        probe: Probe::Interview {
            kind,
            gain: 1.0,
            nth: 0,
        },
    };
    ToFeedback {
        batch: Arc::new(batch),
        round,
        questions: Questions {
            queries: of.iter().map(query).collect(),
            answers: vec![None],
            ..Questions::default()
        },
    }
}

/// The number of interviews of a kind that a lane had with a person before, in this round alone.
#[tokio::test]
async fn who_answers_outside_hears_how_often_a_round_asked_the_same() {
    let (task, mut port, heard) = task();
    let lane = async move {
        let mut answers = Vec::new();
        for (round, of) in [
            (1, &[(0, 0), (2, 0), (0, 0)][..]),
            (1, &[(0, 1), (0, 0)]),
            (2, &[(0, 0), (2, 0)]),
        ] {
            port.ask.send(looks(round, of)).await.expect("it asks on");
            let answered = port.answers.recv().await.expect("it answers");
            answers.push(answered.expect("it has answers").answers);
        }
        answers
    };
    let ((), answers) = tokio::join!(task, lane);
    let heard = heard.lock().unwrap();
    let known = [
        (1, vec![(0, 0), (2, 0), (0, 1)]),
        (1, vec![(0, 0), (0, 2)]),
        (2, vec![(0, 0), (2, 0)]),
    ];
    assert_eq!((&heard.asked[..], heard.farewells), (&known[..], 1));
    assert_eq!(answers[0], [Some(0.0), Some(2.0), Some(0.0)]);
    assert_eq!(answers[2], [Some(0.0), Some(2.0)]);
}

/// All who apply come with the first questions of a round, and those whom a reason names by their
/// ids.
#[tokio::test]
async fn who_answers_outside_hears_who_applies_and_whom_the_policy_would_choose() {
    let (task, mut port, heard) = task();
    let lane = async move {
        for row in [0, 1] {
            let mut asked = looks(1, &[(row, 0)]);
            let why = LookReason::of([("gap", 0.5)]).naming("m", vec![1, 2, 9]);
            asked.questions.why = Some(why);
            port.ask.send(asked).await.expect("it asks on");
            let answered = port.answers.recv().await.expect("it answers");
            assert!(answered.expect("it has answers").why.is_none());
        }
    };
    tokio::join!(task, lane);
    let named = || vec![("m".to_owned(), vec!["1".to_owned(), "2".to_owned()])];
    assert_eq!(heard.lock().unwrap().slates, [(3, named()), (0, named())]);
}

/// It does not wait for the lane, which has its reason to end, nor for another question.
#[tokio::test]
async fn who_can_not_answer_is_asked_no_more() {
    for (round, words) in [(9, "on strike"), (8, "0 answers came for 1 questions")] {
        let (task, mut port, heard) = task();
        port.ask
            .send(looks(round, &[(1, 0)]))
            .await
            .expect("there is room");
        let mut task = Box::pin(task);
        let ended = std::future::poll_fn(|context| {
            std::task::Poll::Ready(task.as_mut().poll(context).is_ready())
        });
        assert!(ended.await);
        assert_eq!(heard.lock().unwrap().farewells, 1);
        let answered = port.answers.recv().await.expect("it says why");
        assert_eq!(answered.err(), Some(AnswerFailure::Fails(words.into())));
    }
}
