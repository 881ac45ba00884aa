/* SPDX-License-Identifier: MIT */
/* Changes an agent's settings file: the whole text is planned, shown, and then put in place at once. */
#include "init/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "init/merge.h"

#define KEPT ".before-bridle"

/* A text file, from malloc; NULL with errno set. */
static char *read_text(const char *file)
{
	FILE *stream = fopen(file, "re");
	char *text = NULL;
	size_t room = 0;

	if (!stream)
		return NULL;
	if (getdelim(&text, &room, '\0', stream) < 0) {
		free(text);
		text = ferror(stream) ? NULL : strdup("");
	} else if (fgetc(stream) != EOF) {
		free(text); /* no text goes on behind a NUL */
		text = NULL;
		errno = EILSEQ;
	}
	fclose(stream);
	return text;
}

static char *kept_name(const char *file)
{
	char *name = NULL;

	return asprintf(&name, "%s" KEPT, file) < 0 ? NULL : name;
}

/* As wide as the first line that is moved in. */
static int indent_of(const char *text)
{
	const char *line = text ? strchr(text, '\n') : NULL;
	size_t width = line ? strspn(line + 1, " ") : 0;

	return width >= 1 && width <= 8 ? (int)width : 2;
}

static char *spell(const json_t *settings, const char *like)
{
	char *text = json_dumps(settings, JSON_INDENT(indent_of(like))), *whole = NULL;

	if (text && asprintf(&whole, "%s\n", text) < 0)
		whole = NULL;
	free(text);
	return whole;
}

static json_t *parse(const char *file, const char *text, struct failure *failure)
{
	json_error_t error;
	json_t *settings;

	if (!text || !text[strspn(text, " \t\r\n")])
		return json_object();
	/* Of a key that stands there twice one would be lost. */
	settings = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (json_is_object(settings))
		return settings;
	json_decref(settings);
	failure_set(failure, "%s:%d: %s: it stays as it is; put the hook in by hand", file, settings ? 1 : error.line,
		    settings ? "no JSON object" : error.text);
	return NULL;
}

/* With undo: the text that was there before, where it says the same as what is left now. */
static char *kept_text(const char *file, const json_t *left)
{
	char *name = kept_name(file), *text = name ? read_text(name) : NULL;
	json_t *kept = text ? json_loads(text, 0, NULL) : NULL;

	if (!kept || !json_equal(kept, left)) {
		free(text);
		text = NULL;
	}
	json_decref(kept);
	free(name);
	return text;
}

static bool own_path(char path[PATH_MAX], struct failure *failure)
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length <= 0)
		return failure_set(failure, "cannot tell where bridle is: %s", strerror(errno));
	path[length] = '\0';
	return true;
}

static char *text_after(bool undo, const struct settings_change *change, json_t *settings)
{
	char *text;

	if (!undo)
		return spell(settings, change->before);
	text = kept_text(change->file, settings);
	if (text || !json_object_size(settings))
		return text;
	return spell(settings, change->before);
}

/* Whoever took the right to write away, from root too, did so for a reason. */
static bool is_writable(const char *file, struct failure *failure)
{
	struct stat status;

	if (stat(file, &status) && !lstat(file, &status))
		return failure_set(failure, "%s: it is a link to what is not there, and stays as it is", file);
	if (stat(file, &status) || (status.st_mode & 0222 && !access(file, W_OK)))
		return true;
	return failure_set(failure, "%s: it is read-only and stays as it is; make it writable (chmod u+w), or put the hook in "
				    "by hand",
			   file);
}

void settings_by_hand(enum hook_agent agent)
{
	json_t *settings = json_object();
	char program[PATH_MAX], *text = NULL;
	struct failure failure;

	if (own_path(program, &failure) && merge_add(agent, settings, program, &failure))
		text = spell(settings, NULL);
	if (text)
		printf("This is what it needs beside what it says:\n%s", text);
	free(text);
	json_decref(settings);
}

bool settings_plan(enum hook_agent agent, bool undo, struct settings_change *ret_change, struct failure *failure)
{
	char program[PATH_MAX];
	json_t *settings, *old;
	bool good;

	*ret_change = (struct settings_change){.file = merge_file(agent)};
	ret_change->before = read_text(ret_change->file);
	if (!ret_change->before && errno != ENOENT)
		return failure_set(failure, "%s: %s", ret_change->file, strerror(errno));
	if (!is_writable(ret_change->file, failure))
		return false;
	settings = parse(ret_change->file, ret_change->before, failure);
	old = json_deep_copy(settings);
	good = settings && own_path(program, failure);
	if (good && undo)
		merge_remove(agent, settings);
	else if (good)
		good = merge_add(agent, settings, program, failure);
	if (good && ret_change->before && json_equal(old, settings))
		ret_change->after = strdup(ret_change->before);
	else if (good)
		ret_change->after = text_after(undo, ret_change, settings);
	json_decref(old);
	json_decref(settings);
	return good;
}

/* Prints the lines of text up to end, each behind a mark. */
static void print_lines(const char *text, const char *end, char mark)
{
	while (text < end) {
		size_t length = strcspn(text, "\n");

		printf("%c%.*s\n", mark, (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void settings_show(const struct settings_change *change)
{
	const char *old = change->before ? change->before : "", *new = change->after ? change->after : "";
	const char *old_end = old + strlen(old), *new_end = new + strlen(new);
	size_t same = 0, line = 0, number = 1;

	if (!strcmp(old, new))
		return;
	while (old[same] && old[same] == new[same])
		if (old[same++] == '\n') {
			line = same;
			number++;
		}
	old += line;
	new += line;
	/* Whole lines at the end that are alike. */
	for (const char *a = old_end, *b = new_end; a > old && b > new &&a[-1] == b[-1];) {
		a--;
		b--;
		if ((a == old || a[-1] == '\n') && (b == new || b[-1] == '\n')) {
			old_end = a;
			new_end = b;
		}
	}
	printf("--- %s\n+++ %s\n@@ line %zu @@\n", change->before ? change->file : "/dev/null",
	       change->after ? change->file : "/dev/null", number);
	print_lines(old, old_end, '-');
	print_lines(new, new_end, '+');
}

/* At once: readers see the old text or the new one. Through a link the file behind it is changed. */
static bool put_text(const char *file, const char *text)
{
	char *real = realpath(file, NULL), *next = NULL;
	const char *target = real ? real : file;
	struct stat status;
	bool good = asprintf(&next, "%s.new", target) > 0;
	FILE *stream = good ? fopen(next, "wxe") : NULL;

	good = stream && fputs(text, stream) >= 0;
	if (good && !stat(target, &status))
		good = !fchmod(fileno(stream), status.st_mode & 07777);
	if (stream && fclose(stream))
		good = false;
	good = good && !rename(next, target);
	if (!good && stream)
		unlink(next);
	free(next);
	free(real);
	return good;
}

/* Those above a file, which is named from here. */
static bool make_folders(const char *file)
{
	char *folder = strdup(file);
	bool good = folder != NULL;

	for (char *slash = good ? strchr(folder, '/') : NULL; good && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		good = !mkdir(folder, 0755) || errno == EEXIST;
		*slash = '/';
	}
	free(folder);
	return good;
}

/* Folders that hold nothing else were made for the settings. */
static bool leave_folders(const char *file)
{
	char *folder = strdup(file), *slash;
	bool empty = folder != NULL;

	while (empty && (slash = strrchr(folder, '/')) != NULL) {
		*slash = '\0';
		empty = !rmdir(folder);
	}
	free(folder);
	return true;
}

/* Does bridle spell the old text as it is? */
static bool is_own_spelling(const char *text)
{
	json_t *settings = json_loads(text, 0, NULL);
	char *again = settings ? spell(settings, text) : NULL;
	bool same = again && !strcmp(again, text);

	free(again);
	json_decref(settings);
	return same;
}

bool settings_write(const struct settings_change *change, struct failure *failure)
{
	char *kept = kept_name(change->file);
	bool good = kept && make_folders(change->file), undone = false;

	if (good && change->before && change->after) {
		char *text = read_text(kept);

		undone = text && !strcmp(text, change->after);
		free(text);
		if (!undone && !is_own_spelling(change->before))
			good = put_text(kept, change->before);
	}
	if (good && change->after)
		good = put_text(change->file, change->after);
	else if (good && change->before)
		good = !unlink(change->file) && leave_folders(change->file);
	if (good && undone)
		unlink(kept);
	free(kept);
	return good || failure_set(failure, "%s: %s", change->file, strerror(errno));
}

void settings_free(struct settings_change *change)
{
	free(change->before);
	free(change->after);
}
