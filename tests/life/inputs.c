/* SPDX-License-Identifier: MIT */
/*
 * Calls every interposed function with what no caller should give it, and tells what came of it: a line a call with its
 * result, its errno, and a number for what is in the folder afterwards. The same lines with and without bridle are what
 * tests/call/inputs.c wants. argv: FILE [plain|gone|few [STRIDE]]: where to write; in a removed folder, or with no
 * descriptor left; only every STRIDEth call.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <limits.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "life.h"

extern char **environ;

struct call {
	const char *name, *arguments;
	char result, inputs;
};

static const struct call calls[] = {
#define CALL(name, result, arguments, inputs) {#name, arguments, #result[0], #inputs[0]},
#define LEFT_OUT(name)
#include "inputs.def"
#undef CALL
#undef LEFT_OUT
};

/* What a path is made of beside its text. */
enum special {
	TEXT,
	NOTHING,  /* NULL */
	UNMAPPED, /* an address that is not there */
	ENDLESS,  /* no NUL before such an address */
	LONGEST,  /* as long as a path may be */
	TOO_LONG,
	WIDE, /* a component that is too long */
};

static const struct input {
	const char *text;
	enum special special;
	bool senseless; /* leads nowhere, whoever calls */
} inputs[] = {
	{"null", NOTHING, true},
	{"unmapped", UNMAPPED, true},
	{"endless", ENDLESS, true},
	{"longest", LONGEST, false},
	{"too long", TOO_LONG, true},
	{"wide", WIDE, true},
	{"", TEXT, true},
	{"missing/new", TEXT, true},
	{"f/x", TEXT, true},
	{"loop/x", TEXT, true},
	{".", TEXT, false},
	{"..", TEXT, false},
	{"f", TEXT, false},
	{"f/", TEXT, false},
	{"f/.", TEXT, false},
	{"./f", TEXT, false},
	{"dir", TEXT, false},
	{"dir/", TEXT, false},
	{"dir/.", TEXT, false},
	{"dir/..", TEXT, false},
	{"dir//inner", TEXT, false},
	{"dir/../f", TEXT, false},
	{"dir/new", TEXT, false},
	{"empty", TEXT, false},
	{"empty/", TEXT, false},
	{"new", TEXT, false},
	{"new/", TEXT, false},
	{"new/.", TEXT, false},
	{"link", TEXT, false},
	{"link/", TEXT, false},
	{"linkdir", TEXT, false},
	{"linkdir/", TEXT, false},
	{"linkdir/new", TEXT, false},
	{"linkdir/..", TEXT, false},
	{"dangling", TEXT, false},
	{"dangling/", TEXT, false},
	{"dangling/x", TEXT, false},
	{"loop", TEXT, false},
	{"loop/", TEXT, false},
	{"chain", TEXT, false},
	{"chain/", TEXT, false},
	{"chain//", TEXT, false},
	{"chain/.", TEXT, false},
	{"chain/inner", TEXT, false},
	{"filechain", TEXT, false},
	{"filechain/", TEXT, false},
	{"filechain/.", TEXT, false},
	{"deadchain", TEXT, false},
	{"deadchain/", TEXT, false},
	{"slashed", TEXT, false},
	{"slashed/", TEXT, false},
	{"dotted", TEXT, false},
	{"fileslashed", TEXT, false},
	{"deadslashed", TEXT, false},
	{"deaddeep", TEXT, false},
	{"deaddeep/", TEXT, false},
	{"toempty", TEXT, false},
	{"toempty/", TEXT, false},
	{"toempty/..", TEXT, false},
	{"program", TEXT, false},
	{"no-binary", TEXT, false},
	{"tXXXXXX", TEXT, false},
	{"dir/tXXXXXX", TEXT, false},
	{"linkdir/tXXXXXX", TEXT, false},
	{"tXXXXXX.c", TEXT, false},
	{"XXXXXX/x", TEXT, false},
	{"XXXXX", TEXT, false},
	{"/proc/self/fd/0", TEXT, false},
	{"/proc/self/cwd/f", TEXT, false},
	{"/proc/self/fd/0/x", TEXT, false},
	{"/proc/thread-self/cwd/new", TEXT, false},
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

enum descriptor {
	HERE,
	CLOSED,
	NEGATIVE,
	FILE_FD,
	FILE_PATH,
	FOLDER,
	FOLDER_PATH,
	PIPE,
	DESCRIPTORS
};

static int descriptors[DESCRIPTORS];
static char *hole; /* an address that is not there; the page before it is */
static FILE *out;
static const char *state;
static posix_spawn_file_actions_t actions;

/* What is under test. */
struct trial {
	char *path;
	void *pointer;
	int fd;
	char *vector[2];
};

static int visit(void)
{
	return 0;
}

static char *make_path(const struct input *input)
{
	static char room[2 * PATH_MAX];

	memset(room, 0, sizeof(room));
	switch (input->special) {
	case TEXT:
		return strcpy(room, input->text);
	case NOTHING:
		return NULL;
	case UNMAPPED:
		return hole;
	case ENDLESS:
		return memcpy(hole - 4, "abcd", 4);
	case WIDE:
		return memset(room, 'a', NAME_MAX + 1);
	case LONGEST:
	case TOO_LONG:
		for (size_t i = 0; i + 2 < PATH_MAX; i += 2)
			memcpy(room + i, "./", 2);
		strcpy(room + PATH_MAX - 2, input->special == LONGEST ? "f" : "./f");
	}
	return room;
}

static long number_of(const char *name)
{
	static const struct {
		const char *name;
		long number;
	} known[] = {
		{"openat%", SYS_openat},
		{"openat2%", SYS_openat2},
		{"unlinkat%", SYS_unlinkat},
		{"mkdirat%", SYS_mkdirat},
		{"renameat2%", SYS_renameat2},
		{"linkat%", SYS_linkat},
		{"symlinkat%", SYS_symlinkat},
		{"truncate%", SYS_truncate},
		{"fchmodat%", SYS_fchmodat},
		{"fchownat%", SYS_fchownat},
		{"utimensat%", SYS_utimensat},
		{"execve%", SYS_execve},
		{"execveat%", SYS_execveat},
		{"mknodat%", SYS_mknodat},
		{"fchmodat2%", 452},
#ifdef SYS_open
		{"creat%", SYS_creat},
		{"open%", SYS_open},
#else /* aarch64 has neither: the kernel's own answer */
		{"creat%", -1},
		{"open%", -1},
#endif
	};

	for (size_t i = 0; i < COUNT(known); i++)
		if (strncmp(known[i].name, name, strlen(known[i].name)) == 0)
			return known[i].number;
	must(!"a system call that is not known");
	return -1;
}

/* Values that one letter stands for; the rest is in value(). */
static const struct {
	char letter;
	long value;
} numbers[] = {
	{'0', 0},
	{'1', 1},
	{'2', 2},
	{'3', 3},
	{'4', 4},
	{'5', 5},
	{'9', 9},
	{'Z', 16},
	{'8', 0x10000000},
	{'q', -1},
	{'m', 0600},
	{'i', S_IFDIR | 0700},
	{'l', S_IFREG | 0600},
	{'j', S_IFMT | 0600},
	{'N', 0},
	{'C', AT_FDCWD},
	{'c', O_CREAT | O_WRONLY},
	{'k', O_CREAT | O_EXCL | O_RDWR},
	{'o', O_PATH},
	{'O', O_PATH | O_NOFOLLOW},
	{'t', O_TMPFILE | O_RDWR},
	{'d', O_DIRECTORY},
	{'u', O_WRONLY | O_TRUNC},
	{'y', O_CREAT | O_DIRECTORY | O_RDWR},
	{'L', O_NOFOLLOW},
	{'v', O_CREAT | O_NOFOLLOW | O_WRONLY},
	{'p', O_PATH | O_DIRECTORY | O_NOFOLLOW},
	{'h', O_PATH | O_CREAT},
	{'s', O_TMPFILE},
	{'G', O_DIRECTORY | O_NOFOLLOW},
	{'K', O_CREAT | O_EXCL | O_NOFOLLOW},
	{'W', O_WRONLY | O_RDWR},
	{'Y', sizeof(struct open_how) - 1},
	{'Q', sizeof(struct open_how) + 8},
	{'e', AT_EMPTY_PATH},
	{'f', AT_SYMLINK_NOFOLLOW},
	{'F', AT_SYMLINK_FOLLOW},
	{'R', AT_REMOVEDIR},
	{'z', sizeof(struct open_how)},
};

static long value(char letter, struct trial *trial)
{
	static char room[8192], *argv[] = {(char *)(size_t) "x", NULL};
	static struct open_how how, odd_flags = {.flags = 0x10000000}, odd_resolve = {.resolve = 0x800};
	static struct open_how odd_mode = {.mode = 0600};
	static dev_t device;

	for (size_t i = 0; i < COUNT(numbers); i++)
		if (numbers[i].letter == letter)
			return numbers[i].value;
	switch (letter) {
	case 'P':
		return (long)trial->path;
	case 'M':
		trial->vector[0] = trial->path;
		return (long)trial->vector;
	case 'D':
		return trial->fd;
	case 'T':
	case 'b':
		return (long)trial->pointer;
	case 'S':
		return socket(AF_INET, SOCK_DGRAM, 0);
	case 'g':
		return (long)"./g";
	case 'n':
		return (long)"./n";
	case '-':
		return (long)"nowhere";
	case '_':
		return (long)"f/x";
	case '=':
		return (long)"loop/x";
	case 'r':
		return (long)"r";
	case 'w':
		return (long)"w";
	case 'x':
		return (long)"x";
	case 'X':
		return (long)"user.x";
	case 'a':
		return (long)argv;
	case 'E':
		return (long)environ;
	case 'B':
		memset(room, 0, sizeof(room));
		return (long)room;
	case 'J':
		return (long)&device;
	case 'V':
		return (long)visit;
	case 'A':
		return (long)&actions;
	case 'I':
		return (long)stdin;
	case 'H':
		return (long)&how;
	case 'U':
		return (long)&odd_flags;
	case '6':
		return (long)&odd_resolve;
	case '7':
		return (long)&odd_mode;
	}
	must(!"a letter that is not known");
	return 0;
}

typedef long any_function(long, long, long, long, long, long);

static long make_call(const struct call *call, struct trial *trial)
{
	any_function *function = (any_function *)dlsym(RTLD_DEFAULT, call->name);
	long a[8] = {0};
	size_t count = 0;

	must(function);
	for (const char *at = call->arguments; *at; at++) {
		if (*at == '%') {
			a[count++] = number_of(at + 1);
			at = strchr(at + 1, '%');
		} else {
			a[count++] = value(*at, trial);
		}
	}
	errno = 77;
	return function(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void tell(char kind, long result)
{
	int error = errno, number = (int)result;
	bool failed = kind == 'i' ? number == -1 : kind == 'p' && !result;

	if (failed)
		fprintf(out, "failed, errno %d", error);
	else if (kind == 'i' || kind == 'n' || kind == 'e')
		fprintf(out, "%d, errno %d", number, error);
	else
		fprintf(out, "%s, errno %d", kind == 'q' && !result ? "null" : "good", kind == 'q' ? 0 : error);
}

static void make_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, mode);

	must(fd >= 0 && write(fd, text, strlen(text)) >= 0);
	close(fd);
}

static void furnish(void)
{
	int pipes[2];

	must(mkdir("case", 0755) == 0 && chdir("case") == 0);
	for (int fd = 3; fd < 40; fd++)
		if (fd != fileno(out))
			close(fd);
	make_file("f", "text\n", 0644);
	make_file("g", "#!/bin/true\n", 0755);
	make_file("program", "#!/bin/true\n", 0755);
	make_file("no-binary", "exit 0\n", 0755);
	must(mkdir("dir", 0755) == 0 && mkdir("empty", 0755) == 0);
	make_file("dir/inner", "text\n", 0644);
	must(symlink("f", "link") == 0 && symlink("dir", "linkdir") == 0);
	must(symlink("nowhere", "dangling") == 0 && symlink("loop", "loop") == 0);
	must(symlink("linkdir", "chain") == 0 && symlink("link", "filechain") == 0 && symlink("dangling", "deadchain") == 0);
	must(symlink("dir/", "slashed") == 0 && symlink("dir/.", "dotted") == 0 && symlink("f/", "fileslashed") == 0);
	must(symlink("nowhere/", "deadslashed") == 0 && symlink("empty", "toempty") == 0);
	must(symlink("missing/new", "deaddeep") == 0);
	must(dup2(open("f", O_RDWR), 0) == 0);
	descriptors[HERE] = AT_FDCWD;
	descriptors[CLOSED] = 999;
	descriptors[NEGATIVE] = -1;
	descriptors[FILE_FD] = open("f", O_RDONLY);
	descriptors[FILE_PATH] = open("f", O_PATH);
	descriptors[FOLDER] = open(".", O_RDONLY | O_DIRECTORY);
	descriptors[FOLDER_PATH] = open("dir", O_PATH);
	must(pipe(pipes) == 0);
	descriptors[PIPE] = pipes[1];
	must(posix_spawn_file_actions_init(&actions) == 0);
}

static void enter_state(void)
{
	struct rlimit few = {0, 0};

	if (strcmp(state, "gone") == 0)
		must(mkdir("gone", 0755) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
	if (strcmp(state, "few") == 0) {
		few.rlim_cur = few.rlim_max = (rlim_t)descriptors[PIPE] + 1;
		must(setrlimit(RLIMIT_NOFILE, &few) == 0);
	}
}

static unsigned long sum;

static int add_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	const char *name = path + where->base;
	unsigned long hash = 5381 + (unsigned long)kind;

	if (where->level > 0 && *name != 't') /* the name may be made up */
		for (; *name; name++)
			hash = hash * 33 + (unsigned char)*name;
	if (kind == FTW_F || kind == FTW_SL)
		hash = hash * 33 + (unsigned long)status->st_size * 7 + status->st_nlink;
	sum += hash * 33 + status->st_mode;
	return 0;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

/* What is in the folder, as a number. */
static unsigned long look(void)
{
	sum = 0;
	must(nftw(".", add_entry, 8, FTW_PHYS) == 0);
	return sum;
}

/* A new folder where the last call changed something in the one before. */
static void furnish_again(unsigned long found)
{
	static unsigned long fresh;

	if (fresh && found == fresh)
		return;
	if (fresh)
		must(chdir("..") == 0 && nftw("case", remove_entry, 8, FTW_PHYS | FTW_DEPTH) == 0);
	furnish();
	fresh = look();
}

/* In a child: whatever comes of it. */
static void try(const struct call *call, const char *what, struct trial *trial, enum descriptor which)
{
	int status;
	pid_t pid;

	furnish_again(sum);
	fprintf(out, "%s(%s) %s, %d: ", call->name, call->arguments, what, which);
	fflush(out);
	pid = fork();
	if (pid == 0) {
		alarm(20);
		trial->fd = descriptors[which];
		enter_state();
		tell(call->result, make_call(call, trial));
		fflush(out);
		_exit(0);
	}
	must(waitpid(pid, &status, 0) == pid);
	fprintf(out, "; status %x, %lx\n", status, look());
}

struct pointer {
	const char *name;
	void *pointer;
};

static void try_pointers(const struct call *call)
{
	struct sockaddr_in unspecified = {.sin_family = AF_UNSPEC}, odd = {.sin_family = 77};
	static char *none[] = {NULL}, *bad[2];
	const struct pointer pointers[] = {
		{"null", NULL},
		{"unmapped", hole},
		{"endless", hole - 4},
		{"unspecified", &unspecified},
		{"odd family", &odd},
	};
	const struct pointer vectors[] = {
		{"null", NULL},
		{"unmapped", hole},
		{"endless", hole - 8},
		{"no word", none},
		{"bad word", bad},
	};
	bool vector = call->inputs == 'v';

	bad[0] = hole;
	memset(hole - 8, 'a', 8);
	for (size_t i = 0; i < COUNT(pointers); i++) {
		struct trial trial = {.pointer = vector ? vectors[i].pointer : pointers[i].pointer};

		try(call, vector ? vectors[i].name : pointers[i].name, &trial, HERE);
	}
}

/* Each path with the usual folder, and some of them with each descriptor. */
static void try_paths(const struct call *call)
{
	bool senseless = call->inputs == 's' || call->inputs == 'h';
	struct sockaddr_in unspecified = {.sin_family = AF_UNSPEC};

	for (size_t i = 0; i < COUNT(inputs); i++) {
		bool each = call->inputs == 'd' && (inputs[i].special == NOTHING || strcmp(inputs[i].text, "f") == 0 ||
						    !*inputs[i].text || strcmp(inputs[i].text, "new") == 0 ||
						    strcmp(inputs[i].text, "/proc/self/cwd/f") == 0);

		if ((senseless && !inputs[i].senseless) || (call->inputs == 'h' && i >= ENDLESS))
			continue;
		for (unsigned which = 0; which < (each ? DESCRIPTORS : 1); which++) {
			struct trial trial = {.path = make_path(&inputs[i]), .pointer = &unspecified};

			try(call, inputs[i].text, &trial, (enum descriptor)which);
		}
	}
}

int main(int argc, char **argv)
{
	char *memory = mmap(NULL, 2 * LIFE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	size_t stride;

	must(argc > 1 && memory != MAP_FAILED && mprotect(memory + LIFE_PAGE, LIFE_PAGE, PROT_NONE) == 0);
	hole = memory + LIFE_PAGE;
	state = argc > 2 ? argv[2] : "plain";
	stride = argc > 3 ? (size_t)atoi(argv[3]) : 1;
	out = fopen(argv[1], "we");
	must(out && dup2(open("/dev/null", O_WRONLY), 2) == 2);
	for (size_t i = 0; i < COUNT(calls); i++) {
		if (i % stride)
			continue;
		if (calls[i].inputs == 'a' || calls[i].inputs == 'v')
			try_pointers(&calls[i]);
		else
			try_paths(&calls[i]);
	}
	fclose(out);
	return 0;
}
