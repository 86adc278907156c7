//! People from outside: how they are sent, what of it is taken, what is said of the rest.

mod alike;
mod configs;
mod connections;
mod files;
mod pipes;
mod recorder;
mod schemas;
