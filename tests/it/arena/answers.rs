//! The feedback task of a lane: who answers, in how many messages, and what comes of no answer.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use kleroterion::arena::{
    AnswerFailure, Answerer, AnswererMaker, Arena, ArenaError, Asking, Blind, Carrier,
    LOOKS_UNANSWERED, LaneSpec,
};
use kleroterion::draw::{Draw, Key};
use kleroterion::feedback::{AnsweredBy, Answers};
use kleroterion::policy::Policy;
use kleroterion::protocol::{
    Choose, Ending, Feedback, InterviewKind, Move, Outcome, Person, Probe, Pull, Pulls, Rules,
    Selection, Stop, Until, View,
};
use kleroterion::score::{Moments, OwnMeasures, Scoreboard, Spending};
use tokio::task::try_id;

use crate::doubles::{BATCHES, STAGES, Scripted, Stage, World};

type Ids = Arc<Mutex<BTreeSet<String>>>;

/// Writes down the task that runs this.
fn note(ids: &Ids) {
    ids.lock().unwrap().insert(format!("{:?}", try_id()));
}

/// The same answer to all, and the tasks in which it was asked.
#[derive(Default)]
struct Placed(Ids);

impl Feedback for Placed {
    fn answer(&self, _: Person<'_>, _: Probe, _: &mut Draw) -> f64 {
        note(&self.0);
        1.0
    }
}

/// Buys looks at the first two candidates and again at the first, in one move; then all looks that
/// are left, one at a time; then chooses the first.
#[derive(Clone, Default)]
struct Buyer {
    tasks: Ids,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Policy for Buyer {
    fn act(&mut self, view: &mut View<'_>) -> Move {
        note(&self.tasks);
        let answers = view.answers().iter();
        let answers: Vec<_> = answers.map(|one| (one.pull.slot, one.value)).collect();
        let (looks, money) = (view.looks_left(), view.money_left());
        let mut seen = self.seen.lock().unwrap();
        seen.push(format!(
            "round {} {answers:?} {looks} {money}",
            view.round()
        ));
        let looked: u32 = (0..view.slate().len()).map(|at| view.file(at).looks).sum();
        let pulls = match looked {
            _ if looks == 0 => {
                return Move::Select(Selection::of(kleroterion::protocol::Chosen::One(0)));
            }
            0 => [(0, 0), (1, 1), (0, 0)]
                .map(|(slot, kind)| Pull { slot, kind })
                .to_vec(),
            _ => vec![Pull { slot: 1, kind: 0 }],
        };
        Move::Interview(Pulls::Many(pulls))
    }

    fn learn(&mut self, outcome: &Outcome<'_>) {
        let seen = format!("outcome {} {}", outcome.decided(), outcome.value());
        self.seen.lock().unwrap().push(seen);
    }
}

/// Looks of two kinds, at most `looks` a round.
fn rules(looks: u64) -> Rules {
    let mut rules = Rules::new(Choose::Exactly(1), Until::Rounds(3));
    let kind = |name: &str, cost| InterviewKind {
        name: name.into(),
        cost,
        gain: 1.0.into(),
    };
    rules.interviews = vec![kind("weak", 1.0), kind("strong", 2.0)];
    rules.interview_cap = looks;
    rules
}

/// Plays two lanes; what their policies saw, the measure of unanswered looks and the stop of the
/// first.
fn play(
    stage: Stage,
    persons: usize,
    feedback: Answers,
    answerer: Option<AnswererMaker>,
    buyers: &[Buyer; 2],
) -> Result<(Option<f64>, Stop), ArenaError> {
    play_with(5, stage, persons, feedback, answerer, buyers)
}

/// The same, where a round sells `looks` looks.
fn play_with(
    looks: u64,
    stage: Stage,
    persons: usize,
    feedback: Answers,
    answerer: Option<AnswererMaker>,
    buyers: &[Buyer; 2],
) -> Result<(Option<f64>, Stop), ArenaError> {
    let prototypes = buyers.clone().map(Blind);
    let lanes = prototypes.iter().zip(["a", "b"]).map(|(prototype, label)| {
        let scorers: Vec<Box<dyn kleroterion::score::Scorer>> =
            vec![Box::<Spending>::default(), Box::<OwnMeasures>::default()];
        LaneSpec {
            label,
            rules: Arc::new(rules(looks)),
            prototype,
            pool: None,
            outside: None,
            answerer: answerer.clone(),
            scoreboard: Scoreboard::new(scorers, Moments::End),
            traced: false,
            itemised: false,
        }
    });
    let source = Scripted::new(World::of([3; 5]));
    let mut played = stage.play(Arena {
        key: Key::new(8, 0),
        interrupt: Arc::clone(&source.interrupt),
        source: Box::new(source),
        feedback,
        carrier: Carrier::Lane,
        lanes: lanes.collect(),
        persons,
    })?;
    let (board, stop) = played.lanes.swap_remove(0);
    let result = board.finish(stop.clone());
    let unanswered = result.rows().find(|row| *row.metric == *LOOKS_UNANSWERED);
    Ok((unanswered.map(|row| row.value), stop))
}

#[test]
fn generated_answers_are_opened_where_the_carrier_says() {
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let placed = Arc::new(Placed::default());
        let buyers = [Buyer::default(), Buyer::default()];
        let feedback = Answers::drawn(Arc::clone(&placed) as Arc<dyn Feedback>);
        let (_, stop) = play(stage, persons, feedback, None, &buyers).unwrap();
        assert_eq!(stop.ending, Ending::Capped);
        let asked = placed.0.lock().unwrap().clone();
        let acted: BTreeSet<_> = buyers
            .iter()
            .flat_map(|buyer| buyer.tasks.lock().unwrap().clone())
            .collect();
        assert_eq!((asked.len(), acted.len()), (2, 2), "{stage:?}");
        match stage.carrier() {
            Carrier::Lane => assert_eq!(asked, acted, "{stage:?}"),
            Carrier::Task => assert!(asked.is_disjoint(&acted), "{stage:?}"),
        }
    }
}

/// Answers what [`Buyer`] pays for: two looks at the first of each three people, all others at
/// the second, the outcome of the first. Anything else it counts, and panics.
struct Narrow {
    looks: u64,
    beyond: AtomicU64,
}

impl Feedback for Narrow {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let slot = person.number() % 3;
        match probe {
            Probe::Interview { kind, nth, .. } if nth < [2, self.looks - 2, 0][slot as usize] => {
                draw.uniform() + kind as f64
            }
            Probe::Outcome if slot == 0 => draw.uniform(),
            _ => {
                self.beyond.fetch_add(1, Ordering::Relaxed);
                panic!("scripted: no one has paid for this");
            }
        }
    }
}

/// Answers that are drawn ahead and that no one pays for change nothing, not even where feedback
/// has none.
#[test]
fn what_no_one_pays_for_shows_nowhere() {
    let mut all = BTreeSet::new();
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let narrow = Arc::new(Narrow {
            looks: 60,
            beyond: AtomicU64::new(0),
        });
        let buyers = [Buyer::default(), Buyer::default()];
        let feedback = Answers::drawn(Arc::clone(&narrow) as Arc<dyn Feedback>);
        let (_, stop) = play_with(60, stage, persons, feedback, None, &buyers).unwrap();
        assert_eq!(stop.ending, Ending::Capped, "{stage:?}");
        for buyer in &buyers {
            all.insert(buyer.seen.lock().unwrap().clone());
        }
        let beyond = narrow.beyond.load(Ordering::Relaxed);
        assert_eq!(beyond > 0, stage.carrier() == Carrier::Task, "{stage:?}");
    }
    assert_eq!(all.len(), 1, "every stage and lane has seen the same");
}

/// The answers of which looks and outcomes were drawn, by person.
#[derive(Default)]
struct Counted(Mutex<Vec<(u64, Option<u64>)>>);

impl Feedback for Counted {
    fn answer(&self, person: Person<'_>, probe: Probe, draw: &mut Draw) -> f64 {
        let nth = match probe {
            Probe::Interview { nth, .. } => Some(nth),
            Probe::Outcome | Probe::Offer => None,
        };
        self.0.lock().unwrap().push((person.number(), nth));
        draw.uniform()
    }
}

/// An outcome is drawn once for all lanes; looks are drawn ahead by half as many again at most.
#[test]
fn answers_drawn_ahead_are_shared_and_bounded() {
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let counted = Arc::new(Counted::default());
        let buyers = [Buyer::default(), Buyer::default()];
        let feedback = Answers::drawn(Arc::clone(&counted) as Arc<dyn Feedback>);
        play_with(200, stage, persons, feedback, None, &buyers).unwrap();
        let drawn = counted.0.lock().unwrap();
        let outcomes = drawn.iter().filter(|(_, nth)| nth.is_none());
        let outcomes: Vec<u64> = outcomes.map(|(person, _)| *person).collect();
        let people: BTreeSet<u64> = outcomes.iter().copied().collect();
        let looks = drawn.len() - outcomes.len();
        // Two lanes, three rounds, 200 looks a round. Of the second person two kinds are bought.
        match stage.carrier() {
            Carrier::Lane => assert_eq!((looks, outcomes.len(), people.len()), (1200, 6, 3)),
            Carrier::Task => {
                assert!((1200..=1200 + 6 * 64).contains(&looks), "{looks} {stage:?}");
                assert_eq!(outcomes.len(), people.len(), "{stage:?}");
                assert!(people.len() <= 15, "{stage:?}");
            }
        }
    }
}

/// Answers as told, and keeps the messages.
#[derive(Clone, Default)]
struct Listed {
    log: Arc<Mutex<Vec<Asking>>>,
    /// It has no answer to this look of the second round.
    silent: Option<u64>,
    fails: Option<AnswerFailure>,
    gone: Arc<Mutex<u32>>,
}

/// The answer to a question: the person, and the kind and number of the look.
fn said(person: u64, probe: Probe, nth: u64) -> f64 {
    match probe {
        Probe::Interview { kind, .. } => person as f64 + kind as f64 / 10.0 + nth as f64 / 100.0,
        Probe::Outcome => 1000.0 + person as f64,
        // Every other person declines.
        Probe::Offer => (person % 2) as f64,
    }
}

#[async_trait]
impl Answerer for Listed {
    async fn answer(&mut self, asking: Asking) -> Result<Vec<Option<f64>>, AnswerFailure> {
        tokio::task::yield_now().await;
        let round = asking.round;
        self.log.lock().unwrap().push(asking.clone());
        let answer = |one: &kleroterion::arena::Question| {
            let is_look = matches!(one.probe, Probe::Interview { .. });
            let silent = round == 2 && is_look && self.silent == Some(one.person);
            (!silent).then(|| said(one.person, one.probe, one.nth))
        };
        match &self.fails {
            Some(failure) if round == 2 => Err(failure.clone()),
            _ => Ok(asking.questions.iter().map(answer).collect()),
        }
    }

    async fn farewell(&mut self) {
        *self.gone.lock().unwrap() += 1;
    }
}

impl Listed {
    fn maker(&self) -> AnswererMaker {
        let listed = self.clone();
        Arc::new(move |_| Box::new(listed.clone()))
    }
}

fn outside() -> Answers {
    Answers {
        looks: Some(AnsweredBy::Outside),
        outcomes: Some(AnsweredBy::Outside),
        offers: None,
    }
}

/// What the policy sees where all is answered.
const ANSWERED: [&str; 16] = [
    "round 1 [] 5 inf",
    "round 1 [(0, 0.0), (1, 1.1), (0, 0.01)] 2 inf",
    "round 1 [(1, 1.0)] 1 inf",
    "round 1 [(1, 1.01)] 0 inf",
    "outcome 1 1000",
    "round 2 [] 5 inf",
    "round 2 [(0, 3.0), (1, 4.1), (0, 3.01)] 2 inf",
    "round 2 [(1, 4.0)] 1 inf",
    "round 2 [(1, 4.01)] 0 inf",
    "outcome 2 1003",
    "round 3 [] 5 inf",
    "round 3 [(0, 6.0), (1, 7.1), (0, 6.01)] 2 inf",
    "round 3 [(1, 7.0)] 1 inf",
    "round 3 [(1, 7.01)] 0 inf",
    "outcome 3 1006",
    "",
];

#[test]
fn many_looks_of_one_move_are_one_message_to_outside() {
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let listed = Listed::default();
        let buyers = [Buyer::default(), Buyer::default()];
        let played = play(stage, persons, outside(), Some(listed.maker()), &buyers);
        assert_eq!(played.unwrap(), (None, Ending::Capped.into()));
        for buyer in &buyers {
            assert_eq!(*buyer.seen.lock().unwrap(), ANSWERED[..15], "{stage:?}");
        }
        // Of two lanes: in three rounds three messages of looks and one of an outcome each.
        let log = listed.log.lock().unwrap();
        let sizes: Vec<usize> = log.iter().map(|asking| asking.questions.len()).collect();
        assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (24, 36));
        assert_eq!(sizes.iter().filter(|&&size| size == 3).count(), 6);
        assert_eq!(*listed.gone.lock().unwrap(), 2, "each lane says farewell");
    }
}

#[test]
fn a_look_without_an_answer_is_not_paid_and_ends_the_sale_of_the_round() {
    for (persons, stage) in BATCHES.iter().flat_map(|&n| STAGES.map(|stage| (n, stage))) {
        let listed = Listed {
            silent: Some(4),
            ..Listed::default()
        };
        let buyers = [Buyer::default(), Buyer::default()];
        let played = play(stage, persons, outside(), Some(listed.maker()), &buyers);
        assert_eq!(played.unwrap(), (Some(1.0), Ending::Capped.into()));
        let expected: Vec<&str> = ANSWERED[..6]
            .iter()
            .copied()
            .chain(["round 2 [(0, 3.0), (0, 3.01)] 0 inf"])
            .chain(ANSWERED[9..15].iter().copied())
            .collect();
        assert_eq!(*buyers[0].seen.lock().unwrap(), expected, "{stage:?}");
    }
}

#[test]
fn an_answerer_ends_its_lane_or_the_run() {
    for stage in STAGES {
        let failing = |failure| Listed {
            fails: Some(failure),
            ..Listed::default()
        };
        let stop = Stop::because(Ending::Interrupted, "enough");
        let ends = failing(AnswerFailure::Ends(stop.clone()));
        let buyers = [Buyer::default(), Buyer::default()];
        let played = play(stage, 7, outside(), Some(ends.maker()), &buyers);
        // The first round counts.
        assert_eq!(played.unwrap(), (None, stop));
        assert_eq!(*buyers[0].seen.lock().unwrap(), ANSWERED[..6]);

        let fails = failing(AnswerFailure::Fails("the line is dead".into()));
        let played = play(stage, 7, outside(), Some(fails.maker()), &buyers);
        let error = played.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the feedback task failed: the line is dead"
        );
    }
}
