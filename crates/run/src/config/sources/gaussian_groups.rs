//! The source `type = "gaussian_groups"`: groups with normal scores, from which a pool selects who
//! applies.

use std::sync::Arc;

use super::kind::{SourceForm, SourceKind, SourceReader};
use crate::config::context::{Built, Context};
use crate::config::plan::{Merits, World};
use crate::document::param::{Param, Shape};
use crate::document::range::{FINITE, NOT_NEGATIVE};
use crate::document::{ConfigKey, Field, Later, Reader, all_read};
use crate::keys;
use kleroterion_core::protocol::{Fact, Known, ScoreLaw};
use kleroterion_core::source::{GaussianGroup, GaussianGroups, GaussianStream, SourceMaker};

const EXAMPLE: &str =
    "groups = { u = { mean = 4.9, variance = 1.5 }, v = { mean = 5.0, variance = 1.0 } }";

const MEAN: ConfigKey<f64> = ConfigKey::number("mean", FINITE).needed_like("mean = 5.0");

const VARIANCE: ConfigKey<f64> =
    ConfigKey::number("variance", NOT_NEGATIVE).needed_like("variance = 1.0");

const SCORE_BIAS: ConfigKey<f64> = ConfigKey::number("score_bias", FINITE).or(0.0);

const GROUP: &[Param] = keys![MEAN, VARIANCE, SCORE_BIAS];

const GROUPS: ConfigKey<Later> = ConfigKey::later("groups", Shape::Map(&Shape::Table(GROUP)))
    .about("the groups' scores")
    .needed_like(EXAMPLE);

const SCORE_NOISE: ConfigKey<f64> = ConfigKey::number("score_noise", NOT_NEGATIVE)
    .about("noise of the score that is seen")
    .or(0.0);

/// The kind of source.
pub(super) const KIND: SourceKind = SourceKind {
    name: "gaussian_groups",
    about: "people of groups whose scores are normal, of whom a pool lets some apply: groups \
         (mean, variance, score_bias), score_noise",
    forms: &[SourceForm::Own(keys![GROUPS, SCORE_NOISE])],
    can_be_pooled: true,
    read: SourceReader::BuiltIn(people),
};

fn people(mut table: Reader<'_>, context: &Context<'_>) -> Option<Built> {
    let field = GROUPS.field(&mut table);
    let groups = groups(&field);
    let noise = SCORE_NOISE.value(&mut table);
    let pooled = context.pool.is_some() || context.unpooled;
    if !pooled {
        table.refuse(
            "people of each group could apply, and nothing says who does",
            "for example: [pool] with type = \"fixed\" and start = { u = 0.4 }",
        );
    }
    table.finish();
    let noise = noise?;
    let groups = groups?;
    let sizes = context.slate.sizes(None)?;
    if !pooled {
        return None;
    }
    let law = |group: &GaussianGroup| ScoreLaw {
        mean: group.mean + group.score_bias,
        sd: (group.sd * group.sd + noise * noise).sqrt(),
    };
    let scores = groups.iter().map(law).collect();
    let groups = field.sound(GaussianGroups::new(groups, noise), "give fewer groups");
    let groups = Arc::new(groups?);
    let schema = Arc::clone(groups.schema());
    let source: SourceMaker =
        Arc::new(move |key| Box::new(GaussianStream::new(Arc::clone(&groups), sizes.clone(), key)));
    let known = Known {
        group: Some(0),
        scores: Fact::Exact(scores),
        ..Known::default()
    };
    Some(Built::of(World {
        merits: Merits::Drawn,
        ..World::new(schema, known, source)
    }))
}

fn groups(field: &Field<'_>) -> Option<Vec<GaussianGroup>> {
    let mut table = field.table()?;
    let groups = table.rest();
    if groups.len() < 2 {
        return table.refused(
            format!("{} groups, where there must be two at least", groups.len()),
            format!("for example: {EXAMPLE}"),
        );
    }
    let groups = groups.into_iter().map(|(key, group)| {
        let mut table = group.table_of(GROUP)?;
        let (mean, variance) = (MEAN.value(&mut table), VARIANCE.value(&mut table));
        let bias = SCORE_BIAS.value(&mut table);
        table.finish();
        Some(GaussianGroup {
            name: key.name.clone(),
            mean: mean?,
            sd: variance?.sqrt(),
            score_bias: bias?,
        })
    });
    all_read(groups)
}
