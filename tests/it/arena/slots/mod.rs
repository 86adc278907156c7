//! The slots of a slate: who applies comes in an order that says nothing of groups.

mod martingale;
mod shares;
