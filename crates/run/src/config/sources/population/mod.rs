//! The source `type = "people"`: a world that the config spells out.

mod arrivals;
mod changes;
mod couple;
mod keys;
mod laws;
mod numbers;
mod told;

use std::sync::Arc;

use self::arrivals::ARRIVALS;
use self::couple::copula;
use self::keys::{CHANGE, COPULA, GROUP, KEYS};
use self::numbers::{NamedFeature, errors, features, merit, misread, score};
use self::told::{Columns, Told, names};
use super::categorical::{SHARES, read_law};
use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::context::{Built, Context};
use crate::config::joint::JOINT;
use crate::config::plan::{Merits, Pace, World};
use crate::config::rules::Slate;
use crate::document::{Field, Reader};
use crate::keys;
use kleroterion_core::protocol::{Attribute, Fact, GroupTruth, Known, Law, Schema};
use kleroterion_core::source::population::{
    ArrivalRate, Facts, MeritRanks, Period, Population, PopulationStream, RoundCut, Traits,
};
use kleroterion_core::source::{HELD_OUT, SourceMaker};

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "people",
    about: "a world of one's own: attributes, features, scores and merits by named laws, a \
         copula, errors, arrivals, changes",
    forms: &[SourceForm::Own(KEYS)],
    can_be_pooled: true,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let example = "shares = { gender = { M = 0.5, F = 0.5 } }";
    let given = table.need_one(keys![SHARES, JOINT], example);
    let (group, told) = (GROUP.field(&mut table), Told::of(&mut table));
    let coupled = COPULA.field(&mut table);
    let arrivals = ARRIVALS.section(&mut table, arrivals::read);
    let changes = CHANGE.field(&mut table);
    table.finish();
    let law = given.and_then(|(key, field)| read_law(key, &field, context));
    let known = law
        .as_ref()
        .map(|((attributes, _), _)| attributes.as_slice());
    let group = self::group(&group, known, context);
    let first = first(&told, known);
    let periods = first.and_then(|(features, partial)| {
        let ((attributes, law), sound) = law?;
        let mut traits = Traits { law, ..partial };
        if coupled.is_given() {
            let copula = copula(&coupled, &attributes, &features, &traits, group?);
            traits.copula = Some(Arc::new(copula?));
        }
        let timed = !arrivals.is_absent();
        let columns = Columns {
            attributes,
            features,
        };
        let periods = changes::read(&changes, traits, &columns, timed, context)?;
        Some((columns, periods, sound))
    });
    let (columns, periods, sound) = periods?;
    let arrivals = arrivals.unless_bad()?;
    built(columns, periods, group?, arrivals, context).map(|built| Built { sound, ..built })
}

/// The laws of the first period, the attributes' left open.
fn first(told: &Told<'_>, known: Option<&[Attribute]>) -> Option<(Vec<NamedFeature>, Traits)> {
    let features = told.features.optional(|field| features(field, known));
    let features = features.or(Vec::new());
    let columns = features.as_deref().map(names);
    let merit = told
        .merit
        .optional(|field| merit(field, known, columns.as_deref()));
    let has_merit = !merit.is_absent();
    let score = told.score.optional(|field| score(field, known, has_merit));
    let misread = told.misread.optional(|field| misread(field, known));
    let has_score = !score.is_absent();
    let errors = told
        .errors
        .optional(|field| errors(field, known, features.as_deref(), has_score));
    let (features, columns) = (features?, columns?);
    let traits = Traits {
        law: Law::Product(Vec::new()),
        copula: None,
        features: features.iter().map(|feature| feature.law.clone()).collect(),
        merit: merit.unless_bad()?,
        score: score.unless_bad()?,
        misread: misread.or(Vec::new())?,
        errors: errors.or(vec![None; columns.len() + 1])?,
    };
    Some((features, traits))
}

/// The attribute that makes the groups, where one does; the outer none where what says so is wrong.
fn group(
    field: &Field<'_>,
    known: Option<&[Attribute]>,
    context: &Context<'_>,
) -> Option<Option<usize>> {
    let attributes = known?;
    let names = attributes.iter().map(|one| one.name.as_str());
    let group = match field.is_given() {
        true => Some(field.choice(&names.zip(0..).collect::<Vec<_>>())?),
        false => (attributes.len() == 1).then_some(0),
    };
    match context.pool {
        Some(pool) => Some(Some(pool.groups(attributes, group)?)),
        None => Some(group),
    }
}

/// The world of these laws.
fn built(
    columns: Columns,
    periods: Vec<Period>,
    group: Option<usize>,
    arrivals: Option<ArrivalRate>,
    context: &Context<'_>,
) -> Option<Built> {
    let scored = periods[0].traits.score.is_some();
    let names = columns.names();
    let schema = Schema::new(columns.attributes, names, scored).map(|schema| match &arrivals {
        Some(_) => schema.timed(),
        None => schema,
    });
    let schema = schema.ok().map(Arc::new)?;
    let is_pooled = context.pool.is_some();
    let pace = arrivals.as_ref().map(|arrivals| Pace::Arrivals {
        speed: arrivals.speed,
    });
    let steady = arrivals.as_ref().filter(|arrivals| arrivals.is_steady());
    let steady = steady.map(|arrivals| arrivals.rate);
    let rounds = rounds(arrivals.is_some(), context)?;
    let has_merit = periods[0].traits.merit.is_some();
    let population = Population::new(Arc::clone(&schema), group, is_pooled, periods, arrivals);
    let population = Arc::new(population.ok()?);
    let facts = population.facts();
    let source: SourceMaker = Arc::new(move |key| {
        let population = Arc::clone(&population);
        Box::new(PopulationStream::new(population, rounds.clone(), key))
    });
    let notes = notes(&facts);
    let merits = match facts.merit_range {
        _ if !has_merit => Merits::None,
        Some((least, most)) => Merits::Within(least, most),
        None => Merits::Drawn,
    };
    let truth = facts
        .merits
        .zip(group)
        .map(|(ranks, attribute)| GroupTruth {
            attribute,
            cdf: Arc::new(move |group: usize, merit: f64| ranks.rank(group, merit)),
        });
    let known = Known {
        law: match facts.law {
            Fact::Exact(law) => Fact::Exact(Arc::new(law)),
            Fact::Fitted(law) => Fact::Fitted(Arc::new(law)),
            Fact::Unknown => Fact::Unknown,
        },
        group,
        scores: facts.scores,
        ..Known::default()
    };
    let world = World {
        merits,
        truth,
        score_range: facts.score_range,
        pace,
        arrivals: steady,
        ..World::new(schema, known, source)
    };
    Some(Built {
        notes,
        ..Built::of(world)
    })
}

/// Returns the rule that forms a round.
fn rounds(timed: bool, context: &Context<'_>) -> Option<RoundCut> {
    let Slate::Every(seconds, field) = context.slate else {
        return context.slate.sizes(None).map(RoundCut::Sized);
    };
    if !timed {
        field.refuse(
            "slates by time, and people who come at no time",
            "say when they come: arrivals = { poisson = \"25/s\" } in [source]",
        );
    } else if context.pool.is_some() {
        field.refuse(
            "slates by time, and a pool of which a number applies each round",
            "give a number: slate = 100, or leave [pool] out",
        );
    } else {
        return Some(RoundCut::Timed(*seconds));
    }
    None
}

/// Returns the notes on the facts.
fn notes(facts: &Facts) -> Vec<String> {
    let sampled = facts.is_sampled.then(|| {
        format!(
            "what does not follow from the laws of the people (shares of types, or scores in a \
             group) is that of a held-out sample of {HELD_OUT} people"
        )
    });
    let ranks = facts.merits.as_ref().and_then(MeritRanks::note);
    sampled.into_iter().chain(ranks).collect()
}
