/* SPDX-License-Identifier: MIT */
/* Bounded text, and JSON's way to write it. */
#include "report/text.h"

#include <string.h>

static size_t space(const struct text *text)
{
	return (size_t)(text->end - text->at);
}

/* All or nothing. */
static bool put(struct text *text, const char *bytes, size_t size)
{
	if (text->cut || size > space(text)) {
		text->cut = true;
		return false;
	}
	memcpy(text->at, bytes, size);
	text->at += size;
	return true;
}

void text_bytes(struct text *text, const char *bytes, size_t size)
{
	size_t fits = text->cut ? 0 : space(text);

	if (size > fits) {
		memcpy(text->at, bytes, fits);
		text->at += fits;
		text->cut = true;
		return;
	}
	put(text, bytes, size);
}

void text_add(struct text *text, const char *string)
{
	text_bytes(text, string, strlen(string));
}

void text_digits(struct text *text, uint32_t number, unsigned digits)
{
	char buffer[16];

	for (unsigned i = digits; i; i--) {
		buffer[i - 1] = (char)('0' + number % 10);
		number /= 10;
	}
	put(text, buffer, digits);
}

void text_number(struct text *text, int64_t number)
{
	char buffer[24];
	size_t at = sizeof(buffer);
	uint64_t value = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do {
		buffer[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	if (number < 0)
		buffer[--at] = '-';
	put(text, buffer + at, sizeof(buffer) - at);
}

/* Length of the valid UTF-8 character at bytes, 0 when it is none. */
static size_t character(const uint8_t *bytes, size_t size)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0
				      : bytes[0] < 0xe0       ? 2
				      : bytes[0] < 0xf0       ? 3
				      : bytes[0] < 0xf5       ? 4
							      : 0;
	uint32_t value = bytes[0] & (0xffu >> (length + 1));

	if (length < 2)
		return length;
	if (length > size)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	return length;
}

static bool put_control(struct text *text, uint8_t byte)
{
	static const char short_forms[] = "\bb\ff\nn\rr\tt";
	char escape[6] = {'\\', 'u', '0', '0', '0', '0'};

	for (size_t i = 0; i + 1 < sizeof(short_forms); i += 2) {
		if ((uint8_t)short_forms[i] == byte) {
			escape[1] = short_forms[i + 1];
			return put(text, escape, 2);
		}
	}
	escape[4] = "0123456789abcdef"[byte >> 4];
	escape[5] = "0123456789abcdef"[byte & 0xf];
	return put(text, escape, 6);
}

void text_json(struct text *text, const char *bytes, size_t size)
{
	bool fits = true;

	for (size_t i = 0; i < size && fits;) {
		uint8_t byte = (uint8_t)bytes[i];
		size_t length = character((const uint8_t *)bytes + i, size - i);

		if (length == 0)
			fits = put(text, "\xef\xbf\xbd", 3);
		else if (byte == '"' || byte == '\\')
			fits = put(text, byte == '"' ? "\\\"" : "\\\\", 2);
		else if (byte < 0x20 || byte == 0x7f)
			fits = put_control(text, byte);
		else if (byte == 0xc2 && (uint8_t)bytes[i + 1] < 0xa0) /* to some terminals such as CSI in one byte */
			fits = put_control(text, (uint8_t)bytes[i + 1]);
		else
			fits = put(text, bytes + i, length);
		i += length ? length : 1;
	}
}
