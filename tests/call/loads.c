/* SPDX-License-Identifier: MIT */
/* Libraries that are bound past the guard, without a backstop: coverage.uncovered says what becomes of them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "backstop/backstop.h"
#include "call_case.h"

#define WITHOUT_BACKSTOP(uncovered) "coverage: { uncovered = \"" uncovered "\"; backstop = \"off\"; };"

/* Loads the same library in the ordinary way, bound to itself first, and into a namespace; says what came of each. */
#define SCRIPT                                                                                                  \
	"command -v gcc >/dev/null || { echo no compiler; exit 0; }; export TMPDIR=.\n"                         \
	"printf '#include <fcntl.h>\\nint look(void){return open(\"../out/f\",0)>=0;}' > l.c\n"                 \
	"gcc -w -shared -fPIC -o l.so l.c || exit 1\n"                                                          \
	"cat > m.c <<'END'\n#include <dlfcn.h>\n#include <stdio.h>\n#include <string.h>\n"                      \
	"static const char *of(void *l){int(*f)(void)=l?(int(*)(void))dlsym(l,\"look\"):0;\n"                   \
	"if(!l)return strstr(dlerror(),\"bridle\")?\"unloaded\":\"lost\";return f()?\"opened\":\"refused\";}\n" \
	"int main(void){void *plain=dlopen(\"./l.so\",2);printf(\"%s \",of(plain));dlclose(plain);\n"           \
	"plain=dlopen(\"./l.so\",2|RTLD_DEEPBIND);printf(\"%s \",of(plain));if(plain)dlclose(plain);\n"         \
	"printf(\"%s\\n\",of(dlmopen(LM_ID_NEWLM,\"./l.so\",2)));return 0;}\nEND\n"                             \
	"gcc -w -D_GNU_SOURCE -o m m.c -ldl || exit 1\n./m\n"

static void load(const char *policy, const char *wanted, const char *line, size_t lines)
{
	struct call_world world;
	struct call_result result;
	char report[160], text[16384];
	size_t told = 0;

	call_world_make(&world);
	result = call_run_script(&world, SCRIPT, policy);
	snprintf(report, sizeof(report), "%s/report", world.top);
	FILE *file = fopen(report, "r");
	cr_assert(file);
	while (fgets(text, sizeof(text), file))
		told += strstr(text, line) && strstr(text, "\"rule\":\"coverage.raw\"") && strstr(text, "l.so");
	fclose(file);
	call_world_remove(&world);
	if (strstr(result.output, "no compiler"))
		cr_skip_test("no compiler");
	cr_expect(strstr(result.output, wanted), "%s", result.output);
	cr_expect_eq(told, lines, "%zu lines: %s", told, result.output);
}

Test(loads, past_the_guard_are_reported, .timeout = 300)
{
	load(WITHOUT_BACKSTOP("report"), "refused opened opened", "\"op\":\"coverage\"", 2);
}

Test(loads, past_the_guard_are_refused, .timeout = 300)
{
	load(WITHOUT_BACKSTOP("deny"), "refused unloaded unloaded", "\"op\":\"load\"", 2);
}

Test(loads, past_the_guard_are_allowed, .timeout = 300)
{
	load(WITHOUT_BACKSTOP("allow"), "refused opened opened", "\"op\"", 0);
}

/* With a backstop nothing of it matters. */
Test(loads, past_the_guard_are_watched, .timeout = 300)
{
	if (backstop_obstacle())
		cr_skip_test("%s", backstop_obstacle());
	load("coverage: { uncovered = \"deny\"; backstop = \"on\"; };", "refused refused refused", "\"op\"", 0);
}
