#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER SECONDS runs each fuzz target in FOLDER (fuzz-NAME) for its share of SECONDS. An input that breaks a promise is
# kept in FOLDER/found and its target's output is shown. Chance begins at $FUZZ_SEED, or at 1: what a change did not do does not
# turn up under it; 0 begins elsewhere each time.
set -u
folder=$1
seconds=$2

set -- "$folder"/fuzz-*
targets=
for program; do
	if [ -x "$program" ] && [ ! -d "$program" ]; then targets="$targets $program"; fi
done
# shellcheck disable=SC2086 # a list of programs without spaces
set -- $targets
if [ $# -eq 0 ]; then
	echo "no fuzz targets in $folder"
	exit 1
fi
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
mkdir -p "$folder/found"
export LSAN_OPTIONS=suppressions=tests/fuzz/leaks.txt:print_suppressions=0
passed=0
failed=0

for program; do
	name=${program##*/fuzz-}
	corpus=$folder/corpus/$name
	mkdir -p "$corpus" "$folder/seeds/$name"
	log=$folder/$name.log
	sh tests/fuzz/seeds.sh "$name" "$folder/seeds/$name" "$program" &&
		"$program" -max_total_time="$share" -seed="${FUZZ_SEED:-1}" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
			-artifact_prefix="$folder/found/$name-" "$corpus" "$folder/seeds/$name" >"$log" 2>&1
	status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	if [ "$status" -eq 0 ]; then
		printf '  %-8s%s inputs in %s s\n' "$name" "$runs" "$share"
		passed=$((passed + 1))
	else
		printf '  %-8sBROKEN (status %s)\n' "$name" "$status"
		tail -n 60 "$log"
		failed=$((failed + 1))
	fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
