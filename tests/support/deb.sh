#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh BUILD VERSION makes BUILD/bridle_VERSION_ARCH.deb of what `make install` copies.
set -eu
umask 022
build=$1
version=$2
arch=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-bridle authors} <${DEBEMAIL:-bridle@users.noreply.github.com}>"
stage=$build/deb
doc=$stage/usr/share/doc/bridle

rm -rf "$stage"
make --no-print-directory -s BUILD="$build" DESTDIR="$stage" PREFIX=/usr install >/dev/null
strip --strip-unneeded --remove-section=.comment "$stage/usr/bin/bridle" "$stage/usr/lib/bridle/libbridle.so"
chmod 644 "$stage/usr/lib/bridle/libbridle.so"
mkdir -p "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_bridle" "$stage/usr/share/zsh/vendor-completions/_bridle"
rmdir "$stage/usr/share/zsh/site-functions"
rm "$doc/LICENSE"
mkdir "$doc/examples"
mv "$doc/agents" "$doc/clients" "$doc"/*.cfg "$doc/examples/"
gzip -9n "$stage"/usr/share/man/man?/*
# The library links nothing, on purpose: so it loads in programs of any libc.
mkdir -p "$stage/usr/share/lintian/overrides"
echo 'bridle: shared-library-lacks-prerequisites [usr/lib/bridle/libbridle.so]' >"$stage/usr/share/lintian/overrides/bridle"
{
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo 'Upstream-Name: bridle'
	echo
	echo 'Files: *'
	sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
	echo 'License: Expat'
	sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
} >"$doc/copyright"
printf 'bridle (%s) unstable; urgency=medium\n\n  * Initial release.\n\n -- %s  %s\n' \
	"$version" "$maintainer" "$(LC_ALL=C date -u -d "@$(git log -1 --format=%ct 2>/dev/null || echo 0)" '+%a, %d %b %Y %H:%M:%S +0000')" |
	gzip -9n >"$doc/changelog.gz"

libraries=$(objdump -p "$stage/usr/bin/bridle" | sed -n 's/^ *NEEDED *//p' | while read -r name; do
	path=$(ldconfig -p | sed -n "s|^[[:space:]]*$name .*=> ||p" | head -n 1)
	dpkg -S "$(readlink -f "$path")" "$path" 2>/dev/null | sed -n 's/:.*//p' | head -n 1
done | sort -u | paste -s -d , - | sed 's/,/, /g')
mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<END
Package: bridle
Version: $version
Architecture: $arch
Maintainer: $maintainer
Section: devel
Priority: optional
Depends: $libraries
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f 1)
Description: guardrail for commands that AI agents choose
 bridle keeps a command, or a whole agent, inside the rules of a policy: which
 programs may start and with which arguments, which paths may be read and
 written, where it may connect, how long it may run and how big it may grow.
 It decides before anything is started, and a preloaded library applies the
 same rules to every descendant at run time.
 .
 It is a guardrail against mistakes, not a security boundary.
END
(cd "$stage" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$stage" "$build/bridle_${version}_$arch.deb" >/dev/null
rm -rf "$stage"
echo "$build/bridle_${version}_$arch.deb"
