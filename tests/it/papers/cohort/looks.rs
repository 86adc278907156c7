//! What looks answer.

use kleroterion::feedback::RecordedLooks;
use kleroterion::protocol::{Person, Probe};

use super::*;

const RUNS: u64 = 20_000;

fn probe(gain: f64) -> Probe {
    Probe::Interview {
        kind: 0,
        gain,
        nth: 0,
    }
}

/// The answers of many first looks of a gain at a person of this utility.
fn answers(feedback: &dyn Feedback, utility: f64, probe: Probe) -> Vec<f64> {
    let batch = Instance::new(vec![utility], 1, [0.5, 0.05, 5.0, 2.0]).batch(Key::new(1, 0), 1);
    let answer = |nth| {
        let mut draw = Key::new(1, 0).draw(Purpose::Interview, 0, nth);
        feedback.answer(Person::new(&batch, 0), probe, &mut draw)
    };
    (0..RUNS).map(answer).collect()
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    (mean, square / n)
}

#[test]
fn a_look_of_gain_s_has_a_variance_of_1_in_s() {
    let looks = Gaussian::new(0.5);
    let weak = answers(&looks, 3.0, probe(1.0));
    for gain in [1.0, 4.0, 10.0] {
        let strong = answers(&looks, 3.0, probe(gain));
        let (mean, variance) = moments(&strong);
        assert!((mean - 3.0).abs() < 4.0 * 0.5 / (gain * RUNS as f64).sqrt());
        assert!((variance * gain / 0.25 - 1.0).abs() < 0.05, "{variance}");
        // The kind only scales the noise.
        for (weak, strong) in weak.iter().zip(&strong) {
            assert!(((weak - 3.0) - (strong - 3.0) * gain.sqrt()).abs() < 1e-12);
        }
    }
    assert_eq!(answers(&looks, 3.0, Probe::Outcome), weak);
    assert_eq!(answers(&Gaussian::new(0.0), 3.0, probe(2.0))[7], 3.0);
}

#[test]
fn a_coin_of_gain_s_is_the_share_of_s_tosses() {
    let weak = answers(&BernoulliLooks, 0.3, probe(1.0));
    assert!(weak.iter().all(|x| [0.0, 1.0].contains(x)));
    for gain in [1.0, 2.0, 5.0] {
        let strong = answers(&BernoulliLooks, 0.3, probe(gain));
        let (mean, variance) = moments(&strong);
        assert!((mean - 0.3).abs() < 4.0 * (0.21 / (gain * RUNS as f64)).sqrt());
        assert!((variance * gain / 0.21 - 1.0).abs() < 0.05, "{variance}");
        // It begins with the weak look's toss.
        for (weak, strong) in weak.iter().zip(&strong) {
            let yes = (strong * gain).round();
            assert!((strong * gain - yes).abs() < 1e-12);
            assert!(*weak <= yes && yes - weak <= gain - 1.0);
        }
    }
    // Less than one toss is one; an outcome is one.
    assert_eq!(answers(&BernoulliLooks, 0.3, probe(0.2)), weak);
    assert_eq!(answers(&BernoulliLooks, 0.3, Probe::Outcome), weak);
    assert!(
        answers(&BernoulliLooks, 1.0, probe(3.0))
            .iter()
            .all(|x| *x == 1.0)
    );
    assert!(
        answers(&BernoulliLooks, 0.0, probe(3.0))
            .iter()
            .all(|x| *x == 0.0)
    );
}

#[test]
fn without_a_truth_there_is_no_answer() {
    let mut batch = Batch::new(Arc::new(Schema::default()), 1, 0);
    batch.persons_mut().push(0, &[], &[], None);
    batch.close_round();
    let mut draw = Key::new(1, 0).draw(Purpose::Interview, 0, 0);
    let person = Person::new(&batch, 0);
    assert!(
        BernoulliLooks
            .answer(person, probe(1.0), &mut draw)
            .is_nan()
    );
    let looks = Gaussian::new(1.0);
    assert!(looks.answer(person, probe(1.0), &mut draw).is_nan());
}

#[test]
fn recorded_scores_come_in_order_and_then_the_draws_of_a_gaussian() {
    let schema = Arc::new(Schema::new(vec![], vec![], false).unwrap());
    let mut batch = Batch::new(schema, 1, 0);
    for record in [&[0.25, 0.75][..], &[], &[0.5]] {
        batch.persons_mut().push(0, &[], &[], None);
        batch.push_merit(10.0);
        batch.push_record(record);
    }
    batch.close_round();
    let look = |feedback: &dyn Feedback, row, nth, gain| {
        let mut draw = Key::new(4, 2).draw(Purpose::Interview, u64::from(row), nth);
        let probe = Probe::Interview { kind: 0, gain, nth };
        feedback.answer(Person::new(&batch, row), probe, &mut draw)
    };
    let (recorded, gaussian) = (RecordedLooks::new(0.1), Gaussian::new(0.1));
    let records: [&[f64]; 3] = [&[0.25, 0.75], &[], &[0.5]];
    for (row, record) in (0..).zip(records) {
        for (nth, gain) in (0..4).flat_map(|nth| [(nth, 1.0), (nth, 5.0)]) {
            let expected = record.get(nth as usize).copied();
            let expected = expected.unwrap_or_else(|| look(&gaussian, row, nth, gain));
            assert_eq!(look(&recorded, row, nth, gain), expected);
        }
    }
    let outcome = |feedback: &dyn Feedback| {
        let mut draw = Key::new(4, 2).draw(Purpose::Outcome, 0, 0);
        feedback.answer(Person::new(&batch, 0), Probe::Outcome, &mut draw)
    };
    assert_eq!(
        outcome(&recorded),
        outcome(&gaussian),
        "an outcome is not on record"
    );
}
