use super::*;
use kleroterion_core::draw::{Key, Purpose};
use kleroterion_core::score::MetricRow;
use std::fs;

/// Replications with lanes of several layouts, values that are no numbers, and panels.
fn replication(number: u64) -> Replication {
    let mut draw = Key::new(5, number).draw(Purpose::World, 0, 0);
    let lanes = (0..2).map(|lane| {
        let late = (number > 3).then_some(("late", None));
        let places = [("a", Some(10)), ("a", None), ("b", None)];
        let rows = places
            .into_iter()
            .chain(late)
            .map(|(metric, at)| MetricRow {
                metric: metric.into(),
                at,
                value: if draw.uniform() < 0.2 {
                    f64::NAN
                } else {
                    draw.uniform()
                },
            });
        let detail = (lane == 1).then(|| format!("because of {number}"));
        LaneResult::new(
            Ending::ALL[number as usize % 10],
            detail,
            rows.collect::<Vec<_>>(),
        )
    });
    Replication {
        number,
        lanes: lanes.collect(),
        people: Vec::new(),
        decisions: Vec::new(),
        left_over: number % 3,
        rounds: RoundEvidence::default(),
        streams: Vec::new(),
        curves: Vec::new(),
        panels: vec![vec![number as u32, 7], Vec::new()],
    }
}

fn header() -> PlayedHeader {
    PlayedHeader {
        version: "1".into(),
        configs: vec!["seed = 1".into()],
        options: "{}".into(),
    }
}

fn written(path: &Path, many: u64) {
    let mut writer = PlayedWriter::create(path, &header()).unwrap();
    for number in 0..many {
        writer.add(&replication(number)).unwrap();
    }
    writer.sync().unwrap();
}

/// The bytes of all replications of a file, each by itself.
fn all(path: &Path) -> Vec<Vec<u8>> {
    let file = PlayedFile::open(path).unwrap();
    let many = file.replications();
    let (mut played, _) = file.go_on(path).unwrap();
    let next = |_| encoded(&played.next().unwrap()).unwrap();
    (0..many).map(next).collect()
}

#[test]
fn what_was_played_reads_back_bit_by_bit() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("part");
    written(&path, 12);
    assert_eq!(PlayedFile::open(&path).unwrap().header(), &header());
    let known: Vec<_> = (0..12).map(|n| encoded(&replication(n)).unwrap()).collect();
    assert_eq!(all(&path), known);
}

/// Wherever the file is cut or changed, what is before that place is read, and the run goes on to
/// the same file.
#[test]
fn a_file_that_is_not_whole_goes_on_from_its_last_whole_frame() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("part");
    written(&path, 8);
    let whole = fs::read(&path).unwrap();
    let (mut without_header, mut counts) = (0, std::collections::BTreeSet::new());
    for at in (0..whole.len()).step_by(3) {
        for is_cut in [true, false] {
            let mut bytes = whole.clone();
            match is_cut {
                true => bytes.truncate(at),
                false => bytes[at] ^= 1 << (at % 8),
            }
            fs::write(&path, bytes).unwrap();
            let Ok(file) = PlayedFile::open(&path) else {
                without_header += 1;
                continue;
            };
            assert_eq!(file.header(), &header());
            let (_, mut more) = file.go_on(&path).unwrap();
            (0..8).for_each(|number| more.add(&replication(number)).unwrap());
            counts.insert(more.next);
            more.sync().unwrap();
            let again = all(&path);
            let known: Vec<_> = (0..8).map(|n| encoded(&replication(n)).unwrap()).collect();
            assert_eq!(again, known, "{at} {is_cut}");
        }
    }
    assert!(without_header > 5 && counts.len() == 1, "{without_header}");
}

#[test]
fn a_first_replication_that_is_another_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("part");
    written(&path, 2);
    let before = || PlayedFile::open(&path).unwrap().go_on(&path).unwrap().0;
    assert!(before().check_first(&replication(0)).is_ok());
    let mut other = replication(0);
    other.left_over += 1;
    let refused = before().check_first(&other);
    assert!(matches!(refused, Err(PlayedError::Differs)), "{refused:?}");
}

/// A copy has the bytes of a file that was written at once, also of one that was cut off.
#[test]
fn a_copy_is_the_file_of_the_same_replications() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("part");
    written(&path, 8);
    let whole = fs::read(&path).unwrap();
    // Within the replications of the second layout.
    fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let file = PlayedFile::open(&path).unwrap();
    let (_, mut more) = file.go_on(&path).unwrap();
    (0..8).for_each(|number| more.add(&replication(number)).unwrap());
    more.sync().unwrap();
    assert!(fs::read(&path).unwrap() != whole, "layouts are there twice");
    let mut copied = Vec::new();
    let file = PlayedFile::open(&path).unwrap();
    file.copy(&header(), &mut copied).unwrap();
    assert!(copied == whole);
}
