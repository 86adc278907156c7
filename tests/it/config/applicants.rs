//! Applicants of a file with recorded reviews, from the config to who is chosen.

mod crossed;

use std::collections::BTreeSet;

use crate::support::configs::with;
use crate::support::same::same_bytes;
use crate::support::says::Says as _;
use crate::support::terminal::Terminal;
use crate::support::{config, many, plan, play, project, stats, values};

#[allow(dead_code)] // Its `main` prints the file.
#[path = "../../../examples/made_up_applicants.rs"]
mod made_up_applicants;

/// The tests below work out by hand who is chosen.
pub const APPLICANTS: &str = r#"name = "applicants"
seed = 4
replications = 3

[source]
type = "file"
path = "applicants.csv"
id = "id"
order = "shuffled"
utility = "worth"
reviews = ["r1", "r2", "r3"]

[source.attributes]
gender = { column = "gender" }
region = { column = "region" }

[rules]
slate = "all"
choose = { exactly = 5 }
until = { rounds = 1 }
interviews = [{ name = "review", cost = 1, gain = 1 }, { name = "interview", cost = 3, gain = 4 }]
interview_cap = 100_000
budget = 68

[feedback.interview]
type = "recorded_looks"
sd = 0.1

[[policy]]
label = "uniform"
kind = "uniform_interviews"

[[policy]]
label = "random"
kind = "random_interviews"

[[policy]]
label = "SWAP"
kind = "swap"
delta = 0.05
stop = "budget"

[[policy]]
label = "SWAP diverse"
kind = "swap"
delta = 0.05
stop = "budget"
objective = "diverse"
by = "gender"

[report]
baseline = "uniform"
objective = ["top_k", { diverse = "gender" }]
"#;

const COLUMNS: &str = "reviews = [\"r1\", \"r2\", \"r3\"]";

/// The made-up applicant i of 17: gender, region, worth, and three cells of scores of which some
/// are blank.
struct Applicant {
    id: String,
    gender: &'static str,
    region: usize,
    worth: f64,
    cells: [Option<f64>; 3],
}

/// Scores that disagree with the worths, so that it matters that they are replayed; no two sums of
/// them are equal.
fn applicants() -> Vec<Applicant> {
    let cell = |i: usize, nth: usize| {
        let there = [
            i.is_multiple_of(2) || i % 5 == 1,
            !i.is_multiple_of(3),
            i % 4 == 1,
        ][nth];
        there.then(|| ((i * 37 + nth * 53 + i * i * 7) % 101) as f64 / 101.0)
    };
    let applicant = |i: usize| Applicant {
        id: format!("a{i}"),
        gender: ["f", "m"][usize::from(!i.is_multiple_of(3))],
        region: i % 4,
        worth: ((i * 29 + 11) % 97) as f64 / 97.0,
        cells: [0, 1, 2].map(|nth| cell(i, nth)),
    };
    (0..17).map(applicant).collect()
}

fn file() -> String {
    let text = |cell: Option<f64>| cell.map_or_else(String::new, |score| score.to_string());
    let mut file = "id,gender,region,worth,r1,r2,r3\n".to_owned();
    for a in applicants() {
        let cells = a.cells.map(text).join(",");
        let (id, gender, region, worth) = (a.id, a.gender, a.region, a.worth);
        file += &format!("{id},{gender},R{region},{worth},{cells}\n");
    }
    file
}

/// The same reviews a row each, all firsts before all seconds, with one of an unknown applicant
/// between them.
fn long_file() -> String {
    let mut file = "Score,note,Applicant\n".to_owned();
    for nth in 0..3 {
        for a in applicants() {
            // A gap in the columns is none in the order of rows.
            let scores: Vec<f64> = a.cells.into_iter().flatten().collect();
            if let Some(score) = scores.get(nth) {
                file += &format!("{score},x,{}\n", a.id);
            }
        }
        file += "0.5,y,nobody\n";
    }
    file
}

fn terminal() -> Terminal {
    let terminal = Terminal::new();
    terminal.put("applicants.csv", file());
    terminal.put("reviews.csv", long_file());
    terminal
}

/// Of each replication whom a policy chose.
fn chosen(terminal: &Terminal, config: &str, label: &str, set: &[&str]) -> Vec<BTreeSet<String>> {
    terminal.put("my.toml", config);
    let all = ["--trace", "decisions", "--trace-replications", "all"];
    let mut args = vec!["run", "my.toml", "-q", "--force", "--out", "out"];
    args.extend(all);
    args.extend(set.iter().flat_map(|set| ["--set", set]));
    terminal.done(&args);
    let mut sets = Vec::new();
    for line in terminal.read("out/selected.csv").lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        let replication: usize = cells[0].parse().expect("a replication");
        sets.resize_with(sets.len().max(replication + 1), BTreeSet::new);
        if cells[1] == label {
            sets[replication].insert(cells[3].to_owned());
        }
    }
    sets
}

/// The best five by the weighted mean of `looks` looks at each, weak and strong in turns, where
/// noise is nothing: the record in its order, then the worth.
fn best_by_hand(looks: usize) -> BTreeSet<String> {
    let estimate = |a: &Applicant| {
        let mut scores = a.cells.iter().flatten().copied();
        let (mut sum, mut weight) = (0.0, 0.0);
        for look in 0..looks {
            let gain = [1.0, 4.0][look % 2];
            sum += gain * scores.next().unwrap_or(a.worth);
            weight += gain;
        }
        sum / weight
    };
    let mut all: Vec<_> = applicants()
        .iter()
        .map(|a| (estimate(a), a.id.clone()))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert!(all[4].0 - all[5].0 > 1e-6, "a tie leaves the choice open");
    all.into_iter().take(5).map(|(_, id)| id).collect()
}

#[test]
fn reviews_are_replayed_in_their_order_and_then_comes_the_worth() {
    let terminal = terminal();
    let mut met = BTreeSet::new();
    for (looks, budget) in [(1, 17), (2, 68), (3, 85), (4, 136)] {
        let due = best_by_hand(looks);
        let budget = format!("rules.budget={budget}");
        let quiet = [&*budget, "feedback.interview.sd=0.0"];
        let shuffled = chosen(&terminal, APPLICANTS, "uniform", &quiet);
        assert_eq!(shuffled, vec![due.clone(); 3], "{looks} looks");
        let file = [&quiet[..], &["source.order=file", "replications=1"]].concat();
        let in_order = chosen(&terminal, APPLICANTS, "uniform", &file);
        assert_eq!(
            in_order,
            vec![due.clone()],
            "{looks} looks in the file's order"
        );
        met.insert(due);
    }
    assert!(met.len() >= 3, "what is told changes who is best: {met:?}");
}

#[test]
fn a_file_of_reviews_says_what_columns_say() {
    let terminal = terminal();
    let long = with(
        APPLICANTS,
        &[(COLUMNS, "reviews = { path = \"reviews.csv\" }")],
    );
    let results = |config: &str| {
        terminal.put("my.toml", config);
        let said = terminal.exits(
            0,
            &["run", "my.toml", "--force", "--keep", "all", "--out", "out"],
        );
        let files = ["selected.csv", "replications.csv"];
        (
            files.map(|file| terminal.read(&format!("out/{file}"))),
            said.stderr,
        )
    };
    let (columns, _) = results(APPLICANTS);
    let (rows, notes) = results(&long);
    assert_eq!(columns, rows);
    notes.says("not among the rows kept: 3 (applicants: 1)");
    let without = with(
        &long,
        &[("type = \"recorded_looks\"", "type = \"gaussian_looks\"")],
    );
    let (unlike, notes) = results(&without);
    assert_ne!(unlike, rows);
    notes.says("recorded reviews are not used");
}

#[test]
fn the_same_bytes_however_it_is_carried_out() {
    let terminal = terminal();
    let long = with(
        APPLICANTS,
        &[(COLUMNS, "reviews = { path = \"reviews.csv\" }")],
    );
    for (config, set) in [
        (APPLICANTS, &["source.order=shuffled"][..]),
        (&*long, &["source.order=file"]),
        (
            APPLICANTS,
            &[
                "source.order=resampled",
                "rules.slate=20",
                "rules.until.rounds=5",
            ],
        ),
    ] {
        let more: Vec<_> = set.iter().flat_map(|set| ["--set", set]).collect();
        same_bytes(&terminal, config, &more);
    }
}

/// The world of a replication is the same people and new draws beyond what is recorded.
#[test]
fn replications_of_the_files_own_order_differ_by_what_is_drawn_of_looks() {
    let terminal = terminal();
    let set = [
        "source.order=file",
        "replications=12",
        "feedback.interview.sd=0.5",
    ];
    let sets = chosen(&terminal, APPLICANTS, "SWAP", &set);
    let apart: BTreeSet<_> = sets.iter().collect();
    assert!(apart.len() > 1, "{sets:?}");
    let few = [
        "source.order=file",
        "replications=4",
        "feedback.interview.sd=0.5",
    ];
    assert_eq!(chosen(&terminal, APPLICANTS, "SWAP", &few), sets[..4]);
    // A look at each and no more: of those who have a record it is all that is drawn.
    let reviewed = with(
        APPLICANTS,
        &[(
            "[source.attributes]",
            "where = [\"r2 != ''\"]\n\n[source.attributes]",
        )],
    );
    let set = [&set[..], &["rules.budget=11"]].concat();
    let sets = chosen(&terminal, &reviewed, "uniform", &set);
    assert_eq!(sets.iter().collect::<BTreeSet<_>>().len(), 1, "{sets:?}");
}

/// Everything is known, so SWAP finds the best cohort, and stops.
const SURE: [&str; 3] = [
    "feedback.interview.type=gaussian_looks",
    "feedback.interview.sd=0.0",
    "policy.\"SWAP diverse\".stop=exact",
];

#[test]
fn groups_of_an_objective_are_the_attribute_that_it_names() {
    let terminal = terminal();
    // Greedy is exact: each in turn where the root of the sum gains most.
    let best = |group: &dyn Fn(&Applicant) -> usize| {
        let mut left = applicants();
        let (mut sums, mut ids) = ([0.0_f64; 4], BTreeSet::new());
        while ids.len() < 5 {
            let gain = |a: &Applicant| {
                let sum = sums[group(a)];
                (sum + a.worth).sqrt() - sum.sqrt()
            };
            left.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
            let a = left.pop().expect("enough of them");
            sums[group(&a)] += a.worth;
            ids.insert(a.id);
        }
        ids
    };
    let by_gender = chosen(&terminal, APPLICANTS, "SWAP diverse", &SURE);
    assert_eq!(by_gender, vec![best(&|a| usize::from(a.gender == "m")); 3]);
    let set = [&SURE[..], &["policy.\"SWAP diverse\".by=region"]].concat();
    let by_region = chosen(&terminal, APPLICANTS, "SWAP diverse", &set);
    assert_eq!(by_region, vec![best(&|a| a.region); 3]);
    assert_ne!(by_gender, by_region);
}

#[test]
fn the_made_up_applicants_are_those_of_their_generator() {
    let path = project().join("configs/applicants/applicants.csv");
    let file = std::fs::read_to_string(path).expect("the file is there");
    assert_eq!(file, made_up_applicants::applicants());
}

/// What docs/cohorts.md says of the example.
#[test]
fn asking_whom_the_choice_hangs_on_beats_asking_everybody() {
    let folder = project().join("configs");
    let result = play(&plan(&config("applicants.toml"), &folder, &[&many(400)]));
    let swap = values(&result, "SWAP", "sqrt_top_k", None);
    for other in ["uniform", "random"] {
        let others = values(&result, other, "sqrt_top_k", None);
        let gains: Vec<f64> = swap.iter().zip(&others).map(|(a, b)| a - b).collect();
        let gain = kleroterion::compare::Stats::of(&gains).expect("there are values");
        assert!(gain.mean > 4.0 * gain.se.unwrap(), "{other}: {gain:?}");
    }
    let share = |label| stats(&result, label, "share.region:Africa", None).mean;
    assert!(share("SWAP diverse") > 1.5 * share("SWAP"));
}
