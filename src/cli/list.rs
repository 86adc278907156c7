//! `klero list`.

use clap::{Args, ValueEnum};

use super::failure::{Failure, print};
use super::kinds::registry;
use super::look;
use kleroterion::catalog::kind_list::KindList;
use kleroterion::catalog::param::Param;
use kleroterion::presets::PRESETS;
use kleroterion::report::medium::Medium;
use kleroterion::score::Direction;

/// Options of `klero list`.
#[derive(Args)]
#[command(after_help = "Examples:
  klero list
  klero list policies")]
pub struct ListArgs {
    /// What to list; everything where it is left out
    what: Option<ListSubject>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ListSubject {
    Policies,
    Sources,
    Pools,
    Metrics,
    Presets,
}

/// A section: its title, and rows of name and description.
type ListSection = (&'static str, Vec<(String, String)>);

/// Lists policies, sources, pools, metrics or presets.
pub fn list(args: &ListArgs) -> Result<(), Failure> {
    let wanted = |what| args.what.is_none_or(|only| only == what);
    let sections: [(ListSubject, fn() -> ListSection); 5] = [
        (ListSubject::Policies, policies),
        (ListSubject::Sources, sources),
        (ListSubject::Pools, pools),
        (ListSubject::Metrics, metrics),
        (ListSubject::Presets, presets),
    ];
    let texts: Vec<String> = sections
        .iter()
        .filter(|(what, _)| wanted(*what))
        .map(|(_, section)| render(&section(), &look::of_stdout()))
        .collect();
    print(&texts.join("\n"))
}

fn render((title, rows): &ListSection, medium: &Medium) -> String {
    format!("{}\n{}", medium.title(title), medium.listed(rows))
}

fn policies() -> ListSection {
    let rows = registry().policies().iter().map(|kind| {
        let about = format!("{}: {}", kind.setting, kind.about);
        let params = kind.params.iter().map(Param::line);
        let parts = std::iter::once(about).chain(params);
        (kind.name.to_owned(), parts.collect::<Vec<_>>().join("; "))
    });
    ("Policies (kind)", rows.collect())
}

fn sources() -> ListSection {
    let entries = registry().entries(KindList::Sources).into_iter();
    let rows = entries.map(|entry| own((entry.name, entry.about)));
    let rows = rows.filter(|(_, about)| !about.is_empty());
    ("Sources (type)", rows.collect())
}

fn pools() -> ListSection {
    let entries = registry().entries(KindList::Pools).into_iter();
    let rows = entries.map(|entry| {
        let params = entry.params.iter().map(Param::line);
        let parts = std::iter::once(entry.about.to_owned()).chain(params);
        (entry.name.to_owned(), parts.collect::<Vec<_>>().join("; "))
    });
    ("Pools (type)", rows.collect())
}

fn metrics() -> ListSection {
    let rows = registry().metrics().map(|(name, info)| {
        let direction = match info.direction() {
            Direction::Lower => " (less is better)",
            Direction::Higher => " (more is better)",
            Direction::None => "",
        };
        let head = info.words(name).head();
        let title = match head == name {
            true => String::new(),
            false => format!("{head}: "),
        };
        (name.to_owned(), format!("{title}{}{direction}", info.about))
    });
    (
        "Metrics, of all settings (a run has those of its own)",
        rows.collect(),
    )
}

fn presets() -> ListSection {
    let rows = PRESETS
        .iter()
        .map(|preset| (preset.name.to_owned(), preset.about()));
    ("Presets", rows.collect())
}

fn own((name, about): (&str, &str)) -> (String, String) {
    (name.to_owned(), about.to_owned())
}
