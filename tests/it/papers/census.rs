//! The census of Grazzi et al. 2022: on the respondents of KLERO_DATA against the reference table,
//! and in the paper's own layout.

use kleroterion::config::Plan;

use crate::config::contexts::*;
use crate::support::{config, data, plan, play, stats, values};

/// The plan of a preset, in its file's folder.
fn of(name: &str, set: &[&str]) -> Option<Plan> {
    let path = data("acs-national2018.csv")?;
    Some(plan(&config(name), path.parent().unwrap(), set))
}

/// R^2 and |mu| as the run's notes state them.
fn fitted(plan: &Plan) -> &str {
    let found = plan
        .notes
        .iter()
        .find(|note| note.contains("least squares"));
    found.expect("a note on the fit")
}

#[test]
fn the_respondents_are_fitted_as_the_reference_has_it() {
    let Some(plan) = of("grazzi2022-acs.toml", &[]) else {
        return;
    };
    let fit = fitted(&plan);
    println!("{fit}");
    assert!(
        fit.contains("on 36 features over 15495 rows: R^2 = 0.26758; |mu| = 0.40973;"),
        "{fit}"
    );
    assert!(
        plan.notes
            .iter()
            .any(|note| note.contains("15495 of 27111 rows kept"))
    );
    // All people have standardised contexts: columns of mean 0 and sd 1 but for the constant.
    let plan = of(
        "grazzi2022-acs.toml",
        &["source.order=file", "rules.slate=1", "replications=1"],
    )
    .unwrap();
    let batches = stream(&plan, 0, usize::MAX);
    let persons = persons(&batches);
    assert_eq!(persons.len(), 15_495);
    for k in 0..36 {
        let column: Vec<f64> = persons.iter().map(|p| p.shown().features()[k]).collect();
        let (mean, sd) = spread(&column);
        let due = if k == 0 { (1.0, 0.0) } else { (0.0, 1.0) };
        close(&[mean, sd], &[due.0, due.1], 1e-9);
    }
}

/// The reference table's row, 20 runs; ours within four combined standard errors.
#[test]
fn fair_regret_on_the_respondents_is_as_the_reference_has_it() {
    let Some(plan) = of("grazzi2022-acs.toml", &[]) else {
        return;
    };
    let result = play(&plan);
    let mut misses = Vec::new();
    for (label, mean, sd) in [
        ("fair greedy", 19.6, 2.7),
        ("ridge greedy", 84.7, 4.9),
        ("OFUL", 90.9, 4.9),
        ("uniform", 1019.0, 13.0),
    ] {
        let ours = stats(&result, label, "fair_regret", None);
        let n = values(&result, label, "fair_regret", None).len() as f64;
        let bound = 4.0 * (ours.se.unwrap().powi(2) + sd * sd / 20.0).sqrt();
        let line = format!(
            "{label}: {:.2} +- {:.2}, to be {mean} +- {sd}: {:.2} of {bound:.2}",
            ours.mean,
            ours.se.unwrap() * n.sqrt(),
            ours.mean - mean
        );
        println!("{line}");
        if (ours.mean - mean).abs() > bound {
            misses.push(line);
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}

/// One of each sex a round: by Definition 3.2 a uniform choice of two gives 2/3 - 1/2 away, and the
/// fair oracle nothing.
#[test]
fn one_of_each_gender() {
    let Some(plan) = of(
        "grazzi2022-gender.toml",
        &[
            "replications=4",
            "rules.until.rounds=1000",
            "report.at=[1000]",
        ],
    ) else {
        return;
    };
    println!("{}", fitted(&plan));
    assert!(
        fitted(&plan).contains("on 39 features over 15547 rows"),
        "{}",
        fitted(&plan)
    );
    let result = play(&plan);
    let mean = |label: &str, metric: &str| stats(&result, label, metric, None).mean;
    for label in [
        "fair greedy",
        "OFUL",
        "ridge greedy",
        "uniform",
        "fair oracle",
        "oracle of mu",
        "oracle of the CDFs",
    ] {
        println!(
            "{label}: {:.2}, women {:.3}",
            mean(label, "fair_regret"),
            mean(label, "share.female")
        );
    }
    let uniform = stats(&result, "uniform", "fair_regret", None);
    // Of ties among 15,547 people hardly anything is seen.
    crate::support::near("uniform", &uniform, 1000.0 / 6.0, 0.5);
    assert_eq!(mean("fair oracle", "fair_regret"), 0.0);
    assert!(mean("fair greedy", "fair_regret") < mean("ridge greedy", "fair_regret"));
}

/// People in the columns of the census bureau's person files, made up; OCCP is blank for some,
/// RAC1P has its rare codes.
fn pums(rows: usize, shift: usize) -> String {
    let mut text =
        "RT,SERIALNO,PWGTP,AGEP,COW,SCHL,MAR,SEX,RAC1P,OCCP,WKHP,RELP,POBP,PINCP\n".to_owned();
    for k in 0..rows {
        let i = k * 7 + shift;
        let race = [1, 1, 2, 3, 6, 8, 9, 1, 4, 2, 9, 7][i % 12];
        let (age, sex, hours) = (
            14 + i * 37 % 71,
            1 + i % 5 % 2,
            [40, 20, 60, 0, 38][i * 3 % 11 % 5],
        );
        let (school, job) = (1 + i * 13 % 24, i * 53 % 97 * 100);
        let income = 90 + age * 300 + school * 1500 + hours * 400 + i * 31 % 1900;
        let occupation = if i.is_multiple_of(13) {
            String::new()
        } else {
            format!("{job:04}")
        };
        text += &format!(
            "P,2018{k:09},{},{age},{},{school},{},{sex},{race},{occupation},{hours},{},{:03},{income}\n",
            1 + i % 90,
            1 + i % 9,
            1 + i * 5 % 23 % 5,
            i * 11 % 18,
            i * 17 % 300
        );
    }
    text
}

#[test]
fn the_papers_own_layout() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("psam_p_2018.csv"), pums(6000, 3)).unwrap();
    std::fs::write(folder.path().join("psam_p_2017.csv"), pums(5000, 1)).unwrap();
    let set = [
        "replications=2",
        "rules.until.rounds=200",
        "report.at=[100, 200]",
    ];
    let plan = plan(&config("grazzi2022-census.toml"), folder.path(), &set);
    println!("{:#?}", plan.notes);
    assert_eq!(plan.world.schema.features().len(), 38);
    assert_eq!(
        plan.world.schema.features()[..7].join(" "),
        "constant AGEP COW SCHL OCCP POBP WKHP"
    );
    assert!(
        fitted(&plan).contains("on 38 features"),
        "{}",
        fitted(&plan)
    );
    assert!(
        plan.notes
            .iter()
            .any(|note| note.starts_with("0 stands for the cells that are no number: `OCCP` in "))
    );
    let result = play(&plan);
    let regret = |label: &str| stats(&result, label, "fair_regret", None).mean;
    assert_eq!(regret("fair oracle"), 0.0);
    for label in [
        "fair greedy",
        "OFUL",
        "ridge greedy",
        "oracle of mu",
        "oracle of the CDFs",
    ] {
        assert!(
            regret(label) < regret("uniform"),
            "{label}: {}",
            regret(label)
        );
    }
}
