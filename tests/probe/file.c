/* SPDX-License-Identifier: MIT */
/* Names that come, go and move, and what files carry. */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "probe.h"

#define ATTRIBUTE "user.bridle"

static struct outcome call_unlink(char **a)
{
	return from_int(unlink(a[0]));
}

static struct outcome call_unlinkat(char **a)
{
	return from_int(unlinkat(folder(a[0]), a[1], 0));
}

static struct outcome call_remove(char **a)
{
	return from_int(remove(a[0]));
}

static struct outcome call_rmdir(char **a)
{
	return from_int(rmdir(a[0]));
}

static struct outcome call_rename(char **a)
{
	return from_int(rename(a[0], a[1]));
}

static struct outcome call_renameat(char **a)
{
	return from_int(renameat(folder(a[0]), a[1], folder(a[2]), a[3]));
}

static struct outcome call_renameat2(char **a)
{
	return from_int(renameat2(folder(a[0]), a[1], folder(a[2]), a[3], RENAME_NOREPLACE));
}

static struct outcome call_link(char **a)
{
	return from_int(link(a[0], a[1]));
}

static struct outcome call_linkat(char **a)
{
	return from_int(linkat(folder(a[0]), a[1], folder(a[2]), a[3], 0));
}

static struct outcome call_symlink(char **a)
{
	return from_int(symlink(a[0], a[1]));
}

static struct outcome call_symlinkat(char **a)
{
	return from_int(symlinkat(a[0], folder(a[1]), a[2]));
}

static struct outcome call_mkdir(char **a)
{
	return from_int(mkdir(a[0], 0750));
}

static struct outcome call_mkdirat(char **a)
{
	return from_int(mkdirat(folder(a[0]), a[1], 0750));
}

static struct outcome call_mkfifo(char **a)
{
	return from_int(mkfifo(a[0], 0640));
}

static struct outcome call_mkfifoat(char **a)
{
	return from_int(mkfifoat(folder(a[0]), a[1], 0640));
}

static struct outcome call_mknod(char **a)
{
	return from_int(mknod(a[0], S_IFREG | 0640, 0));
}

static struct outcome call_mknodat(char **a)
{
	return from_int(mknodat(folder(a[0]), a[1], S_IFREG | 0640, 0));
}

static struct outcome call___xmknod(char **a)
{
	dev_t device = 0;

	return from_int(((int (*)(int, const char *, mode_t, dev_t *))find("__xmknod"))(0, a[0], S_IFREG | 0640,
											&device));
}

static struct outcome call___xmknodat(char **a)
{
	dev_t device = 0;

	return from_int(((int (*)(int, int, const char *, mode_t, dev_t *))find("__xmknodat"))(
		0, folder(a[0]), a[1], S_IFREG | 0640, &device));
}

static struct outcome call_truncate(char **a)
{
	return from_int(truncate(a[0], 3));
}

static struct outcome call_truncate64(char **a)
{
	return from_int(truncate64(a[0], 3));
}

static struct outcome call_chmod(char **a)
{
	return from_int(chmod(a[0], 0640));
}

static struct outcome call_lchmod(char **a)
{
	return from_int(lchmod(a[0], 0640));
}

static struct outcome call_fchmod(char **a)
{
	return from_int(fchmod(open(a[0], O_RDONLY), 0640));
}

static struct outcome call_fchmodat(char **a)
{
	return from_int(fchmodat(folder(a[0]), a[1], 0640, 0));
}

static struct outcome call_chown(char **a)
{
	return from_int(chown(a[0], (uid_t)-1, (gid_t)-1));
}

static struct outcome call_lchown(char **a)
{
	return from_int(lchown(a[0], (uid_t)-1, (gid_t)-1));
}

static struct outcome call_fchown(char **a)
{
	return from_int(fchown(open(a[0], O_RDONLY), (uid_t)-1, (gid_t)-1));
}

static struct outcome call_fchownat(char **a)
{
	return from_int(fchownat(folder(a[0]), a[1], (uid_t)-1, (gid_t)-1, AT_SYMLINK_NOFOLLOW));
}

static struct outcome call_utime(char **a)
{
	return from_int(utime(a[0], NULL));
}

static struct outcome call_utimes(char **a)
{
	return from_int(utimes(a[0], NULL));
}

static struct outcome call_lutimes(char **a)
{
	return from_int(lutimes(a[0], NULL));
}

static struct outcome call_futimes(char **a)
{
	return from_int(futimes(open(a[0], O_RDONLY), NULL));
}

static struct outcome call_futimens(char **a)
{
	return from_int(futimens(open(a[0], O_RDONLY), NULL));
}

static struct outcome call_futimesat(char **a)
{
	return from_int(futimesat(folder(a[0]), a[1], NULL));
}

static struct outcome call_utimensat(char **a)
{
	return from_int(utimensat(folder(a[0]), a[1], NULL, 0));
}

static struct outcome call_setxattr(char **a)
{
	return from_int(setxattr(a[0], ATTRIBUTE, "x", 1, 0));
}

static struct outcome call_lsetxattr(char **a)
{
	return from_int(lsetxattr(a[0], ATTRIBUTE, "x", 1, 0));
}

static struct outcome call_fsetxattr(char **a)
{
	return from_int(fsetxattr(open(a[0], O_RDONLY), ATTRIBUTE, "x", 1, 0));
}

static struct outcome call_removexattr(char **a)
{
	return from_int(removexattr(a[0], ATTRIBUTE));
}

static struct outcome call_lremovexattr(char **a)
{
	return from_int(lremovexattr(a[0], ATTRIBUTE));
}

static struct outcome call_fremovexattr(char **a)
{
	return from_int(fremovexattr(open(a[0], O_RDONLY), ATTRIBUTE));
}

const struct verb file_verbs[] = {
	{"unlink", 1, call_unlink},
	{"unlinkat", 2, call_unlinkat},
	{"remove", 1, call_remove},
	{"rmdir", 1, call_rmdir},
	{"rename", 2, call_rename},
	{"renameat", 4, call_renameat},
	{"renameat2", 4, call_renameat2},
	{"link", 2, call_link},
	{"linkat", 4, call_linkat},
	{"symlink", 2, call_symlink},
	{"symlinkat", 3, call_symlinkat},
	{"mkdir", 1, call_mkdir},
	{"mkdirat", 2, call_mkdirat},
	{"mkfifo", 1, call_mkfifo},
	{"mkfifoat", 2, call_mkfifoat},
	{"mknod", 1, call_mknod},
	{"mknodat", 2, call_mknodat},
	{"__xmknod", 1, call___xmknod},
	{"__xmknodat", 2, call___xmknodat},
	{"truncate", 1, call_truncate},
	{"truncate64", 1, call_truncate64},
	{NULL, 0, NULL},
};

const struct verb meta_verbs[] = {
	{"chmod", 1, call_chmod},
	{"lchmod", 1, call_lchmod},
	{"fchmod", 1, call_fchmod},
	{"fchmodat", 2, call_fchmodat},
	{"chown", 1, call_chown},
	{"lchown", 1, call_lchown},
	{"fchown", 1, call_fchown},
	{"fchownat", 2, call_fchownat},
	{"utime", 1, call_utime},
	{"utimes", 1, call_utimes},
	{"lutimes", 1, call_lutimes},
	{"futimes", 1, call_futimes},
	{"futimens", 1, call_futimens},
	{"futimesat", 2, call_futimesat},
	{"utimensat", 2, call_utimensat},
	{"setxattr", 1, call_setxattr},
	{"lsetxattr", 1, call_lsetxattr},
	{"fsetxattr", 1, call_fsetxattr},
	{"removexattr", 1, call_removexattr},
	{"lremovexattr", 1, call_lremovexattr},
	{"fremovexattr", 1, call_fremovexattr},
	{NULL, 0, NULL},
};
