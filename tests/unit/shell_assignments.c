/* SPDX-License-Identifier: MIT */
/* The shell-line reader on assignments before commands, arrays among them. */
#include <criterion/criterion.h>

#include "shell_dump.h"

const struct shell_case shell_assignments[] = {
	{"A=1", "A=1"},
	{"A=1 B=2", "A=1 B=2"},
	{"A=1 rm x", "A=1|rm|x"},
	{"A=\"x y\" B='z' rm x", "A=x y B=z|rm|x"},
	{"A=$(rm x)", "|rm|x @1 %1 ; A=$(rm x)~d"},
	{"A=$x rm", "A=$x~d|rm"},
	{"A+=b rm", "A+=b|rm", "|A+=b|rm"},
	{"a=(b c \"d e\")", "a=(b c \"d e\")", "a= ; ERROR 2: something that no command can continue with"},
	{"a+=(x)", "a+=(x)", "ERROR 3: a parenthesis that no command can hold here"},
	{"a[1]=2", "a[1]=2", "|a[1]=2"},
	{"a[1 + 2]=3 rm x", "a[1 + 2]=3|rm|x", "|a[1|+|2]=3|rm|x"},
	{"a[$(rm x)]=1", "|rm|x @1 %1 ; a[$(rm x)]=1", "|rm|x @1 %1 ; |a[$(rm x)]=1~d"},
	{"a[b]", "|a[b]", "|a[b]~g"},
	{"1a=2 x", "|1a=2|x"},
	{"a-b=c", "|a-b=c"},
	{"\"A\"=b", "|A=b"},
	{"A\\=b", "|A=b"},
	{"\\A=b", "|A=b"},
	{"rm A=b", "|rm|A=b"},
	{"A=~/x", "A=~/x~h"},
	{"declare -a x=(1 2)",
	 "|declare|-a|x=(1 2)",
	 "|declare|-a|x= ; ERROR 13: something that no command can continue with"},
	{"export A=1 B", "|export|A=1|B"},
	{"LD_PRELOAD= rm x", "LD_PRELOAD=|rm|x"},
	{"A=1 >f", "A=1 >f"},
	{"A= ", "A="},
	{"A=b=c d", "A=b=c|d"},
	{"a=(b $(rm c)\n d # comment )\n) rm x",
	 "|rm|c @1 %1 ; a=(b $(rm c)\n d # comment )\n)~d|rm|x",
	 "a= ; ERROR 2: something that no command can continue with"},
	{"a=(\n)\nrm x", "a=(\n) ; |rm|x", "a= ; ERROR 2: something that no command can continue with"},
	{"A=1\\\n2 rm", "A=12|rm"},
	{"a[1]+=2 rm x", "a[1]+=2|rm|x", "|a[1]+=2|rm|x"},
	{"a[1]/b=2", "|a[1]/b=2", "|a[1]/b=2~g"},
	{"a[1]x=2", "a[1]x=2", "|a[1]x=2~g"},
	{0},
};

Test(shell, assignments)
{
	shell_expect(shell_assignments);
}
