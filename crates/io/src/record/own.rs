//! Files with data about people, which no other user of the machine can read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a file that only its user can read and write (mode 0600), or empties it if it exists.
/// Every file with people's data is made by this or by [`own_file_as_it_is`].
///
/// # Errors
/// Where it can't be made.
pub fn own_file(path: &Path) -> io::Result<File> {
    own(path, OpenOptions::new().truncate(true))
}

/// Creates the file like [`own_file`]; it must not exist yet.
///
/// # Errors
/// Where it is there, or can't be made.
pub fn own_new_file(path: &Path) -> io::Result<File> {
    own(path, OpenOptions::new().create_new(true))
}

/// Opens the file like [`own_file`], and keeps its contents if it exists.
///
/// # Errors
/// Where it can't be made.
pub fn own_file_as_it_is(path: &Path) -> io::Result<File> {
    own(path, OpenOptions::new().truncate(false))
}

/// Refuses to open symbolic links. A link put there by another user could lead to a file that must
/// not be changed.
pub fn without_links(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32)
    }
    #[cfg(not(unix))]
    options
}

fn own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.write(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = without_links(options.mode(0o600)).open(path)?;
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

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "another's").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for open in [own_file, own_new_file, own_file_as_it_is] {
            assert!(open(&link).is_err());
        }
        assert_eq!(std::fs::read(&target).unwrap(), b"another's");
        let there = own_new_file(&target).map_err(|error| error.kind());
        assert_eq!(there.err(), Some(io::ErrorKind::AlreadyExists));
    }
}
