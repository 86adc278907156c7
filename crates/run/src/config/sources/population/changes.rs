//! The section `[[source.change]]`: laws that apply from a round or a time on.

use super::keys::{AT, CHANGE_KEYS, ROUND};
use super::numbers::{NamedFeature, errors, features, merit, misread, score};
use super::told::{Columns, Told};
use crate::config::context::Context;
use crate::config::joint::{JOINT, moved};
use crate::config::sources::categorical::{SHARES, read_law};
use crate::document::{Field, Reader};
use crate::keys;
use kleroterion_core::nearest::advice;
use kleroterion_core::protocol::{Attribute, Law};
use kleroterion_core::source::population::{MeritLaw, Period, PeriodStart, Traits};

/// The periods: the first, and one a change, whose keys take the place of those before.
pub(super) fn read(
    changes: &Field<'_>,
    first: Traits,
    columns: &Columns,
    timed: bool,
    context: &Context<'_>,
) -> Option<Vec<Period>> {
    let mut periods = vec![Period {
        start: PeriodStart::Round(1),
        traits: first,
        alters_attributes: false,
        alters_numbers: false,
    }];
    if !changes.is_given() {
        return Some(periods);
    }
    let mut is_sound = true;
    for change in changes.members()? {
        let before = &periods[periods.len() - 1];
        let period = change.table_of(CHANGE_KEYS).and_then(|table| {
            let period = period(table, before, columns, timed, context)?;
            later(&change, before.start, period.start)?;
            Some(period)
        });
        match period {
            Some(period) => periods.push(period),
            None => is_sound = false,
        }
    }
    is_sound.then_some(periods)
}

/// Notes that a change does not come after the one before.
fn later(change: &Field<'_>, before: PeriodStart, start: PeriodStart) -> Option<()> {
    let what = match (before, start) {
        (PeriodStart::Round(1), PeriodStart::Time(_)) => return Some(()),
        (PeriodStart::Round(a), PeriodStart::Round(b)) if a < b => return Some(()),
        (PeriodStart::Time(a), PeriodStart::Time(b)) if a < b => return Some(()),
        (PeriodStart::Round(_), PeriodStart::Round(_))
        | (PeriodStart::Time(_), PeriodStart::Time(_)) => "this change is not after the one before",
        _ => "this change is by time where the one before is by round, or the other way round",
    };
    change.refused(what, "order all changes by `round`, or all by `at`")
}

/// The period of a change.
fn period(
    mut table: Reader<'_>,
    before: &Period,
    columns: &Columns,
    timed: bool,
    context: &Context<'_>,
) -> Option<Period> {
    let start = table.need_one(keys![ROUND, AT], "round = 1000");
    let law = [SHARES, JOINT].map(|key| (key.name(), key.field(&mut table)));
    let told = Told::of(&mut table);
    let start = start.and_then(|(key, field)| match key == ROUND.name() {
        true => ROUND.of_value(&field).map(PeriodStart::Round),
        false if !timed => {
            let help = "say when people come: arrivals = { poisson = \"25/s\" }, or change at a \
                        round: round = 1000";
            field.refused("a change at a time, and people who come at no time", help)
        }
        false => AT.of_value(&field).map(PeriodStart::Time),
    });
    let mut traits = before.traits.clone();
    let mut is_sound = true;
    let is_altered = law.iter().any(|(_, field)| field.is_given());
    for (key, field) in law.iter().filter(|(_, field)| field.is_given()) {
        match same_columns(key, field, columns, &traits, context) {
            Some(law) => traits.law = law,
            None => is_sound = false,
        }
    }
    let alters_attributes = is_altered || told.misread.is_given();
    let alters_numbers = told.numbers();
    if !alters_attributes && !alters_numbers {
        let help = "give it shares, features, merit, score, misread or errors";
        table.refuse("this change changes nothing", help);
        is_sound = false;
    }
    table.finish();
    let traits = altered(&told, traits, columns).filter(|_| is_sound)?;
    Some(Period {
        start: start?,
        traits,
        alters_attributes,
        alters_numbers,
    })
}

/// The law of the attributes, which are those of the first period.
fn same_columns(
    key: &str,
    field: &Field<'_>,
    columns: &Columns,
    traits: &Traits,
    context: &Context<'_>,
) -> Option<Law> {
    let ((others, law), is_sound) = read_law(key, field, context)?;
    let known = &columns.attributes;
    let Some(law) = remapped(&others, law, known) else {
        let names = known
            .iter()
            .map(|one| format!("{} ({})", one.name, one.values.join(", ")));
        let names: Vec<String> = names.collect();
        return field.refused(
            "the attributes and values are not those that [source] names first",
            format!(
                "name these, and there also, with share 0, the values that come later: {}",
                names.join("; ")
            ),
        );
    };
    if traits.copula.is_some() && !matches!(law, Law::Product(_)) {
        let help = "give it `shares`, or leave [source.copula] out";
        return field.refused("a joint law, and attributes that a copula may couple", help);
    }
    is_sound.then_some(law)
}

/// A law in terms of the known attributes and values. `None` if it has others, or lacks an
/// attribute.
fn remapped(others: &[Attribute], law: Law, known: &[Attribute]) -> Option<Law> {
    if others.len() != known.len() {
        return None;
    }
    let places = others.iter().map(|other| {
        let at = known.iter().position(|one| one.name == other.name)?;
        let values = other.values.iter();
        let places = values.map(|value| Some(known[at].index(value)? as u16));
        Some((at, places.collect::<Option<_>>()?))
    });
    moved(law, others, known, &places.collect::<Option<Vec<_>>>()?)
}

/// The traits with what a change says of them; all of it is read, also after a wrong key.
fn altered(told: &Told<'_>, mut traits: Traits, columns: &Columns) -> Option<Traits> {
    let known = Some(columns.attributes.as_slice());
    let names = columns.names();
    let changed = told.features.optional(|field| {
        let changed = features(field, known)?;
        replaced(changed, columns, &mut traits, field)
    });
    let merit = told.merit.optional(|field| {
        let merit = merit(field, known, Some(&names))?;
        let was_law = matches!(traits.merit, Some(MeritLaw::Law(_)));
        let is_law = matches!(merit, MeritLaw::Law(_));
        if traits.merit.is_none() || (traits.copula.is_some() && was_law != is_law) {
            let help = "give [source] a merit of the same form";
            return field.refused("a merit of another form than that of [source]", help);
        }
        Some(merit)
    });
    let has_merit = traits.merit.is_some();
    let score = told.score.optional(|field| {
        let score = score(field, known, has_merit)?;
        if traits.score.is_none() {
            return field.refused(
                "a score that [source] does not have",
                "give [source] a score",
            );
        }
        Some(score)
    });
    let misread = told.misread.optional(|field| misread(field, known));
    let has_score = traits.score.is_some();
    let errors = told
        .errors
        .optional(|field| errors(field, known, Some(&columns.features), has_score));
    changed.unless_bad()?;
    traits.merit = merit.unless_bad()?.or(traits.merit);
    traits.score = score.unless_bad()?.or(traits.score);
    traits.misread = misread.or(traits.misread)?;
    traits.errors = errors.or(traits.errors)?;
    Some(traits)
}

/// Replaces the laws of features of the same names and columns.
fn replaced(
    changed: Vec<NamedFeature>,
    columns: &Columns,
    traits: &mut Traits,
    field: &Field<'_>,
) -> Option<()> {
    let known: Vec<&str> = columns
        .features
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    for feature in changed {
        let at = known.iter().position(|name| *name == feature.name);
        let Some(at) = at.filter(|&at| columns.features[at].columns == feature.columns) else {
            let what = format!(
                "{} is no feature of [source], or has other shares",
                feature.name
            );
            return field.refused(what, advice(&feature.name, &known, "features"));
        };
        traits.features[at] = feature.law;
    }
    Some(())
}
