//! People of a file as contexts: `[source.features]` and `[source.reward]`.

mod by_hand;
mod streams;

use std::path::Path;

use kleroterion::config::Plan;
use kleroterion::draw::Key;
use kleroterion::protocol::{Batch, Person};
use tempfile::TempDir;

use crate::support::plan;

/// Contexts of five candidates a round; most tests change a line or two.
pub const CONTEXTS: &str = r#"name = "contexts"
seed = 3

[source]
type = "file"
path = "people.csv"
order = "file"
where = ["AGE > 16"]

[source.attributes]
sex = { column = "SEX", values = { "1" = "male", "2" = "female" } }
region = { column = "REG" }

[source.features]
constant = true
numeric = ["AGE", "EDU"]
one_hot = ["JOB", "SEX"]
standardise = true
group = "sex"

[source.reward]
column = "PAY"
standardise = true

[rules]
slate = 5
choose = "exactly_one"
until = { rounds = 8 }

[feedback.outcome]
type = "linear"
noise = 0.5

[[policy]]
label = "all"
kind = "accept_all"

[report]
at = [4, 8]
"#;

/// Made-up people, some of them twice: id,REG,SEX,AGE,EDU,JOB,PAY,w,HOME.
pub fn people(rows: usize) -> String {
    let mut text = "id,REG,SEX,AGE,EDU,JOB,PAY,w,HOME\n".to_owned();
    for k in 0..rows {
        let i = if k % 10 == 9 { k - 3 } else { k };
        let (sex, age, edu) = (1 + i * i % 7 % 2, 12 + i * 37 % 61, i * 13 % 11);
        let job = ["farm", "office", "mine", "sea"][i * 7 % 23 % 4];
        let pay = 100.0 + 3.5 * age as f64 - 20.0 * sex as f64 + (i * 29 % 17) as f64 * 4.25;
        let (region, weight) = (["n", "s", "w"][i % 3], 1 + i % 4);
        text += &format!(
            "p{k},{region},{sex},{age},{edu},{job},{pay},{weight},h{}\n",
            k / 2
        );
    }
    text
}

/// The same people as NDJSON.
pub fn records(csv: &str) -> String {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let record = |cells: Vec<&str>| {
        let cells = names.iter().zip(cells).map(|(name, cell)| match name {
            &"AGE" | &"EDU" | &"PAY" | &"w" => format!("{name:?}:{cell}"),
            _ => format!("{name:?}:{cell:?}"),
        });
        format!("{{{}}}\n", cells.collect::<Vec<_>>().join(","))
    };
    lines.map(record).collect()
}

/// A folder with people in it.
pub fn folder(csv: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), csv).unwrap();
    folder
}

/// The plan of [`CONTEXTS`] with some keys set.
pub fn world(folder: &Path, set: &[&str]) -> Plan {
    plan(CONTEXTS, folder, set)
}

/// About `persons` persons of a replication's stream, or fewer where it ends.
pub fn stream(plan: &Plan, replication: u64, persons: usize) -> Vec<Batch> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let mut source = (plan.world.source)(Key::new(plan.seed, replication));
    let (mut batches, mut met) = (Vec::new(), 0);
    runtime.unwrap().block_on(async {
        while met < persons
            && let Some(batch) = source.next(persons).await.unwrap()
        {
            met += batch.persons().len();
            batches.push(batch);
        }
    });
    batches
}

/// All persons of some batches.
pub fn persons(batches: &[Batch]) -> Vec<Person<'_>> {
    let of = |batch: &Batch| batch.persons().len() as u32;
    let persons = batches
        .iter()
        .map(|batch| (0..of(batch)).map(move |row| Person::new(batch, row)));
    persons.flatten().collect()
}

/// The rows of a table that a filter keeps, cell by cell.
pub fn rows(csv: &str, keep: impl Fn(&[&str]) -> bool) -> Vec<Vec<&str>> {
    let rows = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| keep(row)).collect()
}

/// The cell of a column as a number.
pub fn cell(row: &[&str], column: usize) -> f64 {
    row[column].parse().unwrap()
}

/// Mean and population sd.
pub fn spread(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    (mean, variance.sqrt())
}

/// (X'X + 1e-8 I)^-1 X'y by Gaussian elimination with partial pivoting.
pub fn weights(x: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
    let d = x[0].len();
    let square = |k: usize, j: usize| -> f64 { x.iter().map(|x| x[k] * x[j]).sum() };
    let mut a: Vec<Vec<f64>> = (0..d)
        .map(|k| (0..d).map(|j| square(k, j)).collect())
        .collect();
    (0..d).for_each(|k| a[k][k] += 1e-8);
    let product = |k: usize| -> f64 { x.iter().zip(y).map(|(x, y)| x[k] * y).sum() };
    let mut b: Vec<f64> = (0..d).map(product).collect();
    for k in 0..d {
        let pivot = (k..d)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..d {
            let factor = a[i][k] / a[k][k];
            let above = a[k].clone();
            for (a, above) in a[i].iter_mut().zip(above).skip(k) {
                *a -= factor * above;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..d).rev() {
        let known: f64 = (k + 1..d).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

/// The inner product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[track_caller]
pub fn close(ours: &[f64], due: &[f64], by: f64) {
    assert_eq!(ours.len(), due.len());
    for (k, (ours, due)) in ours.iter().zip(due).enumerate() {
        assert!((ours - due).abs() <= by, "{k}: {ours}, to be {due}");
    }
}
