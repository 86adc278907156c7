//! The source `type = "admissions"`: a generated season of graduate admissions. All of its
//! parameters are ours.

use std::fmt::Display;
use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::catalog::param::{Param, Shape, WHOLE};
use crate::config::context::{Built, Context};
use crate::config::keys::people::NUMBER;
use crate::config::plan::{Merits, World};
use crate::config::values::values_of;
use crate::document::range::{AT_LEAST_1, BETWEEN_0_AND_1, FINITE, NOT_NEGATIVE, UP_TO_100};
use crate::document::{Field, Reader};
use crate::limits::MOST_REVIEWS;
use kleroterion_core::limits::MOST_SLATE;
use kleroterion_core::protocol::{Known, Schema};
use kleroterion_core::score::Utilities;
use kleroterion_core::source::SourceMaker;
use kleroterion_core::source::admissions::{
    Admissions, PROGRAMMES, Programme, SeasonParameters, SeasonStream, schema,
};

const SPREAD: Param = Param::new(
    "spread",
    Shape::Number(UP_TO_100),
    "how far utilities lie apart",
);
const REVIEWS: Param = Param::new("reviews", Shape::Number(AT_LEAST_1), "reviews an applicant");
const REVIEW_SD: Param = Param::new(
    "review_sd",
    Shape::Number(NOT_NEGATIVE),
    "the noise of a review",
);
const CHAIR_SD: Param = Param::new(
    "chair_sd",
    Shape::Number(NOT_NEGATIVE),
    "the noise of the chair",
);

const ADVANTAGE: Param = Param::new(
    "advantage",
    Shape::Map(&Shape::Map(&NUMBER)),
    "by how many standard deviations the quality of a value's applicants lies above that of \
     others; utilities stay the same numbers",
);

const SEASON: &[Param] = &[
    Param::new(
        "applicants",
        Shape::Table(&[
            Param::new("masters", WHOLE, "").needed(),
            Param::new("phd", WHOLE, "").needed(),
        ]),
        "how many apply",
    ),
    Param::new(
        "admitted",
        Shape::Table(&[
            Param::new("masters", Shape::Number(BETWEEN_0_AND_1), "").needed(),
            Param::new("phd", Shape::Number(BETWEEN_0_AND_1), "").needed(),
        ]),
        "which share is admitted",
    ),
    SPREAD,
    REVIEWS,
    REVIEW_SD,
    CHAIR_SD,
    ADVANTAGE,
];

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "admissions",
    about: "a generated season of graduate admissions: applicants, admitted, spread, reviews, \
         review_sd, chair_sd (all ours, calibrated)",
    forms: &[SourceForm::Own(SEASON)],
    can_be_pooled: false,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let applicants = table.get("applicants");
    let reviews = table.get("reviews");
    let parameters = parameters(&mut table, &applicants, &reviews);
    let advantage = table.get(ADVANTAGE.key);
    let advantages = advantage.optional(|field| advantages(field, &schema()));
    let place = table.get("type");
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
    let default = SeasonParameters::default();
    let whole = |field: &Field<'_>| {
        field
            .whole_in(..=u64::from(MOST_SLATE / 2))
            .map(|many| many as u32)
    };
    let many = default.programmes.map(|one| one.applicants);
    let many = applicants
        .optional(|field| each(field, many, whole))
        .or(many);
    let share = |field: &Field<'_>| field.number_in(&BETWEEN_0_AND_1);
    let admitted = default.programmes.map(|one| one.admitted);
    let field = table.get("admitted");
    let admitted = field
        .optional(|field| each(field, admitted, share))
        .or(admitted);
    let spread = SPREAD.given_number(table).or(default.spread);
    let reviews = reviews.optional(|field| REVIEWS.read_number(field));
    let reviews = reviews.or(default.reviews);
    let review_sd = REVIEW_SD.given_number(table).or(default.review_sd);
    let chair_sd = CHAIR_SD.given_number(table).or(default.chair_sd);
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
fn each<T: Display>(
    field: &Field<'_>,
    default: [T; 2],
    read: impl Fn(&Field<'_>) -> Option<T>,
) -> Option<[T; 2]> {
    let mut table = field.table()?;
    let [masters, phd] = [0, 1].map(|at| {
        let example = format!("{} = {}", PROGRAMMES[at], default[at]);
        read(&table.need(PROGRAMMES[at], &example))
    });
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
