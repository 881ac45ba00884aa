/* SPDX-License-Identifier: MIT */
/*
 * Maps the sessions named in BRIDLE_SESSION: five system calls each. Mapping is the hello: the counter in the page
 * tells the launcher that this process is guarded.
 *
 * Must not: allocate, lock, trust getenv (bash has its own), end the program.
 */
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/validate.h"
#include "print.h"
#include "real/simulator.h"
#include "real/syscall.h"
#include "start_handoff.h"

#include "forbid.h"

/* Threads that start at once each fill a place of their own and the first to finish wins; nobody waits. */
#define PLACES 4

static struct start first_place START_HOT, other_places[PLACES - 1];
struct start *start_current START_HOT;
static unsigned taken START_HOT;
static bool programs_valid START_HOT; /* the rules about programs of all sessions are whole */
static const uint64_t nothing_moves;
static const struct start broken = {.state = START_BROKEN, .moves = {&nothing_moves, &nothing_moves}};
_Atomic uint64_t raw_word START_HOT;
bool raw_simulated START_HOT;
bool start_filtered START_HOT;
bool start_tells;

/* What start.c asks of a file. */
struct file_facts {
	long size;
	int64_t changed; /* seconds since the epoch */
	uint64_t stamp;  /* of device, inode, size and birth; 0 where the file system does not know of birth */
};

/* Where a filter or an old kernel does not let us ask for the birth. */
static bool look_without_birth(long fd, struct file_facts *ret)
{
	struct stat status;

	if (raw(SYS_fstat, fd, &status) < 0)
		return false;
	ret->size = (long)status.st_size;
	ret->changed = status.st_ctim.tv_sec;
	ret->stamp = 0;
	return true;
}

static bool look_at_file(long fd, struct file_facts *ret)
{
	struct statx status;
	uint64_t stamp;

	if (raw(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &status) < 0)
		return look_without_birth(fd, ret);
	stamp = print_word(status.stx_ino, (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor);
	stamp = print_word(stamp, (uint64_t)status.stx_btime.tv_sec);
	stamp = print_word(stamp, status.stx_btime.tv_nsec ^ status.stx_size << 32);
	ret->size = (long)status.stx_size;
	ret->changed = status.stx_ctime.tv_sec;
	ret->stamp = status.stx_mask & STATX_BTIME ? stamp | 1 : 0;
	return true;
}

/* The fast-lane word of the session that has one; until it is mapped, what that of this one would be. */
static uint64_t word_of(const struct start_session *session)
{
	uint64_t word = __atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED);

	return word ? word : handoff_word(session->id);
}

static long open_in(const struct start_session *session, const char *name, size_t size, int flags)
{
	char path[SESSION_FOLDER_MAX + 16];
	size_t length = strlen(session->folder);

	memcpy(path, session->folder, length);
	path[length] = '/';
	memcpy(path + length + 1, name, size);
	return raw(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0, 0, word_of(session));
}

static bool is_page(const struct session_page *page)
{
	return page->magic == SESSION_MAGIC && page->version == HANDOFF_VERSION;
}

/* Root's session, and this process has become another user: the counters that it may write are a file of their own. */
static bool map_counters(struct start_session *session)
{
	long fd = open_in(session, SESSION_COUNTERS, sizeof(SESSION_COUNTERS), O_RDWR);
	struct file_facts facts;
	long at = fd >= 0 && look_at_file(fd, &facts) && facts.size >= SESSION_IMAGE_OFFSET
			  ? raw(SYS_mmap, NULL, SESSION_IMAGE_OFFSET, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
			  : -1;

	if (fd >= 0)
		raw(SYS_close, fd);
	if (at < 0 && at > -4096)
		return false;
	session->page = (struct session_page *)at;
	return is_page(session->page);
}

/*
 * In a sandbox that shows all files read-only (bwrap --ro-bind / /) nobody can be told what is counted. Lines still go to the
 * FIFO, and what others count is seen in map.
 */
static bool map_alone(struct start_session *session)
{
	long at = raw(SYS_mmap, NULL, SESSION_IMAGE_OFFSET, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at < 0 && at > -4096)
		return false;
	session->page = (struct session_page *)at;
	memcpy(session->page, session->map, sizeof(*session->page));
	return true;
}

/* Is the image whole? Its records are looked at once: whoever does it says so in the page. */
static bool is_whole(const struct start_session *session)
{
	const struct session_page *page = session->map;
	size_t size = session->size - SESSION_IMAGE_OFFSET;
	bool seen = session->stamp && __atomic_load_n(&page->seen_basics, __ATOMIC_ACQUIRE) == session->stamp;

	return is_page(page) &&
	       (seen ? check_validate_bounds(session->image, size) : check_validate_basics(session->image, size));
}

/* Leaves the stamp, where this process may write. */
static void sign(const struct start_session *session, uint64_t *stamp)
{
	if (session->page == session->map)
		__atomic_store_n(stamp, session->stamp, __ATOMIC_RELEASE);
}

static bool map_session(struct start_session *session, int64_t *ret_changed)
{
	struct file_facts facts;
	long fd = open_in(session, SESSION_FILE, sizeof(SESSION_FILE), O_RDWR), at = -1;
	bool alone = fd == -EROFS, writable = fd != -EACCES && !alone;

	if (!writable)
		fd = open_in(session, SESSION_FILE, sizeof(SESSION_FILE), O_RDONLY);
	if (fd < 0)
		return false;
	if (look_at_file(fd, &facts) && facts.size > SESSION_IMAGE_OFFSET)
		at = raw(SYS_mmap, NULL, facts.size, PROT_READ, MAP_SHARED, fd, 0);
	raw(SYS_close, fd);
	if (at < 0 && at > -4096)
		return false;
	session->map = (void *)at;
	session->page = session->map;
	session->image = (const struct image *)(at + SESSION_IMAGE_OFFSET);
	session->size = (uint64_t)facts.size;
	session->stamp = facts.stamp;
	*ret_changed = *ret_changed ? *ret_changed : facts.changed;
	if (!is_whole(session))
		return false;
	if (session->page->word && !__atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED))
		__atomic_store_n((uint64_t *)&raw_word, session->page->word, __ATOMIC_RELAXED);
	if (!writable)
		return alone ? map_alone(session) : map_counters(session);
	if (raw(SYS_mprotect, at, SESSION_IMAGE_OFFSET, PROT_READ | PROT_WRITE) != 0)
		return false;
	sign(session, &session->page->seen_basics);
	return true;
}

static void name_session(struct start_session *session)
{
	const char *name = strrchr(session->folder, '/');

	name = name ? name + 1 : session->folder;
	if (strncmp(name, SESSION_FOLDER_PREFIX, sizeof(SESSION_FOLDER_PREFIX) - 1) == 0)
		name += sizeof(SESSION_FOLDER_PREFIX) - 1;
	session->id = name;
}

/* Fills the sessions from the value of BRIDLE_SESSION, folders joined by colons. */
static enum start_state map_sessions(struct start *start, const char *value)
{
	for (const char *at = value; at; at = *at ? at + 1 : NULL) {
		const char *end = strchr(at, ':');
		size_t length = end ? (size_t)(end - at) : strlen(at);
		struct start_session *session = &start->sessions[start->count];

		if (start->count == HANDOFF_NESTING || length == 0 || length >= SESSION_FOLDER_MAX)
			return START_BROKEN;
		memcpy(session->folder, at, length);
		session->folder[length] = '\0';
		name_session(session);
		start->count++;
		if (!map_session(session, &start->since))
			return START_BROKEN;
		if (!end)
			break;
		at = end;
	}
	return START_READY;
}

static void keep_handoff(struct start *start, const char *value)
{
	const char *folder_end = strchr(value, ':');
	size_t folder = folder_end ? (size_t)(folder_end - value) : strlen(value);
	size_t length = strnlen(value, sizeof(start->session_value) - 1);

	memcpy(start->session_value, value, length);
	start->session_value[length] = '\0';
	folder = folder < SESSION_FOLDER_MAX ? folder : SESSION_FOLDER_MAX - 1;
	memcpy(start->preload, value, folder);
	start->preload[folder] = '/';
	memcpy(start->preload + folder + 1, SESSION_LIBRARY, sizeof(SESSION_LIBRARY));
	start->inherit = (struct inherit){.preload = start->preload, .session = start->session_value};
}

/* The session's own page, which the backstop writes to. */
static const struct session_page *page_of(const struct start_session *session)
{
	return session->map;
}

/* The kernel allows one backstop a process: of nested sessions it may be an inner one's. */
static void find_moves(struct start *start)
{
	if (start->state != START_READY)
		return;
	start->moves[0] = &start->sessions[0].page->moves;
	for (unsigned i = 1; i < start->count; i++)
		if (start->sessions[i].page->word && !start->sessions[0].page->word)
			start->moves[1] = &start->sessions[i].page->moves;
	if (start->sessions[0].page != start->sessions[0].map) /* what others count there is not in our own */
		start->moves[1] = &page_of(&start->sessions[0])->moves;
}

static void fill(struct start *start)
{
	char first[sizeof(start->session_value)];
	const char *value = start_handoff(first, sizeof(first));

	raw_simulated = simulator_runs();
	start->moves[0] = start->moves[1] = &nothing_moves;
	start->pid = (int)raw(SYS_getpid);
	if (!value)
		return;
	keep_handoff(start, value);
	start->state = map_sessions(start, value);
	find_moves(start);
	start->silent = true;
	for (unsigned i = 0; start->state == START_READY && i < start->count; i++) {
		struct session_page *page = start->sessions[i].page;

		start->silent = start->silent && !(start->sessions[i].image->flags & IMAGE_REPORT_ALL);
		__atomic_fetch_add(&page->started, 1, __ATOMIC_RELAXED);
		if (start->sessions[i].image->flags & (IMAGE_REPORT_ALL | IMAGE_AUDIT))
			__atomic_store_n(&start_tells, true, __ATOMIC_RELAXED);
	}
}

static void unmap(const struct start *start)
{
	for (unsigned i = 0; i < start->count; i++) {
		const struct start_session *session = &start->sessions[i];

		if (!session->map)
			continue;
		if (session->page != session->map)
			raw(SYS_munmap, session->page, SESSION_IMAGE_OFFSET);
		raw(SYS_munmap, session->map, session->size);
	}
}

/* Is this word of any session's page set? */
static bool is_set(size_t word)
{
	const struct start *sessions = start();
	bool set = false;

	for (unsigned i = 0; sessions->state == START_READY && i < sessions->count; i++) {
		const char *page = (const char *)page_of(&sessions->sessions[i]);

		set = set || __atomic_load_n((const uint64_t *)(page + word), __ATOMIC_SEQ_CST);
	}
	return set;
}

bool start_moving(void)
{
	return is_set(offsetof(struct session_page, moving));
}

bool start_sharing(void)
{
	return is_set(offsetof(struct session_page, sharing));
}

const struct start *start_first(void)
{
	unsigned place = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
	struct start *mine = place == 0 || place >= PLACES ? &first_place : &other_places[place - 1], *none = NULL;

	if (place >= PLACES)
		return __atomic_load_n(&start_current, __ATOMIC_ACQUIRE) ? start_current : &broken;
	fill(mine);
	if (__atomic_compare_exchange_n(&start_current, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return mine;
	unmap(mine);
	return none;
}

/* Nothing else would say why nothing works. */
static void complain(void)
{
	static const char words[] = "bridle: the session of this program cannot be read; every guarded call is refused\n";

	raw(SYS_write, STDERR_FILENO, words, sizeof(words) - 1);
}

static bool programs_are_seen(const struct start_session *session)
{
	const struct session_page *page = session->map;

	return session->stamp && __atomic_load_n(&page->seen_programs, __ATOMIC_ACQUIRE) == session->stamp;
}

static bool programs_are_whole(const struct start_session *session)
{
	if (programs_are_seen(session))
		return true;
	if (!check_validate_programs(session->image))
		return false;
	sign(session, &((struct session_page *)session->map)->seen_programs);
	return true;
}

bool start_programs(const struct start *start)
{
	if (__atomic_load_n(&programs_valid, __ATOMIC_ACQUIRE))
		return true;
	for (unsigned i = 0; i < start->count; i++) {
		if (programs_are_whole(&start->sessions[i]))
			continue;
		if (!start_filtered)
			complain();
		return false;
	}
	__atomic_store_n(&programs_valid, true, __ATOMIC_RELEASE);
	return true;
}

static __attribute__((constructor)) void start_early(void)
{
	uint64_t none = 0;

	/* Written first, the page is had with one fault; read first, with two. */
	__atomic_compare_exchange_n((uint64_t *)&raw_word, &none, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	const struct start *sessions = start();
	bool seen = sessions->state == START_READY;

	if (sessions->state == START_BROKEN)
		complain();
	/* Known now, it is not written in each child that starts a program. */
	for (unsigned i = 0; i < sessions->count && seen; i++)
		seen = programs_are_seen(&sessions->sessions[i]);
	if (seen)
		__atomic_store_n(&programs_valid, true, __ATOMIC_RELEASE);
}
