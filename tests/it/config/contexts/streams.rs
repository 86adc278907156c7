//! The stream of people with contexts: its orders, one of each group, the same whatever the batch
//! and the layout.

use super::*;
use crate::doubles::BATCHES;
use crate::support::same::same_bytes;
use crate::support::terminal::{Terminal, typed};
use crate::support::{play, values};

const ORDERS: [&[&str]; 5] = [
    &[],
    &["source.order=shuffled"],
    &["source.order=resampled"],
    &["source.order=resampled", "source.resample_by=w"],
    &[
        "source.order=resampled",
        "source.one_per_group=true",
        "rules.slate=2",
    ],
];

/// Who comes, with the bits of the context and the worth.
fn described(batches: &[Batch], most: usize) -> Vec<(String, Vec<u64>)> {
    let persons = persons(batches).into_iter().take(most);
    let described = persons.map(|person| {
        let shown = person.shown();
        let numbers = shown.features().iter().copied().chain(person.merit());
        (shown.id().to_string(), numbers.map(f64::to_bits).collect())
    });
    described.collect()
}

#[test]
fn contexts_go_with_their_people_whatever_the_order_and_the_batch() {
    let csv = people(80);
    let folder = folder(&csv);
    let named = ["source.id=id", "rules.slate=1"];
    let plain = described(
        &stream(&world(folder.path(), &named), 0, usize::MAX),
        usize::MAX,
    );
    for order in ORDERS {
        let plan = world(folder.path(), &[&["source.id=id"], order].concat());
        let whole = described(&stream(&plan, 1, 300), 40);
        assert_eq!(whole.len(), 40);
        for person in &whole {
            let due = plain.iter().find(|(id, _)| *id == person.0).unwrap();
            assert_eq!(person, due, "{order:?}");
        }
        for batch in BATCHES {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap();
            let mut source = (plan.world.source)(Key::new(plan.seed, 1));
            let mut met = Vec::new();
            while met.len() < 40 {
                let next = runtime.block_on(source.next(batch)).unwrap().unwrap();
                met.extend(described(&[next], usize::MAX));
            }
            met.truncate(40);
            assert!(met == whole, "{order:?} by {batch}");
        }
    }
}

#[test]
fn records_give_the_same_people_as_separated_text() {
    let csv = people(80);
    let folder = folder(&csv);
    std::fs::write(folder.path().join("people.ndjson"), records(&csv)).unwrap();
    for order in ORDERS {
        let set = [&["source.id=id"], order].concat();
        let text = world(folder.path(), &set);
        let json = world(
            folder.path(),
            &[&set[..], &["source.path=people.ndjson"]].concat(),
        );
        assert_eq!(text.world.schema, json.world.schema);
        let (text, json) = (stream(&text, 0, 200), stream(&json, 0, 200));
        assert!(
            described(&text, usize::MAX) == described(&json, usize::MAX),
            "{order:?}"
        );
    }
}

#[test]
fn one_of_each_group_is_drawn_evenly_within_the_group() {
    let csv = people(40);
    let folder = folder(&csv);
    let set = [
        ORDERS[4],
        &[
            "source.id=id",
            "source.features.group=region",
            "rules.slate=3",
        ],
    ]
    .concat();
    let plan = world(folder.path(), &set);
    let regions = plan.world.schema.attributes()[1].values.clone();
    let batches = stream(&plan, 0, 60_000);
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let persons = persons(&batches);
    for (k, person) in persons.iter().enumerate() {
        let shown = person.shown();
        assert_eq!(usize::from(shown.values()[1]), k % 3);
        *counts.entry(shown.id().to_string()).or_default() += 1;
    }
    let kept = rows(&csv, |row| cell(row, 3) > 16.0);
    assert_eq!(counts.len(), kept.len());
    // The sum of squares over its expectation: chi-square of n - 3 degrees, sd sqrt(2 (n - 3)).
    let mut chi = 0.0;
    for row in &kept {
        let size = kept.iter().filter(|other| other[1] == row[1]).count();
        let due = persons.len() as f64 / (regions.len() * size) as f64;
        chi += (counts[row[0]] as f64 - due).powi(2) / due;
    }
    let degrees = (kept.len() - 3) as f64;
    assert!(
        (chi - degrees).abs() < 4.0 * (2.0 * degrees).sqrt(),
        "{chi} of {degrees}"
    );
}

#[test]
fn households_go_with_contexts() {
    let csv = people(80);
    let folder = folder(&csv);
    let set = [
        "rules.unique=[\"HOME\"]",
        "source.order=resampled",
        "rules.slate=1",
    ];
    let plan = world(folder.path(), &set);
    let batches = stream(&plan, 0, 100);
    assert!(
        persons(&batches)
            .iter()
            .all(|person| person.merit().is_some())
    );
}

/// Policies that rank, of a file, as the command line plays them.
const POLICIES: &str = r#"[[policy]]
label = "fair"
kind = "fair_greedy"
lambda = 0.1

[[policy]]
label = "greedy"
kind = "ridge_greedy"
lambda = 0.1

[[policy]]
label = "any"
kind = "uniform_choice"

[[policy]]
label = "oracle"
kind = "gmf_oracle"
"#;

fn ranked() -> String {
    let (head, tail) = CONTEXTS.split_once("[[policy]]").unwrap();
    let (_, tail) = tail.split_once("[report]").unwrap();
    format!("{head}{POLICIES}\n[report]{tail}baseline = \"any\"\n")
}

#[test]
fn same_bytes_in_every_order() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people(80));
    for order in ORDERS {
        let mut more = vec!["--replications", if order.is_empty() { "1" } else { "2" }];
        order
            .iter()
            .for_each(|assignment| more.extend(["--set", assignment]));
        same_bytes(&terminal, &ranked(), &more);
    }
}

#[test]
fn records_and_separated_text_give_the_same_results() {
    let terminal = Terminal::new();
    let csv = people(80);
    terminal.put("people.csv", &csv);
    terminal.put("people.ndjson", records(&csv));
    terminal.put(
        "my.toml",
        ranked().replace("\"file\"\nwhere", "\"resampled\"\nwhere"),
    );
    for (path, out) in [("people.csv", "text"), ("people.ndjson", "json")] {
        let path = format!("source.path={path}");
        terminal.done(&[
            "run",
            "my.toml",
            "-q",
            "--replications",
            "3",
            "--set",
            &path,
            "--keep",
            "all",
            "--out",
            out,
        ]);
    }
    for file in ["replications.csv", "selected.csv"] {
        let [text, json] = ["text", "json"].map(|out| terminal.read(&format!("{out}/{file}")));
        assert!(text == json && text.lines().count() > 20, "{file}");
    }
}

#[test]
fn one_candidate_a_round_leaves_nothing_to_lose() {
    let terminal = Terminal::new();
    terminal.put("people.csv", people(80));
    terminal.put("my.toml", ranked());
    let args = typed("run my.toml -q --set rules.slate=1 --out one");
    terminal.done(&args);
    let summary: serde_json::Value =
        serde_json::from_str(&terminal.read("one/summary.json")).unwrap();
    for (label, policy) in summary["policies"].as_object().unwrap() {
        let regret = &policy["metrics"]["fair_regret"]["mean"];
        assert_eq!(regret.as_f64(), Some(0.0), "{label}: {policy}");
    }
}

/// `by` names another attribute than the truth's: what is chosen is as if the source had named it.
#[test]
fn ranks_are_within_the_attribute_that_a_policy_names() {
    let folder = folder(&people(200));
    let fair = CONTEXTS.replace("kind = \"accept_all\"", "kind = \"fair_greedy\"");
    let chosen = |set: &[&str]| {
        let order = ["source.order=resampled", "rules.until.rounds=200"];
        let plan = plan(&fair, folder.path(), &[&order, set].concat());
        let result = play(&plan);
        let shares = ["share.region:n", "share.region:s", "share.sex:male"];
        shares.map(|share| {
            values(&result, "all", share, Some(8))
                .into_iter()
                .chain(values(&result, "all", share, None))
                .collect::<Vec<f64>>()
        })
    };
    let of_region = chosen(&["policy.all.by=region"]);
    assert_eq!(of_region, chosen(&["source.features.group=region"]));
    assert_ne!(of_region, chosen(&[]));
}
