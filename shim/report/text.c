/* SPDX-License-Identifier: MIT */
/* Bounded text, and JSON's way to write it. */
#include "report/text.h"

#include <endian.h>
#include <string.h>

static size_t space(const struct text *text)
{
	return (size_t)(text->end - text->at);
}

/* All or nothing. */
static inline bool put(struct text *text, const char *bytes, size_t size)
{
	if (text->cut || size > space(text)) {
		text->cut = true;
		return false;
	}
	memcpy(text->at, bytes, size);
	text->at += size;
	return true;
}

void text_part(struct text *text, const char *bytes, size_t size)
{
	size_t fits = text->cut ? 0 : space(text);

	fits = size < fits ? size : fits;
	memcpy(text->at, bytes, fits);
	text->at += fits;
	text->cut = text->cut || size > fits;
}

#define NUMBER_MOST 24 /* bytes */

/* Two digits cost one division. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

void text_digits(struct text *text, uint32_t number, unsigned digits)
{
	char buffer[16];
	unsigned at = digits;

	for (; at > 1; number /= 100) {
		at -= 2;
		memcpy(buffer + at, pairs + 2 * (number % 100), 2);
	}
	if (at)
		buffer[0] = (char)('0' + number % 10);
	put(text, buffer, digits);
}

void text_number(struct text *text, int64_t number)
{
	char buffer[2 * NUMBER_MOST];
	size_t at = NUMBER_MOST;
	uint64_t value = number < 0 ? -(uint64_t)number : (uint64_t)number;

	for (; value >= 10; value /= 100) {
		at -= 2;
		memcpy(buffer + at, pairs + 2 * (value % 100), 2);
	}
	if (value || at == NUMBER_MOST)
		buffer[--at] = (char)('0' + value);
	if (number < 0)
		buffer[--at] = '-';
	if (text->cut || space(text) < NUMBER_MOST) {
		put(text, buffer + at, NUMBER_MOST - at);
		return;
	}
	memcpy(text->at, buffer + at, NUMBER_MOST); /* what follows the number is overwritten */
	text->at += NUMBER_MOST - at;
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

/*
 * Not 0 when some byte of word is none that JSON takes as it is; its lowest bit is the top one of the first such byte: what
 * is carried or borrowed only changes bytes behind it.
 */
static inline uint64_t odd_bytes(uint64_t word)
{
	const uint64_t one = 0x0101010101010101u, top = 0x8080808080808080u;
	uint64_t quote = word ^ one * '"', backslash = word ^ one * '\\';

	return (word | (word + one) | (word - one * 0x20) | (quote - one) | (backslash - one)) & top;
}

/* Sixteen bytes, compared at once: each becomes 0 or -1. */
typedef int8_t block __attribute__((vector_size(16)));

/* How many bytes stand in front of the first odd one: those above 0x7f are negative. */
static inline size_t plain_of_block(block bytes)
{
	block odd = (bytes < 0x20) | (bytes == 0x7f) | (bytes == '"') | (bytes == '\\');
	uint64_t halves[2];

	memcpy(halves, &odd, sizeof(halves));
	if (!(halves[0] | halves[1]))
		return sizeof(block);
	return halves[0] ? (size_t)__builtin_ctzll(le64toh(halves[0])) / 8
			 : sizeof(uint64_t) + (size_t)__builtin_ctzll(le64toh(halves[1])) / 8;
}

/* Up to eight bytes from `at` on, the first one lowest. */
static inline uint64_t load(const char *bytes, size_t size, size_t at)
{
	uint64_t word = 0;

	if (size - at >= sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		return le64toh(word);
	}
	if (size >= sizeof(word)) {
		memcpy(&word, bytes + size - sizeof(word), sizeof(word));
		return le64toh(word) >> 8 * (sizeof(word) - (size - at));
	}
	for (size_t i = at; i < size; i++)
		word |= (uint64_t)(uint8_t)bytes[i] << 8 * (i - at);
	return word;
}

/* Result: how many of them were plain and have been written. */
static inline size_t put_plain(struct text *text, uint64_t word, size_t left)
{
	uint64_t odd = odd_bytes(word);
	size_t plain = odd ? (size_t)__builtin_ctzll(odd) / 8 : sizeof(word);

	if (text->cut || space(text) < sizeof(word))
		return 0;
	plain = plain < left ? plain : left;
	word = htole64(word);
	memcpy(text->at, &word, sizeof(word));
	text->at += plain;
	return plain;
}

/* Whole blocks, the last one up to what is not plain. Result: how many bytes. */
static inline size_t put_plain_blocks(struct text *text, const char *bytes, size_t size)
{
	size_t most = text->cut ? 0 : space(text), at = 0, plain = sizeof(block);
	char *to = text->at;
	block whole;

	most = most < size ? most : size;
	while (plain == sizeof(block) && most - at >= sizeof(block)) {
		memcpy(&whole, bytes + at, sizeof(whole));
		memcpy(to + at, &whole, sizeof(whole));
		plain = plain_of_block(whole);
		at += plain;
	}
	text->at = to + at;
	return at;
}

static bool put_character(struct text *text, const uint8_t *bytes, size_t length)
{
	if (length == 0)
		return put(text, "\xef\xbf\xbd", 3);
	if (*bytes == '"' || *bytes == '\\')
		return put(text, *bytes == '"' ? "\\\"" : "\\\\", 2);
	if (*bytes < 0x20 || *bytes == 0x7f)
		return put_control(text, *bytes);
	if (*bytes == 0xc2 && bytes[1] < 0xa0) /* to some terminals such as CSI in one byte */
		return put_control(text, bytes[1]);
	return put(text, (const char *)bytes, length);
}

void text_json(struct text *text, const char *bytes, size_t size)
{
	bool fits = true;

	for (size_t i = put_plain_blocks(text, bytes, size); i < size && fits;) {
		size_t length = put_plain(text, load(bytes, size, i), size - i);

		if (length) {
			i += length;
			continue;
		}
		length = character((const uint8_t *)bytes + i, size - i);
		fits = put_character(text, (const uint8_t *)bytes + i, length);
		i += length ? length : 1;
		i += put_plain_blocks(text, bytes + i, size - i);
	}
}
