/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_TOOL_FILE_H
#define BRIDLE_COMPILE_TOOL_FILE_H

#include "compile/builder.h"

/*
 * Once the tools are in the builder, fills tool_files: device and inode of the files of denied programs in the system's
 * folders of programs, so that hard links to them are known whatever they are called. A file that is many programs in
 * one is left out: its inode says nothing.
 */
void compile_tool_files(struct builder *builder);

#endif
