#!/bin/sh
# SPDX-License-Identifier: MIT
# deps.sh PACKAGE... installs with apt what is missing of these Debian packages. Says so first; uses sudo when not root;
# does nothing when all is there. A name with "?" behind it is wanted only where apt knows it, NAME@COMMAND only where there
# is no such command from elsewhere.
set -eu

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	exit 0 # no Debian: the build says by itself what it misses
fi

installed() {
	case $(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null) in
	*not-installed*) return 1 ;;
	*installed*) return 0 ;;
	*) return 1 ;;
	esac
}

known() {
	apt-cache show "$1" >/dev/null 2>&1
}

missing=
wanted=
for package; do
	name=${package%\?}
	name=${name%@*}
	if installed "$name" || { [ "${package#*@}" != "$package" ] && command -v "${package#*@}" >/dev/null 2>&1; }; then
		continue
	elif [ "${package%\?}" = "$package" ]; then
		missing="$missing $name"
	else
		wanted="$wanted $name"
		! known "$name" || missing="$missing $name"
	fi
done
[ -n "$missing" ] || exit 0

echo "Missing packages:$missing"
run="env"
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "You are not root and there is no sudo. As root: apt-get install$missing" >&2
		exit 1
	fi
	run="sudo env"
fi
echo "Installing them with apt-get$([ "$run" = env ] || echo ", through sudo")."
$run apt-get -qq update
for name in $wanted; do # what apt has only now heard of
	case " $missing " in
	*" $name "*) ;;
	*) ! known "$name" || missing="$missing $name" ;;
	esac
done
# shellcheck disable=SC2086 # a list of package names
$run DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
