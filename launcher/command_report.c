/* SPDX-License-Identifier: MIT */
/* `bridle report`: reads report lines, writes a summary. */
#include "command_report.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/diff.h"
#include "report/format.h"
#include "report/live.h"
#include "report/load.h"
#include "report/otlp.h"

#define STATUS_NEW 1 /* diff: there is something new */
#define STATUS_BAD 2

enum form {
	FORM_TEXT,
	FORM_JSON,
	FORM_HTML,
	FORM_SARIF,
	FORM_OTLP,
	FORM_COUNT
};

struct options {
	bool wanted[FORM_COUNT];
	const char *files[FORM_COUNT]; /* where it goes; NULL: standard output */
	bool help;
};

static const char usage[] =
	"usage: bridle report [OPTION]... [FILE]...\n"
	"       bridle report diff A B\n"
	"Summarise report lines (bridle run --report FILE); without FILE, or for -, standard input.\n"
	"\n"
	"  -j, --json         one JSON document (examples/report.schema.json)\n"
	"      --html FILE    one self-contained page\n"
	"      --sarif FILE   SARIF 2.1.0, for code-scanning tools\n"
	"      --otlp TARGET  OpenTelemetry spans: lines of OTLP/JSON appended to a file, or posted to\n"
	"                     http://HOST:4318\n"
	"  -h, --help         this text\n"
	"\n"
	"diff shows what B has and A has not: programs, files, destinations, violations; exit status 1\n"
	"when there is anything.\n";

static int complain(const char *words, const char *detail)
{
	fprintf(stderr, "bridle: %s%s\n", words, detail);
	return STATUS_BAD;
}

static bool parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{"json", no_argument, NULL, 'j'},
		{"html", required_argument, NULL, 'H'},
		{"sarif", required_argument, NULL, 'S'},
		{"otlp", required_argument, NULL, 'O'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int letter;

	*options = (struct options){0};
	optind = 0;
	while ((letter = getopt_long(argc, argv, "jh", longs, NULL)) != -1) {
		enum form form = letter == 'j' ? FORM_JSON : letter == 'H' ? FORM_HTML
						     : letter == 'S'       ? FORM_SARIF
									   : FORM_OTLP;

		if (letter == '?')
			return false;
		if (letter == 'h') {
			options->help = true;
			continue;
		}
		options->wanted[form] = true;
		options->files[form] = letter == 'j' ? NULL : optarg;
	}
	options->wanted[FORM_TEXT] = !options->wanted[FORM_JSON] && !options->wanted[FORM_HTML] &&
				     !options->wanted[FORM_SARIF] && !options->wanted[FORM_OTLP];
	return true;
}

static void write_text(FILE *out, const struct format_input *input)
{
	struct format_input here = *input;

	here.columns = live_columns(fileno(out));
	format_text(out, &here);
}

static bool write_form(enum form form, FILE *out, const struct format_input *input)
{
	switch (form) {
	case FORM_JSON:
		return format_json(out, input);
	case FORM_HTML:
		format_html(out, input);
		return true;
	case FORM_SARIF:
		return format_sarif(out, input);
	default:
		write_text(out, input);
		return true;
	}
}

/* A report may tell what is nobody else's business: new files are the owner's alone. */
static FILE *open_output(const char *name)
{
	int descriptor;

	if (name == NULL || strcmp(name, "-") == 0)
		return stdout;
	descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

static int export_spans(const char *target, const struct summary *summary)
{
	struct failure failure;

	if (otlp_export(target, summary, getenv("TRACEPARENT"), &failure))
		return 0;
	return complain(failure.text, "");
}

static int write_one(enum form form, const char *name, const struct format_input *input)
{
	FILE *out;
	bool good;

	if (form == FORM_OTLP)
		return export_spans(name, input->summary);
	out = open_output(name);

	if (out == NULL) {
		fprintf(stderr, "bridle: cannot write %s: %s\n", name, strerror(errno));
		return STATUS_BAD;
	}
	good = write_form(form, out, input);
	good = fflush(out) == 0 && !ferror(out) && good;
	if (out != stdout)
		good = fclose(out) == 0 && good;
	if (good)
		return 0;
	/* main tells what is wrong with standard output. */
	return out == stdout ? STATUS_BAD : complain("the report could not be written in full to ", name);
}

static int compare(const char *before, const char *after, bool json)
{
	struct load loads[2] = {0};
	struct diff diff = {0};
	int status = STATUS_BAD;
	bool good;

	if (load_open(&loads[0]) && load_open(&loads[1]) &&
	    load_files(&loads[0], (char *const[]){(char *)(uintptr_t)before}, 1) &&
	    load_files(&loads[1], (char *const[]){(char *)(uintptr_t)after}, 1) &&
	    diff_open(&diff, loads[0].summary, loads[1].summary)) {
		if (json)
			good = diff_json(stdout, &diff);
		else
			good = (diff_text(stdout, &diff), true);
		status = diff_is_empty(&diff) ? 0 : STATUS_NEW;
		if (!good)
			status = complain("out of memory", "");
	}
	diff_close(&diff);
	load_close(&loads[0]);
	load_close(&loads[1]);
	return status;
}

/* `bridle report diff [--json] A B`; argv[0] is "diff". */
static int report_diff(int argc, char **argv)
{
	struct options options;

	if (!parse(argc, argv, &options))
		return STATUS_BAD;
	if (options.help) {
		fputs(usage, stdout);
		return fflush(stdout) == 0 ? 0 : STATUS_BAD;
	}
	if (options.wanted[FORM_HTML] || options.wanted[FORM_SARIF] || options.wanted[FORM_OTLP])
		return complain("diff writes text or --json; see bridle report --help", "");
	if (argc - optind != 2)
		return complain("diff takes two report files: bridle report diff BEFORE AFTER", "");
	return compare(argv[optind], argv[optind + 1], options.wanted[FORM_JSON]);
}

int command_report(int argc, char **argv)
{
	struct options options;
	struct load load;
	int status = 0;

	if (argc > 1 && strcmp(argv[1], "diff") == 0)
		return report_diff(argc - 1, argv + 1);
	if (!parse(argc, argv, &options))
		return STATUS_BAD;
	if (options.help) {
		fputs(usage, stdout);
		return fflush(stdout) == 0 ? 0 : STATUS_BAD;
	}
	if (!load_open(&load))
		return complain("out of memory", "");
	if (!load_files(&load, argv + optind, (size_t)(argc - optind)))
		status = STATUS_BAD;
	for (int form = 0; form < FORM_COUNT; form++)
		if (options.wanted[form] &&
		    write_one((enum form)form, options.files[form], &load.input) != 0)
			status = STATUS_BAD;
	load_close(&load);
	return status;
}
