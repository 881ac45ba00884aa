/* SPDX-License-Identifier: MIT */
/* Finds the build-id in the head of an ELF file. Every offset in it is somebody else's word. */
#include "check/build.h"

#include <elf.h>
#include <string.h>

#define SHORTEST_ID 8

static const char owner[] = "GNU";

/* A note segment's bytes, which need not be aligned. */
static bool id_in_notes(const char *notes, size_t size, uint8_t ret_id[IMAGE_BUILD_SIZE])
{
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		size_t name, value;

		memcpy(&note, notes, sizeof(note));
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		value = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		notes += sizeof(note);
		size -= sizeof(note);
		if (name > size || value > size - name)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
		    !memcmp(notes, owner, sizeof(owner)) && note.n_descsz >= SHORTEST_ID) {
			memset(ret_id, 0, IMAGE_BUILD_SIZE);
			memcpy(ret_id, notes + name,
			       note.n_descsz < IMAGE_BUILD_SIZE ? note.n_descsz : IMAGE_BUILD_SIZE);
			return true;
		}
		notes += name + value;
		size -= name + value;
	}
	return false;
}

bool check_build_id(const void *head, size_t size, uint8_t ret_id[IMAGE_BUILD_SIZE])
{
	const char *bytes = head;
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (size < sizeof(header) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&header, bytes, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_phentsize != sizeof(segment) || header.e_phoff > size)
		return false;
	for (size_t i = 0; i < header.e_phnum && (i + 1) * sizeof(segment) <= size - header.e_phoff; i++) {
		memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type != PT_NOTE || segment.p_offset > size ||
		    segment.p_filesz > size - segment.p_offset)
			continue;
		if (id_in_notes(bytes + segment.p_offset, segment.p_filesz, ret_id))
			return true;
	}
	return false;
}
