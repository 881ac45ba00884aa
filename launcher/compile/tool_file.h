/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_TOOL_FILE_H
#define BRIDLE_COMPILE_TOOL_FILE_H

#include "compile/draft.h"

/*
 * Fills tool_files: device and inode of the files of denied programs in the folders of `path` (a PATH; may be NULL) and the
 * usual ones, so that hard links to them and other names for them are known. A file that is many programs in one (a
 * link to a multi-call binary) is left out: its inode says nothing.
 */
void compile_tool_files(struct drafts *drafts, const char *path);

#endif
