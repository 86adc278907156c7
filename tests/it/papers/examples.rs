//! The worked examples of Do et al. 2021, exactly: expectations by enumeration of the policy's own
//! decisions.

use kleroterion::policy::committee::{Cmdp, Greedy};
use kleroterion::protocol::Fact;
use kleroterion::reproduce::wait;

use crate::support::{many, near, plan, play, project, stats};

/// Example 1: Table 1's law with eps' and the committee of four.
pub fn example_1(eps: f64) -> String {
    world(eps, [0.5, 0.5], [0.75, 0.25], 4) + "[[policy]]\nlabel = 'greedy'\nkind = 'greedy'\n"
}

/// Table 1 as a table of types, written into the test's folder; a type of share 0 is not named.
fn world(eps: f64, gender: [f64; 2], age: [f64; 2], members: u64) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("types-{eps}.csv"));
    let mut types = format!("gender,age,p\nM,S,{}\nM,J,0.25\nF,S,0.25\n", 0.5 - eps);
    types += &format!("F,J,{eps}\n");
    // Written whole, then renamed: tests run side by side.
    let draft = path.with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::write(&draft, types).unwrap();
    std::fs::rename(&draft, &path).unwrap();
    let path = path.display();
    format!(
        "name = 'example'\nseed = 1\nreplications = 1\n[source]\ntype = 'categorical'\n\
         joint = '{path}'\n\
         [target]\ngender = {{ M = {}, F = {} }}\nage = {{ S = {}, J = {} }}\n\
         [rules]\nslate = 1\nchoose = 'at_most_one'\nuntil = {{ accepted = {members} }}\n",
        gender[0], gender[1], age[0], age[1]
    )
}

#[test]
fn example_1_exactly_and_by_simulation() {
    for (eps, tau) in [(0.1, 9.370_445_9), (0.01, 42.247_891), (0.001, 379.650_01)] {
        let mut plan = plan(&example_1(eps), &project(), &[]);
        let schema = &plan.world.schema;
        let target = plan.target.clone().unwrap();
        let greedy = Greedy::new(schema, &target, 4, 0.0, None);
        let share = [0.5 - eps, 0.25, 0.25, eps];
        // The schema's values are sorted: age J before S, gender F before M.
        let types = [["M", "S"], ["M", "J"], ["F", "S"], ["F", "J"]];
        let law: Vec<(Vec<u16>, f64)> = types
            .iter()
            .zip(share)
            .map(|(names, p)| {
                let values = schema.attributes().iter().zip(names);
                (
                    values
                        .map(|(a, name)| a.index(name).unwrap() as u16)
                        .collect(),
                    p,
                )
            })
            .collect();
        let exact = wait(&greedy, 4, &law);
        assert!(
            (exact.screened - tau).abs() <= 1e-7 * tau,
            "{eps}: {exact:?}"
        );
        assert_eq!(exact.stalls, 0.0);
        plan.set_replications(3000);
        near(
            "simulated",
            &stats(&play(&plan), "greedy", "screened", None),
            exact.screened,
            0.0,
        );
        // With no junior women at all it stalls, with probability exactly 3/8.
        let law: Vec<_> = law
            .into_iter()
            .zip([0.5, 0.25, 0.25, 0.0])
            .map(|((values, _), p)| (values, p))
            .collect();
        assert_eq!(wait(&greedy, 4, &law).stalls, 0.375);
    }
}

#[test]
fn example_2_exactly_and_by_simulation() {
    let text = world(1.0 / 6.0, [0.5, 0.5], [0.5, 0.5], 60)
        + "[[policy]]\nlabel = 'cmdp'\nkind = 'cmdp'\n";
    let plan = plan(&text, &project(), &[&many(2000)]);
    let schema = &plan.world.schema;
    let Fact::Exact(law) = &plan.world.known.law else {
        panic!("the law is exact");
    };
    let policy = Cmdp::new(schema, plan.target.as_ref().unwrap(), law).unwrap();
    assert!((policy.solution().gain - 5.0 / 6.0).abs() < 1e-9);
    for cell in 0..schema.cells() {
        let values = schema.values(cell);
        let names = schema
            .attributes()
            .iter()
            .zip(&values)
            .map(|(a, &v)| a.values[usize::from(v)].as_str());
        let senior_male = names.eq(["M", "S"]);
        let likely = policy.acceptance().probability(&values);
        let expected = if senior_male { 0.5 } else { 1.0 };
        assert!((likely - expected).abs() < 1e-9, "{values:?}: {likely}");
    }
    // E tau = 6 K / 5; of the committee 30 % are junior males, 30 % senior females, 20 % each of
    // the others.
    let run = play(&plan);
    near("tau", &stats(&run, "cmdp", "screened", None), 72.0, 0.0);
    near(
        "women",
        &stats(&run, "cmdp", "share.gender:F", None),
        0.5,
        0.0,
    );
    near(
        "seniors",
        &stats(&run, "cmdp", "share.age:S", None),
        0.5,
        0.0,
    );
}
