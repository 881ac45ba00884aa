/* SPDX-License-Identifier: MIT */
/* Faults that programs of every day show: each of these is skipped, by printing what is expected,
	where its program is not. */
#include "fault.h"

#define NODE NEEDS("node")
#define READ_IN_NODE                                                                    \
	"node -e 'require(\"fs\").readFile(\"../out/f\", (error) => console.log(error " \
	"&& error.code === \"EACCES\" ? \"done\" : \"bad\"))'"

const struct fault faults_of_scripts[] = {
	/* Start-up. */
	{"a second preload is mapped before any constructor",
	 PYTHON "LD_PRELOAD=libm.so.6 python3 -c 'import os\ntry: os.open(\"../out/f\", 0)\n"
		"except PermissionError: print(\"done\")'",
	 "done", -1},
	{"preloads stand in any order",
	 "LD_PRELOAD=\"libm.so.6 $LD_PRELOAD\" cat ../out/f || LD_PRELOAD=\"$LD_PRELOAD:libm.so.6\" cat "
	 "../out/f || echo done",
	 "done", 2},
	{"the loader is told of another preload",
	 "for l in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do\n"
	 "[ -e $l ] && { $l --preload libm.so.6 /bin/cat ../out/f || echo done; }; done",
	 "done", 1},
	{"a preload that is not there is complained of and no more",
	 "LD_PRELOAD=./missing.so cat ../out/f 2>&1 | grep -q missing.so && LD_PRELOAD=./missing.so cat "
	 "f >/dev/null && echo done",
	 "done", 1},
	{"no session is named, or a wrong one",
	 "BRIDLE_SESSION= cat ../out/f || BRIDLE_SESSION=/nowhere:/nothing cat ../out/f || "
	 "BRIDLE_SESSION=%s%n cat ../out/f || "
	 "echo done",
	 "done", 3},
	{"variables of the loader's own stay as they are",
	 "LD_LIBRARY_PATH=/one env -i LD_LIBRARY_PATH=/two LD_BIND_NOW=1 sh -c 'echo "
	 "$LD_LIBRARY_PATH$LD_BIND_NOW'",
	 "/two1", 0},
	{"a program preloads a library of its own",
	 NEEDS("fakeroot") "fakeroot sh -c 'chown 0:0 f && [ $(stat -c %u f) = 0 ] && cat ../out/f' "
			   "2>/dev/null || echo done",
	 "done",
	 -1},
	{"a preload that makes calls do nothing",
	 NEEDS("eatmydata") "eatmydata sh -c 'echo x > new && sync && cat ../out/f' 2>/dev/null || echo done", "done", -1},
	/* Ways to start a program. */
	{"make starts its jobs by posix_spawn",
	 NEEDS("make") "printf 'all:\\n\\t./forbidden\\n' > makefile; make -s 2>/dev/null || echo done", "done", -1},
	{"ninja starts its jobs by posix_spawn",
	 NEEDS("ninja") "printf 'rule r\\n command = ./forbidden\\nbuild x: r\\n' > build.ninja; ninja "
			">/dev/null || echo done",
	 "done",
	 -1},
	{"variables that perl sets go down", NEEDS("perl") "perl -e '$ENV{X} = \"done\"; exec "
							   "\"printenv\", \"X\"'",
	 "done", -1},
	{"the longest command line there can be", "printf '%120000s' | sed 's/ /x /g' | xargs -n 60000 "
						  "true && echo done",
	 "done", 0},
	{"an argument as long as the kernel takes it",
	 "a=$(printf '%131000s' | tr ' ' x); /bin/echo \"$a\" | wc -c | grep -q 131001 && echo done", "done", 0},
	{"an argument longer than the kernel takes it",
	 "a=$(printf '%132000s' | tr ' ' x); /bin/echo \"$a\" 2>/dev/null || echo done", "done", 0},
	{"a shell forgets the guard in every way it has",
	 "bash -c 'declare -x LD_PRELOAD=; export -n BRIDLE_SESSION; exec -c cat ../out/f' || echo done", "done", 1},
	{"a process leaves its session and its parent", "setsid -w sh -c 'cat ../out/f' || echo done", "done", 1},
	{"a program is piped into by another", "cat f | (cat; cat ../out/f) | cat >/dev/null; echo done", "done", 1},
	{"trusted words in a link's name", "ln -s \"$PWD/forbidden\" fine-link; ./fine-link || echo done", "done", 1},
	/* Descriptors. */
	{"every descriptor is to be closed by an exec",
	 PYTHON "python3 -c 'import fcntl, os, subprocess\n"
		"for d in range(3, 1024):\n"
		" try: fcntl.ioctl(d, 0x5451)\n"
		" except OSError: pass\n"
		"print(\"done\" if subprocess.run([\"cat\", \"../out/f\"], close_fds=False).returncode else \"bad\")'",
	 "done", -1},
	{"descriptors are closed in a forked child",
	 PYTHON "python3 -c 'import os\npid = os.fork()\n"
		"if pid == 0:\n"
		" os.closerange(3, 1024)\n"
		" try: open(\"../out/f\")\n"
		" except PermissionError: os._exit(0)\n"
		"print(\"done\" if os.waitpid(pid, 0)[1] == 0 else \"bad\")'",
	 "done", -1},
	{"a shell gives its standard error away", "exec 2>&-; cat ../out/f || echo done", "done", 1},
	{"all three standard descriptors are closed", "(exec 0<&- 1>&- 2>&-; exec 3< ../out/f) || echo done", "done", 1},
	{"fifty processes tell of a hundred refusals each",
	 "for i in $(seq 50); do (for j in $(seq 100); do read x < ../out/f; done) & done 2>/dev/null; "
	 "wait; echo done",
	 "done", 5000},
	/* Files. */
	{"a file beyond two gigabytes",
	 "truncate -s 3G big && printf x | dd of=big bs=1 seek=3221225472 conv=notrunc 2>/dev/null; stat "
	 "-c %s big",
	 "3221225473", 0},
	{"a filter of system calls that libmagic sets", NEEDS("file") "file f | grep -q text && echo done", "done", 0},
	{"opens by threads of a pool", NODE READ_IN_NODE, "done", -1},
	{"opens by a ring", NODE "UV_USE_IO_URING=1 " READ_IN_NODE, "done", -1},
	{"libc itself looks users up", "getent passwd root | grep -q root && echo done", "done", 0},
	{"a removed working directory", "mkdir gone; cd gone; rmdir ../gone; cat ../f 2>/dev/null; cat "
					"/etc/hostname >/dev/null && echo done",
	 "done", 0},
	{"the guard's own files are out of reach",
	 "d=${LD_PRELOAD%%:*}; rm -f \"$d\" 2>/dev/null; true > \"${d%/*}/session\" 2>/dev/null; cat "
	 "../out/f || echo done",
	 "done", 3},
	{NULL, NULL, NULL, 0},
};
