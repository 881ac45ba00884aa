/* SPDX-License-Identifier: MIT */
/* bridle completion SHELL: what a shell completes, from the tables of commands and options. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "hook/event.h"
#include "options.h"
#include "policy/source.h"
#include "say.h"

static const char *const commands[] = {
#define COMMAND(name, arguments, words) #name,
#include "commands.def"
#undef COMMAND
	NULL};

static const char *const words[] = {
#define COMMAND(name, arguments, words) words,
#include "commands.def"
#undef COMMAND
	NULL};

static void print_agents(void)
{
	for (enum hook_agent agent = 0; agent < HOOK_AGENTS; agent++)
		printf(" %s", hook_agent_name(agent));
}

static void print_profiles(void)
{
	for (const struct profile_text *profile = profile_texts; profile->name; profile++)
		if (!strchr(profile->name, '/'))
			printf(" %.*s", (int)strcspn(profile->name, "."), profile->name);
}

/* run, check and trace complete their options, and then the command as if it stood alone. */
static void print_bash(void)
{
	bool value;
	const char *name;

	puts("# bash completion of bridle: source <(bridle completion bash)\n"
	     "_bridle() {\n"
	     "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} i\n"
	     "\tlocal valued=' -p -P -r -C -m -t'");
	for (size_t i = 0; (name = options_name(i, &value)) != NULL; i++)
		if (value)
			printf("\tvalued+=' --%s'\n", name);
	printf("\tlocal options='-p -P -r -C -m -s -t -j -q -v -h -V");
	for (size_t i = 0; (name = options_name(i, &value)) != NULL; i++)
		printf(" --%s", name);
	printf("'\n\tCOMPREPLY=()\n\tif ((COMP_CWORD == 1)); then\n\t\tCOMPREPLY=($(compgen -W '");
	for (size_t i = 0; commands[i]; i++)
		printf("%s ", commands[i]);
	printf("help version' -- \"$word\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n\trun|check|trace)\n"
	       "\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	       "\t\t\tcase ${COMP_WORDS[i]} in\n"
	       "\t\t\t--) ((i++)); break ;;\n"
	       "\t\t\t-*) [[ \"$valued \" == *\" ${COMP_WORDS[i]} \"* ]] && ((i++)) ;;\n"
	       "\t\t\t*) break ;;\n"
	       "\t\t\tesac\n"
	       "\t\tdone\n"
	       "\t\tcase $before in\n"
	       "\t\t-P|--profile) COMPREPLY=($(compgen -W '");
	print_profiles();
	printf("' -- \"$word\")); return ;;\n"
	       "\t\t-m|--mode) COMPREPLY=($(compgen -W 'enforce audit' -- \"$word\")); return ;;\n"
	       "\t\t-r|--root|-C|--chdir) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n"
	       "\t\t-p|--policy|--report) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
	       "\t\tesac\n"
	       "\t\tif ((i > COMP_CWORD)); then return; fi\n"
	       "\t\tif ((i < COMP_CWORD)); then COMPREPLY=($(compgen -f -- \"$word\")); return; fi\n"
	       "\t\tif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return; fi\n"
	       "\t\tCOMPREPLY=($(compgen -c -- \"$word\")) ;;\n"
	       "\tesac\n"
	       /* The others say themselves what they take. */
	       "\tif [[ $word == -* && ${COMP_WORDS[1]} != @(run|check|trace) ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$(bridle \"${COMP_WORDS[1]}\" --help 2>/dev/null | grep -oE -- '--[a-z-]+')\" "
	       "-- \"$word\"))\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tcase ${COMP_WORDS[1]} in\n"
	       "\trun|check|trace) ;;\n"
	       "\thook) COMPREPLY=($(compgen -W '");
	print_agents();
	printf("' -- \"$word\")) ;;\n"
	       "\tinit) COMPREPLY=($(compgen -W '");
	print_agents();
	puts("' -- \"$word\")) ;;\n"
	     "\tpolicy) COMPREPLY=($(compgen -W 'show check test trust learn' -- \"$word\") $(compgen -f -- \"$word\")) ;;\n"
	     "\tcompletion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")) ;;\n"
	     "\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
	     "\tesac\n"
	     "}\n"
	     "complete -o filenames -F _bridle bridle");
}

static void print_zsh(void)
{
	bool value;
	const char *name;

	puts("#compdef bridle\n"
	     "# zsh completion of bridle: source <(bridle completion zsh)\n"
	     "_bridle() {\n"
	     "\tlocal -a commands options\n"
	     "\tcommands=(");
	for (size_t i = 0; commands[i]; i++)
		printf("\t\t\"%s:%s\"\n", commands[i], words[i]);
	puts("\t)\n\toptions=(");
	for (size_t i = 0; (name = options_name(i, &value)) != NULL; i++)
		printf("\t\t'--%s%s'\n", name, value ? "=:value:_files" : "");
	printf("\t)\n"
	       "\tif ((CURRENT == 2)); then _describe command commands; return; fi\n"
	       "\tcase $words[2] in\n"
	       "\trun|check|trace) shift words; ((CURRENT--)); _arguments -S $options '*::command:_normal'; return ;;\n"
	       "\tesac\n"
	       "\tif [[ $words[CURRENT] == -* ]]; then\n"
	       "\t\toptions=(${(f)\"$(bridle $words[2] --help 2>/dev/null | grep -oE -- '--[a-z-]+')\"})\n"
	       "\t\tcompadd -a options\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tcase $words[2] in\n"
	       "\thook|init) _values agent");
	print_agents();
	puts(" ;;\n"
	     "\tpolicy) _alternative 'verbs:verb:(show check test trust learn)' 'files:file:_files' ;;\n"
	     "\tcompletion) _values shell bash zsh fish ;;\n"
	     "\t*) _files ;;\n"
	     "\tesac\n"
	     "}\n"
	     "compdef _bridle bridle");
}

static void print_fish(void)
{
	bool value;
	const char *name;

	puts("# fish completion of bridle: bridle completion fish | source\n"
	     "complete -c bridle -f -n __fish_use_subcommand");
	for (size_t i = 0; commands[i]; i++)
		printf("complete -c bridle -n __fish_use_subcommand -a %s -d \"%s\"\n", commands[i], words[i]);
	for (size_t i = 0; (name = options_name(i, &value)) != NULL; i++)
		printf("complete -c bridle -n '__fish_seen_subcommand_from run check trace' -l %s%s\n", name,
		       value ? " -r" : "");
	printf("complete -c bridle -n '__fish_seen_subcommand_from hook' -f -a '");
	print_agents();
	printf("'\ncomplete -c bridle -n '__fish_seen_subcommand_from init' -f -a '");
	print_agents();
	puts("'\n"
	     "complete -c bridle -n 'not __fish_seen_subcommand_from run check trace; and string match -q -- \"-*\" "
	     "(commandline -ct)' -a '(bridle (commandline -opc)[2] --help 2>/dev/null | string match -r -a -- \"--[a-z-]+\")'\n"
	     "complete -c bridle -n '__fish_seen_subcommand_from policy' -a 'show check test trust learn'\n"
	     "complete -c bridle -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
}

int command_completion(int argc, char **argv)
{
	const char *shell = argc == 2 ? argv[1] : "";

	if (!strcmp(shell, "bash"))
		print_bash();
	else if (!strcmp(shell, "zsh"))
		print_zsh();
	else if (!strcmp(shell, "fish"))
		print_fish();
	else if (!strcmp(shell, "--help") || !strcmp(shell, "-h"))
		puts("usage: bridle completion bash|zsh|fish\nPrint what that shell completes.");
	else
		say("completion: say for which shell: bash, zsh or fish");
	return *shell && strchr("bzf-", *shell) && !fflush(stdout) ? 0 : STATUS_FAILED;
}
