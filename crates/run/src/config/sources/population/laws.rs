//! Laws of numbers by name: their keys as data, and their readers.

use crate::catalog::short;
use crate::config::shares::SLACK;
use crate::document::param::{Entry, Shape};
use crate::document::range::{FINITE, NOT_NEGATIVE, NumberRange, POSITIVE, UP_TO_A_MILLION};
use crate::document::{ConfigKey, Field, Later, Reader};
use kleroterion_core::draw::{BadLaw, DirichletLaw, LawSpec, NumberLaw};
use kleroterion_core::limits::MOST_COUNTED;

/// A law with a name, of some numbers.
struct NamedLaw {
    name: &'static str,
    about: &'static str,
    keys: &'static [ConfigKey<f64>],
    /// Makes the law from the numbers of its keys, in order.
    spec: fn(&[f64]) -> LawSpec,
}

const fn number_key(
    key: &'static str,
    range: NumberRange,
    about: &'static str,
    example: &'static str,
) -> ConfigKey<f64> {
    ConfigKey::number(key, range)
        .about(about)
        .needed_like(example)
}

/// The key that names a law.
pub(super) const LAW: ConfigKey<Later> =
    ConfigKey::later("law", Shape::Text).needed_like("law = \"normal\"");

const LAST_RANK: ConfigKey<f64> = ConfigKey::of("n", Shape::Whole(1, MOST_COUNTED), |field| {
    field.whole_in(1..=MOST_COUNTED).map(|n| n as f64)
})
.about("the last rank")
.needed_like("n = 10");

const LAWS: [NamedLaw; 10] = [
    NamedLaw {
        name: "normal",
        about: "the normal law",
        keys: &[
            number_key("mean", FINITE, "the mean", "mean = 0.0"),
            number_key("sd", NOT_NEGATIVE, "the standard deviation", "sd = 1.0"),
        ],
        spec: |x| LawSpec::Normal {
            mean: x[0],
            sd: x[1],
        },
    },
    NamedLaw {
        name: "log_normal",
        about: "a number whose logarithm is normal",
        keys: &[
            number_key("mu", FINITE, "the logarithm's mean", "mu = 0.0"),
            number_key(
                "sigma",
                NOT_NEGATIVE,
                "the logarithm's standard deviation",
                "sigma = 0.5",
            ),
        ],
        spec: |x| LawSpec::LogNormal {
            mu: x[0],
            sigma: x[1],
        },
    },
    NamedLaw {
        name: "beta",
        about: "between 0 and 1, of two shapes",
        keys: &[
            number_key("a", UP_TO_A_MILLION, "the first shape", "a = 2.0"),
            number_key("b", UP_TO_A_MILLION, "the second shape", "b = 3.0"),
        ],
        spec: |x| LawSpec::Beta { a: x[0], b: x[1] },
    },
    NamedLaw {
        name: "gamma",
        about: "above 0, of a shape and a scale",
        keys: &[
            number_key("shape", UP_TO_A_MILLION, "the shape", "shape = 2.0"),
            number_key("scale", POSITIVE, "the scale", "scale = 3.0"),
        ],
        spec: |x| LawSpec::Gamma {
            shape: x[0],
            scale: x[1],
        },
    },
    NamedLaw {
        name: "student_t",
        about: "Student's law, moved and scaled",
        keys: &[
            number_key("df", UP_TO_A_MILLION, "the degrees of freedom", "df = 5"),
            ConfigKey::number("location", FINITE)
                .about("the centre")
                .or(0.0),
            ConfigKey::number("scale", POSITIVE)
                .about("the factor")
                .or(1.0),
        ],
        spec: |x| LawSpec::StudentT {
            df: x[0],
            location: x[1],
            scale: x[2],
        },
    },
    NamedLaw {
        name: "triangular",
        about: "between two ends, most likely at the mode",
        keys: &[
            number_key("low", FINITE, "the least number", "low = 0.0"),
            number_key("mode", FINITE, "the most likely number", "mode = 1.0"),
            number_key("high", FINITE, "the greatest number", "high = 4.0"),
        ],
        spec: |x| LawSpec::Triangular {
            low: x[0],
            mode: x[1],
            high: x[2],
        },
    },
    NamedLaw {
        name: "uniform",
        about: "between two ends, all as likely",
        keys: &[
            number_key("low", FINITE, "the least number", "low = 0.0"),
            number_key(
                "high",
                FINITE,
                "the end that no number reaches",
                "high = 1.0",
            ),
        ],
        spec: |x| LawSpec::Uniform {
            low: x[0],
            high: x[1],
        },
    },
    NamedLaw {
        name: "exponential",
        about: "above 0, without memory",
        keys: &[number_key("mean", POSITIVE, "the mean", "mean = 2.0")],
        spec: |x| LawSpec::Exponential { mean: x[0] },
    },
    NamedLaw {
        name: "poisson",
        about: "counts",
        keys: &[number_key(
            "mean",
            UP_TO_A_MILLION,
            "the mean",
            "mean = 3.0",
        )],
        spec: |x| LawSpec::Poisson { mean: x[0] },
    },
    NamedLaw {
        name: "zipf",
        about: "ranks from 1, rank k in proportion to k^-s",
        keys: &[
            LAST_RANK,
            number_key("s", NOT_NEGATIVE, "the exponent", "s = 1.0"),
        ],
        spec: |x| LawSpec::Zipf {
            n: x[0] as u64,
            s: x[1],
        },
    },
];

const MIXTURE: &str = "mixture";
const DIRICHLET: &str = "dirichlet";

const WEIGHT: ConfigKey<f64> = number_key(
    "weight",
    POSITIVE,
    "the law's share of the mixture",
    "weight = 0.5",
);

const LAWS_OF: ConfigKey<Later> = ConfigKey::later(
    "laws",
    Shape::List(&Shape::Kinds(LAW.name(), component_entries)),
)
.about("the laws, each with its weight; the weights sum to 1")
.needed_like(
    "laws = [{ weight = 0.7, law = \"normal\", mean = 0, sd = 1 }, \
     { weight = 0.3, law = \"normal\", mean = 3, sd = 1 }]",
);

const ALPHA: ConfigKey<Later> = ConfigKey::later("alpha", Shape::Map(&Shape::Number(POSITIVE)))
    .about("the concentration of each share, by name: features NAME.SHARE that sum to 1")
    .needed_like("alpha = { work = 2.0, care = 1.0 }");

fn entries() -> Vec<Entry> {
    let named = LAWS.iter().map(|law| Entry {
        name: law.name,
        about: law.about,
        params: law.keys.iter().map(|key| key.param).collect(),
    });
    named.collect()
}

fn component_entries() -> Vec<Entry> {
    let mut all = entries();
    all.iter_mut()
        .for_each(|law| law.params.insert(0, WEIGHT.param));
    all
}

/// Laws of one number.
pub(super) fn number_entries() -> Vec<Entry> {
    let mixture = Entry {
        name: MIXTURE,
        about: "one of several laws, by weight",
        params: vec![LAWS_OF.param],
    };
    entries().into_iter().chain([mixture]).collect()
}

/// Laws of a feature, or of several at once.
pub(super) fn feature_entries() -> Vec<Entry> {
    let dirichlet = Entry {
        name: DIRICHLET,
        about: "several features at once: shares that sum to 1",
        params: vec![ALPHA.param],
    };
    number_entries().into_iter().chain([dirichlet]).collect()
}

/// The law of a feature, or of several.
pub(super) enum OneFeature {
    Number(NumberLaw),
    /// The names of the shares, and their law.
    Shares(Vec<String>, DirichletLaw),
}

/// The form that a table of a law has.
#[derive(Clone, Copy)]
enum Form {
    Named(&'static NamedLaw),
    Mixture,
    Dirichlet,
}

/// Reads the law of one number.
pub(super) fn number(field: &Field<'_>) -> Option<NumberLaw> {
    let mut table = field.table()?;
    let spec = spec(form(&mut table, &[(MIXTURE, Form::Mixture)])?, &mut table);
    table.finish();
    sound(field, spec?.law())
}

/// Reads the law of a feature or of several.
pub(super) fn feature(field: &Field<'_>) -> Option<OneFeature> {
    let mut table = field.table()?;
    let more = [(MIXTURE, Form::Mixture), (DIRICHLET, Form::Dirichlet)];
    let form = form(&mut table, &more)?;
    let Form::Dirichlet = form else {
        let spec = spec(form, &mut table);
        table.finish();
        return sound(field, spec?.law()).map(OneFeature::Number);
    };
    let alpha = ALPHA.field(&mut table);
    table.finish();
    let (names, alpha): (Vec<String>, Vec<f64>) = alpha.pairs(Field::positive)?.into_iter().unzip();
    let law = sound(field, DirichletLaw::new(alpha))?;
    Some(OneFeature::Shares(names, law))
}

fn form(table: &mut Reader<'_>, more: &[(&'static str, Form)]) -> Option<Form> {
    let named = LAWS.iter().map(|law| (law.name, Form::Named(law)));
    let words: Vec<(&str, Form)> = named.chain(more.iter().copied()).collect();
    LAW.field(table).choice(&words)
}

fn spec(form: Form, table: &mut Reader<'_>) -> Option<LawSpec> {
    match form {
        Form::Named(law) => named(law, table),
        Form::Mixture | Form::Dirichlet => mixture(&LAWS_OF.field(table)),
    }
}

fn named(law: &NamedLaw, table: &mut Reader<'_>) -> Option<LawSpec> {
    let numbers: Vec<_> = law.keys.iter().map(|key| key.value(table)).collect();
    let numbers: Vec<f64> = numbers.into_iter().collect::<Option<_>>()?;
    Some((law.spec)(&numbers))
}

fn mixture(field: &Field<'_>) -> Option<LawSpec> {
    let laws = field.each(|member| {
        let mut table = member.table()?;
        let weight = WEIGHT.value(&mut table);
        let spec = form(&mut table, &[]).and_then(|form| spec(form, &mut table));
        table.finish();
        let spec = spec?;
        sound(member, spec.clone().law())?;
        Some((weight?, spec))
    })?;
    let sum: f64 = laws.iter().map(|(weight, _)| weight).sum();
    if (sum - 1.0).abs() > SLACK {
        let what = format!("the weights of the mixture sum to {}, not to 1", short(sum));
        return field.refused(what, "make them sum to 1");
    }
    Some(LawSpec::Mixture(laws))
}

/// The law; that these numbers make none is noted.
fn sound<T>(field: &Field<'_>, law: Result<T, BadLaw>) -> Option<T> {
    law.map_err(|error| {
        let help = "change them to what the law allows; docs/worlds.md lists the keys of all laws";
        field.refuse(format!("these numbers make no law: {error}"), help);
    })
    .ok()
}
