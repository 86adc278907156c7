//! `klero schema`: JSON Schemas of the data that klero reads and writes.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::args::ConfigArgs;
use super::failure::{Failure, print};
use super::kinds::registry;
use super::show;
use kleroterion::compare::{CaseSummary, Summary};
use kleroterion::seat::wire;
use kleroterion::trace::Event;
use kleroterion::web::{DecisionAnswer, LooksAnswer};
use kleroterion::{feed, json_schema};

/// Options of `klero schema`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero schema config > klero.schema.json          for editors that complete and check a config
  klero schema candidate                           a record of any run
  klero schema candidate my.toml                   what this run reads of each record
  klero schema seat                                what a run and a policy outside say to each other
  klero schema feedback                            what a run and a program that answers say
  klero schema decision                            a line of decisions.ndjson
  klero schema answer                              what POST /v1/decisions answers")]
pub struct SchemaArgs {
    #[command(subcommand)]
    what: SchemaSubject,
}

#[derive(Subcommand)]
enum SchemaSubject {
    /// A config: every key, what it is, what it may be
    Config,
    /// A candidate record: of any run, or of a config whose people come from outside
    Candidate(Box<CandidateArgs>),
    /// The messages between a run and a policy in a program of its own
    Seat,
    /// The messages between a run and a program that answers interviews or says what becomes of the
    /// chosen
    Feedback,
    /// A decision: a line of decisions.ndjson, and the data of an event of GET /v1/decisions
    Decision,
    /// The answer of POST /v1/decisions
    Answer,
    /// An outcome that is reported later, by POST /v1/outcomes or among the records of a feed
    Outcome,
    /// The answer of GET /v1/looks: the interviews that people are to hold
    Looks,
    /// An interviewer's answer, by POST /v1/looks
    Look,
    /// What POST /v1/slates takes to close a slate
    Slate,
    /// A candidate's withdrawal, by POST /v1/withdrawals
    Withdrawal,
    /// A run's summary.json
    Summary,
    /// What `klero compare --format json` prints
    Comparison,
}

#[derive(Args)]
struct CandidateArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Prints a JSON Schema (draft 2020-12).
pub fn schema(args: &SchemaArgs) -> Result<(), Failure> {
    let schema = match &args.what {
        SchemaSubject::Config => registry().json_schema(),
        SchemaSubject::Candidate(args) => candidate(&args.config)?,
        SchemaSubject::Seat => wire::schema().into(),
        SchemaSubject::Feedback => wire::answering::schema().into(),
        SchemaSubject::Decision => json_schema::of::<Event>().into(),
        SchemaSubject::Answer => json_schema::of::<DecisionAnswer<'_>>().into(),
        SchemaSubject::Outcome => feed::schema::outcome(),
        SchemaSubject::Looks => json_schema::of::<LooksAnswer>().into(),
        SchemaSubject::Look => feed::schema::look(),
        SchemaSubject::Slate => feed::schema::closing(),
        SchemaSubject::Withdrawal => feed::schema::withdrawal(),
        SchemaSubject::Summary => json_schema::of::<Summary>().into(),
        SchemaSubject::Comparison => json_schema::of::<CaseSummary<'_>>().into(),
    };
    print(&format!("{schema:#}\n"))
}

fn candidate(args: &ConfigArgs) -> Result<Value, Failure> {
    if !args.is_named() {
        return Ok(feed::schema::candidate(None));
    }
    let runs = args.runs()?;
    let feed = runs.first().and_then(|run| run.plan.world.feed.as_ref());
    let Some(feed) = feed else {
        show::say(
            "error: no candidate comes from outside in this config: its [source] is no feed\nhelp: \
             leave the config out for the schema of any record, or take a source of type stdin, \
             tcp, http or tape, or a file with follow = true",
        );
        return Err(Failure::Wrong);
    };
    Ok(feed::schema::candidate(Some(&feed.reading)))
}
