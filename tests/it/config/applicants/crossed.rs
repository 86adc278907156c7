//! `objective = "diverse"` by several attributes.

use super::*;

const BY: &str = "policy.\"SWAP diverse\".by";

/// w_div over the combinations of gender and region, of all cohorts of five the greatest.
fn best_of_all_by_both() -> (f64, BTreeSet<String>) {
    let all = applicants();
    let worth = |set: u32| {
        let mut sums = [0.0_f64; 8];
        for (i, a) in (0..).zip(&all) {
            if set >> i & 1 == 1 {
                sums[4 * usize::from(a.gender == "m") + a.region] += a.worth;
            }
        }
        sums.iter().map(|sum| sum.sqrt()).sum::<f64>()
    };
    let sets = (0_u32..1 << all.len()).filter(|set| set.count_ones() == 5);
    let best = sets
        .max_by(|a, b| worth(*a).total_cmp(&worth(*b)))
        .expect("many");
    let members = (0..).zip(&all).filter(|(i, _)| best >> i & 1 == 1);
    (worth(best), members.map(|(_, a)| a.id.clone()).collect())
}

#[test]
fn of_several_attributes_the_groups_are_their_combined_values() {
    let terminal = terminal();
    let (most, best) = best_of_all_by_both();
    let report = "report.objective=[{ diverse = [\"gender\", \"region\"] }, \"top_k\"]";
    let mut tables = Vec::new();
    for list in ["[\"gender\", \"region\"]", "[\"region\", \"gender\"]"] {
        let by = format!("{BY}={list}");
        let set = [&SURE[..], &[&*by, report]].concat();
        assert_eq!(
            chosen(&terminal, APPLICANTS, "SWAP diverse", &set),
            vec![best.clone(); 3]
        );
        let plan = plan(APPLICANTS, &terminal.path(""), &set);
        let names: Vec<_> = plan
            .objectives
            .iter()
            .map(|one| one.name.to_string())
            .collect();
        assert_eq!(names, ["diverse:gender+region", "top_k"]);
        let values = values(&play(&plan), "SWAP diverse", "cohort_value", None);
        assert!(
            values.iter().all(|value| (value - most).abs() < 1e-12),
            "{values:?} {most}"
        );
        tables.push(terminal.read("out/replications.csv"));
    }
    // The order of the list is none of the groups.
    assert_eq!(tables[0], tables[1]);
    // One that is listed alone is that one.
    let both = ["[\"region\"]", "region"].map(|by| {
        let by = format!("{BY}={by}");
        let set = [&SURE[..], &[&*by]].concat();
        chosen(&terminal, APPLICANTS, "SWAP diverse", &set)
    });
    assert_eq!(both[0], both[1]);
}

/// A column that has the combinations makes the same run, look for look.
#[test]
fn a_list_of_attributes_plays_as_the_column_of_their_combinations() {
    let terminal = terminal();
    let mut lines = file();
    lines = lines.replacen("worth,", "worth,both,", 1);
    for a in applicants() {
        let (from, both) = (
            format!(",{},", a.worth),
            format!("{}R{}", a.gender, a.region),
        );
        let start = lines.find(&format!("{},", a.id)).expect("a row");
        let at = start + lines[start..].find(&from).expect("a worth") + from.len();
        lines.insert_str(at, &format!("{both},"));
    }
    terminal.put("applicants.csv", lines);
    let column = "region = { column = \"region\" }";
    let more = format!("{column}\nboth = {{ column = \"both\" }}");
    let config = with(APPLICANTS, &[(column, &more)]);
    let mut runs = Vec::new();
    for by in ["[\"gender\", \"region\"]", "both"] {
        let by = format!("{BY}={by}");
        let until_sure = [
            &*by,
            "policy.\"SWAP diverse\".stop=exact",
            "rules.budget=9000",
        ];
        for set in [&until_sure[..1], &until_sure] {
            chosen(&terminal, &config, "SWAP diverse", set);
            runs.push(terminal.read("out/decisions.ndjson"));
        }
    }
    assert!(runs[0] == runs[2] && runs[1] == runs[3]);
    assert_ne!(runs[0], runs[1]);
}

#[test]
fn lists_of_attributes_that_make_no_groups() {
    let terminal = terminal();
    let header = "id,gender,region,a+b,many,more,worth,r1,r2,r3\n";
    let row = |i: usize| format!("a{i},{},R{},{i},{i},{i},0.5,,,\n", ["f", "m"][i % 2], i % 4);
    let rows: String = (0..70).map(row).collect();
    terminal.put("applicants.csv", header.to_owned() + &rows);
    let column = "region = { column = \"region\" }";
    let more = format!(
        "{column}\nmany = {{ column = \"many\" }}\nmore = {{ column = \"more\" }}\n\
         \"a+b\" = {{ column = \"a+b\" }}\n\"gender+region\" = {{ column = \"many\" }}"
    );
    let plain = with(
        APPLICANTS,
        &[(
            column,
            &format!("{column}\nmany = {{ column = \"many\" }}\nmore = {{ column = \"more\" }}"),
        )],
    );
    let joined = with(APPLICANTS, &[(column, &more)]);
    let report = |list: &str| format!("report.objective={{ diverse = {list} }}");
    let by = |list: &str| format!("{BY}={list}");
    let quota = "policy.\"SWAP diverse\".objective=quota";
    for (config, list, words, help) in [
        (
            &plain,
            "[]",
            "no attribute is listed",
            "list one, for example [\"gender\"]",
        ),
        (
            &plain,
            "[\"gender\", \"gender\"]",
            "gender is listed twice",
            "list it once",
        ),
        (
            &plain,
            "[\"gender\", \"regoin\"]",
            "unknown word `regoin`",
            "did you mean `region`",
        ),
        (&plain, "[\"gender\", 3]", "expected one of", ""),
        (
            &plain,
            "[\"many\", \"more\"]",
            "many+more has 4900 combinations of values, more than 4096",
            "list fewer attributes",
        ),
        (
            &joined,
            "[\"gender\", \"a+b\"]",
            "and \"a+b\" has one",
            "rename that attribute",
        ),
        (
            &joined,
            "[\"region\", \"gender\"]",
            "and \"gender+region\" has one",
            "rename that attribute",
        ),
    ] {
        terminal.put("my.toml", config);
        for set in [by(list), report(list)] {
            let said = terminal
                .exits(2, &["check", "my.toml", "--set", &set])
                .stderr;
            said.says(words);
            said.says(help);
        }
    }
    // Alone it names no other measure.
    terminal.put("my.toml", &joined);
    terminal.done(&["check", "my.toml", "--set", &by("[\"a+b\"]")]);
    // Quotas are of one attribute.
    let rules = "quota = { gender = { f = [1, 4] } }\ninterview_cap";
    terminal.put("my.toml", with(&plain, &[("interview_cap", rules)]));
    let args = [
        "check",
        "my.toml",
        "--set",
        quota,
        "--set",
        &by("[\"gender\"]"),
    ];
    terminal.exits(2, &args).stderr.says("expected one of");
}
