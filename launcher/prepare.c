/* SPDX-License-Identifier: MIT */
/* From options to a question that can be decided. */
#include "prepare.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backstop/backstop.h"
#include "check/validate.h"
#include "compile/builder.h"
#include "compile/compile.h"
#include "compile/restamp.h"
#include "run/environment.h"
#include "say.h"

/* Stands for the private folder of a session that is not made: no command can name a file in it beforehand. */
#define NO_SESSION_TMP "/tmp/" SESSION_FOLDER_PREFIX "none/" SESSION_TMP

static const char *temporary_folder(const struct policy *policy, const struct session *session)
{
	const char *own = getenv("TMPDIR");

	if (policy_private_tmp(policy))
		return session ? session->tmp : NO_SESSION_TMP;
	return own && own[0] == '/' ? own : "/tmp";
}

/* The terminal that the command is typed at and shows itself on: its device, or 0. */
static uint64_t own_terminal(void)
{
	struct stat status;

	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) && !fstat(STDERR_FILENO, &status) ? status.st_rdev : 0;
}

static struct compile_context context_of(const struct policy *policy, const struct session *session, bool trace,
					 bool enforce)
{
	return (struct compile_context){
		.home = getenv("HOME"),
		.tmpdir = temporary_folder(policy, session),
		.session = session ? session->folder : NULL,
		.audit = trace && !enforce,
		.report_all = trace,
		.content = trace,
		.screen = own_terminal(),
	};
}

/* Its records we made ourselves; the shims look at all of them before they use them. */
static bool validate(const struct policy *policy, const struct image *image, size_t size, struct failure *failure)
{
	return check_validate_basics(image, size) ||
	       failure_set(failure,
			   "the policy '%s' compiles to an image that is not valid: this is a mistake in "
			   "bridle, please report it with the policy",
			   policy_name(policy));
}

static bool compile(const struct policy *policy, const struct compile_context *context, struct image **ret_image,
		    size_t *ret_size, struct failure *failure)
{
	void *image = NULL;

	if (!compile_image(policy, context, &image, ret_size, failure))
		return false;
	*ret_image = image;
	return validate(policy, image, *ret_size, failure);
}

/* The image that stands in the session's file. */
static bool take_mapped(struct session *session, size_t size, struct preparation *preparation, struct failure *failure)
{
	preparation->image = session_map(session, size, failure);
	return preparation->image && validate(preparation->policy, preparation->image, size, failure);
}

/* Into the session's file at once, which saves a copy of it in memory. */
static bool compile_for(struct session *session, const struct compile_context *context, struct preparation *preparation,
			struct failure *failure)
{
	size_t size;

	return compile_to_file(preparation->policy, context, session->file, SESSION_IMAGE_OFFSET, &size, failure) &&
	       take_mapped(session, size, preparation, failure);
}

/* The server's image, made out to this session. */
static bool make_out(const struct ready_policy *ready, struct session *session, struct preparation *preparation,
		     struct failure *failure)
{
	struct image *image = malloc(ready->image_size);
	bool good;

	if (!image)
		return failure_set(failure, "out of memory");
	memcpy(image, ready->image, ready->image_size);
	good = compile_restamp(image, ready->session.folder, session->folder) ||
	       failure_set(failure, "cannot make the policy out to the session '%s'", session->folder);
	good = good && builder_put(&(struct iovec){image, ready->image_size}, 1, session->file, SESSION_IMAGE_OFFSET, failure);
	free(image);
	return good && take_mapped(session, ready->image_size, preparation, failure);
}

/* The image, whose rules depend on the environment that the command gets. */
static bool fill_image(const struct options *options, struct session *session, struct compile_context *context,
		       struct preparation *preparation, struct failure *failure)
{
	const struct ready_policy *ready = options->ready;
	size_t size;

	if (ready && !session) {
		preparation->image = ready->image;
		return true;
	}
	/* What was a folder of this kind when the policy was compiled is one now. */
	if (ready && strlen(session->folder) == strlen(ready->session.folder))
		return make_out(ready, session, preparation, failure);
	context->path = environment_get(preparation->environment, "PATH");
	if (session)
		return compile_for(session, context, preparation, failure);
	if (!compile(preparation->policy, context, &preparation->own_image, &size, failure))
		return false;
	preparation->image = preparation->own_image;
	return true;
}

static bool find_directory(const struct options *options, struct preparation *preparation, struct failure *failure)
{
	if (!options->chdir)
		return true;
	preparation->directory_text = realpath(options->chdir, NULL);
	preparation->directory = preparation->directory_text;
	return preparation->directory || failure_set(failure, "cannot start in '%s' (--chdir): %s", options->chdir,
						     strerror(errno));
}

bool prepare(const struct options *options, struct session *session, bool trace,
	     struct preparation *ret_preparation, struct failure *failure)
{
	struct preparation *preparation = ret_preparation;
	struct compile_context context;

	memset(preparation, 0, sizeof(*preparation));
	preparation->policy_shared = options->ready != NULL;
	preparation->policy = options->ready ? options->ready->policy : policy_load(&options->choice, failure);
	if (!preparation->policy)
		return false;
	if (!options->quiet)
		say_untrusted(preparation->policy);
	if (!find_directory(options, preparation, failure))
		return false;
	context = context_of(preparation->policy, session, trace, options->enforce);
	preparation->environment =
		environment_build(preparation->policy, &context, session, preparation->directory, environ);
	if (!preparation->environment)
		return failure_set(failure, "out of memory");
	if (!fill_image(options, session, &context, preparation, failure))
		return false;
	preparation->question = (struct question){
		.image = preparation->image,
		.policy = preparation->policy,
		.argv = options->argv,
		.argc = options->argc,
		.shell = options->shell,
		.search = environment_get(preparation->environment, "PATH"),
		.home = environment_get(preparation->environment, "HOME"),
		.backstop = policy_backstop(preparation->policy) != POLICY_BACKSTOP_OFF && !backstop_obstacle(),
	};
	return true;
}

bool prepare_directory(const struct options *options, const struct preparation *preparation,
		       struct verdict *ret_verdict, struct failure *failure)
{
	const char *directory = options->chdir ? options->chdir : ".";

	decide_directory(&preparation->question, directory, ret_verdict);
	if (ret_verdict->decision.denied && !(preparation->image->flags & IMAGE_AUDIT))
		return true;
	if (!options->chdir || !chdir(preparation->directory))
		return true;
	return failure_set(failure, "cannot start in '%s' (--chdir): %s", options->chdir, strerror(errno));
}

void say_untrusted(const struct policy *policy)
{
	if (policy_untrusted(policy))
		say("%s is not trusted and not used, the profile tool holds: read it, then say 'bridle policy trust'",
		    policy_untrusted(policy));
}

void preparation_free(struct preparation *preparation)
{
	if (!preparation->policy_shared)
		policy_free(preparation->policy);
	free(preparation->own_image);
	free(preparation->environment);
	free(preparation->directory_text);
	memset(preparation, 0, sizeof(*preparation));
}

bool ready_policy_make(const struct policy_choice *choice, struct ready_policy *ret_ready, struct failure *failure)
{
	struct ready_policy *ready = ret_ready;
	struct compile_context context;
	char library[PATH_MAX], **environment;
	bool good;

	memset(ready, 0, sizeof(*ready));
	ready->session.file = ready->session.fifo = -1;
	ready->policy = policy_load(choice, failure);
	if (!ready->policy || !session_find_library(library, sizeof(library), failure) ||
	    !session_create(&ready->session, getenv("TMPDIR"), getenv(HANDOFF_SESSION), library, failure))
		return false;
	context = context_of(ready->policy, &ready->session, false, false);
	context.screen = 0;
	environment = environment_build(ready->policy, &context, &ready->session, NULL, environ);
	if (!environment)
		return failure_set(failure, "out of memory");
	context.path = environment_get(environment, "PATH");
	good = compile(ready->policy, &context, &ready->image, &ready->image_size, failure);
	free(environment);
	return good;
}

void ready_policy_free(struct ready_policy *ready)
{
	policy_free(ready->policy);
	free(ready->image);
	session_remove(&ready->session);
	memset(ready, 0, sizeof(*ready));
}
