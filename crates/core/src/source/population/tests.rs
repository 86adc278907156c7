//! Populations: the same people whatever the batch, of the laws that they are said to have.

mod ranks;

use super::*;
use crate::draw::{Key, LawSpec};
use crate::protocol::{Attribute, Batch, Fact, Law, Person};
use crate::source::Sizes;

fn attribute(name: &str, values: &[&str]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

fn normal(mean: f64, sd: f64) -> crate::draw::NumberLaw {
    LawSpec::Normal { mean, sd }.law().unwrap()
}

/// Two groups and a degree; experience by group, skill, a merit of both, a score that measures it.
fn traits() -> Traits {
    let gamma = |shape| LawSpec::Gamma { shape, scale: 2.0 }.law().unwrap();
    let biased = |bias| MeasurementError { bias, sd: 0.5 };
    Traits {
        law: Law::Product(vec![vec![0.3, 0.7], vec![0.5, 0.3, 0.2]]),
        copula: None,
        features: vec![
            FeatureLaw::Number(ByValue::Each {
                attribute: 0,
                of: vec![gamma(3.0), gamma(1.5)],
            }),
            FeatureLaw::Number(ByValue::All(normal(0.0, 1.0))),
        ],
        merit: Some(MeritLaw::Law(ByValue::Each {
            attribute: 0,
            of: vec![normal(1.0, 1.0), normal(2.0, 0.5)],
        })),
        score: Some(ScoreOf::Merit),
        misread: Vec::new(),
        errors: vec![
            None,
            None,
            Some(ByValue::Each {
                attribute: 0,
                of: vec![biased(-0.5), biased(0.0)],
            }),
        ],
    }
}

fn period(start: PeriodStart, traits: Traits) -> Period {
    Period {
        start,
        traits,
        alters_attributes: true,
        alters_numbers: false,
    }
}

fn population(
    periods: Vec<Period>,
    arrivals: Option<ArrivalRate>,
    pooled: bool,
) -> Arc<Population> {
    let attributes = vec![
        attribute("group", &["u", "v"]),
        attribute("degree", &["none", "some", "high"]),
    ];
    let names = vec!["experience".to_owned(), "skill".to_owned()];
    let schema = Arc::new(Schema::new(attributes, names, true).unwrap());
    Arc::new(Population::new(schema, Some(0), pooled, periods, arrivals).unwrap())
}

fn steady(traits: Traits) -> Arc<Population> {
    population(vec![period(PeriodStart::Round(1), traits)], None, false)
}

fn coupled(mut traits: Traits, of: &[Coupled], r: f64) -> Traits {
    let copula = Copula::new(
        of,
        &[vec![1.0, r], vec![r, 1.0]],
        Some(Coupled::Attribute(0)),
    );
    traits.copula = Some(Arc::new(copula.unwrap()));
    traits
}

/// Round, cell, features, score, merit and arrival of a person.
type Met = (u64, u32, Vec<u64>, u64, Option<f64>, Option<f64>);

fn met(batch: &Batch) -> Vec<Met> {
    let rounds = (0..batch.rounds()).flat_map(|round| {
        let number = batch.round_number(round);
        batch.roster(round).map(move |row| (number, row))
    });
    let one = |(round, row): (u64, u32)| {
        let person = Person::new(batch, row);
        let shown = person.shown();
        let features = shown.features().iter().map(|x| x.to_bits());
        let score = shown.score().map_or(0, f64::to_bits);
        (
            round,
            shown.cell(),
            features.collect(),
            score,
            person.merit(),
            shown.arrival(),
        )
    };
    rounds.map(one).collect()
}

fn first(population: &Arc<Population>, rounds: &RoundCut, batch: usize, n: usize) -> Vec<Met> {
    let key = Key::new(8, 1);
    let mut stream = PopulationStream::new(Arc::clone(population), rounds.clone(), key);
    let mut all: Vec<Met> = Vec::new();
    while all.len() < n
        && let Some(batch) = stream.next_batch(batch)
    {
        all.extend(met(&batch));
    }
    all.truncate(n);
    all
}

fn hourly() -> ArrivalRate {
    ArrivalRate {
        rate: 0.5,
        is_poisson: true,
        daily: vec![0.5, 1.5],
        bursts: None,
        speed: 1.0,
    }
}

#[test]
fn the_stream_does_not_depend_on_the_batches() {
    let mut later = traits();
    later.law = Law::Product(vec![vec![0.9, 0.1], vec![0.2, 0.2, 0.6]]);
    later.misread = vec![Misreading {
        attribute: 1,
        rate: ByValue::All(0.3),
    }];
    let of = [Coupled::Feature(0), Coupled::Attribute(0)];
    for (start, rounds) in [
        (PeriodStart::Round(40), RoundCut::Sized(Sizes::Constant(3))),
        (
            PeriodStart::Time(100.0),
            RoundCut::Sized(Sizes::Poisson(2.0)),
        ),
        (PeriodStart::Time(100.0), RoundCut::Timed(4.0)),
    ] {
        let periods = vec![
            period(PeriodStart::Round(1), coupled(traits(), &of, 0.5)),
            period(start, coupled(later.clone(), &of, 0.5)),
        ];
        let world = population(periods, Some(hourly()), false);
        let whole = first(&world, &rounds, 4096, 400);
        assert_eq!(whole.len(), 400);
        for batch in [1, 7, 64] {
            assert_eq!(first(&world, &rounds, batch, 400), whole, "{rounds:?}");
        }
    }
}

/// A person's numbers stay as they are whatever is drawn of the others.
#[test]
fn laws_have_words_of_their_own() {
    let sized = RoundCut::Sized(Sizes::Constant(1));
    let before = first(&steady(traits()), &sized, 64, 500);
    let mut changed = traits();
    changed.features[0] =
        FeatureLaw::Number(ByValue::All(LawSpec::Poisson { mean: 30.0 }.law().unwrap()));
    changed.misread = vec![Misreading {
        attribute: 1,
        rate: ByValue::All(0.5),
    }];
    let after = first(&steady(changed), &sized, 64, 500);
    for (a, b) in before.iter().zip(&after) {
        assert_eq!((a.2[1], a.3, a.4), (b.2[1], b.3, b.4));
    }
}

#[test]
fn facts_of_plain_laws_are_exact_and_true() {
    let world = steady(traits());
    let facts = world.facts();
    assert!(!facts.is_sampled);
    assert!(matches!(&facts.law, Fact::Exact(law) if *law == traits().law));
    let Fact::Exact(scores) = &facts.scores else {
        panic!("normal scores are exact");
    };
    assert_eq!(scores[0].mean, 0.5);
    assert_eq!(scores[1].sd, 0.5_f64.sqrt());
    let ranks = facts.merits.unwrap();
    assert!((ranks.rank(0, 1.0) - 0.5).abs() < 1e-15);
    assert_eq!(facts.merit_range, None);
    let people = first(&world, &RoundCut::Sized(Sizes::Constant(1)), 4096, 40_000);
    for group in 0..2u32 {
        let of: Vec<&Met> = people.iter().filter(|one| one.1 / 3 == group).collect();
        let n = of.len() as f64;
        let share = n / 40_000.0;
        let due = [0.3, 0.7][group as usize];
        assert!((share - due).abs() < 4.0 * (due * (1.0 - due) / 40_000.0_f64).sqrt());
        let mean = of.iter().map(|one| f64::from_bits(one.3)).sum::<f64>() / n;
        let law = scores[group as usize];
        assert!((mean - law.mean).abs() < 4.0 * law.sd / n.sqrt(), "{mean}");
        let rank = of
            .iter()
            .map(|one| ranks.rank(group as usize, one.4.unwrap()));
        let rank = rank.sum::<f64>() / n;
        assert!((rank - 0.5).abs() < 4.0 / (12.0 * n).sqrt(), "{rank}");
    }
}

/// The law after misreading is that of the people shown, by formula and by sample.
#[test]
fn misread_values_have_the_law_that_is_known() {
    let by_own = ByValue::Each {
        attribute: 1,
        of: vec![0.1, 0.4, 0.0],
    };
    let by_group = ByValue::Each {
        attribute: 0,
        of: vec![0.5, 0.1],
    };
    let product = Law::Product(vec![vec![0.3, 0.7], vec![0.5, 0.3, 0.2]]);
    let cells = Law::Cells(vec![(0, 0.25), (2, 0.25), (4, 0.5)]);
    for (law, rate, is_exact) in [
        (&product, &by_own, true),
        (&cells, &by_own, true),
        (&product, &by_group, false),
    ] {
        let mut traits = traits();
        traits.law = law.clone();
        traits.misread = vec![Misreading {
            attribute: 1,
            rate: rate.clone(),
        }];
        let world = steady(traits);
        let facts = world.facts();
        assert_eq!(facts.is_sampled, !is_exact);
        let levels = world.schema().levels();
        let marginals = facts.law.get().unwrap().marginals(&levels);
        let n = 40_000.0;
        let people = first(
            &world,
            &RoundCut::Sized(Sizes::Constant(1)),
            4096,
            n as usize,
        );
        for (value, due) in marginals[1].iter().enumerate() {
            let seen = people.iter().filter(|one| one.1 as usize % 3 == value);
            let share = seen.count() as f64 / n;
            assert!(
                (share - due).abs() < 6.0 * (due * (1.0 - due) / n).sqrt(),
                "{share} {due}"
            );
        }
    }
}

#[test]
fn the_range_of_scores_is_that_of_their_laws_and_biases() {
    let uniform = |low, high| LawSpec::Uniform { low, high }.law().unwrap();
    fn each<T>(of: Vec<T>) -> ByValue<T> {
        ByValue::Each { attribute: 0, of }
    }
    let error = |bias, sd| MeasurementError { bias, sd };
    let laws = || each(vec![uniform(2.0, 6.0), uniform(0.0, 3.0)]);
    let range = |score, error| {
        let errors = vec![None, None, error];
        let merit = Some(MeritLaw::Law(laws()));
        let traits = Traits {
            score,
            errors,
            merit,
            ..traits()
        };
        steady(traits).facts().score_range
    };
    let own = || Some(ScoreOf::Law(ByValue::All(uniform(2.0, 6.0))));
    let biased = || Some(each(vec![error(-1.0, 0.0), error(0.5, 0.0)]));
    let noisy = || Some(each(vec![error(-1.0, 0.0), error(0.5, 0.1)]));
    assert_eq!(range(own(), None), Some((2.0, 6.0)));
    assert_eq!(range(own(), biased()), Some((1.0, 6.5)));
    assert_eq!(range(own(), noisy()), None);
    assert_eq!(range(Some(ScoreOf::Merit), None), Some((0.0, 6.0)));
    assert_eq!(range(Some(ScoreOf::Merit), biased()), Some((-1.0, 6.5)));
}

/// Coupled attributes keep their shares, and a number of its own law keeps it; they hang together.
#[test]
fn a_copula_keeps_the_marginals() {
    let of = [Coupled::Feature(0), Coupled::Attribute(1)];
    let world = steady(coupled(traits(), &of, 0.6));
    let people = first(&world, &RoundCut::Sized(Sizes::Constant(1)), 4096, 20_000);
    let n = people.len() as f64;
    let mut means = [0.0; 3];
    let mut counts = [0.0; 3];
    let law = LawSpec::Gamma {
        shape: 1.5,
        scale: 2.0,
    }
    .law()
    .unwrap();
    let mut ranks = Vec::new();
    for one in &people {
        let (group, degree) = (one.1 / 3, one.1 as usize % 3);
        counts[degree] += 1.0;
        if group == 1 {
            let rank = law.cdf(f64::from_bits(one.2[0]));
            means[degree] += rank;
            ranks.push(rank);
        }
    }
    for (count, due) in counts.iter().zip([0.5_f64, 0.3, 0.2]) {
        assert!((count / n - due).abs() < 4.0 * (due * (1.0 - due) / n).sqrt());
    }
    ranks.sort_by(f64::total_cmp);
    let m = ranks.len() as f64;
    let off = ranks
        .iter()
        .enumerate()
        .map(|(at, rank)| (rank - at as f64 / m).abs());
    assert!(off.fold(0.0, f64::max) * m.sqrt() < 2.2);
    let of_v = |degree: usize| means[degree] / (counts[degree] * m / n);
    assert!(
        of_v(0) < 0.42 && of_v(1) > 0.5 && of_v(2) > 0.65,
        "{means:?}"
    );
    assert!(world.facts().law.exact().is_some());
    let both = [Coupled::Attribute(0), Coupled::Attribute(1)];
    let facts = steady(coupled(traits(), &both, 0.6)).facts();
    assert!(facts.law.exact().is_none() && facts.is_sampled);
}

/// People of a given group are those of the group: a pool's rosters against the plain stream.
#[test]
fn rosters_have_each_group_as_it_is() {
    let of = [Coupled::Attribute(0), Coupled::Merit];
    let traits = coupled(traits(), &of, 0.7);
    let plain = first(
        &steady(traits.clone()),
        &RoundCut::Sized(Sizes::Constant(2)),
        512,
        40_000,
    );
    let periods = vec![period(PeriodStart::Round(1), traits)];
    let pooled = population(periods, None, true);
    assert!(matches!(pooled.facts().law, Fact::Unknown));
    let rosters = first(&pooled, &RoundCut::Sized(Sizes::Constant(5)), 512, 40_000);
    assert!(
        rosters
            .iter()
            .enumerate()
            .all(|(at, one)| one.1 as usize / 3 == at % 2)
    );
    assert_eq!(rosters.iter().filter(|one| one.0 == 1).count(), 10);
    for group in 0..2 {
        let of = |all: &[Met]| -> Vec<f64> {
            let of = all.iter().filter(|one| one.1 / 3 == group);
            of.map(|one| one.4.unwrap()).collect()
        };
        let (a, b) = (of(&plain), of(&rosters));
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let se = (1.0 / a.len() as f64 + 1.0 / b.len() as f64).sqrt();
        assert!((mean(&a) - mean(&b)).abs() < 4.0 * se, "{group}");
    }
}

#[test]
fn a_group_may_come_later() {
    let (mut before, mut after) = (traits(), traits());
    before.law = Law::Product(vec![vec![1.0, 0.0], vec![0.5, 0.3, 0.2]]);
    after.law = Law::Product(vec![vec![0.5, 0.5], vec![0.5, 0.3, 0.2]]);
    let periods = vec![
        period(PeriodStart::Round(1), before),
        period(PeriodStart::Time(200.0), after),
    ];
    let world = population(periods, Some(hourly()), false);
    let people = first(&world, &RoundCut::Timed(10.0), 64, 2_000);
    let is_late = |one: &&Met| one.5.unwrap() >= 200.0;
    assert!(
        people
            .iter()
            .filter(|one| !is_late(one))
            .all(|one| one.1 < 3)
    );
    let late: Vec<&Met> = people.iter().filter(is_late).collect();
    let v = late.iter().filter(|one| one.1 >= 3).count() as f64 / late.len() as f64;
    assert!((v - 0.5).abs() < 0.06, "{v}");
    // A round holds those of its ten seconds.
    assert!(
        people
            .iter()
            .all(|one| (one.5.unwrap() / 10.0) as u64 + 1 == one.0)
    );
    let facts = world.facts();
    assert!(matches!(facts.law, Fact::Unknown));
    assert!(facts.merits.is_some() && !facts.is_sampled);
}
