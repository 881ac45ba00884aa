/* SPDX-License-Identifier: MIT */
/* Shell lines under policies that differ: which rule refuses, and what passes where inline code may run. */
#include <criterion/criterion.h>

#include "shell_policy.h"

#define STRICT "extends = \"tool\"; names: { deny = [ \"rm\" ]; }; structure: { metachars = \"operators\"; };"
#define LOOSE STRICT "argv: { inline = \"allow\"; };"
#define ANYWHERE STRICT "paths: { deny = [ \"**/.env\" ]; };"
#define OFFLINE \
	"extends = \"tool\"; network: { connect = \"deny\"; allow = [ \"!127.0.0.0/8\", \"![::1]\", \"127.0.0.1:80\" ]; };"

static const struct row {
	const char *policy, *line, *rule;
} rows[] = {
	{STRICT, "ls; rm x", "name.denylist"},
	{STRICT, "sh -c 'ls'", "argv.inline"},
	{STRICT, "ls | sh", "argv.inline"},
	{STRICT, "$X x", "structure.dynamic"},
	{STRICT, "eval \"$X\"", "argv.inline"},
	{STRICT, "trap \"$X\" EXIT", "structure.dynamic"},
	{STRICT, "alias a=\"$X\"", "structure.dynamic"},
	{STRICT, "echo ${X@P}", "structure.dynamic"},
	{STRICT, ". /dev/stdin", "argv.inline"},
	{STRICT, "ls 'x", "structure.malformed"},
	{STRICT, "cat ../outside/secret", "path.jail"},
	{STRICT, "cat < ../outside/secret", "path.jail"},
	{STRICT, "echo x > ../outside/new", "path.jail"},
	{STRICT, "cd src && cat ../README", ""},
	{STRICT, "cd src && cat ../../outside/secret", "path.jail"},
	{STRICT, "(cd src); cat ../outside/secret", "path.jail"},
	{STRICT, "(cd src); (cat ../outside/secret)", "path.jail"},
	{STRICT, "(cd src && cat ../README); cat ../outside/secret", "path.jail"},
	{STRICT, "cd src | cat ../outside/secret", "path.jail"},
	{STRICT, "cd src & cat ../outside/secret", "path.jail"},
	{STRICT, "ls | cd src; cat ../outside/secret", "path.jail"},
	{STRICT, "echo $(cd src); cat ../outside/secret", "path.jail"},
	{STRICT, "echo `cd src` $(cat ../outside/secret)", "path.jail"},
	{STRICT, "cd src && echo $(cat ../README) | cat ../README", ""},
	{STRICT, "{ cd src; } && cat ../README", ""},
	{STRICT, "if cd src; then cat ../README; fi", ""},
	{STRICT, "(cd src && (cd .. && cat README) && cat ../README)", ""},
	{STRICT, "cat ~/x", "path.jail"},
	{STRICT, "cat .e*", "path.deny"},
	{STRICT, "cat README .e?v", "path.deny"},
	{STRICT, "cat ./.[e]nv", "path.deny"},
	{ANYWHERE, "cat */.env", "path.deny"},
	{STRICT, "cat $PWD/.e*", ""}, /* known at run time only */
	{STRICT, "cat '.e*'", ""},
	{STRICT, "cat \\.e\\*", ""},
	{STRICT, "cat *", ""},
	{STRICT, "cat *.c src/*.c", ""},
	{STRICT, "cat .x*", ""},
	{STRICT, "ls -d .*", ""},
	{STRICT, "ls -l .e*", ""},
	{STRICT, "grep text .*", "path.deny"},
	{STRICT, "grep -r '.e*' src", ""},
	{STRICT, "cp .e* docs", "path.deny"},
	{STRICT, "touch .e*", "path.deny"},
	{STRICT, "unknown-tool .e*", "path.deny"},
	{ANYWHERE, "cd src && cat .e*", "path.deny"},
	{STRICT, "cd docs && cat .e*", ""},
	{STRICT, "cd docs && cat ../.e*", "path.deny"},
	{STRICT, "cat ../out*/*", "path.jail"},
	{STRICT, "cat < .e*", "path.deny"},
	{STRICT, "echo x > .e*", "path.deny"},
	{STRICT, "cat < *.sh", ""},
	{STRICT, "cat {.e*,README}", "path.deny"},
	{STRICT, "nice cat .e*", "path.deny"},
	{STRICT, "find . -exec cat .e* \\;", "path.deny"},
	{STRICT, "echo .e*", ""},
	{STRICT, "ls | xargs sh -c", "argv.inline"},
	{STRICT, "git --git-dir ../outside log", "path.jail"},
	{STRICT, "git --git-dir=.git log", ""},
	{STRICT, "jq --rawfile a .env . f", "path.deny"},
	{STRICT, "jq --slurpfile a f . f", ""},
	{STRICT, "jq --arg a .env . f", ""},
	{STRICT, "cat ~root/x", "path.jail"},
	{STRICT, ":(){ :|:& };:", "argv.shape"},
	{STRICT, "bomb() { bomb & bomb & }; bomb", "argv.shape"},
	{STRICT, "function f { f | f; }; f", "argv.shape"},
	{STRICT, "f() ( f | f ); f", "argv.shape"},
	{STRICT, "walk() { for d in */; do (cd $d; walk); done; }; walk", ""},
	{STRICT, "fib() { echo $(( $(fib $1) + $(fib $2) )); }; fib 3", ""},
	{STRICT, "retry() { ls || retry; }; retry", ""},
	{STRICT, "f() { g | g & }; f", ""},
	{"extends = \"none\"; paths: { read = [ \"/\" ]; };", ":(){ :|:& };:", ""},
	{LOOSE, "$X x", ""},
	{LOOSE, "eval \"$X\"", ""},
	{LOOSE, "eval \"$X; rm x\"", "name.denylist"},
	{LOOSE, "eval \"$X'\"", ""},
	{LOOSE, "ls | sh", ""},
	{LOOSE, "sh -c 'ls'", ""},
	{LOOSE, "sh -c 'rm x'", "name.denylist"},
	{LOOSE, "sh -c \"rm $x\"", "name.denylist"},
	{LOOSE, "sh -c \"$x'\"", ""},
	{LOOSE, "sh -c 'ls \"'", "structure.malformed"},
	{LOOSE, "sh -c 'sh -c \"sh -c rm\\ x\"'", "name.denylist"},
	{LOOSE, "sh -c '((rm x))'", "name.denylist"},
	{LOOSE, "find . -exec sh -c 'rm x' \\;", "name.denylist"},
	{LOOSE, ". /dev/stdin <<< 'rm x'", "name.denylist"},
	{LOOSE, ". /dev/stdin <<< ls", ""},
	{LOOSE, "sh <<< 'rm x'", "name.denylist"},
	{LOOSE, "bash -s <<E\nrm $x\nE", "name.denylist"},
	{LOOSE, "bash -s <<E\nls $x '\nE", ""},
	{LOOSE, "bash -s <<'E'\nls '\nE", "structure.malformed"},
	{LOOSE, "env sh <<< 'rm x'", "name.denylist"},
	{LOOSE, "python3 <<< 'rm = 1'", ""},
	{LOOSE, "cat <<< 'rm x'", ""},
	{LOOSE, "cat <<< 'rm x' | sh", ""},
	{LOOSE, "sh -c 'cat < ../outside/secret'", "path.jail"},
	{LOOSE, "ls > new; ls > ../outside/new", "path.jail"},
	{LOOSE, "sh -c 'ls > new; ls > ../outside/new'", "path.jail"},
	{LOOSE, "cd src && sh -c 'cat ../README'", ""},
	{LOOSE, "((rm x))", "name.denylist"},
	{LOOSE, "$'rm' x", "name.denylist"},
	{LOOSE, "diff <(ls src) <(ls docs)", ""},
	{LOOSE, "diff <(ls src) <(rm x)", "name.denylist"},
	{OFFLINE, "exec 3<>/dev/tcp/10.0.0.1/80", "network.connect"},
	{OFFLINE, "exec 3<>/dev/tcp/127.0.0.1/81", "network.connect"},
	{OFFLINE, "exec 3<>/dev/tcp/::1/80", "network.connect"},
};

Test(shell, rules_of_lines)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *rule = shell_policy_rule(rows[i].policy, rows[i].line);

		cr_expect_str_eq(rule, rows[i].rule, "<%s>: '%s' instead of '%s'", rows[i].line, rule, rows[i].rule);
	}
}
