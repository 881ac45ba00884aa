/* SPDX-License-Identifier: MIT */
/* From a notification to an answer: decode, resolve, check. Paths here; programs and addresses in files of their own. */
#include "backstop/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

#include "backstop/moves.h"
#include "backstop/process.h"
#include "check/path.h"

static uint64_t argument(const struct question *question, int index)
{
	uint64_t value = question->notification->data.args[index];

	return question->wide ? value : (uint32_t)value;
}

/* What open's flags ask for. */
struct opening {
	enum op op;
	bool creates, temporary, follow;
	bool fresh; /* what is there already is left alone */
};

static struct opening read_flags(uint64_t flags)
{
	uint64_t mode = flags & O_ACCMODE;
	struct opening opening = {.op = OP_READ};
	bool exclusive;

	if (flags & O_PATH)
		flags &= O_PATH | O_NOFOLLOW;
	exclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	opening.temporary = (flags & O_TMPFILE) == O_TMPFILE;
	opening.creates = flags & O_CREAT;
	opening.follow = !(flags & O_NOFOLLOW) && !exclusive;
	if ((!(flags & O_PATH) && mode != O_RDONLY) || flags & (O_TRUNC | O_CREAT) || opening.temporary)
		opening.op = OP_WRITE;
	return opening;
}

static bool follows(const struct question *question, const struct opening *opening, bool first)
{
	const struct call *call = question->call;
	uint64_t flags = argument(question, call->flag);

	switch ((enum follow)call->follow) {
	case FOLLOW_OPEN:
		return opening->follow;
	case FOLLOW_UNLESS:
		return !(flags & AT_SYMLINK_NOFOLLOW);
	case FOLLOW_IF:
		return first && flags & AT_SYMLINK_FOLLOW;
	case FOLLOW_NEVER:
		return false;
	case FOLLOW_ALWAYS:
		break;
	}
	return true;
}

/* A path that is already open in the caller may be opened again, for no more than it is open for. */
static bool is_own(const struct resolved *found, enum op op)
{
	int own = found->own_flags & O_ACCMODE;
	mode_t mode;

	if (!found->own_descriptor)
		return false;
	mode = resolve_status(found).st_mode;
	if (!S_ISREG(mode) && !S_ISDIR(mode) && !S_ISBLK(mode))
		return true;
	if (found->own_flags & O_PATH)
		return false;
	return op == OP_READ ? own != O_WRONLY : own != O_RDONLY;
}

static bool is_folder(const struct resolved *found)
{
	return S_ISDIR(resolve_status(found).st_mode);
}

static int judge_found(struct question *question, const struct opening *opening, struct request *request,
		       const struct resolved *found)
{
	struct decision decision;

	switch (found->state) {
	case RESOLVE_FAILS:
		return 0;
	case RESOLVE_UNKNOWN:
		return answer_unknown(question, request, found->error);
	case RESOLVE_MISSING:
		/* looking for what is not there is no violation; creating it is */
		if (!opening->creates)
			return found->error == ENOENT ? 0 : found->error;
		break;
	case RESOLVE_FOUND:
		if (found->path[0] != '/' || opening->fresh || is_own(found, request->op))
			return answer_allow(question, request);
		break;
	}
	request->path = found->path;
	request->path_length = found->length;
	decision = check_path(question->rules->image, request->op, found->path, found->length);
	if (decision.denied && opening->op == OP_WRITE && !opening->temporary && is_folder(found))
		return 0; /* EISDIR, from the kernel itself */
	return decision.denied ? answer_deny(question, request, &decision) : answer_allow(question, request);
}

/* Does an empty path stand for the descriptor itself? What move_mount is to move was judged when it was opened. */
static bool takes_empty(const struct question *question, bool first)
{
	if (question->call->shape == SHAPE_MOVE_MOUNT)
		return !first && argument(question, question->call->flag) & MOVE_MOUNT_T_EMPTY_PATH;
	switch ((enum follow)question->call->follow) {
	case FOLLOW_UNLESS:
	case FOLLOW_IF:
		return argument(question, question->call->flag) & AT_EMPTY_PATH;
	default:
		return false;
	}
}

/* May what lies in one of its paths be found under another name afterwards? */
static bool gives_names(const struct call *call)
{
	return call->shape == SHAPE_RENAME || call->shape == SHAPE_MOUNT || call->shape == SHAPE_MOVE_MOUNT ||
	       call->shape == SHAPE_OPEN_TREE || call->shape == SHAPE_CHROOT;
}

static enum op place_op(const struct place *place, const struct opening *opening)
{
	switch ((enum place_kind)place->kind) {
	case PLACE_OPEN:
		return opening->op;
	case PLACE_READ:
		return OP_READ;
	default:
		return OP_WRITE;
	}
}

static int judge_place(struct question *question, const struct place *place, struct opening opening, bool first)
{
	struct request request = {.op = place_op(place, &opening), .call = question->call->name};
	uint64_t pointer = place->path < 0 ? 0 : argument(question, place->path);
	int dirfd = place->dirfd < 0 ? RESOLVE_HERE : (int)argument(question, place->dirfd);
	struct resolved found;
	char path[PATH_MAX];
	size_t length = 0;
	int error = 0;

	path[0] = '\0';
	if (!pointer && place->dirfd < 0)
		return 0; /* EFAULT, from the kernel itself */
	if (pointer)
		error = memory_string(&question->memory, pointer, path, sizeof(path), &length);
	if (error)
		return answer_unknown(question, &request, error);
	if (pointer && !length && !takes_empty(question, first))
		return 0;
	request.subject = path;
	opening.fresh = place->kind == PLACE_NEW;
	opening.creates |= opening.fresh || place->kind == PLACE_MAKE;
	resolve_caller_path(&question->caller, dirfd, path, follows(question, &opening, first), !opening.creates, &found);
	if (question->call->shape == SHAPE_RENAME)
		question->moves_folder |= found.state != RESOLVE_FOUND || is_folder(&found);
	if (gives_names(question->call) && found.length)
		question->covers |= check_path_below(question->rules->image, found.path, found.length, NULL, 0).denied;
	error = judge_found(question, &opening, &request, &found);
	resolve_close(&found);
	return error;
}

static int judge_places(struct question *question, const struct opening *opening)
{
	const struct call *call = question->call;
	int error = 0;

	if (call->first.kind != PLACE_NONE)
		error = judge_place(question, &call->first, *opening, true);
	if (!error && call->second.kind != PLACE_NONE)
		error = judge_place(question, &call->second, *opening, false);
	return error;
}

/* Where one of the call's paths leads, once more. False: that is nowhere. */
static bool find_place(struct question *question, const struct place *place, bool first, char *path, struct resolved *found)
{
	uint64_t pointer = argument(question, place->path);
	int dirfd = place->dirfd < 0 ? RESOLVE_HERE : (int)argument(question, place->dirfd);
	struct opening opening = {0};
	size_t length;

	found->descriptor = -1;
	if (memory_string(&question->memory, pointer, path, PATH_MAX, &length) || (!length && !takes_empty(question, first)))
		return false;
	resolve_caller_path(&question->caller, dirfd, path, follows(question, &opening, first), false, found);
	return (found->state == RESOLVE_FOUND || found->state == RESOLVE_MISSING) && found->length;
}

/* What lies below `from` comes to lie below `to`; NULL: nobody knows where. */
static int judge_below(struct question *question, const char *subject, const struct resolved *from, const char *to)
{
	struct request request = {OP_WRITE, question->call->name, subject, from->path, from->length};
	struct decision decision =
		check_path_below(question->rules->image, from->path, from->length, to, to ? strlen(to) : 0);

	return decision.denied ? answer_deny(question, &request, &decision) : 0;
}

struct ends {
	struct resolved from, to;
	char subject[PATH_MAX], other[PATH_MAX];
};

static int judge_ends(struct question *question, struct ends *ends)
{
	const struct call *call = question->call;
	bool renames = call->shape == SHAPE_RENAME;
	bool exchanges = renames && !strcmp(call->name, "renameat2") && argument(question, 4) & RENAME_EXCHANGE;
	int error;

	if (!find_place(question, &call->first, true, ends->subject, &ends->from))
		return 0;
	if (call->second.kind == PLACE_NONE)
		return is_folder(&ends->from)
			       ? judge_below(question, ends->subject, &ends->from, call->shape == SHAPE_CHROOT ? "/" : NULL)
			       : 0;
	if (!find_place(question, &call->second, false, ends->other, &ends->to))
		return 0;
	if (!is_folder(&ends->from) && !(exchanges && is_folder(&ends->to)))
		return 0;
	error = judge_below(question, ends->subject, &ends->from, ends->to.path);
	/* what is mounted elsewhere has its first name still */
	return error || !renames ? error : judge_below(question, ends->other, &ends->to, ends->from.path);
}

/* A call that gives a folder another name, when both are allowed: rare, as a rule must lie below one of them. */
static int judge_moved(struct question *question)
{
	struct ends *ends;
	int error;

	if (!question->covers)
		return 0;
	ends = malloc(sizeof(*ends));
	if (!ends)
		return ENOMEM;
	ends->from.descriptor = ends->to.descriptor = -1;
	error = judge_ends(question, ends);
	resolve_close(&ends->from);
	resolve_close(&ends->to);
	free(ends);
	return error;
}

static int judge_open_how(struct question *question)
{
	struct open_how how = {0};
	struct opening opening;
	int error = memory_read(&question->memory, argument(question, 2), &how, sizeof(how.flags));

	if (error) {
		struct request request = {.op = OP_READ, .call = question->call->name};

		return answer_unknown(question, &request, error);
	}
	opening = read_flags(how.flags);
	return judge_places(question, &opening);
}

static int judge_mount(struct question *question)
{
	const struct call *call = question->call;
	uint64_t flags = argument(question, call->flag);
	bool moves = flags & (MS_BIND | MS_MOVE) && !(flags & MS_REMOUNT);
	struct opening opening = {0};
	int error = 0;

	/* the source is a device's or a file system's name, and a path only when a tree is bound or moved */
	if (moves)
		error = judge_place(question, &call->first, opening, true);
	if (!error)
		error = judge_place(question, &call->second, opening, false);
	return error || !moves ? error : judge_moved(question);
}

/* Paths of what gets another name. A tree that is open was judged when it was opened. */
static int judge_moves(struct question *question)
{
	struct opening opening = {0};
	int error = judge_places(question, &opening);

	return error ? error : judge_moved(question);
}

/* ptrace and process_vm_writev, pidfd_getfd: among the session's processes free, on the launcher refused. */
static int judge_intrusion(struct question *question)
{
	pid_t caller = question->caller.tid;
	struct request request = {.op = OP_COVERAGE, .call = question->call->name};
	struct decision decision = DECISION_DENY(RULE_INTEGRITY_GUARD);
	bool hit = question->call->shape == SHAPE_STEAL
			   ? process_pidfd_is_launcher(caller, (int)argument(question, 0))
			   : process_is_launcher(caller, (pid_t)argument(question, question->call->flag));

	return hit ? answer_deny(question, &request, &decision) : 0;
}

static int judge_handle(struct question *question)
{
	struct request request = {.op = OP_READ, .call = question->call->name};
	struct decision decision = DECISION_DENY(RULE_PATH_UNRESOLVED);

	return answer_deny(question, &request, &decision);
}

static int judge_shape(struct question *question)
{
	struct opening opening = {0};

	switch ((enum shape)question->call->shape) {
	case SHAPE_PATHS:
		return judge_places(question, &opening);
	case SHAPE_RENAME:
	case SHAPE_MOVE_MOUNT:
	case SHAPE_OPEN_TREE:
	case SHAPE_CHROOT:
		return judge_moves(question);
	case SHAPE_OPEN:
		opening = read_flags(argument(question, question->call->flag));
		return judge_places(question, &opening);
	case SHAPE_OPEN_HOW:
		return judge_open_how(question);
	case SHAPE_EXEC:
	case SHAPE_EXEC_AT:
		return judge_exec(question);
	case SHAPE_MOUNT:
		return judge_mount(question);
	case SHAPE_MOVES:
	case SHAPE_WALKS:
	case SHAPE_SHARES:
		return 0;
	case SHAPE_HANDLE:
		return judge_handle(question);
	case SHAPE_INTRUDE:
	case SHAPE_STEAL:
		return judge_intrusion(question);
	default:
		return judge_network(question);
	}
}

/* Tells the shims of what goes on and makes what they remember old. */
static void tell_shims(struct question *question)
{
	const struct call *call = question->call;

	if (call->shape == SHAPE_SHARES)
		moves_share(question->rules);
	else if (call->shape == SHAPE_WALKS || question->moves_folder || call_moves(call))
		moves_begin(question->rules, question->notification);
}

int judge_call(struct rules *rules, const struct seccomp_notif *notification)
{
	enum abi abi = call_abi(notification->data.arch, notification->data.nr);
	struct question question;
	int error;

	question.rules = rules;
	question.notification = notification;
	question.call = call_find(abi, notification->data.nr);
	question.wide = abi == ABI_X86_64 || abi == ABI_AARCH64;
	question.moves_folder = question.covers = false;
	question.caller = (struct resolve_caller){.tid = (pid_t)notification->pid};
	if (!question.call)
		return ENOSYS;
	if (call_moves(question.call))
		rules->moved = true;
	question.caller.home = !rules->moved;
	memory_open(&question.memory, question.caller.tid);
	error = judge_shape(&question);
	if (!error)
		tell_shims(&question);
	return error;
}
