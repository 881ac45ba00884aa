/* SPDX-License-Identifier: MIT */
/* The shell-line reader on here-documents and what is read in them. */
#include <criterion/criterion.h>

#include "shell_dump.h"

const struct shell_case shell_heredocs[] = {
	{"cat <<E\na\nE", "p:|cat <<a\n"},
	{"cat <<E\nE", "p:|cat <<"},
	{"cat <<E; rm x\na\nE", "p:|cat <<a\n ; |rm|x"},
	{"cat <<E\na\nE\nrm x", "p:|cat <<a\n ; |rm|x"},
	{"cat <<'E'\n$(rm x) `rm y` $z\nE", "p:|cat <<$(rm x) `rm y` $z\n"},
	{"cat <<\"E\"\n$(rm x)\nE", "p:|cat <<$(rm x)\n"},
	{"cat <<\\E\n$(rm x)\nE", "p:|cat <<$(rm x)\n"},
	{"cat <<E\n$(rm x) `rm y` ${z:-$(rm q)} $((1+$(rm r)))\nE",
	 "p:|cat <<$(rm x) `rm y` ${z:-$(rm q)} $((1+$(rm r)))\n~d ; |rm|x @1 %1 ; |rm|y @1 %2"
	 " ; |rm|q @1 %3 ; |rm|r @1 %4"},
	{"cat <<E\n\\$(rm x) \\`rm y\\` \"it's\nE", "p:|cat <<$(rm x) `rm y` \"it's\n"},
	{"cat <<-E\n\ta\n\t\tb\n\tE", "p:|cat <<a\nb\n"},
	{"cat <<-'E F'\n\ta\n\tE F", "p:|cat <<a\n"},
	{"cat <<E\n E\nE \nE", "p:|cat << E\nE \n"},
	{"cat <<A <<B\na\nA\nb\nB", "p:|cat <<a\n <<b\n"},
	{"cat <<A | bash\nrm x\nA", "p:|cat <<rm x\n %1 ; p:|bash %2"},
	{"bash <<E\nrm x\nE", "p:|bash <<rm x\n"},
	{"(cat <<E)\na\nE", "p:|cat <<a\n @1 %1"},
	{"(cat <<E\na\nE\n)", "p:|cat <<a\n @1 %1"},
	{"echo $(cat <<E\n$(rm x)\nE\n)",
	 "p:|cat <<$(rm x)\n~d @1 %1 ; |rm|x @2 %2 ; |echo|$(cat <<E\n$(rm x)\nE\n)~d"},
	{"{ bash\n} <<E\nrm x\nE", "p:|bash ; p: <<rm x\n"},
	{"if a; then cat <<E\nthen fi ' \"\nE\nfi", "|a ; p:|cat <<then fi ' \"\n"},
	{"cat <<E \"x\ny\"\nbody\nE", "p:|cat|x\ny <<body\n"},
	{"cat <<E\na\\\nE\nb\nE", "p:|cat <<aE\nb\n"},
	{"cat <<E\na\\\\\nE", "p:|cat <<a\\\n"},
	{"cat <<'E'\na\\\nE", "p:|cat <<a\\\n"},
	{"cat <<E &&\nx\nE\nrm y", "p:|cat <<x\n ; |rm|y"},
	{"cat 3<<E\nx\nE", "|cat <<3:x\n"},
	{"cat <<E\n${x:-'a'}\nE", "p:|cat <<${x:-'a'}\n~d"},
	{"a <<E1 || b <<E2\n1\nE1\n2\nE2", "p:|a <<1\n ; p:|b <<2\n"},
	{"cat <<''\nx\n\nrm x", "p:|cat <<x\n ; |rm|x"},
	{"python3 - <<'PY'\nimport os\nos.system(\"rm -rf x\")\nPY",
	 "p:|python3|- <<import os\nos.system(\"rm -rf x\")\n"},
	{"cat <<E\n$\nE", "p:|cat <<$\n"},
	{"cat <<E\n$(cat <<F\n$(rm x)\nF\n)\nE",
	 "p:|cat <<$(cat <<F\n$(rm x)\nF\n)\n~d ; p:|cat <<$(rm x)\n~d @1 %1 ; |rm|x @2 %2"},
	{"cat <<E$\nx\nE$", "p:|cat <<x\n"},
	{"f() { cat <<E\nx\nE\n}", "p:|cat <<x\n @1"},
	{"while read l; do bash; done <<E\nrm x\nE", "p:|read|l ; p:|bash ; p: <<rm x\n"},
	{"cat <<$'E'\n$(rm x)\nE",
	 "p:|cat <<$(rm x)\n",
	 "p:|cat <<$E ; ERROR 6: a here-document that does not end",
	 SHELL_CASE_DASH},
	{"cat <<E >f; rm y\nx\nE", "p:|cat <<x\n >f ; |rm|y"},
	{0},
};

Test(shell, heredocs)
{
	shell_expect(shell_heredocs);
}
