#!/bin/sh
# SPDX-License-Identifier: MIT
# deps.sh PACKAGE... installs with apt what is missing of these Debian packages. Says so first; asks sudo when not root;
# does nothing when all is there. A name with "?" behind it is wanted only where the distribution has it.
set -eu

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	exit 0 # no Debian: the build says by itself what it misses
fi

missing=
for package; do
	name=${package%\?}
	case $(dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null) in
	*installed*) continue ;;
	esac
	missing="$missing $package"
done

# What is only wanted cannot be a reason to touch the machine.
needed=
for package in $missing; do
	case $package in
	*\?) ;;
	*) needed="$needed $package" ;;
	esac
done
[ -n "$needed" ] || exit 0

echo "Missing packages:$needed"
run="env"
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "You are not root and there is no sudo. As root: apt-get install$needed" >&2
		exit 1
	fi
	run="sudo env"
fi
echo "Installing them with apt-get$([ "$run" = env ] || echo ", through sudo")."
$run apt-get -qq update
for package in $missing; do
	case $package in
	*\?) apt-cache show "${package%\?}" >/dev/null 2>&1 && needed="$needed ${package%\?}" ;;
	esac
done
# shellcheck disable=SC2086 # a list of package names
$run DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $needed >/dev/null
