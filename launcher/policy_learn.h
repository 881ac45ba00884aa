/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_LEARN_H
#define BRIDLE_POLICY_LEARN_H

/*
 * `bridle policy learn`: argv[0] is "learn". Prints a policy that would have allowed what reports tell, or adds to one.
 * Returns the exit status: 0 done, 125 it could not be done.
 */
int policy_learn(int argc, char **argv);

#endif
