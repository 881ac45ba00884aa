/* SPDX-License-Identifier: MIT */
/*
 * Path rules on their way into the image. An entry is spelt as in design section 2: "/a/b", "~/x", "./x", "x/y" (below
 * the root), "${TMPDIR}/x", "${PATH}", a name without a slash (any basename), "**" as a component; *, ? and [ ] inside
 * components. Trees are added as given and, where that differs, with the symlinks of their literal part followed.
 */
#ifndef BRIDLE_COMPILE_PATH_H
#define BRIDLE_COMPILE_PATH_H

#include "compile/builder.h"
#include "compile/compile.h"
#include "failure.h"
#include "policy/policy.h"

/* Fills the sections path_nodes, path_edges and path_globs. */
bool compile_paths(struct builder *builder, const struct policy *policy, const struct compile_context *context,
		   struct failure *failure);

#endif
