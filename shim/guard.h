/* SPDX-License-Identifier: MIT */
/*
 * The spine: what every wrapper asks before it makes the real call. Each question describes the call, checks it
 * against every session, reports what was refused, and answers with a value; no errno is touched.
 * Safe anywhere: any thread, signal handler, vfork child, before our constructor.
 */
#ifndef BRIDLE_GUARD_H
#define BRIDLE_GUARD_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "check/command.h"
#include "describe/cwd.h"
#include "describe/folder.h"
#include "describe/path.h"
#include "guard_place.h"
#include "memo.h"
#include "request.h"
#include "start.h"

/* Answers beside a negative errno. */
#define GUARD_GO 0          /* allowed: make the real call */
#define GUARD_REAL (-4096L) /* guard_open only: make the real call yourself */

/* A call that reads, changes, creates or removes what a path names. */
struct file_call {
	const char *name; /* the function, as in symbols.def */
	int dirfd;        /* AT_FDCWD where the call has none */
	const char *path; /* the caller's own pointer: NULL and unmapped are answered with EFAULT */
	enum op op;
	unsigned flags;                  /* FILE_* */
	struct file_place *place;        /* filled with GUARD_GO; NULL: the call is only judged, and made by its own path */
	const struct file_place *beside; /* of the call's other name, held: often in the same folder. NULL: there is none */
};

#define FILE_FOLLOW 0x1u   /* a symlink at the end is followed */
#define FILE_CREATES 0x2u  /* the call may make the last component */
#define FILE_EMPTY 0x4u    /* an empty path means dirfd itself (AT_EMPTY_PATH) */
#define FILE_NULL 0x8u     /* NULL means dirfd itself (futimens, utimensat) */
#define FILE_NEW 0x10u     /* with FILE_CREATES: what is there already is left alone, the kernel says EEXIST */
#define FILE_ENTRY 0x20u   /* the call is about the name itself: not even a slash behind it makes it follow a link */
#define FILE_REMOVES 0x40u /* the name is gone afterwards */
#define FILE_STAYS 0x80u   /* judged like a change, but it stays as it is */
#define FILE_MOVES 0x200u  /* what has the name gets another, with all that lies in it: then guard_moved() is asked as well */
#define FILE_WORD 0x100u   /* a word that may name a file: of none that is there nothing is told */

/*
 * Does the answer only say that there is no such file? Where another library's function stands behind ours, that library
 * may know better: it is asked.
 */
static inline bool guard_found_nothing(long answer)
{
	return answer == -ENOENT || answer == -ENOTDIR || answer == -ELOOP;
}

/*
 * GUARD_GO, or the -errno that the caller gets. With a place: guard_done() it, once the call is made. Calls without one are
 * made by their path after it was judged, and a link that is swapped in between can win: starts of programs, loads, mounts,
 * walks of folders, sockets in the file system, freopen, openat2 through syscall().
 */
long guard_file(const struct file_call *call);

/*
 * Of something that gets another name, when guard_file() has let both names pass: may the rules below them stop to hold for
 * what lies in it? to: NULL where the other name is not known. GUARD_GO or -EACCES.
 */
struct move_call {
	const char *name;
	const struct file_place *from, *to; /* held, or as it was asked */
	bool exchanges;                     /* what has the other name gets this one */
	bool follows;                       /* links at the end are followed (mounts) */
};

long guard_moved(const struct move_call *call);

/* guard_moved() where the guard of one of the names has found that there may be such rules: for what is renamed. */
static inline long guard_renamed(const char *name, const struct file_place *from, const struct file_place *to, bool exchanges)
{
	if (!from->covers && !to->covers)
		return GUARD_GO;
	return guard_moved(&(struct move_call){name, from, to, exchanges, false});
}

/* The same for a file that is open already and was never asked for by its path. */
long guard_descriptor(const char *name, int fd, enum op op);

/* An open: on success the descriptor itself, from one kernel step on the path that was checked. */
struct open_call {
	const char *name;
	int dirfd;
	const char *path;
	int flags;
	mode_t mode;
	bool in_libc; /* the next definition is libc's: a system call may stand in its place */
};

long guard_open(const struct open_call *call);

/* The start of a program, its name already looked up in PATH. */
struct exec_call {
	const char *name;
	int dirfd;
	const char *path;
	char *const *argv;
	unsigned flags; /* FILE_FOLLOW, FILE_EMPTY, EXEC_STAYS; no other FILE_* has a meaning here */
};

#define EXEC_STAYS 0x100u /* it starts in another process, and this one may start more */

/*
 * GUARD_GO; GUARD_REFUSED, which the caller gets as EACCES; or the kernel's own -errno for a program that is not there
 * or not executable, which is not judged: a search through PATH goes on behind it.
 */
#define GUARD_REFUSED 1L
long guard_exec(const struct exec_call *call);

/* What guard_exec let through has failed: told where somebody wants to know. error: positive. */
void guard_exec_failed(const struct exec_call *call, int error);

/* An address to connect or send to (OP_CONNECT) or to bind (OP_BIND); NULL passes. */
long guard_address(const char *name, enum op op, const struct sockaddr *address, socklen_t size);

/* What guard_address let through has failed: told like an exec's failure. */
void guard_address_failed(const char *name, enum op op, const struct sockaddr *address, socklen_t size, int error);

/* A host name to look up; NULL passes. */
long guard_resolve(const char *name, const char *host);

/* error: its name, "EAI_NONAME". */
void guard_resolve_failed(const char *name, const char *host, const char *error);

/*
 * The program is about to shut system calls off (seccomp): from here on we make none but those it asks for. Paths are
 * judged by their text, and what is refused is counted without a line.
 */
void guard_filtered(void);

/* ------------------------------------------------ for the parts of the spine itself: guard_*.c */

/* What every session says to one request. */
struct judgement {
	unsigned denied; /* bit i: session i denies */
	bool refused;    /* at least one of them enforces */
	struct decision decisions[HANDOFF_NESTING];
};

/* command: exec only, else NULL. */
void guard_judge(const struct start *start, const struct request *request, const struct command *command,
		 struct judgement *ret);

/* Counts and reports. Result: 0 or -EACCES. */
long guard_settle(const struct start *start, const struct request *request, const struct judgement *judgement);

/*
 * The same for a call whose end will be told: of what is let through, only what is against the policy has its line now. The
 * rest is for guard_tell(), when the call has come back.
 */
long guard_settle_now(const struct start *start, const struct request *request, const struct judgement *judgement);

/* Tells the sessions that want to know how an allowed call ended; in one that has had its line, as that line's outcome. */
void guard_tell(const struct start *start, const struct request *request, unsigned had_line, const char *error);

/* How a call ended that had its line before it was made. */
void guard_outcome(const struct start *start, const struct request *request, const char *error);

/*
 * What the policies say of what we cannot see (coverage.uncovered, rule RULE_COVERAGE_*): where it passes with a line, that
 * line is sent; what is denied is for guard_settle(). Where there is a backstop nothing is denied.
 */
void guard_cover(const struct start *start, const struct request *request, uint8_t rule, struct judgement *ret);

/* A line that is no violation by itself (op "coverage"): sent to one session, counted nowhere. */
void guard_notice(const struct start_session *session, const struct request *request,
		  const struct decision *decision);

/* In struct guard_text: OP_WRITE of what gets another name, allowed only where no rule lies below it. */
#define OP_MOVE OP_COUNT

/* A path as memory_text copied it, and what is asked about it. */
struct guard_text {
	enum op op;
	int dirfd;
	const char *text;
	size_t length;
	uint64_t print;
	const struct folder *folder; /* what folder_look found behind dirfd, to be believed; NULL: it is asked for */
	struct cwd_stamp base;       /* from here on guard_text_known's */
	uint64_t key;
};

/* Takes the print of where a relative text starts. False: it is not remembered. */
static inline bool guard_text_base(struct guard_text *text)
{
	if (text->dirfd == AT_FDCWD)
		return cwd_stamp(&text->base);
	text->base.print = text->folder ? text->folder->print : 0;
	return text->base.print;
}

/*
 * Was the very same asked before, and allowed, and may it go without a line? The quickest answer, to be asked first; false
 * says nothing. key stays 0 where nothing can be remembered: it starts where only the kernel knows.
 */
static inline bool guard_text_known(const struct start *start, struct guard_text *text)
{
	bool relative = text->text[0] != '/';

	text->key = text->base.print = 0;
	if (!start->silent || (relative && !guard_text_base(text)))
		return false;
	text->key = memo_key(text->op, text->base.print, text->print);
	return memo_holds(text->key);
}

/*
 * Is a path allowed by its text alone: the truth when the kernel then meets no symlink? Result: GUARD_GO; GUARD_UNSURE: not
 * by this text, or nobody can say; -ENAMETOOLONG for a room that is too small; -EBADF. In room stands where the text
 * leads, *ret_folded bytes, or nothing (*ret_folded is 0): then it does not lead into /proc, and no session wants a line
 * about what is allowed. So it is, too, where guard_text_known said yes.
 */
#define GUARD_UNSURE (-4097L)
long guard_text(const struct start *start, const struct guard_text *text, struct path_room room, size_t *ret_folded);

/*
 * The same for a folded path that stands in the room, as path_fold leaves it: where only the kernel knew where a text
 * starts, or lines are wanted. It is remembered as an absolute one.
 */
long guard_folded(const struct start *start, enum op op, struct path_room room, size_t length);

/* Counts an allowed call; a line for it where the session asks for every call. */
void guard_pass(const struct start *start, const struct request *request);

/* Counts it, and no more: no session wants a line, or one comes when the call has come back. */
static inline void guard_count(const struct start *start)
{
	for (unsigned i = 0; i < start->count; i++)
		__atomic_fetch_add(&start->sessions[i].page->checked, 1, __ATOMIC_RELAXED);
}

#endif
