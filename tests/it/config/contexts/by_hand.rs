//! Contexts, rewards and true ranks against a slow and obvious computation.

use super::*;

const JOBS: [&str; 4] = ["farm", "mine", "office", "sea"];

fn grown(row: &[&str]) -> bool {
    cell(row, 3) > 16.0
}

/// The raw columns of a row: AGE, EDU, then a 0 or 1 for each job and each sex.
fn raw(row: &[&str]) -> Vec<f64> {
    let mut raw = vec![cell(row, 3), cell(row, 4)];
    raw.extend(JOBS.map(|job| f64::from(row[5] == job)));
    raw.extend(["1", "2"].map(|sex| f64::from(row[2] == sex)));
    raw
}

/// The contexts of rows, a constant first, by the means and sds of other rows.
fn contexts(rows: &[Vec<&str>], by: &[Vec<&str>]) -> Vec<Vec<f64>> {
    let by: Vec<Vec<f64>> = by.iter().map(|row| raw(row)).collect();
    let column = |k: usize| by.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let scales: Vec<(f64, f64)> = (0..8).map(|k| spread(&column(k))).collect();
    let context = |row: &Vec<&str>| {
        let raw = raw(row).into_iter().zip(&scales);
        let scaled = raw.map(|(x, (mean, sd))| if *sd > 1e-12 { (x - mean) / sd } else { 0.0 });
        std::iter::once(1.0).chain(scaled).collect()
    };
    rows.iter().map(context).collect()
}

fn features(plan: &Plan) -> Vec<Vec<f64>> {
    let batches = stream(plan, 0, usize::MAX);
    let persons = persons(&batches);
    persons
        .iter()
        .map(|p| p.shown().features().to_vec())
        .collect()
}

fn merits(plan: &Plan) -> Vec<f64> {
    let batches = stream(plan, 0, usize::MAX);
    let merits: Option<Vec<f64>> = persons(&batches).into_iter().map(Person::merit).collect();
    merits.unwrap()
}

fn note<'a>(plan: &'a Plan, word: &str) -> &'a str {
    let found = plan.notes.iter().find(|note| note.contains(word));
    found.unwrap_or_else(|| panic!("no {word} in {:?}", plan.notes))
}

#[test]
fn contexts_are_the_columns_on_their_scales() {
    let csv = people(80);
    let folder = folder(&csv);
    let plan = world(folder.path(), &["rules.slate=1"]);
    let names = "constant AGE EDU JOB=farm JOB=mine JOB=office JOB=sea SEX=1 SEX=2";
    assert_eq!(plan.world.schema.features().join(" "), names);
    assert_eq!(plan.world.known.group, Some(0));
    let kept = rows(&csv, grown);
    assert!(kept.len() > 60);
    let found = features(&plan);
    assert_eq!(found.len(), kept.len());
    for (found, due) in found.iter().zip(contexts(&kept, &kept)) {
        close(found, &due, 1e-12);
    }
}

#[test]
fn without_standardising_the_cells_stand_as_they_are() {
    let csv = people(80);
    let folder = folder(&csv);
    let set = [
        "rules.slate=1",
        "source.features.standardise=false",
        "source.features.constant=false",
    ];
    let found = features(&world(folder.path(), &set));
    let kept = rows(&csv, grown);
    assert_eq!(found, kept.iter().map(|row| raw(row)).collect::<Vec<_>>());
}

#[test]
fn another_year_can_set_the_scales() {
    let csv = people(80);
    let folder = folder(&csv);
    // A year in which no row works at sea, and EDU is the same for all.
    let other: String = people(50)
        .lines()
        .filter(|line| !line.contains("sea"))
        .fold(String::new(), |text, line| {
            let mut cells: Vec<_> = line.split(',').collect();
            if cells[0] != "id" {
                cells[4] = "0.1";
            }
            text + &cells.join(",") + "\n"
        });
    std::fs::write(folder.path().join("other.csv"), &other).unwrap();
    let set = [
        "rules.slate=1",
        "source.features.standardise={ fit = \"other.csv\" }",
        "source.reward.standardise={ fit = \"other.csv\" }",
    ];
    let plan = world(folder.path(), &set);
    let (kept, by) = (rows(&csv, grown), rows(&other, grown));
    let due = contexts(&kept, &by);
    assert!(due.iter().all(|x| x[2] == 0.0 && x[6] == 0.0));
    for (found, due) in features(&plan).iter().zip(&due) {
        close(found, due, 1e-12);
    }
    assert!(note(&plan, "do not vary").ends_with(": EDU, JOB=sea"));
    let (mean, sd) = spread(&by.iter().map(|row| cell(row, 6)).collect::<Vec<_>>());
    let y: Vec<f64> = kept.iter().map(|row| (cell(row, 6) - mean) / sd).collect();
    let mu = weights(&due, &y);
    let worth: Vec<f64> = due.iter().map(|x| dot(&mu, x)).collect();
    close(&merits(&plan), &worth, 1e-6);
}

#[test]
fn the_reward_is_the_least_squares_fit() {
    let csv = people(80);
    let folder = folder(&csv);
    let kept = rows(&csv, grown);
    let pay: Vec<f64> = kept.iter().map(|row| cell(row, 6)).collect();
    let (mean, sd) = spread(&pay);
    // With all levels and a constant the columns depend on each other; without one-hot columns they
    // do not.
    for (set, columns, by) in [
        (&["rules.slate=1"][..], 0..9, 1e-6),
        (
            &["rules.slate=1", "source.features.one_hot=[]"],
            0..3,
            1e-10,
        ),
    ] {
        let plan = world(folder.path(), set);
        let x = contexts(&kept, &kept)
            .into_iter()
            .map(|x| x[columns.clone()].to_vec());
        let x: Vec<Vec<f64>> = x.collect();
        let y: Vec<f64> = pay.iter().map(|pay| (pay - mean) / sd).collect();
        let mu = weights(&x, &y);
        let worth: Vec<f64> = x.iter().map(|x| dot(&mu, x)).collect();
        close(&merits(&plan), &worth, by);
        let rest: f64 = y.iter().zip(&worth).map(|(y, m)| (y - m).powi(2)).sum();
        let squared = format!("R^2 = {:.5};", 1.0 - rest / y.len() as f64);
        assert!(
            note(&plan, "least squares").contains(&squared),
            "{squared} {:?}",
            plan.notes
        );
    }
}

#[test]
fn true_ranks_count_all_rows_of_the_group_that_are_worth_no_more() {
    let csv = people(80);
    let folder = folder(&csv);
    let kept = rows(&csv, grown);
    let ordered = merits(&world(folder.path(), &["rules.slate=1"]));
    // Duplicates are worth the same to the last bit, so that `<=` counts them.
    let twins = |a: &[&str], b: &[&str]| a[1..7] == b[1..7];
    let mut met = 0;
    for (i, a) in kept.iter().enumerate() {
        for (j, b) in kept.iter().enumerate().take(i) {
            if twins(a, b) {
                assert_eq!(ordered[i].to_bits(), ordered[j].to_bits());
                met += 1;
            }
        }
    }
    assert!(met >= 5, "{met}");
    let drawn = ["source.order=resampled", "source.resample_by=w"];
    for (set, weigh) in [(&[][..], false), (&drawn[..1], false), (&drawn, true)] {
        let plan = world(folder.path(), set);
        let truth = plan.world.truth.clone().unwrap();
        assert_eq!(truth.attribute, 0);
        for (row, merit) in kept.iter().zip(&ordered) {
            let weight = |row: &[&str]| if weigh { cell(row, 7) } else { 1.0 };
            let own = || {
                kept.iter()
                    .zip(&ordered)
                    .filter(|(other, _)| other[2] == row[2])
            };
            let all: f64 = own().map(|(row, _)| weight(row)).sum();
            let below: f64 = own()
                .filter(|(_, m)| *m <= merit)
                .map(|(row, _)| weight(row))
                .sum();
            let rank = truth.cdf.rank(usize::from(row[2] == "2"), *merit);
            assert!((rank - below / all).abs() < 1e-14, "{set:?} {rank}");
        }
    }
}

#[test]
fn a_number_can_stand_for_cells_that_are_none() {
    let csv = people(80);
    // An empty cell, a word, and `inf`, which is no number here.
    let mut lines: Vec<String> = csv.lines().map(str::to_owned).collect();
    let kept: Vec<usize> = (1..lines.len())
        .filter(|&k| grown(&lines[k].split(',').collect::<Vec<_>>()))
        .collect();
    for (nth, text) in [(0, ""), (3, "N"), (7, "inf")] {
        let mut cells: Vec<&str> = lines[kept[nth]].split(',').collect();
        cells[4] = text;
        lines[kept[nth]] = cells.join(",");
    }
    let folder = folder(&(lines.join("\n") + "\n"));
    let set = [
        "rules.slate=1",
        "source.features.missing=0",
        "source.features.standardise=false",
    ];
    let plan = world(folder.path(), &set);
    let found = features(&plan);
    for (k, (found, row)) in found.iter().zip(rows(&csv, grown)).enumerate() {
        let due = if [0, 3, 7].contains(&k) {
            0.0
        } else {
            cell(&row, 4)
        };
        assert_eq!(found[2], due, "{k}");
    }
    assert!(note(&plan, "no number").ends_with("`EDU` in 3 rows"));
}

#[test]
fn contexts_without_a_reward_have_no_truth() {
    let csv = people(40);
    let folder = folder(&csv);
    let text = CONTEXTS.replace(
        "[source.reward]\ncolumn = \"PAY\"\nstandardise = true\n",
        "",
    );
    let text = text.replace("[feedback.outcome]\ntype = \"linear\"\nnoise = 0.5\n", "");
    let plan = plan(&text, folder.path(), &[]);
    assert!(plan.world.truth.is_none());
    assert_eq!(plan.world.schema.features().len(), 9);
    let batches = stream(&plan, 0, usize::MAX);
    assert!(
        persons(&batches)
            .iter()
            .all(|person| person.merit().is_none())
    );
}

#[test]
fn the_only_attribute_makes_the_groups() {
    let csv = people(40);
    let folder = folder(&csv);
    let text = CONTEXTS
        .replace("region = { column = \"REG\" }\n", "")
        .replace("group = \"sex\"\n", "");
    let plan = plan(&text, folder.path(), &[]);
    assert_eq!(
        (
            plan.world.known.group,
            plan.world.truth.clone().unwrap().attribute
        ),
        (Some(0), 0)
    );
    let plan = world(folder.path(), &["source.features.group=region"]);
    assert_eq!(
        (
            plan.world.known.group,
            plan.world.truth.clone().unwrap().attribute
        ),
        (Some(1), 1)
    );
}

#[test]
fn a_group_that_never_appears_is_noted_and_does_no_harm() {
    let csv = people(40);
    let folder = folder(&csv);
    let three =
        "source.attributes.sex.values={ \"1\" = \"male\", \"2\" = \"female\", \"3\" = \"other\" }";
    let set = [
        three,
        "policy.all.kind=fair_greedy",
        "source.order=resampled",
    ];
    let plan = world(folder.path(), &set);
    assert!(note(&plan, "nobody").ends_with("sex = other"));
    let truth = plan.world.truth.as_ref().unwrap();
    assert_eq!(truth.cdf.rank(2, 0.0), 0.0);
    let result = crate::support::play(&plan);
    let regret = crate::support::values(&result, "all", "fair_regret", None);
    assert!(regret[0] >= 0.0);
}

#[test]
fn fewer_rows_than_features_are_fitted_and_said_to_be() {
    let csv = people(10);
    let folder = folder(&csv);
    let set = [
        "rules.slate=1",
        "rules.until.rounds=4",
        "report.at=[4]",
        "source.where=[\"AGE > 16 and EDU < 4\"]",
    ];
    let plan = world(folder.path(), &set);
    let kept = rows(&csv, |row| grown(row) && cell(row, 4) < 4.0);
    let pay: Vec<f64> = kept.iter().map(|row| cell(row, 6)).collect();
    let (mean, sd) = spread(&pay);
    let y: Vec<f64> = pay.iter().map(|pay| (pay - mean) / sd).collect();
    assert!((2..9).contains(&kept.len()), "{}", kept.len());
    close(&merits(&plan), &y, 1e-6);
    assert!(
        note(&plan, "least squares").contains("R^2 = 1.00000, which says nothing of so few rows")
    );
}

#[test]
fn a_reward_that_does_not_vary_is_worth_nothing_and_said_to_be() {
    let csv = people(40);
    let folder = folder(&csv);
    let one = [
        "source.where=[\"PAY > 0\", \"id == 'p3'\"]",
        "rules.slate=1",
    ];
    let plan = world(folder.path(), &one);
    assert_eq!(merits(&plan), [0.0]);
    assert!(note(&plan, "least squares").contains("no R^2"));
}
