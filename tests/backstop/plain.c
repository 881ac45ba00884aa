/* SPDX-License-Identifier: MIT */
/* Opens a file for reading through libc: plain FILE. Prints "opened" or the errno's name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	if (open(argv[1], O_RDONLY) >= 0)
		puts("opened");
	else
		puts(errno == EACCES ? "EACCES" : errno == ENOENT ? "ENOENT"
								  : "other");
	return 0;
}
