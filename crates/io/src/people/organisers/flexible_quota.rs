//! A quota and how far it may be relaxed.

use kleroterion_core::protocol::Quota;

/// A quota, and how far it may be relaxed where no committee keeps all quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexibleQuota {
    /// The quota.
    pub quota: Quota,
    /// The lowest minimum and the highest maximum.
    pub flexible: Quota,
    /// `true` where the maximum is the committee's size because none is given.
    pub is_unbounded: bool,
}
