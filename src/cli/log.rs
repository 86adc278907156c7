//! The form of stderr: text for people, or one JSON object per line.

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use kleroterion::jobs::ConfigText;
use kleroterion::problem::{Place, Problem};
use kleroterion::report::plain;
use tracing::{error, info, warn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use super::held::HeldStderr;
use super::limits::BAR_PERIOD;
use super::look;

/// What stderr is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    #[default]
    Text,
    /// A JSON object a line: timestamp, level, target, fields, spans
    Json,
}

/// The target of the program's own messages, which are written whatever RUST_LOG is. It is no
/// prefix of the library's targets.
const SAID: &str = "klero::said";

/// The filter of events unless RUST_LOG is set.
const FILTER: &str = "warn";

static LOG: OnceLock<LogFormat> = OnceLock::new();

/// A layer of the tracing subscriber.
pub type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The modules of the library that log, with their places in the crates: RUST_LOG may name either.
const MODULES: [(&str, &str); 9] = [
    ("kleroterion::arena", "kleroterion_core::arena"),
    ("kleroterion::feed", "kleroterion_io::feed"),
    ("kleroterion::live", "kleroterion_live::live"),
    ("kleroterion::nats", "kleroterion_io::nats"),
    ("kleroterion::run", "kleroterion_run::run"),
    ("kleroterion::seat", "kleroterion_io::seat"),
    ("kleroterion::units", "kleroterion_sweep"),
    ("kleroterion::watch", "kleroterion_live::watch"),
    ("kleroterion::web", "kleroterion_live::web"),
];

/// The filter that RUST_LOG names, or `otherwise`.
pub fn filter(otherwise: &str) -> EnvFilter {
    let named = std::env::var(EnvFilter::DEFAULT_ENV).ok().map(|named| {
        let modules = MODULES.iter();
        modules.fold(named, |text, (library, package)| {
            text.replace(library, package)
        })
    });
    let named = named.and_then(|named| EnvFilter::try_new(named).ok());
    named.unwrap_or_else(|| EnvFilter::new(otherwise))
}

impl LogFormat {
    /// The log format in a command line that can't be parsed.
    pub fn wished(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut json = false;
        while let Some(argument) = arguments.next() {
            json |= argument == "--log=json";
            json |= argument == "--log" && arguments.next().is_some_and(|word| word == "json");
        }
        if json { Self::Json } else { Self::Text }
    }

    /// Starts writing events and messages to stderr, and to one more layer if given.
    pub fn start(self, more: Option<BoxedLayer>) {
        // Once, in `main`.
        let _ = LOG.set(self);
        let stderr = tracing_subscriber::fmt::layer().with_writer(|| HeldStderr);
        let mut layers: Vec<BoxedLayer> = vec![match self {
            Self::Text => stderr
                .with_ansi(has_colour())
                .with_filter(filter(FILTER))
                .boxed(),
            Self::Json => {
                let said = format!("{SAID}=info").parse();
                let filter = filter(FILTER).add_directive(said.expect("it is a directive"));
                stderr.json().with_filter(filter).boxed()
            }
        }];
        layers.extend(more);
        tracing_subscriber::registry().with(layers).init();
        if self == Self::Json {
            std::panic::set_hook(Box::new(|panic| {
                error!(target: SAID, "{}", plain(&panic.to_string()));
            }));
        }
    }
}

/// Returns true if each line of stderr is a JSON object.
pub fn is_json() -> bool {
    LOG.get() == Some(&LogFormat::Json)
}

/// Returns true if stderr shows colours.
pub fn has_colour() -> bool {
    look::has_colour(&std::io::stderr())
}

/// Returns true if a user sees progress move.
pub fn shows_progress() -> bool {
    std::io::stderr().is_terminal() && !is_json()
}

/// A spinner that is drawn on a terminal alone, and not where the user asked for quiet.
pub fn spinner(what: &str, quiet: bool) -> ProgressBar {
    drawn(quiet, || {
        ProgressBar::new_spinner().with_message(plain(what))
    })
}

/// A bar of some steps, drawn as [`spinner`] is.
pub fn bar(steps: u64, template: &str, quiet: bool) -> ProgressBar {
    drawn(quiet, || {
        let bar = ProgressBar::new(steps);
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    })
}

fn drawn(quiet: bool, made: impl FnOnce() -> ProgressBar) -> ProgressBar {
    if quiet || !shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = made();
    bar.enable_steady_tick(BAR_PERIOD);
    bar
}

/// Writes a line as an event, at the level that its first word names.
pub fn say(line: &str) {
    if let Some(words) = line.strip_prefix("error: ") {
        error!(target: SAID, "{words}");
    } else if let Some(words) = line.strip_prefix("warning: ") {
        warn!(target: SAID, "{words}");
    } else {
        let words = line.strip_prefix("note: ").unwrap_or(line);
        info!(target: SAID, "{words}");
    }
}

/// Writes a problem as an event. `text` is the text of the config.
pub fn problem(problem: &Problem, text: Option<&ConfigText>) {
    let (mut file, mut line, mut column) = (None, None, None);
    let (mut key, mut option) = (None, None);
    let mut place = problem.place.clone();
    match &mut place {
        Place::Request => {}
        Place::Config {
            line: at,
            column: character,
            span,
        } => {
            if let Some((name, line)) = text.map(|text| text.at(*at)) {
                file = Some(name.to_owned());
                *at = line;
            }
            // Of the config as a whole there is no place.
            if *span != (0..0) {
                (line, column) = (Some(*at as u64), Some(*character as u64));
            }
        }
        Place::Key(path) => key = Some(path.clone()),
        Place::Option(text) => option = Some(text.clone()),
        Place::File {
            path,
            line: at,
            column: field,
        } => {
            file = Some(path.display().to_string());
            (line, column) = (*at, *field);
        }
        Place::Memory {
            line: at,
            row,
            column: field,
            ..
        } => (line, column) = (at.or(*row), *field),
    }
    error!(
        target: SAID,
        what = plain(&problem.what),
        help = problem.help.as_deref().map(plain),
        file,
        line,
        column,
        key,
        option,
        "{place}{}", plain(&problem.what)
    );
}

/// Writes the number of problems and the consequence as an event.
pub fn problems(n: usize, words: &str) {
    error!(target: SAID, problems = n, "{words}");
}
