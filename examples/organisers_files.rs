//! An organiser's two files through the library: the quotas they ask for, whether a committee can
//! keep them, and how two policies compare on them.
//!
//! `cargo run --release --example organisers_files`
//! `cargo run --release --example organisers_files -- categories.csv respondents.csv 40`

use std::path::Path;
use std::process::ExitCode;

use kleroterion::compare::Summary;
use kleroterion::config::{Document, check};
use kleroterion::panel::feasibility::{Bound, NODES, Supply, feasibility};
use kleroterion::people::organisers::{Categories, RespondentsSpec};
use kleroterion::report::medium::Medium;
use kleroterion::report::table::table as shown;
use kleroterion::run::{Settings, run};

fn main() -> ExitCode {
    match run_example() {
        Ok(()) => ExitCode::SUCCESS,
        // All that is wrong with a file, each with its row and column.
        Err(problems) => {
            eprintln!("{problems}");
            ExitCode::FAILURE
        }
    }
}

fn run_example() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [quotas, people, members] = match &given[..] {
        [] => [
            "configs/organiser/categories.csv",
            "configs/organiser/respondents.csv",
            "40",
        ],
        [quotas, people, members] => [&**quotas, people, members],
        _ => {
            return Err(
                "give a categories file, a respondents file and the committee's size".into(),
            );
        }
    };
    let size: u32 = members.parse()?;
    let categories = Categories::load(Path::new(quotas), &Default::default(), Some(size.into()))?;
    let spec = RespondentsSpec {
        how: &Default::default(),
        path: Path::new(people),
        categories: &categories,
        id: None,
        unique: &[],
        filters: &[],
        bands: &[],
        keeps_others: false,
    };
    let table = spec.load()?;
    print_quotas(&categories);
    let rows = (0..table.len()).map(|row| table.values(row));
    print_feasibility(&categories, size, &Supply::people(rows, None));
    compare(quotas, people, size)
}

fn print_quotas(categories: &Categories) {
    for (category, targets) in categories.attributes().iter().zip(categories.targets()) {
        println!("{}", category.name);
        for (value, target) in category.values.iter().zip(targets) {
            let (min, max) = (value.quota.min, value.quota.max);
            println!(
                "  {:<12} {min:>3} to {max:<3} target {target:.3}",
                value.name
            );
        }
    }
}

fn print_feasibility(categories: &Categories, size: u32, supply: &Supply) {
    let found = feasibility(&categories.quotas(), size, supply, NODES);
    let label = |bound: &Bound| {
        let category = &categories.attributes()[bound.attribute];
        format!("{} {}", category.name, category.values[bound.value].name)
    };
    match found.problem(size, label) {
        Some(problem) => println!("{problem}"),
        None => println!("a committee of {size} can keep all quotas"),
    }
}

/// Plays two policies on the people and prints how they compare.
fn compare(quotas: &str, people: &str, size: u32) -> Result<(), Box<dyn std::error::Error>> {
    let config = format!(
        "replications = 100\n[source]\ntype = \"respondents\"\npath = {people:?}\n\
         [target]\ncategories = {quotas:?}\n\
         [rules]\nchoose = \"at_most_one\"\nuntil = {{ accepted = {size} }}\n\
         [[policy]]\nlabel = \"look-ahead\"\nkind = \"quota_lookahead\"\n\
         [[policy]]\nlabel = \"queue\"\nkind = \"virtual_queue\"\n"
    );
    let plan = check(&Document::parse(&config)?, Path::new(""))?;
    let result = run(&plan, &Settings::default(), |_| Ok(()))?;
    let summary = Summary::of(&result, &plan.judge);
    print!(
        "{}",
        shown(&result, &summary, &plan.judge, false, &Medium::default())
    );
    Ok(())
}
