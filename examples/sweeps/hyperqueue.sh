#!/usr/bin/env bash
# A sweep on HyperQueue: hyperqueue.sh CONFIG OUT [SHARDS]. See docs/sweeps.md.
#
# A server and workers run already: `hq server start`, then `hq worker start` or `hq alloc add slurm ...`.
# A task whose worker is lost is begun again by HyperQueue, five times at most. A task that fails by itself is not:
# the merge names its shard, and this script begun again plays what is missing.
set -euo pipefail
config=$1 out=$2 shards=${3:-64}

mkdir -p "$out/shards"
out=$(realpath "$out")
klero sweep "$config" --plan "$out/sweep.json"
# The shell of the task puts in its number.
hq submit --name klero-shards --array "0-$((shards - 1))" --crash-limit 5 --cpus 2 --wait -- \
  bash -c 'exec klero sweep "$1/sweep.json" --shard "$HQ_TASK_ID/$2" --out "$1/shards" --threads 2 --quiet' \
  shard "$out" "$shards" || true
klero merge "$out/shards" --out "$out/results"
