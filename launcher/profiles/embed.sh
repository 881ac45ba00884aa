#!/bin/sh
# SPDX-License-Identifier: MIT
# embed.sh FILE...: prints C that holds the texts of the built-in profiles and their parts. A file's name in it is its
# path below launcher/profiles/: "tool.cfg" is the profile tool, "knowledge/wrappers.cfg" a part that a profile takes
# in with a line `@include "knowledge/wrappers.cfg"`.
set -eu
echo '/* Made by launcher/profiles/embed.sh. */'
echo '#include "policy/source.h"'
echo 'const struct profile_text profile_texts[] = {'
for file in "$@"; do
	printf '\t{"%s",\n' "${file#*launcher/profiles/}"
	sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g' -e 's/?/\\?/g' -e 's/^/\t"/' -e 's/$/\\n"/' "$file"
	[ -s "$file" ] || printf '\t""\n'
	printf '\t},\n'
done
echo '	{0, 0}};'
