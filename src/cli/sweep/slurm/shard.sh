# Plays the shard of the task's number. Units that are whole already are left out.
exec "$klero" sweep "$folder/plan.json" --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$folder" \
  --threads "${SLURM_CPUS_ON_NODE:-1}" --quiet "${shard_options[@]}"
