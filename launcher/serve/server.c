/* SPDX-License-Identifier: MIT */
/* The loop: waits for clients and children, and moves bytes. */
#include "serve/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "commands.h"
#include "say.h"
#include "serve/warm.h"

#define READ_SIZE 16384

void client_send(struct client *client, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	bool good = text && client && bytes_add(&client->output, text, strlen(text)) && bytes_add(&client->output, "\n", 1);

	if (client && !good)
		client->gone = true;
	free(text);
	json_decref(object);
}

static struct client *client_new(struct server *server, int in, int out)
{
	struct client *client = calloc(1, sizeof(*client));

	if (!client)
		return NULL;
	client->in = in;
	client->out = out;
	client->next = server->clients;
	server->clients = client;
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
	return client;
}

static void client_free(struct client *client)
{
	if (client->in > STDERR_FILENO)
		close(client->in);
	bytes_drop(&client->input, client->input.used);
	bytes_drop(&client->output, client->output.used);
	free(client);
}

static void refuse_long(struct server *server, struct client *client)
{
	json_t *object = json_pack("{s:n, s:s, s:I}", "id", "error", "the line is longer than 16 MB", "line",
				   (json_int_t)client->line + 1);

	(void)server;
	client->skipping = true;
	bytes_drop(&client->input, client->input.used);
	client_send(client, object);
}

/* Hands whole lines over. The last one need not end with a newline. */
static void take_lines(struct server *server, struct client *client)
{
	size_t at = 0;
	char *end;

	while (client->input.used > at && !client->gone && client->open < SERVE_QUEUE) {
		char *text = bytes_text(&client->input) + at;

		end = memchr(text, '\n', client->input.used - at);
		if (!end && !client->ended)
			break;
		end = end ? end : bytes_text(&client->input) + client->input.used;
		*end = '\0';
		client->line++;
		if (!client->skipping && strspn(text, " \t\r") < (size_t)(end - text))
			(server->mcp ? mcp_line : serve_line)(server, client, text, (size_t)(end - text));
		client->skipping = false;
		at = (size_t)(end - bytes_text(&client->input)) + 1;
	}
	if (at)
		bytes_drop(&client->input, at < client->input.used ? at : client->input.used);
	if (client->input.used > SERVE_LINE_MAX && !memchr(bytes_text(&client->input), '\n', client->input.used))
		refuse_long(server, client);
}

static void read_client(struct server *server, struct client *client)
{
	char text[READ_SIZE];
	ssize_t got = read(client->in, text, sizeof(text));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0)
		client->ended = true;
	else if (!bytes_add(&client->input, text, (size_t)got))
		client->gone = true;
	take_lines(server, client);
}

static void write_client(struct client *client)
{
	ssize_t wrote = client->output.used ? write(client->out, bytes_text(&client->output), client->output.used) : 0;

	if (wrote > 0)
		bytes_drop(&client->output, (size_t)wrote);
	else if (wrote < 0 && errno != EAGAIN && errno != EINTR)
		client->gone = true;
}

/* A client that is gone takes with it what it asked for; one that has ended goes when all is answered. */
static void sweep(struct server *server)
{
	for (struct client **at = &server->clients; *at;) {
		struct client *client = *at;
		bool done = client->ended && !client->open && !client->output.used && !client->input.used;

		if (!client->gone && !done) {
			at = &client->next;
			continue;
		}
		job_cancel_all(server, client);
		*at = client->next;
		client_free(client);
		server->full = false;
	}
}

static void accept_client(struct server *server)
{
	int file = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	server->full = file < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
	if (file >= 0 && !client_new(server, file, file))
		close(file);
}

/* Nothing more is made for a client that does not read what is there. */
static bool is_full(const struct client *client)
{
	return client && client->output.used >= SERVE_OUTPUT_MAX;
}

/* What there is to wait for in a turn. What is new since then has no place in it: poll is 0. */
struct turn {
	struct pollfd *polls;
	size_t count, room;
};

/* poll(2) takes no more entries than files may be open: there are none for what is not waited for. */
static size_t wait_for(struct turn *turn, int file, short events)
{
	if (file < 0)
		return 0;
	if (turn->count == turn->room) {
		size_t room = turn->room ? 2 * turn->room : 64;
		struct pollfd *larger = reallocarray(turn->polls, room, sizeof(*larger));

		if (!larger)
			return 0;
		turn->polls = larger;
		turn->room = room;
	}
	turn->polls[turn->count] = (struct pollfd){.fd = file, .events = events};
	return turn->count++;
}

static void fill(const struct server *server, struct turn *turn)
{
	turn->count = 1;
	turn->polls[0] = (struct pollfd){.fd = server->full ? -1 : server->listener, .events = POLLIN};
	for (struct worker *worker = server->warm.workers; worker; worker = worker->next) {
		bool waits = worker->job && is_full(worker->job->client);

		worker->poll = wait_for(turn, waits ? -1 : worker->child.says, POLLIN);
		worker->poll_input = wait_for(turn, worker->task.used ? worker->child.input : -1, POLLOUT);
	}
	for (struct job *job = server->jobs; job; job = job->next)
		job->poll = wait_for(turn, is_full(job->client) ? -1 : job->child.says, POLLIN);
	for (struct client *client = server->clients; client; client = client->next) {
		bool reads = !client->ended && client->open < SERVE_QUEUE && !is_full(client);
		short in = reads ? POLLIN : 0, out = client->output.used ? POLLOUT : 0;

		client->poll_out = wait_for(turn, client->out, client->in == client->out ? in | out : out);
		client->poll = client->poll_out;
		if (client->in != client->out)
			client->poll = wait_for(turn, client->ended ? -1 : client->in, in);
	}
}

static short came(const struct turn *turn, size_t poll)
{
	return poll && poll < turn->count ? turn->polls[poll].revents : 0;
}

static void turn_sessions(struct server *server, const struct turn *turn)
{
	struct worker *next_worker;
	struct job *next_job;

	for (struct worker *worker = server->warm.workers; worker; worker = next_worker) {
		next_worker = worker->next;
		if (came(turn, worker->poll_input))
			warm_write(worker);
		if (came(turn, worker->poll))
			warm_read(server, worker);
	}
	for (struct job *job = server->jobs; job; job = next_job) {
		next_job = job->next;
		if (came(turn, job->poll))
			job_read(server, job);
	}
}

static void turn_clients(struct server *server, const struct turn *turn)
{
	for (struct client *client = server->clients; client; client = client->next) {
		short in = came(turn, client->poll), out = came(turn, client->poll_out);

		if (!client->ended && in & (POLLIN | POLLHUP | POLLERR))
			read_client(server, client);
		if (out & (POLLERR | POLLNVAL) || (client->in == client->out && out & POLLHUP))
			client->gone = true;
		else if (out & POLLOUT)
			write_client(client);
	}
	if (turn->polls[0].revents)
		accept_client(server);
}

static volatile sig_atomic_t ended_by;

static void end_by(int number)
{
	ended_by = number;
}

/* They come while we wait, and at no other time. */
static void take_signals(sigset_t *ret_waiting)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
	struct sigaction action = {.sa_handler = end_by};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &action, NULL);
		sigaddset(&set, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigemptyset(ret_waiting);
	signal(SIGPIPE, SIG_IGN);
}

static bool take_turn(struct server *server, struct turn *turn, const sigset_t *waiting)
{
	int wait = warm_look(server);
	struct timespec time = {wait / 1000, wait % 1000 * 1000000L};

	fill(server, turn);
	if (ppoll(turn->polls, turn->count, wait < 0 ? NULL : &time, waiting) < 0) {
		if (errno != EINTR)
			say("serve: %s", strerror(errno));
		return errno == EINTR;
	}
	turn_sessions(server, turn);
	turn_clients(server, turn);
	for (struct client *client = server->clients; client; client = client->next)
		take_lines(server, client);
	job_start_waiting(server);
	for (struct client *client = server->clients; client; client = client->next)
		write_client(client);
	sweep(server);
	return true;
}

/* What still runs is ended, and waited for. */
static void stop(struct server *server)
{
	server->stopping = true;
	job_cancel_all(server, NULL);
	for (struct job *job = server->jobs; job; job = server->jobs) {
		if (job->worker)
			job->worker->job = NULL;
		job_finish(server, job, NULL, "");
	}
	warm_stop(server);
	while (server->clients) {
		server->clients->gone = true;
		sweep(server);
	}
}

int server_run(struct server *server)
{
	struct turn turn = {.polls = calloc(64, sizeof(struct pollfd)), .room = 64};
	sigset_t waiting;
	bool good = turn.polls && (server->listener >= 0 || client_new(server, STDIN_FILENO, STDOUT_FILENO));

	take_signals(&waiting);
	warm_fill(server);
	while (good && !ended_by && (server->listener >= 0 || server->clients || server->jobs))
		good = take_turn(server, &turn, &waiting);
	stop(server);
	free(turn.polls);
	if (ended_by)
		return STATUS_SIGNAL + ended_by;
	return good ? 0 : STATUS_FAILED;
}
