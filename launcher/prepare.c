/* SPDX-License-Identifier: MIT */
/* From options to a question that can be decided. */
#include "prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/validate.h"
#include "compile/compile.h"
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
		.own_terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO),
	};
}

static bool compile(const struct compile_context *context, struct preparation *preparation, struct failure *failure)
{
	void *image = NULL;

	if (!compile_image(preparation->policy, context, &image, &preparation->image_size, failure))
		return false;
	preparation->image = image;
	if (!check_validate(image, preparation->image_size))
		return failure_set(failure,
				   "the policy '%s' compiles to an image that is not valid: this is a mistake in "
				   "bridle, please report it with the policy",
				   policy_name(preparation->policy));
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

bool prepare(const struct options *options, const struct session *session, bool trace,
	     struct preparation *ret_preparation, struct failure *failure)
{
	struct preparation *preparation = ret_preparation;
	struct compile_context context;

	memset(preparation, 0, sizeof(*preparation));
	preparation->policy = policy_load(&options->choice, failure);
	if (!preparation->policy)
		return false;
	if (policy_untrusted(preparation->policy) && !options->quiet)
		say("%s is not trusted and not used, the profile tool holds: read it, then say 'bridle policy trust'",
		    policy_untrusted(preparation->policy));
	if (!find_directory(options, preparation, failure))
		return false;
	context = context_of(preparation->policy, session, trace, options->enforce);
	preparation->environment =
		environment_build(preparation->policy, &context, session, preparation->directory, environ);
	if (!preparation->environment)
		return failure_set(failure, "out of memory");
	context.path = environment_get(preparation->environment, "PATH");
	if (!compile(&context, preparation, failure))
		return false;
	preparation->question = (struct question){
		.image = preparation->image,
		.policy = preparation->policy,
		.argv = options->argv,
		.argc = options->argc,
		.shell = options->shell,
		.search = environment_get(preparation->environment, "PATH"),
		.home = environment_get(preparation->environment, "HOME"),
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

void preparation_free(struct preparation *preparation)
{
	policy_free(preparation->policy);
	free(preparation->image);
	free(preparation->environment);
	free(preparation->directory_text);
	memset(preparation, 0, sizeof(*preparation));
}
