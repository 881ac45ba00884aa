/* SPDX-License-Identifier: MIT */
/* Judges the spelling of single values: globs, paths, addresses. */
#include "policy/values.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/glob.h"

const char *wrong_glob(const char *text)
{
	if (strchr(text, '/'))
		return "must be a name without a slash";
	if (!check_glob_is_whole(text))
		return "is not a whole pattern: a \"[\" is not closed, or a \"\\\" ends it";
	return NULL;
}

const char *wrong_path(const char *text)
{
	const char *slash, *brace = strstr(text, "${");

	if (brace && (brace != text || (strcmp(text, "${PATH}") && strncmp(text, "${TMPDIR}", 9))))
		return "may use ${TMPDIR} at its start, or be \"${PATH}\"; there are no other variables";
	if (!strncmp(text, "${TMPDIR}", 9) && text[9] && text[9] != '/')
		return "needs a slash after ${TMPDIR}";
	if (text[0] == '~' && text[1] && text[1] != '/')
		return "may start with \"~/\" for the own home, but not name another user's";
	if (!check_glob_is_whole(text))
		return "is not a whole pattern: a \"[\" is not closed, or a \"\\\" ends it";
	for (slash = strchr(text, '['); slash; slash = strchr(slash + 1, '[')) {
		const char *end = strchr(slash, ']');

		if (end && memchr(slash, '/', (size_t)(end - slash)))
			return "has a slash inside [ ]";
	}
	for (slash = strstr(text, "**"); slash; slash = strstr(slash + 2, "**"))
		if ((slash != text && slash[-1] != '/') || (slash[2] && slash[2] != '/'))
			return "has \"**\" beside other text: it must be a whole component, as in **/a";
	return NULL;
}

bool path_is_basename(const char *text)
{
	return !strchr(text, '/') && *text != '~' && strncmp(text, "${", 2) && strcmp(text, ".") &&
	       strcmp(text, "..") && strcmp(text, "**");
}

const char *wrong_single_path(const char *text)
{
	if (!strcmp(text, "${PATH}") || !strcmp(text, "**"))
		return "names more than one place";
	if (path_is_basename(text))
		return "must be a path, as in \"/etc\" or \"./x\": a bare name stands for no place here";
	return wrong_path(text);
}

const char *wrong_network(const char *text)
{
	struct network_entry entry;

	return network_read(text, &entry);
}

const char *wrong_sha256(const char *text)
{
	size_t length = strspn(text, "0123456789abcdefABCDEF");

	return length == 64 && !text[length] ? NULL : "must be 64 hexadecimal digits, as sha256sum prints them";
}

const char *wrong_regex(const char *text)
{
	regex_t compiled;

	if (regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB))
		return "is not a POSIX extended regular expression";
	regfree(&compiled);
	return NULL;
}

const char *wrong_variable(const char *text)
{
	return *text && !strchr(text, '=') ? NULL : "must be a variable's name: not empty, without \"=\"";
}

static bool read_number(const char *text, const char *end, long most, long *ret_number)
{
	long number = 0;

	if (text == end || end - text > 5)
		return false;
	for (; text < end; text++) {
		if (*text < '0' || *text > '9')
			return false;
		number = number * 10 + (*text - '0');
	}
	*ret_number = number;
	return number <= most;
}

/* PORT or PORT-PORT, up to the end of the text; "*" is any. */
static const char *read_ports(const char *text, struct network_entry *entry)
{
	const char *end = text + strlen(text), *dash = strchr(text, '-');
	long low, high;

	if (!strcmp(text, "*"))
		return NULL;
	if (!read_number(text, dash ? dash : end, 65535, &low))
		return "has a bad port: 0 to 65535, or a range as in 8000-8999";
	high = low;
	if (dash && !read_number(dash + 1, end, 65535, &high))
		return "has a bad port: 0 to 65535, or a range as in 8000-8999";
	if (high < low)
		return "has a range of ports that ends before it starts";
	entry->port_low = (uint16_t)low;
	entry->port_high = (uint16_t)high;
	return NULL;
}

/* ADDRESS[/BITS] in text[0..length). */
static const char *read_address(const char *text, size_t length, int version, struct network_entry *entry)
{
	char address[64];
	const char *slash = memchr(text, '/', length);
	size_t bare = slash ? (size_t)(slash - text) : length;
	long bits = version == 4 ? 32 : 128;

	if (bare >= sizeof(address))
		return "is not an address";
	memcpy(address, text, bare);
	address[bare] = '\0';
	memset(entry->bytes, 0, sizeof(entry->bytes));
	if (inet_pton(version == 4 ? AF_INET : AF_INET6, address, entry->bytes) != 1)
		return version == 4 ? "is not an IPv4 address" : "is not an IPv6 address";
	if (slash && !read_number(slash + 1, text + length, bits, &bits))
		return version == 4 ? "has a bad prefix length: 0 to 32 bits"
				    : "has a bad prefix length: 0 to 128 bits";
	entry->version = (uint8_t)version;
	entry->prefix = (uint8_t)bits;
	return NULL;
}

static const char *read_host(const char *text, size_t length, struct network_entry *entry)
{
	if (!length || length >= sizeof(entry->host))
		return "is not an address or a host name";
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (!isalnum(byte) && !strchr("-._*?[]!", byte))
			return "is not an address or a host name";
		entry->host[i] = (char)tolower(byte);
	}
	entry->host[length] = '\0';
	if (length > 1 && entry->host[length - 1] == '.')
		entry->host[length - 1] = '\0';
	return wrong_glob(entry->host);
}

/* Only digits, dots and a prefix: meant as an IPv4 address, so a typing error in it must not become a host name. */
static bool looks_like_ipv4(const char *text, size_t length)
{
	return strspn(text, "0123456789./") >= length || memchr(text, '/', length);
}

const char *network_read(const char *text, struct network_entry *ret_entry)
{
	struct network_entry entry = {.port_high = 65535};
	const char *wrong, *end = text + strlen(text), *colon = strchr(text, ':');

	if (*text == '[' && colon) {
		const char *close = strchr(text, ']');
		const char *after = close ? close + 1 : end;

		/* Both [::1]/128 and [::1/128] are written. */
		if (!close)
			return "has a \"[\" that is not closed";
		colon = strchr(after, ':');
		if (*after && *after != ':' && *after != '/')
			return "has something other than a port after \"]\"";
		if (*after == '/') {
			char joined[128];
			size_t bits = (size_t)((colon ? colon : end) - after);

			if ((size_t)(close - text - 1) + bits >= sizeof(joined))
				return "is not an IPv6 address";
			snprintf(joined, sizeof(joined), "%.*s%.*s", (int)(close - text - 1), text + 1, (int)bits,
				 after);
			wrong = read_address(joined, strlen(joined), 6, &entry);
		} else {
			wrong = read_address(text + 1, (size_t)(close - text - 1), 6, &entry);
		}
	} else if (colon && strchr(colon + 1, ':')) {
		colon = NULL; /* a bare IPv6 address has no room for a port */
		wrong = read_address(text, strlen(text), 6, &entry);
	} else {
		size_t length = (size_t)((colon ? colon : end) - text);

		wrong = looks_like_ipv4(text, length) ? read_address(text, length, 4, &entry)
						      : read_host(text, length, &entry);
	}
	if (!wrong && colon)
		wrong = read_ports(colon + 1, &entry);
	if (!wrong)
		*ret_entry = entry;
	return wrong;
}
