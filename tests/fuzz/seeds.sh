#!/bin/sh
# SPDX-License-Identifier: MIT
# seeds.sh TARGET FOLDER PROGRAM fills FOLDER with inputs for a fuzz target that are near what people write.
# shellcheck disable=SC2016 # what looks like an expansion is part of an input
set -eu
target=$1
folder=$2
program=$3
count=0

# seed FORMAT...: one input, written by printf.
seed() {
	count=$((count + 1))
	# shellcheck disable=SC2059 # the format is the input
	printf "$@" >"$folder/seed-$count"
}

case $target in
report)
	cp tests/cases/report/*.jsonl "$folder"
	;;
image)
	"$program" --seeds="$folder"
	;;
policy)
	find launcher/profiles examples tests -name '*.cfg' | while read -r file; do
		cp "$file" "$folder/$(echo "$file" | tr / -)"
	done
	seed 'extends = "tool";\nnames: { deny = [ "sudo", "!dd", "mkfs.*" ]; };\n'
	seed 'extends = "none";\nroot = ".";\npaths: { read = [ "/usr", "~/x", "./y", "*.pem" ]; write = [ "." ]; deny = [ "**/.git/hooks" ]; };\n'
	seed 'network: { connect = "deny"; allow = [ "127.0.0.0/8", "[::1]", "*.example.org:443" ]; bind = "loopback"; };\n'
	seed 'limits: { wall_seconds = 1.5; output_bytes = 65536; };\nmode = "audit";\n'
	seed 'argv: { deny = ( { name = "rm"; flags = [ "-r|-R|--recursive" ]; match = ( [ "rm", "-r" ] ); } ); };\n'
	seed 'limits: { wall_seconds = "soon"; };\n'
	;;
path)
	seed '/usr/bin/python3'
	seed '/home/dev/.ssh/id_rsa'
	seed '/home/dev/proj/.git/hooks/pre-commit'
	seed '/home/dev/proj/.env'
	seed '/etc/shadow'
	seed '/tmp/bridle-fuzz/tmp/file.txt'
	seed '/proc/self/fd/3'
	;;
argv)
	seed '\001sudo\000ls\000'
	seed '\001rm\000-r\000-f\000build\000'
	seed '\001rm\000--recur\000--forc\000build\000'
	seed '\000env\000-i\000A=b\000timeout\000-k\0005\0009\000python3\000-cprint(1)\000'
	seed '\001find\000.\000-name\000x\000-exec\000rm\000-rf\000{}\000;\000'
	seed '\001xargs\000-n\0001\000sh\000-c\000id\000'
	seed '\001busybox\000rm\000-rf\000x\000'
	seed '\001git\000-c\000core.pager=sh\000log\000'
	seed '\000bash\000-lc\000echo hi\000'
	seed '\001echo\000a;b\000$(id)\000`id`\000'
	seed '\001chmod\000-R\000777\000src\000'
	;;
line)
	seed '\001\001\005\001\001\000/usr/bin/cat\000../x\000/home/dev/x\000'
	seed '\000\007\001\000\000\001/bin/sh\000rm\000/bin/rm\000\000rm\000-rf\000x y\000'
	seed '\003\011\012\000\000\000/usr/bin/curl\000\000\000a.example.org\000'
	seed '\003\003\012\000\000\000/bin/x\000\377\376\000\355\240\200\000\303\050\000'
	seed '\002\001\004\000\000\000/bin/x\000"\\\\\n\t\001\000/\360\237\230\200\000'
	seed '\001\001\004\000\000\000/bin/x\000%4000s\000/%4000s\000' x y
	;;
shell)
	seed 'echo one; rm -rf src | cat && (cd x; ls) >out 2>&1'
	seed 'cat <<EOF\n$HOME $(id)\nEOF\nwc -l <<<"text"'
	seed 'for f in *.c; do gcc -c "$f" || break; done'
	seed 'if [ -f x ]; then A=b eval "rm x"; elif true; then :; else trap "id" EXIT; fi'
	seed 'f() { echo `id` $((1+2)) ${x:-$(id)}; }; f'
	seed "case \$x in a|b) ls;; *) echo 'q' \\\\;; esac"
	seed "diff <(ls a) <(ls b) \$'\\\\x41' \"a\\\\\"b\""
	;;
esac
