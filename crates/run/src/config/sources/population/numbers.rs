//! The numbers of people: features, merits and scores, and their measurement.

use super::keys::{BIAS, CONSTANT, ERROR_KEYS, MEASURED, MISREAD_OF_ALL, SD, WEIGHTED, WEIGHTS};
use super::laws::{OneFeature, feature, number};
use crate::config::by_value::by_value;
use crate::document::{Field, Value, all_read};
use kleroterion_core::nearest::advice;
use kleroterion_core::protocol::Attribute;
use kleroterion_core::source::population::{
    ByValue, FeatureLaw, MeasurementError, MeritLaw, Misreading, ScoreOf,
};

/// A key of `features`: its law, and the names of the features that it makes.
#[derive(Clone)]
pub(super) struct NamedFeature {
    pub(super) name: String,
    pub(super) law: FeatureLaw,
    pub(super) columns: Vec<String>,
}

/// The names that features can't have.
const TAKEN: [&str; 2] = ["merit", "score"];

/// Reads `features`.
pub(super) fn features(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
) -> Option<Vec<NamedFeature>> {
    let read = field.table()?.rest().into_iter().map(|(key, field)| {
        let name = key.name.clone();
        if TAKEN.contains(&&*name) {
            let what = format!("a feature can't be called {name}, which is a key of its own");
            return field.refused(
                what,
                format!("give [source] the key `{name}`, or rename it"),
            );
        }
        let laws = by_value(&field, attributes, feature)?;
        named(name, laws, &field)
    });
    all_read(read)
}

/// A feature of these laws, which all make the same columns.
fn named(name: String, laws: ByValue<OneFeature>, field: &Field<'_>) -> Option<NamedFeature> {
    let first = match laws.iter().next()? {
        OneFeature::Number(_) => {
            let law = laws.try_map(|law| match law {
                OneFeature::Number(law) => Some(law),
                OneFeature::Shares(..) => None,
            });
            let Some(law) = law else {
                return differing(field);
            };
            let columns = vec![name.clone()];
            let law = FeatureLaw::Number(law);
            return Some(NamedFeature { name, law, columns });
        }
        OneFeature::Shares(names, _) => names.clone(),
    };
    let law = laws.try_map(|law| match law {
        OneFeature::Shares(names, law) if names == first => Some(law),
        _ => None,
    });
    let Some(law) = law else {
        return differing(field);
    };
    let columns = first.iter().map(|share| format!("{name}.{share}"));
    Some(NamedFeature {
        columns: columns.collect(),
        law: FeatureLaw::Shares(law),
        name,
    })
}

fn differing(field: &Field<'_>) -> Option<NamedFeature> {
    field.refused(
        format!("`{}` makes other features of other people", field.path()),
        "give each value a law of one number, or each a dirichlet with the same shares in the \
         same order",
    )
}

/// Reads `merit`: a law, or weights of features.
pub(super) fn merit(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
    columns: Option<&[String]>,
) -> Option<MeritLaw> {
    match field.value()? {
        Value::Table(table) if table.get(WEIGHTS.name()).is_some() => {}
        _ => return by_value(field, attributes, number).map(MeritLaw::Law),
    }
    let mut table = field.table_of(WEIGHTED)?;
    let weighted = WEIGHTS.field(&mut table);
    let constant = CONSTANT.value(&mut table);
    table.finish();
    let words = "a number from -1e100 to 1e100";
    let pairs = weighted.pairs(|weight| weight.number_where(words, |x| x.abs() <= 1e100));
    let (columns, mut weights) = (columns?, vec![0.0; columns?.len()]);
    let known: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut is_sound = true;
    for (name, weight) in pairs? {
        match columns.iter().position(|column| *column == name) {
            Some(at) => weights[at] = weight,
            None => {
                let what = format!("a weight of {name}, which is no feature");
                weighted.refuse(what, advice(&name, &known, "features"));
                is_sound = false;
            }
        }
    }
    let constant = constant?;
    is_sound.then_some(MeritLaw::Linear { constant, weights })
}

/// Reads `score`: a law, or `"merit"`.
pub(super) fn score(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
    has_merit: bool,
) -> Option<ScoreOf> {
    let Value::Text(_) = field.value()? else {
        return by_value(field, attributes, number).map(ScoreOf::Law);
    };
    field.choice(&MEASURED)?;
    if !has_merit {
        return field.refused(
            "the score measures what people are worth, and they are worth nothing in particular",
            "for example: merit = { law = \"normal\", mean = 0.0, sd = 1.0 }",
        );
    }
    Some(ScoreOf::Merit)
}

/// Reads `misread`: how likely each attribute is shown wrong.
pub(super) fn misread(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
) -> Option<Vec<Misreading>> {
    let read = field.table()?.rest().into_iter().map(|(key, field)| {
        let rate = by_value(&field, attributes, |rate| MISREAD_OF_ALL.of_value(rate));
        let attributes = attributes?;
        let known: Vec<&str> = attributes.iter().map(|one| one.name.as_str()).collect();
        let Some(attribute) = known.iter().position(|name| *name == key.name) else {
            let what = format!("{} is no attribute", key.name);
            return field.refused(what, advice(&key.name, &known, "attributes"));
        };
        let rate = rate?;
        Some(Misreading { attribute, rate })
    });
    all_read(read)
}

/// The errors of measurement: a place a feature, then that of the score.
pub(super) type Errors = Vec<Option<ByValue<MeasurementError>>>;

/// Reads `errors`: how each feature and the score is measured.
pub(super) fn errors(
    field: &Field<'_>,
    attributes: Option<&[Attribute]>,
    features: Option<&[NamedFeature]>,
    has_score: bool,
) -> Option<Errors> {
    let keys = field.table()?.rest();
    let read = keys.into_iter().map(|(key, field)| {
        let read = by_value(&field, attributes, error);
        Some((key.name.clone(), field, read?))
    });
    let read: Vec<Option<_>> = read.collect();
    let features = features?;
    let widths = features.iter().map(|feature| feature.columns.len());
    let mut errors: Errors = vec![None; widths.sum::<usize>() + 1];
    let mut is_sound = true;
    for one in read {
        let (name, field, error) = one?;
        let mut at = 0;
        let found = features.iter().find(|feature| {
            let is_it = feature.name == name;
            at += if is_it { 0 } else { feature.columns.len() };
            is_it
        });
        match found {
            Some(feature) => errors[at..at + feature.columns.len()].fill(Some(error)),
            None if name == "score" && has_score => errors[at] = Some(error),
            None => {
                let names = features.iter().map(|feature| feature.name.as_str());
                let known: Vec<&str> = names.chain(has_score.then_some("score")).collect();
                let help = advice(&name, &known, "numbers that are measured");
                field.refuse(format!("{name} is no number that is measured"), help);
                is_sound = false;
            }
        }
    }
    is_sound.then_some(errors)
}

/// The error of measurement of a table.
fn error(field: &Field<'_>) -> Option<MeasurementError> {
    let mut table = field.table_of(ERROR_KEYS)?;
    let (sd, bias) = (SD.value(&mut table), BIAS.value(&mut table));
    table.finish();
    Some(MeasurementError {
        sd: sd?,
        bias: bias?,
    })
}
