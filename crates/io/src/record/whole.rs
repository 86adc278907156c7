//! Files that are read whole: what is larger than it may be is refused before it fills the memory.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of a file that klero wrote. What is no file is not read: a pipe may never end.
///
/// # Errors
/// Where it can't be read, is no file, or has more bytes than `most`.
pub fn read_whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match fs::metadata(path)?.is_file() {
        true => read_given(path, most),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is no file")),
    }
}

/// The bytes of a file that the user names, which may be a pipe.
///
/// # Errors
/// Where it can't be read, or has more bytes than `most`.
pub fn read_given(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    // A file that is too large is known by its size, and whatever else by what comes.
    if file.metadata()?.len() <= most {
        Read::by_ref(&mut file)
            .take(most + 1)
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(io::Error::new(ErrorKind::FileTooLarge, too_large(most)))
}

fn too_large(most: u64) -> String {
    match most.is_multiple_of(1 << 30) {
        true => format!("it is larger than {} GiB", most >> 30),
        false => format!("it is larger than {most} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_a_size_and_a_pipe_that_never_ends_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (length, most, is_read) in [(0, 0, true), (7, 7, true), (7, 8, true), (8, 7, false)] {
            fs::write(&path, "x".repeat(length)).unwrap();
            for read in [read_whole, read_given] {
                match read(&path, most) {
                    Ok(bytes) => assert!(is_read && bytes.len() == length),
                    Err(error) => {
                        assert!(!is_read && error.kind() == ErrorKind::FileTooLarge);
                        assert_eq!(error.to_string(), "it is larger than 7 bytes");
                    }
                }
            }
        }
        assert!(read_whole(folder.path(), 7).is_err());
        let missing = read_whole(&folder.path().join("none"), 7).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        if cfg!(target_os = "linux") {
            let endless = Path::new("/dev/zero");
            assert!(read_whole(endless, 7).is_err() && read_given(endless, 7).is_err());
        }
    }
}
