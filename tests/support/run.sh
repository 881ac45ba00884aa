#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM... runs Criterion programs one after the other, prints "N passed, N failed" for all of them together
# and fails when a test failed, crashed, or when a program ended without its closing line.
set -u

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0

for program; do
	printf '  %-9s%s\n' RUN "$program"
	"$program" >"$log" 2>&1
	status=$?
	counts=$(sed -n 's/.*Tested:[^0-9]*\([0-9]*\).*Passing:[^0-9]*\([0-9]*\).*/\1 \2/p' "$log" | tail -n 1)
	tested=${counts% *}
	good=${counts#* }
	if [ -z "$counts" ]; then
		echo "$program ended with status $status before it could count its tests"
		failed=$((failed + 1))
	else
		passed=$((passed + good))
		failed=$((failed + tested - good))
		[ "$status" -eq 0 ] || [ "$tested" -ne "$good" ] || failed=$((failed + 1))
	fi
	if [ "$status" -ne 0 ] || [ -z "$counts" ] || [ -n "${VERBOSE:-}" ]; then
		tail -n 200 "$log"
	fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
