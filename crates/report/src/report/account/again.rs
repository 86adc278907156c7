//! The steps to repeat a run: commands, versions and config.

use super::super::files::FIGURES;
use super::super::finished::Finished;
use super::super::page::PagePart;
use super::facts::{cut_short, is_cut_inside};
use super::words::{quoted, value};
use crate::limits::MOST_CONFIG_BYTES;
use kleroterion_run::document::Value;

/// The line above a config without the values that conditions name.
const UNNAMED: &str =
    "# … stands for values of conditions that may tell who someone is: config.toml has them\n";

/// Returns the command that repeats a run, with what is to be known of it. It depends on the place
/// from which the people can be obtained again.
fn command(run: &Finished) -> (String, &'static str) {
    let few = match cut_short(run) {
        Some(_) => format!(" --replications {}", run.replications),
        None => String::new(),
    };
    match source(run) {
        _ if run.has_journal => (
            "klero replay . --out again".into(),
            "The journal in this folder holds all who came, in order: a replay plays them once \
             more. `klero resume .` takes the live run itself up again.",
        ),
        "http" | "tcp" => (
            "klero replay DIR --out again".into(),
            "DIR is the folder of the live run: its journal holds all who came. Give the \
             options that the replay had.",
        ),
        "stdin" => (
            "klero run config.toml --out again < RECORDS".into(),
            "RECORDS are the records that came on the standard input: a run that is not live \
             keeps no journal.",
        ),
        _ => (format!("klero run config.toml{few} --out again"), ""),
    }
}

/// The type of its source, as the config has it.
fn source(run: &Finished) -> &str {
    match value(run, &["source", "type"]) {
        Some(Value::Text(kind)) => kind,
        _ => "",
    }
}

/// The command, the versions, the config.
pub(super) fn again(run: &Finished) -> Vec<PagePart> {
    let versions = run
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    let versions = versions.collect::<Vec<_>>().join(", ");
    let ours = env!("CARGO_PKG_VERSION");
    let is_live = run.has_journal || ["http", "tcp"].contains(&source(run));
    let same = match (is_cut_inside(run), is_live) {
        (true, true) => {
            "The live run was interrupted: a replay's lanes end with the stream, and all their \
             measures are the same."
        }
        (true, false) => {
            "This run was interrupted in the middle of its first replication: run again, it goes \
             on to the end."
        }
        (false, _) => {
            "The same version gives the same `summary.json` and `replications.csv`, byte for byte, \
             whatever the machine's number of threads."
        }
    };
    let (command, known) = command(run);
    let document = run.own.as_ref().unwrap_or(&run.config);
    let toml = match document.without_named_people() {
        Some(document) => format!("{UNNAMED}{}", document.to_toml()),
        None => document.to_toml(),
    };
    let config = if toml.len() > MOST_CONFIG_BYTES {
        let lines = toml.lines().scan(0, |bytes, line| {
            *bytes += line.len() + 1;
            (*bytes <= MOST_CONFIG_BYTES).then_some(line)
        });
        let head: Vec<&str> = lines.collect();
        format!(
            "{}\n# … {} bytes in all: the rest is in config.toml",
            head.join("\n"),
            toml.len()
        )
    } else {
        toml
    };
    vec![
        PagePart::Prose(format!(
            "In the folder of this page, where `config.toml` says all that was asked for, seed \
             ({}) with it; replications there are {}:",
            run.seed, run.replications
        )),
        PagePart::Code(format!("{command}\nklero report again")),
        PagePart::Prose(format!(
            "{known}{}{same} The run was made by {versions}, this page by kleroterion {ours} from \
             `config.toml`, `summary.json` and `replications.csv` alone. The figures are in \
             `{FIGURES}`, as SVG.",
            if known.is_empty() { "" } else { " " }
        )),
        PagePart::Fold {
            summary: format!("config.toml of {}", quoted(&run.name)),
            parts: vec![PagePart::Code(config)],
        },
    ]
}
