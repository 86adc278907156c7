//! Integration tests, one binary.

mod applicants;
mod arena;
mod cli;
mod cohort;
mod config_errors;
mod contexts;
mod doubles;
mod evidence;
mod feeds;
mod fit;
mod linear_groups;
mod live;
mod lots;
mod observe;
mod organisers;
mod papers;
mod pool_steps;
mod pools;
mod reasons;
mod recipes;
mod referee;
mod reproduce;
mod seasons;
mod seats;
mod support;
mod tidy;
