//! Members who decline: the seat is open again, against all committees of small pools.

use super::*;

#[test]
fn a_seat_that_is_declined_goes_to_those_who_still_come() {
    let (mut declined, mut lost) = (0, 0);
    for world in 0..600 {
        let mut draw = Key::new(38, world).draw(Purpose::World, 0, 0);
        let mut question = small(&mut draw, 10);
        let people = (0..10).map(|one| question.respondents.values(one).to_vec());
        let people: Vec<Vec<u16>> = people.collect();
        question = self::question(&people, None, &question.quotas, question.members);
        let Some(mut filling) = Filling::new(question) else {
            continue;
        };
        let all = filling.left.clone();
        let (mut seated, mut gone) = (0_u32, 0_u32);
        for one in shuffled(&mut draw, 10) {
            if filling.question.members == filling.seated() {
                break;
            }
            let wants = draw.below(2) == 0;
            let sits = filling.decide(one, wants);
            if !sits || draw.below(3) > 0 {
                *(if sits { &mut seated } else { &mut gone }) |= 1 << one;
                continue;
            }
            gone |= 1 << one;
            declined += 1;
            let agrees = |set: &&u32| *set & seated == seated && *set & gone == 0;
            filling.left = all.iter().filter(agrees).copied().collect();
            let holds = filling.completion.unseat(&[one], &[]);
            assert_eq!(holds, !filling.left.is_empty(), "world {world}");
            if !holds {
                lost += 1;
                break;
            }
        }
    }
    assert!(declined > 200 && lost > 50, "{declined} {lost}");
}
