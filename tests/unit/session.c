/* SPDX-License-Identifier: MIT */
/* The session folder: what is in it, that it goes away, and what the next launcher sweeps. */
#include "session/session.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char top[64];

static void make_top(void)
{
	strcpy(top, "/tmp/session-test-XXXXXX");
	cr_assert(mkdtemp(top));
}

static void remove_top(void)
{
	session_remove_tree(AT_FDCWD, top);
}

TestSuite(session, .init = make_top, .fini = remove_top);

static const char *in_top(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static bool exists(const char *path)
{
	struct stat status;

	return !lstat(path, &status);
}

static bool create(struct session *session, const char *parent, const char *outer)
{
	struct failure failure;

	return session_create(session, parent, outer, "/lib/some.so", &failure);
}

/* With an image of five bytes. */
static bool publish(struct session *session)
{
	struct failure failure;
	const char *image;

	if (pwrite(session->file, "image", 5, SESSION_IMAGE_OFFSET) != 5)
		return false;
	image = session_map(session, 5, &failure);
	if (!image || strncmp(image, "image", 5))
		return false;
	session_publish(session);
	return true;
}

Test(session, holds_what_the_handoff_says)
{
	struct session session;
	struct stat status;
	char path[256], link[64] = "";

	cr_assert(create(&session, top, NULL));
	cr_expect(!strncmp(session.folder, top, strlen(top)));
	cr_assert(!stat(session.folder, &status));
	cr_expect_eq(status.st_mode & 07777, geteuid() ? 0700 : 0711);
	snprintf(path, sizeof(path), "%s/report", session.folder);
	cr_expect(!stat(path, &status) && S_ISFIFO(status.st_mode));
	snprintf(path, sizeof(path), "%s/libbridle.so", session.folder);
	cr_expect_gt(readlink(path, link, sizeof(link) - 1), 0);
	cr_expect_str_eq(link, "/lib/some.so");
	cr_expect_str_eq(session.preload, path);
	cr_expect_str_eq(session.chain, session.folder);
	cr_expect(!stat(session.tmp, &status) && S_ISDIR(status.st_mode));
	cr_assert(publish(&session));
	cr_expect_eq(session.page->magic, SESSION_MAGIC);
	cr_expect_eq(session.page->started, 0);
	strcpy(path, session.folder);
	session_remove(&session);
	cr_expect_not(exists(path));
}

Test(session, avoids_folders_that_ld_so_would_split)
{
	static const char *const bad[] = {"with space", "with:colon", "with\nnewline", "with;semicolon"};
	struct session session;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert(!mkdir(in_top(bad[i]), 0700));
		cr_assert(create(&session, in_top(bad[i]), NULL));
		cr_expect(!strncmp(session.folder, geteuid() ? "/tmp/bridle-" : "/tmp/.bridle/", 12), "%s", session.folder);
		session_remove(&session);
	}
	cr_assert(create(&session, "relative", NULL));
	session_remove(&session);
	cr_assert(create(&session, "/not/there", NULL));
	session_remove(&session);
}

Test(session, removes_deep_and_closed_trees)
{
	struct session session;
	char path[256];
	int folder, next;

	cr_assert(create(&session, top, NULL));
	folder = open(session.tmp, O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 300; i++) {
		cr_assert(!mkdirat(folder, "d", i % 7 ? 0700 : 0500) || getuid());
		fchmodat(folder, "d", 0700, 0);
		next = openat(folder, "d", O_RDONLY | O_DIRECTORY);
		close(folder);
		folder = next;
	}
	close(folder);
	snprintf(path, sizeof(path), "%s/closed", session.tmp);
	cr_assert(!mkdir(path, 0000));
	strcpy(path, session.folder);
	session_remove(&session);
	cr_expect_not(exists(path));
}

Test(session, never_follows_a_link_when_it_removes)
{
	struct session session;
	char path[256];

	cr_assert(!mkdir(in_top("precious"), 0700));
	cr_assert_geq(close(creat(in_top("precious/file"), 0600)), 0);
	cr_assert(create(&session, top, NULL));
	snprintf(path, sizeof(path), "%s/link", session.tmp);
	cr_assert(!symlink(in_top("precious"), path));
	session_remove(&session);
	cr_expect(exists(in_top("precious/file")));
}

/* A folder as a killed launcher leaves it. */
static void leave(const char *name, bool filled)
{
	char path[256];
	int file;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	cr_assert(!mkdir(path, 0700));
	strcat(path, "/session");
	file = creat(path, 0600);
	cr_assert(!filled || write(file, "page", 4) == 4);
	close(file);
}

Test(session, sweeps_what_nobody_holds)
{
	struct session living;
	char link[256];

	cr_assert(create(&living, top, NULL));
	leave("bridle-0000000000000001", true);
	leave("bridle-0000000000000002", false); /* just being made, for all one can tell */
	leave("bridle-000000000000003", true);   /* not a name of ours */
	leave("other-0000000000000004", true);
	cr_assert(!mkdir(in_top("elsewhere"), 0700));
	snprintf(link, sizeof(link), "%s/bridle-0000000000000005", top);
	cr_assert(!symlink(in_top("elsewhere"), link));
	cr_expect_eq(session_sweep(top, NULL), 1);
	cr_expect_not(exists(in_top("bridle-0000000000000001")));
	cr_expect(exists(in_top("bridle-0000000000000002/session")));
	cr_expect(exists(in_top("bridle-000000000000003")));
	cr_expect(exists(in_top("other-0000000000000004")));
	cr_expect(exists(in_top("elsewhere")));
	cr_expect(exists(living.folder));
	session_remove(&living);
}

Test(session, nests)
{
	struct session sessions[HANDOFF_NESTING + 1];
	char chain[HANDOFF_NESTING * SESSION_FOLDER_MAX] = "";

	for (int i = 0; i < HANDOFF_NESTING; i++) {
		cr_assert(create(&sessions[i], top, chain), "level %d", i);
		cr_assert(publish(&sessions[i]));
		cr_expect(strlen(sessions[i].chain) > strlen(chain));
		cr_expect(!strncmp(sessions[i].chain, chain, strlen(chain)));
		cr_expect_str_eq(sessions[i].preload, sessions[0].preload);
		strcpy(chain, sessions[i].chain);
	}
	cr_expect_not(create(&sessions[HANDOFF_NESTING], top, chain));
	for (int i = 0; i < HANDOFF_NESTING; i++)
		session_remove(&sessions[i]);
	cr_expect_not(create(&sessions[0], top, chain), "sessions that have ended");
	cr_expect_not(create(&sessions[0], top, "rubbish"));
}
