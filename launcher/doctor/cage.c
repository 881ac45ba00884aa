/* SPDX-License-Identifier: MIT */
/* The canaries' folder and what is in it. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/canary.h"
#include "doctor/static.h"

#define NOBODY 65534
#define GROUPS_MAX 256

static const char *const files[] = {"target", "dynamic", "cleared", "closed", "static", "canary", "setid", "report"};

static bool write_script(const char *name, const char *text)
{
	int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	bool good = descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text);

	if (descriptor >= 0)
		close(descriptor);
	return good;
}

static bool copy_self(const char *name)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	ssize_t got = -1;

	if (from >= 0 && to >= 0)
		while ((got = sendfile(to, from, NULL, 1 << 20)) > 0)
			;
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return got == 0;
}

/* Gives the copy to somebody else and marks it, so that it would run with other rights; root: to nobody. */
static void mark_setid(const char *name)
{
	gid_t groups[GROUPS_MAX];
	int count = getgroups(GROUPS_MAX, groups);

	if (!geteuid()) {
		if (!chown(name, NOBODY, (gid_t)-1))
			(void)!chmod(name, 04755);
		return;
	}
	for (int i = 0; i < count; i++)
		if (groups[i] != getegid() && !chown(name, (uid_t)-1, groups[i])) {
			(void)!chmod(name, 02755);
			return;
		}
}

static bool fill(const char *target)
{
	return !symlink(target, "target") && write_script("dynamic", "#!/bin/sh\n: > target\n") &&
	       write_script("cleared", "#!/bin/sh\nexec env -i ./dynamic\n") &&
	       write_script("closed", "#!/bin/sh\nexec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-\n: > target\n") &&
	       static_write("static") && copy_self("canary") && copy_self("setid");
}

bool canary_cage(struct canary_cage *cage, const char *target, struct failure *failure)
{
	const char *parent = getenv("TMPDIR");
	int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool good;

	cage->target = target;
	snprintf(cage->folder, sizeof(cage->folder), "%s/bridle-doctor-XXXXXX", parent && *parent ? parent : "/tmp");
	if (before < 0 || !mkdtemp(cage->folder) || chdir(cage->folder) < 0)
		return failure_set(failure, "cannot make a folder for the canaries, '%s': %s", cage->folder,
				   strerror(errno));
	/* a set-id canary that is nobody's must be able to walk in */
	(void)!chmod(cage->folder, 0755);
	good = fill(target);
	if (!good)
		failure_set(failure, "cannot write the canaries in '%s': %s", cage->folder, strerror(errno));
	mark_setid("setid");
	(void)!fchdir(before);
	close(before);
	return good;
}

void canary_clear(const struct canary_cage *cage)
{
	int folder = open(cage->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (folder < 0)
		return;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlinkat(folder, files[i], 0);
	close(folder);
	rmdir(cage->folder);
}
