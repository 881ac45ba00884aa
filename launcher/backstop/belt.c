/* SPDX-License-Identifier: MIT */
/* From an image to a Landlock ruleset. */
#include "backstop/belt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backstop/floor.h"
#include "handoff.h"

/* Spelt out, since headers of older kernels lack the later ones. */
#define RULE_PATH_BENEATH 1
#define RULE_NET_PORT 2
#define CREATE_RULESET_VERSION 1u

#define FS_WRITE_FILE (1ull << 1)
#define FS_CHANGE_FOLDER 0x1ff0ull /* remove and make, whatever kind of file */
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define NET_BIND_TCP (1ull << 0)
#define NET_CONNECT_TCP (1ull << 1)

#define OF_FILES (FS_WRITE_FILE | FS_TRUNCATE)
#define PORTS_MAX 1024

struct ruleset_attributes {
	uint64_t fs, net;
};

struct path_beneath {
	uint64_t access;
	int32_t folder;
} __attribute__((packed));

struct net_port {
	uint64_t access, port;
};

int belt_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);

	return abi > 0 ? (int)abi : 0;
}

static uint64_t file_rights(int abi)
{
	uint64_t rights = FS_WRITE_FILE | FS_CHANGE_FOLDER;

	/* ABI 1 refuses every rename and link into another folder, whatever the rules: see belt_plan */
	/* ABI 2 can allow them */
	if (abi >= 2)
		rights |= FS_REFER;
	/* ABI 3 sees truncation; before, truncate() of a read-only tree is left to the shim and the backstop */
	if (abi >= 3)
		rights |= FS_TRUNCATE;
	/* ABI 5 knows ioctls of devices, ABI 6 signals and abstract sockets: no rule of a policy speaks of these */
	/* ABI 7 can say what the kernel's audit log gets: the default is right */
	return rights;
}

/* ABI 4 knows TCP ports. */
static uint64_t net_rights(const struct image *image, int abi)
{
	uint16_t ports[PORTS_MAX];
	uint64_t rights = 0;

	if (abi < 4)
		return 0;
	if (floor_ports(image, ports, PORTS_MAX) >= 0)
		rights |= NET_CONNECT_TCP;
	if (image_network(image)->bind == IMAGE_BIND_DENY)
		rights |= NET_BIND_TCP;
	return rights;
}

struct belt_plan belt_plan(const struct image *image, int abi)
{
	struct belt_plan plan = {
		.fs = floor_is_there(image) ? file_rights(abi) : 0,
		.net = net_rights(image, abi),
		.size = abi >= 4 ? sizeof(struct ruleset_attributes) : sizeof(uint64_t),
	};

	if (image->flags & IMAGE_AUDIT)
		plan.why = "audit mode refuses nothing";
	else if (abi == 0)
		plan.why = "this kernel has no Landlock";
	else if (abi == 1)
		plan.why = "this kernel's Landlock refuses renames between folders (Linux 5.19 does not)";
	else if (!plan.fs && !plan.net)
		plan.why = "this policy has no bounds that Landlock can hold";
	return plan;
}

/* A tree that does not exist yet is opened by its nearest ancestor that does: the belt is never tighter than the policy. */
static int open_nearest(const char *path)
{
	char text[PATH_MAX];
	int descriptor;

	if ((size_t)snprintf(text, sizeof(text), "%s", path) >= sizeof(text))
		return -1;
	while ((descriptor = open(text, O_PATH | O_CLOEXEC)) < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		char *slash = strrchr(text, '/');

		if (!slash || !text[1])
			return -1;
		slash[slash == text] = '\0';
	}
	return descriptor;
}

static bool allow_path(int ruleset, const char *path, uint64_t rights)
{
	struct path_beneath rule = {rights, open_nearest(path)};
	struct stat status;
	bool good = rule.folder >= 0 && !fstat(rule.folder, &status);

	if (good && !S_ISDIR(status.st_mode))
		rule.access &= OF_FILES;
	/* what cannot be opened here cannot be written to by the command either; a pipe (/dev/stdout) knows no rules */
	good = !good || !syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) || errno == EBADFD;
	if (rule.folder >= 0)
		close(rule.folder);
	return good;
}

/* What the trees' walker calls for each. */
struct adding {
	int ruleset;
	uint64_t rights;
	bool good;
};

static void add_tree(void *data, const char *path)
{
	static const char own[] = "/proc/self";
	struct adding *adding = data;

	/* of every process its own */
	if (!strncmp(path, own, strlen(own)))
		path = "/proc";
	adding->good = allow_path(adding->ruleset, path, adding->rights) && adding->good;
}

static bool add_session(int ruleset, const char *session, uint64_t rights)
{
	char path[SESSION_FOLDER_MAX + 16];
	bool good;

	snprintf(path, sizeof(path), "%s/" SESSION_FILE, session);
	good = allow_path(ruleset, path, rights & OF_FILES);
	snprintf(path, sizeof(path), "%s/" SESSION_COUNTERS, session);
	if (!access(path, F_OK))
		good = allow_path(ruleset, path, rights & OF_FILES) && good;
	snprintf(path, sizeof(path), "%s/" SESSION_FIFO, session);
	return allow_path(ruleset, path, rights & OF_FILES) && good;
}

static bool add_ports(int ruleset, const struct image *image)
{
	uint16_t ports[PORTS_MAX];
	int count = floor_ports(image, ports, PORTS_MAX);

	for (int i = 0; i < count; i++) {
		struct net_port rule = {NET_CONNECT_TCP, ports[i]};

		if (syscall(SYS_landlock_add_rule, ruleset, RULE_NET_PORT, &rule, 0))
			return false;
	}
	return true;
}

static int build(const struct image *image, const char *session, const struct belt_plan *plan)
{
	struct ruleset_attributes handled = {plan->fs, plan->net};
	struct adding adding = {.rights = plan->fs, .good = true};

	adding.ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, plan->size, 0);
	if (adding.ruleset < 0)
		return -1;
	if (handled.fs) {
		floor_trees(image, add_tree, &adding);
		if (session)
			adding.good = add_session(adding.ruleset, session, handled.fs) && adding.good;
	}
	if (adding.good && (!(handled.net & NET_CONNECT_TCP) || add_ports(adding.ruleset, image)))
		return adding.ruleset;
	close(adding.ruleset);
	return -1;
}

/* Why there is no belt, or NULL. */
static const char *obstacle(struct belt *belt, const struct image *image, int abi, const char *session)
{
	struct belt_plan plan = belt_plan(image, abi);

	if (plan.why)
		return plan.why;
	belt->ruleset = build(image, session, &plan);
	return belt->ruleset < 0 ? strerror(errno) : NULL;
}

void belt_prepare(struct belt *belt, bool wanted, const struct image *image, const char *session)
{
	int abi = wanted ? belt_abi() : 0;
	const char *why;

	belt->ruleset = -1;
	why = wanted ? obstacle(belt, image, abi, session) : "coverage.landlock = \"off\"";
	if (why)
		snprintf(belt->status, sizeof(belt->status), "off: %s", why);
	else
		snprintf(belt->status, sizeof(belt->status), "on (ABI %d)", abi);
}

int belt_enter(const struct belt *belt)
{
	if (belt->ruleset < 0)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_landlock_restrict_self, belt->ruleset, 0) < 0)
		return errno;
	return 0;
}

void belt_close(struct belt *belt)
{
	if (belt->ruleset >= 0)
		close(belt->ruleset);
	belt->ruleset = -1;
}
