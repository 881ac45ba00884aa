/* SPDX-License-Identifier: MIT */
/* The shell-line reader on lines of every day in which nothing but the obvious is code. */
#include <criterion/criterion.h>

#include "shell_dump.h"

const struct shell_case shell_data[] = {
	{"git commit -m 'a; b && c > d'", "|git|commit|-m|a; b && c > d"},
	{"git commit -m \"fix: never run rm -rf / again\"", "|git|commit|-m|fix: never run rm -rf / again"},
	{"git commit -m \"a \\$(rm x) \\`b\\`\"", "|git|commit|-m|a $(rm x) `b`"},
	{"git commit -m 'use `rm` and $(rm)'", "|git|commit|-m|use `rm` and $(rm)"},
	{"grep -rn \"foo|bar\" src", "|grep|-rn|foo|bar|src"},
	{"grep -E 'a|b;c&d' f", "|grep|-E|a|b;c&d|f"},
	{"echo \"a > b\" '<c' \"d & e\"", "|echo|a > b|<c|d & e"},
	{"echo 'eval \"rm x\"'", "|echo|eval \"rm x\""},
	{"gh issue create --body 'never run rm -rf /'", "|gh|issue|create|--body|never run rm -rf /"},
	{"sed -e 's/;/|/' -e \"s/(/)/\" f", "|sed|-e|s/;/|/|-e|s/(/)/|f"},
	{"awk '{ print $1 > \"x\" }' f", "|awk|{ print $1 > \"x\" }|f"},
	{"find . -name '*.c' -exec grep -l 'rm -rf' {} \\;", "|find|.|-name|*.c|-exec|grep|-l|rm -rf|{}|;"},
	{"find . \\( -name a -o -name b \\) -print", "|find|.|(|-name|a|-o|-name|b|)|-print"},
	{"node -e 'x=>{a;b}'", "|node|-e|x=>{a;b}"},
	{"echo a\\;b\\|c\\&d \\> e \\< f", "|echo|a;b|c&d|>|e|<|f"},
	{"make CFLAGS='-O2 -g' CC=\"gcc -m32\" all", "|make|CFLAGS=-O2 -g|CC=gcc -m32|all"},
	{"test \"$a\" = \"b;c\" && echo 'd|e'", "|test|$a~d|=|b;c ; |echo|d|e"},
	{"printf '%s\\n' \"it's\" 'say \"hi\"'", "|printf|%s\\n|it's|say \"hi\""},
	{"curl -H 'A: b; c=d' 'http://x/?a=1&b=2'", "|curl|-H|A: b; c=d|http://x/?a=1&b=2"},
	{"git log --format='%h (%an) <%ae>'", "|git|log|--format=%h (%an) <%ae>"},
	{"echo \"don't\" \"say \\\"rm\\\"\"", "|echo|don't|say \"rm\""},
	{"jq '.a | .b' f.json", "|jq|.a | .b|f.json"},
	{"python3 -m pytest -k 'a and not b'", "|python3|-m|pytest|-k|a and not b"},
	{"docker run -v \"$PWD:/x\" img sh", "|docker|run|-v|$PWD:/x~d|img|sh"},
	{"echo it\\'s", "|echo|it's"},
	{"ls -la --color=auto", "|ls|-la|--color=auto"},
	{"git log --since=2.weeks -- src/*.c", "|git|log|--since=2.weeks|--|src/*.c~g"},
	{"tar czf x.tgz --exclude='*.o' .", "|tar|czf|x.tgz|--exclude=*.o|."},
	{"echo \"${x}\" \"$(pwd)\"", "|pwd @1 %1 ; |echo|${x}~d|$(pwd)~d"},
	{"echo '$(rm x)' '`rm y`' '${z}'", "|echo|$(rm x)|`rm y`|${z}"},
	{0},
};

Test(shell, data)
{
	shell_expect(shell_data);
}
