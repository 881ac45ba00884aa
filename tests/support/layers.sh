#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: layers.sh BUILD SYMBOLS_DEF PURE_OBJECT... -- SHIM_OBJECT...
# Proves the laws of the shim on what was built; the first broken one is named and stops the build.
set -eu

build=$1
symbols=$2
shift 2
library=$build/libbridle.so
bad=0

broken() {
	printf 'layers: %s\n' "$*" >&2
	bad=1
}

# Undefined names of an object file.
imports() {
	nm -u "$1" | sed 's/^ *[Uwv] //'
}

exported=$(sed -n 's/^SYM(\([A-Za-z0-9_]*\),.*/\1/p' "$symbols" | sort)
duplicates=$(printf '%s\n' "$exported" | uniq -d)
[ -z "$duplicates" ] || broken "listed twice in $symbols:" "$duplicates"

pure=''
while [ "$1" != -- ]; do
	pure="$pure $1"
	shift
done
shift

# Pure objects have no effects: beside each other they need only functions on memory.
defined=$(for object in $pure; do nm --defined-only "$object"; done | sed -n 's/.* [A-Z] //p' | sort -u)
for object in $pure; do
	for name in $(imports "$object"); do
		case $name in
		memcpy | memmove | memset | memcmp | memchr | memmem | strlen | strnlen | strcmp | strncmp | strchr | strrchr | strspn | strcspn | \
			_GLOBAL_OFFSET_TABLE_) continue ;;
		esac
		printf '%s\n' "$defined" | grep -qxF "$name" || broken "$object is to be pure and uses $name"
	done
done

# No object of the shim refers to a name that we interpose, so a wrapper can never meet another.
for object in "$@"; do
	for name in $(imports "$object"); do
		if printf '%s\n' "$exported" | grep -qxF "$name"; then
			broken "$object uses $name, which is interposed"
		fi
	done
done

# The library exports the list and nothing else; a row without a wrapper shows as missing.
nm -D --defined-only "$library" | sed 's/.* //' | sort >"$build/exports.have"
printf '%s\n' "$exported" >"$build/exports.want"
missing=$(comm -13 "$build/exports.have" "$build/exports.want")
stray=$(comm -23 "$build/exports.have" "$build/exports.want")
[ -z "$missing" ] || broken "without a wrapper:" "$missing"
[ -z "$stray" ] || broken "exported and not listed:" "$stray"

# It asks nothing of the system but these, so one file loads in any glibc and in musl.
for name in $(nm -D --undefined-only "$library" | sed 's/^ *[Uwv] //'); do
	case $name in
	environ | __errno_location | __h_errno_location | getdate_err | _r_debug | _dl_debug_addr | __curbrk | getauxval) ;;
	*) broken "$library imports $name" ;;
	esac
done
if readelf -d "$library" | grep -Eq 'NEEDED|TEXTREL'; then
	broken "$library needs other libraries, or relocations in its text"
fi
if readelf -V "$library" | grep -q 'Version needs'; then
	broken "$library carries symbol versions"
fi
if readelf -lW "$library" | grep -q ' TLS '; then
	broken "$library has thread-local storage"
fi

exit $bad
