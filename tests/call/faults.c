/* SPDX-License-Identifier: MIT */
/*
 * Faults that other preload libraries met, each as a script below bridle, named after its kind. Those that need a program
 * of their own stand in tests/life.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>
#include <unistd.h>

#include "call_case.h"
#include "fault.h"

#define ASAN_SOURCE                                                  \
	"#include <stdio.h>\n#include <stdlib.h>\n"                  \
	"int main(void){char*p=malloc(9);FILE*f=fopen(\"f\",\"r\");" \
	"puts(f&&fopen(\"../out/f\",\"r\")==NULL&&p?\"done\":\"bad\");free(p);fclose(f);return 0;}"

static const struct fault faults_of_starts[] = {
	/* Start-up. */
	{"libc started as a program never reaches main",
	 "for l in /lib/*-linux-gnu/libc.so.6; do $l >/dev/null && echo done; done", "done", 0},
	{"the loader started as a program is not what runs",
	 "for l in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do\n"
	 "[ -e $l ] && { $l /bin/cat ../out/f || echo done; }; done",
	 "done", 1},
	{"another preload stands beside ours", "LD_PRELOAD=libm.so.6 sh -c 'cat ../out/f || echo done'", "done", 1},
	{"the environment is emptied", "env -i /bin/sh -c '/bin/cat ../out/f || echo done'", "done", 1},
	{"the preload is unset by the shell", "unset LD_PRELOAD; sh -c 'cat ../out/f' || echo done", "done", 1},
	{"the session is unset by the shell", "unset BRIDLE_SESSION; sh -c 'cat ../out/f' || echo done", "done", 1},
	{"bash has its own getenv",
	 "bash -c 'unset LD_PRELOAD BRIDLE_SESSION; cat ../out/f; bash -c \"cat ../out/f\" || echo done'",
	 "done", 2},
	/* Ways to start a program. */
	{"one refusal is one line whatever the number of PATH entries",
	 "PATH=$PWD:$PWD/dir:$PATH; cp forbidden dir/; forbidden; [ $? = 126 ] && echo done", "done", 1},
	{"one refusal of a subprocess is one line",
	 PYTHON "cp forbidden dir/; PATH=$PWD:$PWD/dir:$PATH python3 -c 'import subprocess\n"
		"try: subprocess.run([\"forbidden\"])\nexcept PermissionError: print(\"done\")'",
	 "done", -1},
	{"candidates that do not exist are not judged", "PATH=/nowhere:../out/nothing:$PATH; ls f && echo done", "done", 0},
	{"a file without an interpreter line is run by the shell",
	 "echo 'echo done' > plain; chmod +x plain; ./plain; env ./plain", "done", 0},
	{"the interpreter of a script is started as well",
	 "printf '#!./forbidden\\n' > s; chmod +x s; ./s || echo done", "done", 1},
	{"interpreters of interpreters are started as well",
	 "printf '#!./forbidden\\n' > a; printf '#!./a\\n' > b; chmod +x a b; ./b || echo done", "done", 1},
	{"a program in memory has no name", PYTHON "python3 -c 'import os\n"
						   "f=os.memfd_create(\"x\")\nos.write(f,open(\"/bin/cat\",\"rb\").read())\n"
						   "os.execve(f,[\"cat\",\"../out/f\"],{})' || echo done",
	 "done", -1},
	{"a chain of programs keeps its reports",
	 "if [ ${n:-0} -lt 30 ]; then n=$((${n:-0} + 1)) exec ./run.sh; fi; cat ../out/f || echo done", "done", 1},
	{"lines of many processes do not mix",
	 "for i in 1 2 3 4 5 6 7 8 9 10; do (for j in 1 2 3 4 5; do cat ../out/f; done) & done 2>/dev/null; wait; echo done",
	 "done", 50},
	/* Descriptors and the loader. */
	{"a shell takes the number of a descriptor",
	 "bash -c 'exec 200>data; cat ../out/f; [ ! -s data ] && echo done'", "done", 1},
	{"every descriptor is closed",
	 PYTHON "python3 -c 'import os\nos.closerange(3,1024)\nd=os.open(\"data\",os.O_CREAT|os.O_RDWR)\n"
		"try: open(\"../out/f\")\nexcept PermissionError: pass\n"
		"os.write(1,b\"done\" if os.fstat(d).st_size==0 else b\"bad\")'",
	 "done", -1},
	{"a sanitizer wants to be the first library",
	 COMPILER "printf '%s' '" ASAN_SOURCE "' > a.c; gcc -fsanitize=address -o a a.c 2>/dev/null ||\n"
		  "{ echo done; exit 0; }; ./a",
	 "done", -1},
	{"the loader looks at who called dlopen",
	 COMPILER "mkdir sub; echo 'int part(void){return 7;}' > p.c; gcc -shared -fPIC -o sub/part.so p.c\n"
		  "printf '#include <dlfcn.h>\\nint load(void){return dlopen(\"part.so\",1)!=0;}' > l.c\n"
		  "gcc -shared -fPIC -o libl.so l.c -Wl,-rpath,'$ORIGIN/sub' -ldl\n"
		  "echo 'int load(void);int main(void){return !load();}' > m.c; gcc -o m m.c ./libl.so && ./m && echo done",
	 "done", -1},
	{"another libc loads the same library",
	 "command -v musl-gcc >/dev/null || { echo done; exit 0; }; export TMPDIR=.\n"
	 "printf '#include <fcntl.h>\\nint main(void){return !(open(\"f\",0)>=0&&open(\"../out/f\",0)<0);}' > m.c\n"
	 "musl-gcc -o m m.c && ./m && echo done",
	 "done", -1},
	{"an exception passes through a callback",
	 "command -v g++ >/dev/null || { echo done; exit 0; }; export TMPDIR=.\n"
	 "printf '#include <ftw.h>\\nint v(const char*,const struct stat*,int){throw 1;}\\n"
	 "int main(){try{ftw(\".\",v,4);}catch(int){return 0;}return 1;}' > e.cc; g++ -o e e.cc && ./e && echo done",
	 "done", -1},
	{NULL, NULL, NULL, 0},
};

#define MOST 256

/* All tables, one after the other. */
static size_t list(const struct fault *ret[MOST])
{
	const struct fault *tables[] = {faults_of_starts, faults_of_scripts, faults_of_programs};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct fault *fault = tables[i]; fault->kind && count < MOST; fault++)
			ret[count++] = fault;
	return count;
}

ParameterizedTestParameters(faults, of_others)
{
	static size_t numbers[MOST];
	const struct fault *all[MOST];
	size_t count = list(all);

	for (size_t i = 0; i < count; i++)
		numbers[i] = i;
	return cr_make_param_array(size_t, numbers, count, NULL);
}

ParameterizedTest(size_t *number, faults, of_others, .timeout = 300)
{
	const struct fault *all[MOST], *fault;
	struct call_world world;
	struct call_result result;

	list(all);
	fault = all[*number];
	call_world_make(&world);
	result = call_run_script(&world, fault->script, NULL);
	call_world_remove(&world);
	cr_expect(strstr(result.output, fault->output), "%s: status %d: %s", fault->kind, result.status, result.output);
	if (fault->refusals >= 0)
		cr_expect_eq(result.denials, fault->refusals, "%s: %d refusals instead of %d: %s", fault->kind,
			     result.denials, fault->refusals, result.output);
}
