# Plays the shard of the argument's number. Units that are whole already are left out.
exec "$klero" sweep "$folder/plan.json" --shard "$1/$shards" --out "$folder" --threads 1 --quiet "${shard_options[@]}"
