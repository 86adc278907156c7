//! Most of these run on a paused clock: hours of looking at a file take no time.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::Instant;

use super::*;
use crate::feed::transport::tests::doubles::{Log, Running, lines, people, spec};
use crate::limits::TAIL_POLL;

/// A folder with files of people, of which `people` is followed.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn append<const N: usize>(&self, name: &str, ids: [usize; N]) {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(self.path(name));
        file.unwrap().write_all(lines(ids).as_bytes()).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    fn tail_of(&self, name: &str) -> Tail {
        Tail::new(self.path(name), &spec(), Arc::default())
    }

    fn tail(&self) -> Tail {
        self.tail_of("people")
    }

    /// A feed of a run whose journal is `journal`.
    fn remembering(&self) -> Tail {
        let memory = FollowedMemory {
            path: self.path(FOLLOWED),
            after: self.path("journal"),
        };
        self.tail().remembering(Some(memory))
    }

    /// The folder of a run that has followed these files.
    fn remember(&self, names: &[String]) {
        fs::write(self.path("journal"), "").unwrap();
        let mut files = FollowedFiles::of(self.path(FOLLOWED)).unwrap();
        for name in names {
            let found = fs::metadata(self.path(name)).unwrap();
            files.note(identity(&found)).unwrap();
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_not_there_is_waited_for() {
    let folder = Folder::new();
    let mut running = Running::start(folder.tail());
    assert!(running.is_silent().await);
    folder.append("people", [1]);
    assert_eq!(running.next().await, people([1]));
    assert_eq!(running.stopped().await, Ok(Ended::Stopped));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_can_not_be_opened_ends_the_feed() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let below = folder.path("people/below");
    let FeedError(why) = Running::start(folder.tail_of("people/below"))
        .ended()
        .await
        .unwrap_err();
    let words = format!("{} can't be opened: ", below.display());
    assert!(why.starts_with(&words), "{why}");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_was_moved_away_is_read_on_until_another_comes() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let mut running = Running::start(folder.tail());
    assert_eq!(running.next().await, people([1]));
    folder.rename("people", "people.1");
    assert!(running.is_silent().await);
    folder.append("people.1", [2]);
    assert_eq!(running.next().await, people([2]));
    folder.append("people", [3]);
    assert_eq!(running.next().await, people([3]));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_was_cut_off_is_read_from_its_start() {
    let folder = Folder::new();
    folder.append("people", [1, 2, 3]);
    let mut running = Running::start(folder.tail());
    assert_eq!(running.next().await, people([1, 2, 3]));
    for n in [4, 6] {
        fs::write(folder.path("people"), lines([n])).unwrap();
        assert_eq!(running.next().await, people([n]));
        folder.append("people", [n + 1]);
        assert_eq!(running.next().await, people([n + 1]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_that_can_not_be_looked_at_ends_the_feed() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).unwrap();
    folder.append("sub/people", [1]);
    let mut running = Running::start(folder.tail_of("sub/people"));
    assert_eq!(running.next().await, people([1]));
    // Its name leads through a file.
    folder.rename("sub", "other");
    folder.append("sub", [2]);
    let FeedError(why) = running.ended().await.unwrap_err();
    assert!(why.starts_with("the feed can't be read on: "), "{why}");
}

/// Writers may have a file open still after it was rotated away, the last eight of them at least.
#[tokio::test(start_paused = true)]
async fn the_last_eight_files_before_are_read_on() {
    let folder = Folder::new();
    folder.append("people", [0]);
    let mut running = Running::start(folder.tail());
    assert_eq!(running.next().await, people([0]));
    for n in 0..8 {
        folder.rename("people", &format!("people.{n}"));
        folder.append("people", [n + 1]);
        assert_eq!(running.next().await, people([n + 1]));
    }
    folder.append("people.0", [100]);
    assert_eq!(running.next().await, people([100]));
    folder.rename("people", "people.8");
    folder.append("people", [9]);
    assert_eq!(running.next().await, people([9]));
    // The first of ten is looked at no more, the second is.
    folder.append("people.0", [101]);
    folder.append("people.1", [102]);
    assert_eq!(running.next().await, people([102]));
    assert!(running.is_silent().await);
}

#[tokio::test(start_paused = true)]
async fn what_comes_late_is_read_each_time() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let mut running = Running::start(folder.tail());
    assert_eq!(running.next().await, people([1]));
    folder.rename("people", "people.1");
    folder.append("people", [2]);
    assert_eq!(running.next().await, people([2]));
    // More than was read before, and less.
    folder.append("people.1", [3, 4, 5]);
    assert_eq!(running.next().await, people([3, 4, 5]));
    folder.append("people.1", [6]);
    assert_eq!(running.next().await, people([6]));
    folder.append("people", [7]);
    assert_eq!(running.next().await, people([7]));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_was_read_on_to_its_end_has_grown_no_more() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let (deliveries, _came) = mpsc::channel(9);
    let (_stop, mut stop) = watch::channel(false);
    let mut courier = Courier::new(deliveries, spec().on_error);
    let mut old = ReadFile {
        file: File::open(folder.path("people")).await.unwrap(),
        position: 0,
    };
    let mut decoder = folder.tail().decoder();
    for _ in 0..3 {
        assert!(old.has_grown().await.unwrap());
        let read = carry(&mut old, &mut decoder, &mut courier, &mut stop).await;
        assert!(matches!(read, Ok(Why::End)));
        assert!(!old.has_grown().await.unwrap());
        folder.append("people", [2]);
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_replaced_file_is_seen_without_a_pause() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let mut file = appear(&folder.path("people")).await.unwrap();
    let mut read = Vec::new();
    file.next(&mut read).await.unwrap();
    assert_eq!(read, lines([1]).as_bytes());
    folder.rename("people", "people.1");
    folder.append("people", [2]);
    let begun = Instant::now();
    read.clear();
    file.next(&mut read).await.unwrap();
    assert!(read.is_empty() && file.replaced);
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

/// The folder is not the run's before its journal is there: another run may have it.
#[tokio::test(start_paused = true)]
async fn no_file_is_followed_before_the_journal_is_there() {
    let folder = Folder::new();
    folder.append("people", [1]);
    let mut running = Running::start(folder.remembering());
    assert!(running.is_silent().await);
    assert!(!folder.path(FOLLOWED).exists());
    fs::write(folder.path("journal"), "").unwrap();
    let begun = Instant::now();
    assert_eq!(running.next().await, people([1]));
    // Sooner than a file is looked at.
    assert!(begun.elapsed() < TAIL_POLL, "{:?}", begun.elapsed());
    let noted = fs::read_to_string(folder.path(FOLLOWED)).unwrap();
    assert_eq!(noted.lines().count(), 1);
}

/// As those that are rotated away while the run goes on.
#[tokio::test(start_paused = true)]
async fn the_last_eight_files_that_were_rotated_away_meanwhile_are_read_on() {
    let folder = Folder::new();
    let names: Vec<String> = (0..9).map(|n| format!("people.{n}")).collect();
    for (n, name) in names.iter().enumerate() {
        folder.append(name, [n]);
    }
    folder.append("people", [9]);
    folder.remember(&names);
    let mut running = Running::start(folder.remembering());
    for n in 0..=9 {
        assert_eq!(running.next().await, people([n]));
    }
    folder.append("people.0", [100]);
    folder.append("people.1", [101]);
    assert_eq!(running.next().await, people([101]));
    folder.append("people.8", [108]);
    assert_eq!(running.next().await, people([108]));
    assert!(running.is_silent().await);
}

#[tokio::test(start_paused = true)]
async fn a_resumed_run_warns_where_a_file_is_gone_and_only_there() {
    let folder = Folder::new();
    let names = ["people.1", "people.2"].map(str::to_owned);
    folder.append("people.1", [1]);
    folder.append("people.2", [2]);
    folder.append("people", [3]);
    folder.remember(&names);
    let log = Log::new();
    let mut running = Running::start(folder.remembering());
    for n in 1..=3 {
        assert_eq!(running.next().await, people([n]));
    }
    assert_eq!(running.stopped().await, Ok(Ended::Stopped));
    assert_eq!(log.text(), "");

    let elsewhere = tempfile::tempdir().unwrap();
    let path = folder.path("people").display().to_string();
    let all = [
        format!(
            "1 file that was followed as {path} before is no longer in its folder: new people \
             without ids of their own may be taken for those of it. Put it there again"
        ),
        format!(
            "2 files that were followed as {path} before are no longer in its folder: new people \
             without ids of their own may be taken for those of them. Put them there again"
        ),
    ];
    for (n, words) in (1..=2).zip(all) {
        let away = elsewhere.path().join(n.to_string());
        fs::rename(folder.path(&names[n - 1]), away).unwrap();
        let mut running = Running::start(folder.remembering());
        for left in n + 1..=3 {
            assert_eq!(running.next().await, people([left]));
        }
        assert!(log.text().contains(&words), "{}", log.text());
    }
}
