# Merges the units. Where some are missing, submits their shards again and this script after them.
# The argument: how many more times that may be.
left=${1:-$((tries - 1))}
said=$("$klero" merge "$folder" --out "$results" --shards "$shards" --force "${merge_options[@]}" 2>&1)
code=$?
printf '%s\n' "$said"
again=$(grep -xE -e '--array=[0-9,-]+' <<<"$said" | tail -n 1)
# Merged, or wrong in a way that no further try puts right.
[[ $code == 1 && -n $again ]] || exit "$code"
if grep -q 'next wave' <<<"$said"; then
  left=$((tries - 1))
elif ((left == 0)); then
  echo "klero: units are missing after $tries tries; one try more: sbatch $folder/slurm/merge.sh 1" >&2
  exit 1
else
  left=$((left - 1))
fi
job=$(sbatch --parsable "$again$at_once" "$folder/slurm/shard.sh") || exit 1
# The job's number; a cluster's name may follow it.
job=${job%%;*}
echo "submitted $again as job $job"
job=$(sbatch --parsable --dependency="afterany:$job" "$folder/slurm/merge.sh" "$left") || exit 1
echo "submitted the merge after it as job ${job%%;*}"
