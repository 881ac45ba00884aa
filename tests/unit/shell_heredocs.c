/* SPDX-License-Identifier: MIT */
/* The shell-line reader on here-documents and what is read in them. */
#include <criterion/criterion.h>

#include "shell_dump.h"

const struct shell_case shell_heredocs[] = {
	{"cat <<E\na\nE", "|cat <<a\n"},
	{"cat <<E\nE", "|cat <<"},
	{"cat <<E; rm x\na\nE", "|cat <<a\n ; |rm|x"},
	{"cat <<E\na\nE\nrm x", "|cat <<a\n ; |rm|x"},
	{"cat <<'E'\n$(rm x) `rm y` $z\nE", "|cat <<$(rm x) `rm y` $z\n"},
	{"cat <<\"E\"\n$(rm x)\nE", "|cat <<$(rm x)\n"},
	{"cat <<\\E\n$(rm x)\nE", "|cat <<$(rm x)\n"},
	{"cat <<E\n$(rm x) `rm y` ${z:-$(rm q)} $((1+$(rm r)))\nE",
	 "|cat <<$(rm x) `rm y` ${z:-$(rm q)} $((1+$(rm r)))\n~d ; |rm|x @1 ; |rm|y @1 ; |rm|q @1 ; |rm|r @1"},
	{"cat <<E\n\\$(rm x) \\`rm y\\` \"it's\nE", "|cat <<$(rm x) `rm y` \"it's\n"},
	{"cat <<-E\n\ta\n\t\tb\n\tE", "|cat <<a\nb\n"},
	{"cat <<-'E F'\n\ta\n\tE F", "|cat <<a\n"},
	{"cat <<E\n E\nE \nE", "|cat << E\nE \n"},
	{"cat <<A <<B\na\nA\nb\nB", "|cat <<a\n <<b\n"},
	{"cat <<A | bash\nrm x\nA", "|cat <<rm x\n ; p:|bash"},
	{"bash <<E\nrm x\nE", "|bash <<rm x\n"},
	{"(cat <<E)\na\nE", "|cat <<a\n @1"},
	{"(cat <<E\na\nE\n)", "|cat <<a\n @1"},
	{"echo $(cat <<E\n$(rm x)\nE\n)",
	 "|cat <<$(rm x)\n~d @1 ; |rm|x @2 ; |echo|$(cat <<E\n$(rm x)\nE\n)~d"},
	{"{ bash\n} <<E\nrm x\nE", "p:|bash ; p: <<rm x\n"},
	{"if a; then cat <<E\nthen fi ' \"\nE\nfi", "|a ; |cat <<then fi ' \"\n"},
	{"cat <<E \"x\ny\"\nbody\nE", "|cat|x\ny <<body\n"},
	{"cat <<E\na\\\nE\nb\nE", "|cat <<aE\nb\n"},
	{"cat <<E\na\\\\\nE", "|cat <<a\\\n"},
	{"cat <<'E'\na\\\nE", "|cat <<a\\\n"},
	{"cat <<E &&\nx\nE\nrm y", "|cat <<x\n ; |rm|y"},
	{"cat 3<<E\nx\nE", "|cat <<3:x\n"},
	{"cat <<E\n${x:-'a'}\nE", "|cat <<${x:-'a'}\n~d"},
	{"a <<E1 || b <<E2\n1\nE1\n2\nE2", "|a <<1\n ; |b <<2\n"},
	{"cat <<''\nx\n\nrm x", "|cat <<x\n ; |rm|x"},
	{"python3 - <<'PY'\nimport os\nos.system(\"rm -rf x\")\nPY",
	 "|python3|- <<import os\nos.system(\"rm -rf x\")\n"},
	{"cat <<E\n$\nE", "|cat <<$\n"},
	{"cat <<E\n$(cat <<F\n$(rm x)\nF\n)\nE",
	 "|cat <<$(cat <<F\n$(rm x)\nF\n)\n~d ; |cat <<$(rm x)\n~d @1 ; |rm|x @2"},
	{"cat <<E$\nx\nE$", "|cat <<x\n"},
	{"f() { cat <<E\nx\nE\n}", "|cat <<x\n @1"},
	{"while read l; do bash; done <<E\nrm x\nE", "p:|read|l ; p:|bash ; p: <<rm x\n"},
	{"cat <<$'E'\n$(rm x)\nE",
	 "|cat <<$(rm x)\n",
	 "|cat <<$E ; ERROR 6: a here-document that does not end",
	 SHELL_CASE_DASH},
	{"cat <<E >f; rm y\nx\nE", "|cat <<x\n >f ; |rm|y"},
	{0},
};

Test(shell, heredocs)
{
	shell_expect(shell_heredocs);
}
