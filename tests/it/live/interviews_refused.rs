//! What interviewers and the organiser are told where something can't be taken.
