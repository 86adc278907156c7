//! The state machine: when it plans, what it does when a plan fails, what the zero rules do.

use super::extended::ProgramForm;
use super::*;
use crate::committee::program::ProgramError;

/// Plans pi = 1/(number of plans), and fails on request.
struct Moody {
    plans: u32,
    fails: fn(u32) -> bool,
}

impl Planner for Moody {
    fn plan(&mut self, counts: &Counts) -> Result<Vec<f64>, ProgramError> {
        self.plans += 1;
        if (self.fails)(self.plans) {
            return Err(ProgramError::Unsolved(vec![format!("mood {}", self.plans)]));
        }
        Ok(vec![1.0 / f64::from(self.plans); counts.by_cell().len()])
    }
}

fn moody(fails: fn(u32) -> bool) -> Learner<Moody> {
    let rho = [vec![0.5, 0.0, 0.5]];
    Learner::with(
        Moody { plans: 0, fails },
        &CellGrid::new(&[3], &rho).unwrap(),
    )
}

#[test]
fn a_plan_is_kept_until_a_count_has_doubled() {
    let mut learner = moody(|_| false);
    let mut seen = Vec::new();
    for _ in 0..8 {
        seen.push(1.0 / learner.probability(0));
        learner.observe(0);
    }
    // Plans before t = 0, 1, 2, 4.
    assert_eq!(seen, [1.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0, 4.0]);
    learner.observe(0);
    learner.observe(0);
    assert_eq!(learner.probability(1), 0.2);
    // Asking is not counting.
    assert_eq!(learner.probability(1), 0.2);
    assert_eq!(
        (learner.counts().episodes(), learner.counts().screened()),
        (5, 10)
    );
}

#[test]
fn a_failed_plan_leaves_the_one_before_in_force_and_is_counted() {
    let mut learner = moody(|plan| plan == 2 || plan == 3);
    for expected in [1.0, 1.0, 1.0, 1.0, 0.25] {
        assert_eq!(learner.probability(0), expected);
        learner.observe(0);
    }
    assert_eq!(learner.unsolved(), 2);
    assert!(learner.failure().unwrap().to_string().contains("mood 3"));
    // Before any plan: everybody with positive targets.
    let mut learner = moody(|_| true);
    assert_eq!(
        [0, 1, 2].map(|cell| learner.probability(cell)),
        [1.0, 0.0, 1.0]
    );
    assert_eq!(learner.unsolved(), 1);
}

#[test]
fn zero_rules_differ_only_where_the_law_is_zero() {
    let rules = [
        ZeroRule::Half,
        ZeroRule::Accept,
        ZeroRule::Reject,
        ZeroRule::Plugin,
    ];
    let instance = Instance::bxs_48();
    let mut counts = Counts::new(48);
    let mut luck = Luck(3);
    (0..30).for_each(|_| counts.observe(instance.draw(&mut luck)));
    let plans = rules.map(|zero_rule| {
        let parameters = Parameters {
            zero_rule,
            confidence_scale: 0.1,
            form: ProgramForm::Small,
            ..Parameters::default()
        };
        let mut planner = instance.learner(parameters).planner().clone();
        planner.plan(&counts).unwrap()
    });
    let mut plugin = PluginCmdp::new(&instance.levels, &instance.rho)
        .unwrap()
        .planner()
        .clone();
    let plugin = plugin.plan(&counts).unwrap();
    let mut zeros = 0;
    for (x, of_plugin) in plugin.into_iter().enumerate() {
        let here = [0, 1, 2, 3].map(|rule: usize| plans[rule][x]);
        if here[1] == here[2] {
            assert!(here.iter().all(|&pi| pi == here[0]), "{here:?}");
        } else {
            assert_eq!(here, [0.5, 1.0, 0.0, of_plugin]);
            zeros += 1;
        }
    }
    assert!((5..48).contains(&zeros), "{zeros}");
}

#[test]
fn runs_are_the_same_bit_for_bit() {
    let instance = Instance::bxs_8();
    for form in [ProgramForm::Full, ProgramForm::Small] {
        let parameters = Parameters {
            confidence_scale: 0.1,
            form,
            zero_rule: ZeroRule::Plugin,
            ..Parameters::default()
        };
        let run = || {
            let mut learner = instance.learner(parameters);
            let rows = instance.recruit(&mut learner, &[100, 400], &mut Luck(9));
            let pi: Vec<u64> = (0..8)
                .map(|cell| learner.probability(cell).to_bits())
                .collect();
            (rows, pi)
        };
        assert_eq!(run(), run());
    }
}
