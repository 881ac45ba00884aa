/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_TOOL_FILE_H
#define BRIDLE_COMPILE_TOOL_FILE_H

#include "compile/builder.h"

/*
 * Once the tools are in the builder, fills tool_files and tool_builds: device, inode and build-id of the files of denied
 * programs in the system's folders of programs, so that links to them and copies are known whatever they are called. A
 * file that is many programs in one is left out: what it is says nothing.
 */
void compile_tool_files(struct builder *builder);

#endif
