/* SPDX-License-Identifier: MIT */
/* What the pieces of argv are to the programs that get them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "check/operands.h"
#include "policy_image.h"

static const struct row {
	const char *argv[10];
	const char *pieces; /* KIND@element<text>, in order */
	size_t unwrapped;
} rows[] = {
	{{"cp", "a", "b", "c"}, "P0<cp> R1<a> R2<b> W3<c>", 0},
	{{"cp", "-t", "d", "--", "-a"}, "P0<cp> W2<d> R4<-a>", 0},
	{{"mv", "a", "b", "c"}, "P0<mv> M1<a> M2<b> W3<c>", 0},
	{{"mv", "--target-directory=d", "a", "b"}, "P0<mv> W1<d> M2<a> M3<b>", 0},
	{{"git", "mv", "a", "b"}, "P0<git> D1<mv> M2<a> W3<b>", 0},
	{{"nobody", "a", "--x=/y", "@f"}, "P0<nobody> U1<a> V2</y> U3<f>", 0},
	{{"nobody", "https://a/b", "file:///etc/x", "file://h/etc/x"}, "P0<nobody> D1<https://a/b> R2</etc/x> R3</etc/x>", 0},
	{{"env", "A=1", "timeout", "5", "cat", "f"}, "P0<env> D1<A=1> P2<timeout> D3<5> P4<cat> R5<f>", 4},
	{{"tar", "xfC", "a.tar", "/usr"}, "P0<tar> W2<a.tar> W3</usr>", 0},
	{{"tar", "-xf", "a", "-C/x", "m"}, "P0<tar> W2<a> W3</x> U4<m>", 0},
	{{"curl", "-d", "@/k", "-F", "f=@/p", "-o", "/o", "u"}, "P0<curl> D2<@/k> R2</k> D4<f=@/p> R4</p> W6</o> U7<u>", 0},
	{{"dd", "if=/a", "of=/b", "bs=1"}, "P0<dd> R1</a> W2</b> D3<1>", 0},
	{{"sed", "-i", "s/a/b/", "f"}, "P0<sed> C2<s/a/b/> W3<f>", 0},
	{{"sed", "-n", "-e", "p", "f"}, "P0<sed> C3<p> U4<f>", 0},
	{{"ln", "-s", "../a", "b"}, "P0<ln> D2<../a> W3<b>", 0},
	{{"ln", "-s", "/a", "b"}, "P0<ln> R2</a> W3<b>", 0},
	{{"bash", "-lc", "ls x"}, "P0<bash> S2<ls x>", 0},
	{{"python3", "-c", "x", "f"}, "P0<python3> C2<x> U3<f>", 0},
	{{"python3", "x.py", "-o", "/f"}, "P0<python3> R1<x.py> U3</f>", 0},
	{{"find", ".", "-exec", "cat", "{}", ";", "-fprint", "/o"}, "P0<find> R1<.> P3<cat> R4<{}> D5<;> W7</o>", 0},
	{{"grep", "-e", "x", "f"}, "P0<grep> D2<x> R3<f>", 0},
	{{"grep", "x", "f"}, "P0<grep> D1<x> R2<f>", 0},
	{{"git", "-C", "d", "commit", "-m", "a/b"}, "P0<git> R2<d> D3<commit> D5<a/b>", 0},
	{{"nice", "-n", "5", "make", "-C", "d"}, "P0<nice> D2<5> P3<make> R5<d>", 3},
	{{"ls", "d"}, "P0<ls> L1<d>", 0},
	{{"find", "d", "-name", "x"}, "P0<find> L1<d> D3<x>", 0},
	{{"find", "d", "-exec", "cat", "{}", "+"}, "P0<find> R1<d> P3<cat> R4<{}> D5<+>", 0},
	{{"ls", "-ld", "d"}, "P0<ls> T2<d>", 0},
	{{"stat", "-c", "%s", "d"}, "P0<stat> D2<%s> T3<d>", 0},
	{{"find", "d", "-name", "x", "-delete"}, "P0<find> W1<d> D3<x>", 0},
	{{"find", "d", "e", "-exec", "touch", "{}", "+"}, "P0<find> R1<d> R2<e> P4<touch> W5<{}> W1<d> W2<e> D6<+>", 0},
	{{"watch", "cat f"}, "P0<watch> S1<cat f> P1<cat> R1<f>", 1},
};

static bool collect(void *context, const struct operand *operand)
{
	static const char letters[] = "PURLTWMVDCS";
	char **end = context;

	*end += sprintf(*end, " %c%zu<%.*s>", letters[operand->kind], operand->element, (int)operand->length, operand->text);
	return true;
}

Test(check_operands, pieces)
{
	struct image *image = test_image("extends = \"tool\";", NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char pieces[1024] = " ", *end = pieces;
		size_t argc = 0;

		while (argc < 10 && rows[i].argv[argc])
			argc++;
		check_operands(image, (char *const *)rows[i].argv, argc, collect, &end);
		cr_expect_str_eq(pieces + 1, rows[i].pieces);
		cr_expect_eq(check_unwrap(image, (char *const *)rows[i].argv, argc), rows[i].unwrapped, "row %zu", i);
	}
	free(image);
}

static bool stop_at_second(void *context, const struct operand *operand)
{
	(void)operand;
	return ++*(int *)context < 2;
}

Test(check_operands, stops_when_told)
{
	struct image *image = test_image("extends = \"tool\";", NULL);
	static const char *const argv[] = {"env", "env", "env", "cp", "a", "b", NULL};
	int seen = 0;

	check_operands(image, (char *const *)argv, 6, stop_at_second, &seen);
	cr_expect_eq(seen, 2);
	free(image);
}

Test(check_operands, code_from_stdin)
{
	static const struct {
		const char *argv[4];
		bool reads;
	} asked[] = {
		{{"bash"}, true},
		{{"env", "python3", "-"}, true},
		{{"bash", "x.sh"}, false},
		{{"bash", "-c", "x"}, false},
		{{"cat"}, false},
		{{"sh", "-s", "a"}, true},
		{{"make", "-f", "-"}, true},
		{{"xargs", "rm"}, false},
	};
	struct image *image = test_image("extends = \"agent\";", NULL);

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		size_t argc = 0;

		while (argc < 4 && asked[i].argv[argc])
			argc++;
		cr_expect_eq(check_reads_code(image, (char *const *)asked[i].argv, argc), asked[i].reads, "row %zu", i);
	}
	free(image);
}
