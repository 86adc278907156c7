//! The journal: all that came to a live run from outside, in one order, committed before anyone is told.
