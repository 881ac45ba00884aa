/* SPDX-License-Identifier: MIT */
/* The exec family with its arguments in a list: counted, put into a vector, and on. */
#include <stdarg.h>
#include <unistd.h>

#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

/* Arguments from the first on, the NULL at the end not counted. By a pointer: aarch64 hands a va_list itself over as a copy. */
static size_t count(const char *first, va_list *arguments)
{
	size_t argc = 0;

	for (const char *at = first; at; at = va_arg(*arguments, const char *))
		argc++;
	return argc;
}

/* Takes the same list again, its NULL included. */
static void collect(char **argv, size_t argc, const char *first, va_list *arguments)
{
	argv[0] = (char *)(uintptr_t)first;
	for (size_t i = 1; i <= argc; i++)
		argv[i] = va_arg(*arguments, char *);
}

EXPORT int execl(const char *path, const char *first, ...)
{
	va_list arguments;

	va_start(arguments, first);
	size_t argc = count(first, &arguments);
	va_end(arguments);
	char *argv[argc + 1];
	va_start(arguments, first);
	collect(argv, argc, first, &arguments);
	va_end(arguments);
	return wrap_execve("execl", path, argv, wrap_environ());
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	va_list arguments;

	va_start(arguments, first);
	size_t argc = count(first, &arguments);
	va_end(arguments);
	char *argv[argc + 1];
	va_start(arguments, first);
	collect(argv, argc, first, &arguments);
	va_end(arguments);
	return wrap_execvpe("execlp", file, argv, wrap_environ());
}

EXPORT int execle(const char *path, const char *first, ...)
{
	va_list arguments;

	va_start(arguments, first);
	size_t argc = count(first, &arguments);
	va_end(arguments);
	char *argv[argc + 1];
	va_start(arguments, first);
	collect(argv, argc, first, &arguments);
	char *const *envp = va_arg(arguments, char *const *);
	va_end(arguments);
	return wrap_execve("execle", path, argv, envp);
}
