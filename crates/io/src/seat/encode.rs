//! The messages of a lane, as the protocol writes them.

use super::wire::{
    Hello, Named, PROTOCOL, ToProgram, WireAnswered, WireCandidate, WireChoose, WireDelay,
    WireFact, WireKind, WireKnown, WireLaw, WirePerson, WirePlaces, WireQuota, WireRules,
    WireUntil,
};
use kleroterion_core::arena::{SeatCandidate, SeatRequest};
use kleroterion_core::brief::Brief;
use kleroterion_core::protocol;

/// Returns a number, or `None` if it is infinite or not a number.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Returns a count, or `None` if it stands for "no limit".
fn ending(count: u64) -> Option<u64> {
    (count < u64::MAX).then_some(count)
}

/// Returns a message as the program reads it.
pub(super) fn encode(message: SeatRequest, hello: &Hello) -> ToProgram {
    match message {
        SeatRequest::Slate {
            round,
            candidates,
            places: (min, max),
            places_left,
            looks_left,
            money_left,
        } => ToProgram::Slate {
            round,
            candidates: slate(candidates, hello),
            places: WirePlaces { min, max },
            places_left,
            looks_left: ending(looks_left),
            money_left: finite(money_left),
        },
        SeatRequest::Answers {
            round,
            answers,
            looks_left,
            money_left,
        } => {
            let looks = answers.into_iter().map(|answer| WireAnswered {
                slot: answer.pull.slot,
                kind: hello.rules.interviews[answer.pull.kind].name.clone(),
                value: answer.value,
            });
            ToProgram::Answers {
                round,
                looks: looks.collect(),
                looks_left: ending(looks_left),
                money_left: finite(money_left),
            }
        }
        SeatRequest::Outcome {
            decided,
            person: asked,
            value,
        } => ToProgram::Outcome {
            round: decided,
            candidate: person(asked, &hello.attributes),
            value,
        },
        SeatRequest::Declined {
            round,
            person: asked,
        } => ToProgram::Declined {
            round,
            candidate: person(asked, &hello.attributes),
        },
        SeatRequest::Correction {
            decided,
            person: asked,
            before,
            value,
        } => ToProgram::Correction {
            round: decided,
            candidate: person(asked, &hello.attributes),
            before,
            value,
        },
    }
}

fn slate(candidates: Vec<SeatCandidate>, hello: &Hello) -> Vec<WireCandidate> {
    let candidates = candidates.into_iter().zip(0..);
    let candidates = candidates.map(|(asked, slot)| WireCandidate {
        slot,
        person: person(asked, &hello.attributes),
    });
    candidates.collect()
}

/// Returns a person as a program reads it.
pub(super) fn person(asked: SeatCandidate, attributes: &Named<Vec<String>>) -> WirePerson {
    let values = attributes.0.iter().zip(&asked.values);
    WirePerson {
        id: asked.id,
        groups: values
            .map(|((name, values), &value)| (name.clone(), values[usize::from(value)].clone()))
            .collect(),
        features: asked.features,
        score: asked.score,
    }
}

/// Returns the first message to a policy, without its seed. Returns `None` if the config leaves a
/// part of it open.
pub fn hello(label: &str, brief: &Brief<'_>) -> Option<Hello> {
    let schema = brief.schema?;
    let attributes = schema.attributes().iter();
    let target = brief.target.is().map(|target| {
        let rows = target.rows().iter();
        rows.map(|(at, shares)| by_value(schema, *at, shares))
            .collect()
    });
    Some(Hello {
        protocol: PROTOCOL,
        label: label.to_owned(),
        seed: 0,
        rules: rules(schema, brief.rules?, brief),
        attributes: attributes
            .map(|attribute| (attribute.name.clone(), attribute.values.clone()))
            .collect(),
        features: schema.features().to_vec(),
        scored: schema.scored(),
        target,
        target_quota: brief.quotas.map(|rows| quotas(schema, rows)),
        known: known(schema, brief.known?),
    })
}

/// Returns an attribute's name, and its values, each with its element of `of`.
fn by_value<T: Clone>(schema: &protocol::Schema, at: usize, of: &[T]) -> (String, Named<T>) {
    let attribute = &schema.attributes()[at];
    let values = attribute.values.iter().cloned().zip(of.iter().cloned());
    (attribute.name.clone(), values.collect())
}

fn quotas(schema: &protocol::Schema, rows: &[Vec<protocol::Quota>]) -> Named<Named<WireQuota>> {
    let set = rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
    let set = set.map(|(at, row)| {
        let quota = |quota: &protocol::Quota| WireQuota {
            min: quota.min,
            max: (quota.max < u32::MAX).then_some(quota.max),
        };
        by_value(schema, at, &row.iter().map(quota).collect::<Vec<_>>())
    });
    set.collect()
}

fn rules(schema: &protocol::Schema, rules: &protocol::Rules, brief: &Brief<'_>) -> WireRules {
    let quota = brief.round_quotas.is();
    let interviews = rules.interviews.iter();
    let interviews = interviews.map(|kind| WireKind::of(kind, schema));
    let delay = match rules.delay {
        protocol::Delay::Fixed(rounds) => WireDelay {
            low: rounds,
            high: rounds,
        },
        protocol::Delay::Uniform { low, high } => WireDelay { low, high },
    };
    WireRules {
        slate: brief.slate,
        choose: match rules.choose {
            protocol::Choose::Any => WireChoose::Any,
            protocol::Choose::AtMost(most) => WireChoose::AtMost(most),
            protocol::Choose::Exactly(many) => WireChoose::Exactly(many),
            protocol::Choose::Share(share) => WireChoose::Share(share),
        },
        until: match rules.until {
            protocol::Until::Accepted(many) => WireUntil::Accepted(many),
            protocol::Until::Rounds(many) => WireUntil::Rounds(many),
            protocol::Until::SourceEnds => WireUntil::SourceEnds,
        },
        max_rounds: ending(rules.max_rounds),
        interviews: interviews.collect(),
        // Where none are for sale, the cap of a config that gives none says nothing.
        interview_cap: ending(rules.interview_cap).filter(|_| !rules.interviews.is_empty()),
        budget: finite(rules.budget),
        run_budget: finite(rules.run_budget),
        outcomes: brief.outcomes.then_some(delay),
        quota: quota.map(|rows| quotas(schema, rows)),
        enforce: !rules.enforced.is_empty(),
    }
}

fn known(schema: &protocol::Schema, known: &protocol::Known) -> WireKnown {
    let fact = |fact: &protocol::Fact<f64>| {
        fact.get().map(|&value| WireFact {
            exact: fact.exact().is_some(),
            value,
        })
    };
    let law = known.law.get().map(|law| {
        let shares = law.marginals(&schema.levels()).into_iter().enumerate();
        WireLaw {
            exact: known.law.exact().is_some(),
            independent: matches!(**law, protocol::Law::Product(_)),
            shares: shares
                .map(|(at, shares)| by_value(schema, at, &shares))
                .collect(),
        }
    });
    WireKnown {
        law,
        group: known.group.map(|at| schema.attributes()[at].name.clone()),
        look_noise: fact(&known.look_noise),
        outcome_noise: fact(&known.outcome_noise),
    }
}
