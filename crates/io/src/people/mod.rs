//! Files of people: tables, organisers' quotas and lists, and their rows as a stream.

mod contexts;
mod households;
mod least_squares;
pub mod organisers;
pub mod reviews;
mod row_order;
mod rows;
pub mod table;

pub use contexts::{BadContexts, ContextScale, Design, LinearReward};
pub use households::Households;
pub use row_order::RowOrder;
pub use rows::{PeopleRows, RowStream};
