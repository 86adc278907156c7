//! A quota and the bounds within which it may be relaxed.

use kleroterion_core::protocol::Quota;

/// A quota, and the bounds within which it may be relaxed if no committee keeps all quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexibleQuota {
    /// The quota.
    pub quota: Quota,
    /// The lowest minimum and the highest maximum.
    pub flexible: Quota,
    /// True if the file gives no maximum, so that the maximum is the committee's size.
    pub is_unbounded: bool,
}
