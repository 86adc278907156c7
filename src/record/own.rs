//! Files that hold what is known of people: no other user of the machine reads them.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// A file that its user alone can read and write (mode 0600), made anew, or emptied where it is
/// there. Every file with people's data is made by this or by [`own_file_as_it_is`].
///
/// # Errors
/// Where it can't be made.
pub fn own_file(path: &Path) -> io::Result<File> {
    own(path, OpenOptions::new().truncate(true))
}

/// The same, with what is in it where it is there.
///
/// # Errors
/// Where it can't be made.
pub fn own_file_as_it_is(path: &Path) -> io::Result<File> {
    own(path, OpenOptions::new().truncate(false))
}

fn own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.write(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = options.mode(0o600).open(path)?;
        // One that was there keeps its mode when it is opened.
        let data = file.metadata()?;
        if data.is_file() && data.permissions().mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        }
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn it_is_its_users_alone_whatever_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let new = folder.path().join("new");
        own_file(&new).unwrap();
        assert_eq!(mode(&new), 0o600);
        for open in [0o644, 0o666, 0o640] {
            let old = folder.path().join("old");
            std::fs::write(&old, "names").unwrap();
            std::fs::set_permissions(&old, std::fs::Permissions::from_mode(open)).unwrap();
            own_file(&old).unwrap();
            assert_eq!((mode(&old), std::fs::read(&old).unwrap().len()), (0o600, 0));
            std::fs::write(&old, "names").unwrap();
            std::fs::set_permissions(&old, std::fs::Permissions::from_mode(open)).unwrap();
            own_file_as_it_is(&old).unwrap();
            assert_eq!((mode(&old), std::fs::read(&old).unwrap().len()), (0o600, 5));
        }
        let strict = folder.path().join("new");
        std::fs::set_permissions(&strict, std::fs::Permissions::from_mode(0o200)).unwrap();
        own_file(&strict).unwrap();
        assert_eq!(mode(&strict), 0o200, "no one is let in who was kept out");
        assert!(own_file(&folder.path().join("no/such/folder")).is_err());
    }
}
