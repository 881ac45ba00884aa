/* SPDX-License-Identifier: MIT */
/* Where spans go: a file, or a collector. */
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/otlp.h"

#define CONNECT_MILLISECONDS 1000L
#define POST_MILLISECONDS 5000L

/*
 * libcurl brings two dozen libraries with it, which every start of bridle would pay for: it is loaded when something is posted
 * and never else.
 */
struct poster {
	void *library;
	CURL *(*init)(void);
	CURLcode (*set)(CURL *, CURLoption, ...);
	CURLcode (*perform)(CURL *);
	CURLcode (*info)(CURL *, CURLINFO, ...);
	const char *(*words)(CURLcode);
	void (*cleanup)(CURL *);
	struct curl_slist *(*append)(struct curl_slist *, const char *);
	void (*free_list)(struct curl_slist *);
	CURL *handle;
	struct curl_slist *headers;
	const char *url;
	struct failure *failure;
};

static bool find(struct poster *poster, const char *name, void *function)
{
	void *found = dlsym(poster->library, name);

	memcpy(function, &found, sizeof(found)); /* ISO C has no cast from an object to a function */
	return found != NULL;
}

static bool load(struct poster *poster)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};

	for (size_t i = 0; i < 3 && poster->library == NULL; i++)
		poster->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (poster->library == NULL)
		return failure_set(poster->failure, "spans cannot be posted: libcurl is not there (apt-get install libcurl4)");
	if (!find(poster, "curl_easy_init", &poster->init) || !find(poster, "curl_easy_setopt", &poster->set) ||
	    !find(poster, "curl_easy_perform", &poster->perform) || !find(poster, "curl_easy_getinfo", &poster->info) ||
	    !find(poster, "curl_easy_strerror", &poster->words) || !find(poster, "curl_easy_cleanup", &poster->cleanup) ||
	    !find(poster, "curl_slist_append", &poster->append) || !find(poster, "curl_slist_free_all", &poster->free_list))
		return failure_set(poster->failure, "spans cannot be posted: this libcurl lacks what is needed");
	return true;
}

/* The collector's answer is of no interest, only its status. */
static size_t ignore(char *bytes, size_t size, size_t count, void *data)
{
	(void)bytes;
	(void)data;
	return size * count;
}

static bool open_poster(struct poster *poster)
{
	if (!load(poster))
		return false;
	poster->handle = poster->init();
	if (poster->handle == NULL)
		return failure_set(poster->failure, "spans cannot be posted: libcurl does not start");
	poster->headers = poster->append(NULL, "Content-Type: application/json");
	poster->set(poster->handle, CURLOPT_URL, poster->url);
	poster->set(poster->handle, CURLOPT_HTTPHEADER, poster->headers);
	poster->set(poster->handle, CURLOPT_WRITEFUNCTION, ignore);
	poster->set(poster->handle, CURLOPT_FOLLOWLOCATION, 0L);
	poster->set(poster->handle, CURLOPT_NOSIGNAL, 1L);
	poster->set(poster->handle, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
	poster->set(poster->handle, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MILLISECONDS);
	poster->set(poster->handle, CURLOPT_TIMEOUT_MS, POST_MILLISECONDS);
	return true;
}

static void close_poster(struct poster *poster)
{
	if (poster->headers != NULL)
		poster->free_list(poster->headers);
	if (poster->handle != NULL)
		poster->cleanup(poster->handle);
	/* the library stays: some of what it brought cannot be unloaded */
}

static bool post(void *data, const char *request, size_t length)
{
	struct poster *poster = data;
	CURLcode code;
	long status = 0;

	poster->set(poster->handle, CURLOPT_POSTFIELDS, request);
	poster->set(poster->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
	code = poster->perform(poster->handle);
	if (code != CURLE_OK)
		return failure_set(poster->failure, "cannot post spans to %s: %s", poster->url, poster->words(code));
	poster->info(poster->handle, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200 || status > 299)
		return failure_set(poster->failure, "cannot post spans to %s: it answered with status %ld", poster->url,
				   status);
	return true;
}

static bool append_line(void *data, const char *request, size_t length)
{
	FILE *out = data;

	return fwrite(request, 1, length, out) == length && fputc('\n', out) != EOF;
}

static bool to_file(const char *name, const struct summary *summary, const char *traceparent, struct failure *failure)
{
	int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	FILE *out = file < 0 ? NULL : fdopen(file, "a");
	bool good;

	if (out == NULL)
		return failure_set(failure, "cannot open %s: %s", name, strerror(errno));
	good = otlp_write(summary, traceparent, append_line, out);
	good = fclose(out) == 0 && good;
	return good || failure_set(failure, "%s: the spans could not be written in full", name);
}

bool otlp_export(const char *target, const struct summary *summary, const char *traceparent, struct failure *failure)
{
	bool secure = strncmp(target, "https://", 8) == 0;
	struct poster poster = {.failure = failure};
	const char *host = target + (secure ? 8 : 7);
	char url[2048];
	bool good;

	if (!secure && strncmp(target, "http://", 7) != 0)
		return to_file(target, summary, traceparent, failure);
	if ((size_t)snprintf(url, sizeof(url), "%s%s", target,
			     strchr(host, '/') == NULL             ? "/v1/traces"
			     : strcmp(strchr(host, '/'), "/") == 0 ? "v1/traces"
								   : "") >= sizeof(url))
		return failure_set(failure, "%s: the address is too long", target);
	poster.url = url;
	failure_set(failure, "out of memory");
	good = open_poster(&poster) && otlp_write(summary, traceparent, post, &poster);
	close_poster(&poster);
	return good;
}
