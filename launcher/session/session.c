/* SPDX-License-Identifier: MIT */
/* Makes, fills and removes the session folder. */
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/shared.h"

#define FALLBACK_PARENT "/tmp"
#define FIFO_BYTES (1 << 20) /* a burst of report lines that need not wait for the launcher */
/* The longest path in a folder that must still fit SESSION_FOLDER_MAX: "/.bridle/bridle-", the id, "/tmp". */
#define PARENT_MAX                                                                                             \
	(SESSION_FOLDER_MAX - (int)sizeof("/" SESSION_ROOT_PARENT "/" SESSION_FOLDER_PREFIX "/" SESSION_TMP) - \
	 SESSION_ID_SIZE)

bool session_is_name(const char *name)
{
	size_t prefix = strlen(SESSION_FOLDER_PREFIX);

	return !strncmp(name, SESSION_FOLDER_PREFIX, prefix) &&
	       strlen(name + prefix) == SESSION_ID_SIZE - 1 &&
	       strspn(name + prefix, "0123456789abcdef") == SESSION_ID_SIZE - 1;
}

/* ld.so splits LD_PRELOAD at spaces and colons, and BRIDLE_SESSION is split at colons. */
static const char *usable_parent(const char *parent)
{
	if (!parent || parent[0] != '/' || strpbrk(parent, " \t:;\n\r$") || (int)strlen(parent) > PARENT_MAX ||
	    access(parent, W_OK | X_OK))
		return FALLBACK_PARENT;
	return parent;
}

static bool make_folder(struct session *session, const char *top, struct failure *failure)
{
	unsigned char bytes[(SESSION_ID_SIZE - 1) / 2];
	char around[SESSION_FOLDER_MAX];
	const char *parent;
	int length;

	for (int tries = 0; tries < 16; tries++) {
		/* Again each time: a session that ends takes the folder around it along. */
		session->shared = shared_parent(top, around, sizeof(around));
		parent = session->shared ? around : top;
		if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
			return failure_set(failure, "no random bytes for the session: %s", strerror(errno));
		for (size_t i = 0; i < sizeof(bytes); i++)
			snprintf(session->id + 2 * i, 3, "%02x", bytes[i]);
		length = snprintf(session->folder, sizeof(session->folder), "%s/" SESSION_FOLDER_PREFIX "%s",
				  strcmp(parent, "/") ? parent : "", session->id);
		if (length + (int)sizeof("/" SESSION_TMP) > (int)sizeof(session->tmp))
			return failure_set(failure, "the folder '%s' is too long a path for a session", parent);
		memcpy(session->tmp, session->folder, length);
		strcpy(session->tmp + length, "/" SESSION_TMP);
		if (!mkdir(session->folder, 0700))
			return true;
		if (errno != EEXIST && errno != ENOENT)
			break;
	}
	session->folder[0] = '\0';
	return failure_set(failure, "cannot make a session folder in '%s': %s; set TMPDIR to a folder that can "
				    "be written",
			   top, strerror(errno));
}

static bool fill_folder(struct session *session, const char *library, struct failure *failure)
{
	int folder = open(session->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool good;

	if (folder < 0)
		return failure_set(failure, "cannot open '%s': %s", session->folder, strerror(errno));
	session->file = openat(folder, SESSION_FILE, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	good = session->file >= 0 && !flock(session->file, LOCK_EX) &&
	       !mkfifoat(folder, SESSION_FIFO, 0600) && !mkdirat(folder, SESSION_TMP, 0700) &&
	       shared_place_library(session, folder, library) && shared_open(session, folder);
	if (good)
		session->fifo = openat(folder, SESSION_FIFO, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (session->fifo >= 0)
		fcntl(session->fifo, F_SETPIPE_SZ, FIFO_BYTES); /* as it comes when the user may have no more */
	if (!good || session->fifo < 0)
		failure_set(failure, "cannot fill the session folder '%s': %s%s", session->folder, strerror(errno),
			    errno == ENOSPC || errno == EDQUOT ? "; set TMPDIR to a folder that has room" : "");
	close(folder);
	return good && session->fifo >= 0;
}

bool session_create(struct session *session, const char *parent, const char *outer, const char *library,
		    struct failure *failure)
{
	mode_t mask;
	bool good;

	*session = (struct session){.file = -1, .fifo = -1};
	/* One byte short, so that it stays terminated. */
	if (readlink("/proc/self/exe", session->launcher, sizeof(session->launcher) - 1) < 0)
		session->launcher[0] = '\0';
	mask = umask(077);
	good = make_folder(session, usable_parent(parent), failure) && fill_folder(session, library, failure) &&
	       session_nest(session, outer, failure);
	umask(mask);
	if (!good)
		session_remove(session);
	return good;
}

void session_tidy(const struct session *session, const char *outer)
{
	char parent[SESSION_FOLDER_MAX];
	char *slash;

	memcpy(parent, session->folder, sizeof(parent));
	slash = strrchr(parent, '/');
	slash[slash == parent] = '\0';
	session_sweep(parent, outer);
}

const void *session_map(struct session *session, size_t size, struct failure *failure)
{
	static const struct session_page page;
	char *at = MAP_FAILED;

	/* Written and not left as a hole: a store into a hole of a full disk ends the program. */
	if (pwrite(session->file, &page, sizeof(page), 0) == sizeof(page))
		at = mmap(NULL, SESSION_IMAGE_OFFSET + size, PROT_READ, MAP_SHARED, session->file, 0);
	if (at == MAP_FAILED || mprotect(at, SESSION_IMAGE_OFFSET, PROT_READ | PROT_WRITE)) {
		failure_set(failure, "cannot write and map '%s/" SESSION_FILE "': %s", session->folder, strerror(errno));
		if (at != MAP_FAILED)
			munmap(at, SESSION_IMAGE_OFFSET + size);
		return NULL;
	}
	session->mapped = at;
	session->mapped_size = SESSION_IMAGE_OFFSET + size;
	return at + SESSION_IMAGE_OFFSET;
}

void session_publish(struct session *session)
{
	struct session_page page = {.magic = SESSION_MAGIC, .version = HANDOFF_VERSION, .word = session->word};

	if (session->others)
		*session->others = page;
	session->page = session->mapped;
	*session->page = page;
}

/* The last session takes the folder around it along, but where everybody's folders stand (/tmp): there the next needs it. */
static void remove_around(char *folder)
{
	char around[SESSION_FOLDER_MAX];
	struct stat status;

	*strrchr(folder, '/') = '\0';
	memcpy(around, folder, sizeof(around));
	*strrchr(folder, '/') = '\0';
	if (stat(*folder ? folder : "/", &status) || (status.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH))
		rmdir(around);
}

void session_remove(struct session *session)
{
	if (session->folder[0]) {
		session_remove_tree(AT_FDCWD, session->folder);
		if (session->shared)
			remove_around(session->folder);
		session->folder[0] = '\0';
	}
	if (session->others)
		munmap(session->others, SESSION_IMAGE_OFFSET);
	session->others = NULL;
	if (session->mapped)
		munmap(session->mapped, session->mapped_size);
	if (session->fifo >= 0)
		close(session->fifo);
	if (session->file >= 0)
		close(session->file);
	session->mapped = NULL;
	session->page = NULL;
	session->fifo = session->file = -1;
}
