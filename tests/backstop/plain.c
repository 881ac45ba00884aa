/* SPDX-License-Identifier: MIT */
/* Opens a file for reading through libc: $OUTSIDE. Prints "opened" or the errno's name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *path = getenv("OUTSIDE");

	if (!path)
		return 2;
	if (open(path, O_RDONLY) >= 0)
		puts("opened");
	else
		puts(errno == EACCES ? "EACCES" : errno == ENOENT ? "ENOENT"
								  : "other");
	return 0;
}
