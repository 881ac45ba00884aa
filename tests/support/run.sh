#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh COMMAND... runs test programs one after the other, each a command line, and prints "N passed, N failed" for all of
# them together, and above it what was skipped. It fails when a test failed, or when a program ended otherwise than well, or without its closing line:
# Criterion's synthesis, or "N passed, N failed". What a program prints is shown when it fails, or with VERBOSE=1.
set -u

# What a hook of git's, from which somebody may run the tests, says of another repository.
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE GIT_PREFIX GIT_OBJECT_DIRECTORY GIT_COMMON_DIR
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0
skipped=0

# The closing line as "PASSED FAILED", or nothing.
counts() {
	sed -n -e 's/.*Tested:[^0-9]*\([0-9]*\).*Passing:[^0-9]*\([0-9]*\).*/\2 \1 -/p' \
		-e 's/^\([a-z_]*: \)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed.*/\2 \3/p' "$log" | tail -n 1 |
		while read -r good other synthesis; do
			[ -z "$synthesis" ] || other=$((other - good))
			echo "$good $other"
		done
}

for command; do
	printf '  %-9s%s' RUN "$command"
	# Only then does Criterion say which tests had to be skipped, for what a machine lacks.
	CRITERION_VERBOSITY_LEVEL=1 sh -c "exec $command" >"$log" 2>&1
	status=$?
	result=$(counts)
	good=${result% *}
	bad=${result#* }
	if [ -z "$result" ]; then
		good=0
		bad=1
		printf ': status %s before it could count its tests\n' "$status"
	else
		[ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
		printf ': %s passed, %s failed\n' "$good" "$bad"
	fi
	left=$(sed -n 's/.* failed, \([0-9]*\) skipped$/\1/p' "$log" | tail -n 1)
	left=$((${left:-0} + $(grep -c '^\[SKIP\]' "$log")))
	if [ "$left" -gt 0 ]; then
		skipped=$((skipped + left))
		grep -E '^skip|^\[SKIP\]' "$log" | sed 's/^/    /'
	fi
	passed=$((passed + good))
	failed=$((failed + bad))
	if [ "$bad" -gt 0 ] || [ -n "${VERBOSE:-}" ]; then
		grep -vE '^ok |^\[RUN|^\[PASS|^\[====\] Running|^\[----\] Criterion' "$log" | tail -n 200
	fi
done

[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
