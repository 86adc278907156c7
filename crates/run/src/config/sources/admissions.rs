//! The source `type = "admissions"`: a generated season of graduate admissions. All of its
//! parameters are ours.

use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::context::{Built, Context};
use crate::config::keys::people::{NUMBER, TYPE};
use crate::config::plan::{Merits, World};
use crate::config::values::values_of;
use crate::document::param::{Param, Shape};
use crate::document::range::{AT_LEAST_1, BETWEEN_0_AND_1, FINITE, NOT_NEGATIVE, UP_TO_100};
use crate::document::{ConfigKey, Field, Later, Reader};
use crate::keys;
use crate::limits::MOST_REVIEWS;
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::{Known, Schema};
use kleroterion_core::score::Utilities;
use kleroterion_core::source::SourceMaker;
use kleroterion_core::source::admissions::{
    Admissions, Programme, SeasonParameters, SeasonStream, schema,
};

/// The calibrated season.
const SEASON: SeasonParameters = SeasonParameters::CALIBRATED;

/// The most applicants of a programme, so that both fit into a slate.
const HALF: u64 = MOST_SLATE as u64 / 2;

const APPLYING: [ConfigKey<u64>; 2] = [
    ConfigKey::whole("masters", 0, HALF).needed_like("masters = 1000"),
    ConfigKey::whole("phd", 0, HALF).needed_like("phd = 600"),
];

const ADMITTED_OF: [ConfigKey<f64>; 2] = [
    ConfigKey::number("masters", BETWEEN_0_AND_1).needed_like("masters = 0.03"),
    ConfigKey::number("phd", BETWEEN_0_AND_1).needed_like("phd = 0.2"),
];

const APPLICANTS: ConfigKey<Later> =
    ConfigKey::table("applicants", &[APPLYING[0].param, APPLYING[1].param]).about("how many apply");

const ADMITTED: ConfigKey<Later> =
    ConfigKey::table("admitted", &[ADMITTED_OF[0].param, ADMITTED_OF[1].param])
        .about("which share is admitted");

const SPREAD: ConfigKey<f64> = ConfigKey::number("spread", UP_TO_100)
    .about("how far utilities lie apart")
    .or(SEASON.spread);

const REVIEWS: ConfigKey<f64> = ConfigKey::number("reviews", AT_LEAST_1)
    .about("reviews an applicant")
    .or(SEASON.reviews);

const REVIEW_SD: ConfigKey<f64> = ConfigKey::number("review_sd", NOT_NEGATIVE)
    .about("the noise of a review")
    .or(SEASON.review_sd);

const CHAIR_SD: ConfigKey<f64> = ConfigKey::number("chair_sd", NOT_NEGATIVE)
    .about("the noise of the chair")
    .or(SEASON.chair_sd);

const ADVANTAGE: ConfigKey<Later> = ConfigKey::later("advantage", Shape::Map(&Shape::Map(&NUMBER)))
    .about(
        "by how many standard deviations the quality of a value's applicants lies above that of \
     others; utilities stay the same numbers",
    );

const KEYS: &[Param] = keys! {
    APPLICANTS, ADMITTED, SPREAD, REVIEWS, REVIEW_SD, CHAIR_SD, ADVANTAGE,
};

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "admissions",
    about: "a generated season of graduate admissions: applicants, admitted, spread, reviews, \
         review_sd, chair_sd (all ours, calibrated)",
    forms: &[SourceForm::Own(KEYS)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let (applicants, reviews) = (APPLICANTS.field(&mut table), REVIEWS.field(&mut table));
    let parameters = parameters(&mut table, &applicants, &reviews);
    let advantage = ADVANTAGE.field(&mut table);
    let advantages = advantage.optional(|field| advantages(field, &schema()));
    let place = TYPE.param.again(&mut table);
    table.finish();
    let parameters = near_enough(parameters?, &reviews, &place)?;
    let n = parameters.applicants();
    if n == 0 {
        return applicants.refused(
            "there are no applicants",
            "for example: applicants = { masters = 1000, phd = 600 }",
        );
    }
    let slate = context.slate.of(Some(n))?;
    if context.ruled && slate != n {
        return place.refused(
            format!("a season of {n} applicants makes no slates of {slate}"),
            "set slate = \"all\" in [rules]: they are there at once",
        );
    }
    let admissions = Admissions::new(parameters).with_advantages(advantages.or(Vec::new())?);
    let admissions = Arc::new(admissions);
    let schema = Arc::clone(admissions.schema());
    let utilities = Utilities::new(admissions.utilities().collect(), false);
    let season = Arc::clone(&admissions);
    let source: SourceMaker =
        Arc::new(move |key| Box::new(SeasonStream::new(Arc::clone(&season), key)));
    let world = World {
        merits: Merits::known(utilities.map(|all| all.in_slates(Some(n)))),
        records: true,
        season: Some(admissions),
        ..World::new(schema, Known::default(), source)
    };
    Some(Built {
        notes: vec![
            "the season is generated and its parameters are calibrated to the printed \
             numbers of Schumann et al. 2019: the paper's data are private"
                .into(),
        ],
        ..Built::of(world)
    })
}

/// Reads the advantages of the groups. A group that is not listed has 0.
fn advantages(field: &Field<'_>, schema: &Schema) -> Option<Vec<(usize, Vec<f64>)>> {
    let rows = values_of(field, Some(schema), false, |by| by.number_in(&FINITE))?;
    if rows.iter().any(|(attribute, _)| *attribute == 0) {
        return field.refused(
            "each programme has utilities of its own, so programmes have no advantage",
            "give one to gender, region or area; `admitted` says how much a programme's are worth",
        );
    }
    let row = |row: Vec<Option<f64>>| row.into_iter().map(|by| by.unwrap_or(0.0)).collect();
    let rows = rows.into_iter().map(|(attribute, by)| (attribute, row(by)));
    Some(rows.collect())
}

fn parameters(
    table: &mut Reader<'_>,
    applicants: &Field<'_>,
    reviews: &Field<'_>,
) -> Option<SeasonParameters> {
    let many = applicants.optional(|field| each(&APPLICANTS, field, APPLYING));
    let many = many.and_then(|many| Some(many.map(|many| many as u32)));
    let many = many.or(SEASON.programmes.map(|one| one.applicants));
    let admitted = ADMITTED.field(table);
    let admitted = admitted.optional(|field| each(&ADMITTED, field, ADMITTED_OF));
    let admitted = admitted.or(SEASON.programmes.map(|one| one.admitted));
    let (spread, reviews) = (SPREAD.value(table), REVIEWS.value_of(reviews));
    let (review_sd, chair_sd) = (REVIEW_SD.value(table), CHAIR_SD.value(table));
    let (many, admitted) = (many?, admitted?);
    let programme = |at: usize| Programme {
        applicants: many[at],
        admitted: admitted[at],
    };
    Some(SeasonParameters {
        programmes: [programme(0), programme(1)],
        spread: spread?,
        reviews: reviews?,
        review_sd: review_sd?,
        chair_sd: chair_sd?,
    })
}

/// A value a programme: `{ masters = .., phd = .. }`.
fn each<T>(of: &ConfigKey<Later>, field: &Field<'_>, keys: [ConfigKey<T>; 2]) -> Option<[T; 2]> {
    let mut table = of.reader(field)?;
    let [masters, phd] = keys.map(|key| key.value(&mut table));
    table.finish();
    Some([masters?, phd?])
}

/// Returns the parameters if enough people near the boundary can be reviewed as often as asked.
/// Notes a problem otherwise.
fn near_enough(
    parameters: SeasonParameters,
    reviews: &Field<'_>,
    kind: &Field<'_>,
) -> Option<SeasonParameters> {
    let field = if reviews.is_given() { reviews } else { kind };
    match parameters.further_reviews() {
        None if parameters.reviews > 1.0 && parameters.applicants() > 0 => field.refused(
            "no applicant is near the boundary to be reviewed more than once: no \
             programme has a place",
            "raise `admitted` or `applicants`, or set reviews = 1",
        ),
        Some(further) if further > MOST_REVIEWS => field.refused(
            format!("{further:.0} further reviews of each applicant near the boundary"),
            format!("lower `reviews`, so that they are at most {MOST_REVIEWS}"),
        ),
        _ => Some(parameters),
    }
}
