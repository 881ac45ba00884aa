/* SPDX-License-Identifier: MIT */
/* From a command word to the file that would be started. */
#include "decide/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/build.h"
#include "decide/resolve.h"

#define SYSTEM_PATH "/bin:/usr/bin" /* what execvp takes without PATH */

/* Is there a file, and may it be executed? 0 or the errno that execve would give. */
static int judge(const char *path, const char *base, struct stat *status)
{
	char joined[2 * PATH_MAX];

	if (base && path[0] != '/') {
		snprintf(joined, sizeof(joined), "%s/%s", base, path);
		path = joined;
	}
	if (stat(path, status))
		return errno;
	if (!S_ISREG(status->st_mode))
		return EACCES;
	/* As root access() is content with any one x bit, as execve is. */
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

static void read_build(struct program *program)
{
	char head[BUILD_HEAD];
	int fd = program->target[0] ? open(program->target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	ssize_t size = fd >= 0 ? pread(fd, head, sizeof(head), 0) : -1;

	if (fd >= 0)
		close(fd);
	program->has_build = size > 0 && check_build_id(head, (size_t)size, program->build);
}

static bool take(struct program *program, const char *path, const char *base)
{
	struct stat status;
	int error = judge(path, base, &status);

	if (error == ENOENT || error == ENOTDIR) {
		if (!program->error)
			program->error = ENOENT;
		return false;
	}
	if (program->error != EACCES || !error) {
		snprintf(program->path, sizeof(program->path), "%s", path);
		if (resolve_path(path, base, program->target) != RESOLVED_EXISTS)
			program->target[0] = '\0';
		program->device = error ? 0 : status.st_dev;
		program->inode = error ? 0 : status.st_ino;
		read_build(program);
	}
	program->error = error;
	return !error;
}

void program_find(const char *name, const char *search, const char *base, struct program *ret_program)
{
	char candidate[PATH_MAX];

	memset(ret_program, 0, sizeof(*ret_program));
	ret_program->error = ENOENT;
	if (!*name)
		return;
	if (strchr(name, '/')) {
		take(ret_program, name, base);
		return;
	}
	for (const char *from = search ? search : SYSTEM_PATH; from; from += *from == ':') {
		size_t length = strcspn(from, ":");
		int size = snprintf(candidate, sizeof(candidate), "%.*s%s%s", (int)length, from,
				    length ? "/" : "", name);

		/* An empty element is the working directory; "./" keeps execve from meaning something else. */
		if (!length)
			size = snprintf(candidate, sizeof(candidate), "./%s", name);
		if (size < (int)sizeof(candidate) && take(ret_program, candidate, base))
			return;
		from += length;
		if (!*from)
			return;
	}
}
