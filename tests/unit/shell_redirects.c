/* SPDX-License-Identifier: MIT */
/* The shell-line reader on redirections in every form. */
#include <criterion/criterion.h>

#include "shell_dump.h"

const struct shell_case shell_redirects[] = {
	{"a <b", "|a <b"},
	{"a >b", "|a >b"},
	{"a >>b", "|a >b"},
	{"a >|b", "|a >b"},
	{"a <>b", "|a <>b"},
	{"a 2>b", "|a >2:b"},
	{"a 2>>b 3<c 0<>d", "|a >2:b <3:c <>d"},
	{"a >b c", "|a|c >b"},
	{">b a", "|a >b"},
	{">b", " >b"},
	{"a 2>&1", "|a =2:1"},
	{"a >&2", "|a =1:2"},
	{"a <&3", "|a =3"},
	{"a >&-", "|a =1:-"},
	{"a 2>&1- <&-", "|a =2:1- =-"},
	{"a >&b", "|a >b"},
	{"a 1>&b", "|a >b"},
	{"a >& b", "|a >b"},
	{"a <&$x", "|a =$x~d"},
	{"a >&$x", "|a =1:$x~d"},
	{"a &>b", "|a >b", "|a ;  >b"},
	{"a &>>b", "|a >b", "|a ;  >b"},
	{"a 12>b", "|a >12:b"},
	{"a1>b", "|a1 >b"},
	{"a \"1\">b", "|a|1 >b"},
	{"a \\1>b", "|a|1 >b"},
	{"a 1 >b", "|a|1 >b"},
	{"{fd}>b a", "|a >10:b", "|{fd}|a >b"},
	{"a {fd}>b", "|a >10:b", "|a|{fd} >b"},
	{"a >\"b c\"'d'", "|a >b cd"},
	{"a >$x", "|a >$x~d"},
	{"a >~/x", "|a >~/x~h"},
	{"a >b*c", "|a >b*c~g"},
	{"a > >(tee b)", "p:|tee|b @1 ; |a >>(tee b)~dp", "ERROR 2: a redirection without its target"},
	{"a >b>c>d", "|a >b >c >d"},
	{"a <<<b", "|a <<b", "ERROR 2: a redirection without its target"},
	{"a <<<\"b $c\" d", "|a|d <<b $c~d", "ERROR 2: a redirection without its target"},
	{"a <<< 'x y'", "|a <<x y", "ERROR 2: a redirection without its target"},
	{"<<<x bash", "|bash <<x", "ERROR 0: a redirection without its target"},
	{"a 999999999999>b", "|a >99999:b"},
	{"a>b|c>d", "|a >b ; p:|c >d"},
	{"(a) >b", "|a @1 ;  >b"},
	{"{ a; } >b 2>&1", "|a ;  >b =2:1"},
	{"{ bash; } <<<x", "p:|bash ; p: <<x", "|bash ; ERROR 10: a redirection without its target"},
	{"while read l; do bash; done < <(curl u)", "p:|read|l ; p:|bash ; p:|curl|u @1 ; p: <<(curl u)~dp", "|read|l ; |bash ; ERROR 28: a redirection without its target"},
	{"while read l; do a; done <f", "|read|l ; |a ;  <f"},
	{"exec >b", "|exec|| >b"},
	{"exec 3<b a", "|exec||a <3:b"},
	{"exec <<<x; bash", "|exec|| <<x ; p:|bash", "ERROR 5: a redirection without its target"},
	{"exec <x; bash", "|exec|| <x ; |bash"},
	{"echo >b; bash", "|echo >b ; |bash"},
	{"bash <f", "|bash <f"},
	{"bash 0<&3", "|bash =3"},
	{"bash 3<<<x 0<&3", "|bash <<3:x =3", "ERROR 5: a redirection without its target"},
	{"cat </dev/tcp/1.2.3.4/80", "|cat </dev/tcp/1.2.3.4/80"},
	{0},
};

Test(shell, redirects)
{
	shell_expect(shell_redirects);
}
