//! Laws of numbers by name: their keys as data, and their readers.

use crate::catalog::param::{Entry, Param, Shape};
use crate::catalog::short;
use crate::config::keys::people::NUMBER;
use crate::config::shares::SLACK;
use crate::document::range::{NOT_NEGATIVE, POSITIVE, UP_TO_A_MILLION};
use crate::document::{Field, Reader};
use kleroterion_core::draw::{BadLaw, DirichletLaw, LawSpec, NumberLaw};
use kleroterion_core::limits::MOST_COUNTED;

/// A law with a name, of some numbers.
struct NamedLaw {
    name: &'static str,
    about: &'static str,
    params: &'static [Param],
    /// Makes the law from the numbers of its keys, in order.
    spec: fn(&[f64]) -> LawSpec,
}

const fn needed(
    key: &'static str,
    shape: Shape,
    about: &'static str,
    example: &'static str,
) -> Param {
    Param::new(key, shape, about).needed().like(example)
}

const ABOVE_0: Shape = Shape::Number(POSITIVE);
/// Beyond, distribution functions lose their digits.
const SHAPED: Shape = Shape::Number(UP_TO_A_MILLION);
const AT_LEAST_0: Shape = Shape::Number(NOT_NEGATIVE);

const LAWS: [NamedLaw; 10] = [
    NamedLaw {
        name: "normal",
        about: "the normal law",
        params: &[
            needed("mean", NUMBER, "the mean", "mean = 0.0"),
            needed("sd", AT_LEAST_0, "the standard deviation", "sd = 1.0"),
        ],
        spec: |x| LawSpec::Normal {
            mean: x[0],
            sd: x[1],
        },
    },
    NamedLaw {
        name: "log_normal",
        about: "a number whose logarithm is normal",
        params: &[
            needed("mu", NUMBER, "the logarithm's mean", "mu = 0.0"),
            needed(
                "sigma",
                AT_LEAST_0,
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
        params: &[
            needed("a", SHAPED, "the first shape", "a = 2.0"),
            needed("b", SHAPED, "the second shape", "b = 3.0"),
        ],
        spec: |x| LawSpec::Beta { a: x[0], b: x[1] },
    },
    NamedLaw {
        name: "gamma",
        about: "above 0, of a shape and a scale",
        params: &[
            needed("shape", SHAPED, "the shape", "shape = 2.0"),
            needed("scale", ABOVE_0, "the scale", "scale = 3.0"),
        ],
        spec: |x| LawSpec::Gamma {
            shape: x[0],
            scale: x[1],
        },
    },
    NamedLaw {
        name: "student_t",
        about: "Student's law, moved and scaled",
        params: &[
            needed("df", SHAPED, "the degrees of freedom", "df = 5"),
            Param::new("location", NUMBER, "the centre").or("0"),
            Param::new("scale", ABOVE_0, "the factor").or("1"),
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
        params: &[
            needed("low", NUMBER, "the least number", "low = 0.0"),
            needed("mode", NUMBER, "the most likely number", "mode = 1.0"),
            needed("high", NUMBER, "the greatest number", "high = 4.0"),
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
        params: &[
            needed("low", NUMBER, "the least number", "low = 0.0"),
            needed(
                "high",
                NUMBER,
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
        params: &[needed("mean", ABOVE_0, "the mean", "mean = 2.0")],
        spec: |x| LawSpec::Exponential { mean: x[0] },
    },
    NamedLaw {
        name: "poisson",
        about: "counts",
        params: &[needed(
            "mean",
            Shape::Number(UP_TO_A_MILLION),
            "the mean",
            "mean = 3.0",
        )],
        spec: |x| LawSpec::Poisson { mean: x[0] },
    },
    NamedLaw {
        name: "zipf",
        about: "ranks from 1, rank k in proportion to k^-s",
        params: &[
            needed(
                "n",
                Shape::Whole(1, MOST_COUNTED),
                "the last rank",
                "n = 10",
            ),
            needed("s", AT_LEAST_0, "the exponent", "s = 1.0"),
        ],
        spec: |x| LawSpec::Zipf {
            n: x[0] as u64,
            s: x[1],
        },
    },
];

const MIXTURE: &str = "mixture";
const DIRICHLET: &str = "dirichlet";

const WEIGHT: Param = needed(
    "weight",
    ABOVE_0,
    "the law's share of the mixture",
    "weight = 0.5",
);

const LAWS_OF: Param = needed(
    "laws",
    Shape::List(&Shape::Kinds("law", component_entries)),
    "the laws, each with its weight; the weights sum to 1",
    "laws = [{ weight = 0.7, law = \"normal\", mean = 0, sd = 1 }, \
     { weight = 0.3, law = \"normal\", mean = 3, sd = 1 }]",
);

const ALPHA: Param = needed(
    "alpha",
    Shape::Map(&ABOVE_0),
    "the concentration of each share, by name: features NAME.SHARE that sum to 1",
    "alpha = { work = 2.0, care = 1.0 }",
);

fn entries() -> Vec<Entry> {
    let named = LAWS.iter().map(|law| Entry {
        name: law.name,
        about: law.about,
        params: law.params.to_vec(),
    });
    named.collect()
}

fn component_entries() -> Vec<Entry> {
    let mut all = entries();
    all.iter_mut().for_each(|law| law.params.insert(0, WEIGHT));
    all
}

/// Laws of one number.
pub(super) fn number_entries() -> Vec<Entry> {
    let mixture = Entry {
        name: MIXTURE,
        about: "one of several laws, by weight",
        params: vec![LAWS_OF],
    };
    entries().into_iter().chain([mixture]).collect()
}

/// Laws of a feature, or of several at once.
pub(super) fn feature_entries() -> Vec<Entry> {
    let dirichlet = Entry {
        name: DIRICHLET,
        about: "several features at once: shares that sum to 1",
        params: vec![ALPHA],
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
    let alpha = table.need(ALPHA.key, ALPHA.example);
    table.finish();
    let (names, alpha): (Vec<String>, Vec<f64>) = alpha.pairs(Field::positive)?.into_iter().unzip();
    let law = sound(field, DirichletLaw::new(alpha))?;
    Some(OneFeature::Shares(names, law))
}

fn form(table: &mut Reader<'_>, more: &[(&'static str, Form)]) -> Option<Form> {
    let named = LAWS.iter().map(|law| (law.name, Form::Named(law)));
    let words: Vec<(&str, Form)> = named.chain(more.iter().copied()).collect();
    table.need("law", "law = \"normal\"").choice(&words)
}

fn spec(form: Form, table: &mut Reader<'_>) -> Option<LawSpec> {
    match form {
        Form::Named(law) => named(law, table),
        Form::Mixture | Form::Dirichlet => mixture(&table.need(LAWS_OF.key, LAWS_OF.example)),
    }
}

fn named(law: &NamedLaw, table: &mut Reader<'_>) -> Option<LawSpec> {
    let numbers: Vec<_> = law.params.iter().map(|key| given(key, table)).collect();
    let numbers: Vec<f64> = numbers.into_iter().collect::<Option<_>>()?;
    Some((law.spec)(&numbers))
}

/// The number of a key, or its default.
fn given(param: &Param, table: &mut Reader<'_>) -> Option<f64> {
    if param.default.is_some() {
        return param.number(table);
    }
    let field = table.need(param.key, param.example);
    match param.shape {
        Shape::Whole(least, most) => field.whole_in(least..=most).map(|n| n as f64),
        _ => param.read_number(&field),
    }
}

fn mixture(field: &Field<'_>) -> Option<LawSpec> {
    let laws = field.each(|member| {
        let mut table = member.table()?;
        let weight = given(&WEIGHT, &mut table);
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
