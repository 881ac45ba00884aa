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

#define READ_SIZE 16384

bool bytes_add(struct bytes *bytes, const char *text, size_t length)
{
	if (bytes->used + length + 1 > bytes->room) {
		size_t room = (bytes->used + length + 1) * 2;
		char *larger = realloc(bytes->text, room);

		if (!larger)
			return false;
		bytes->text = larger;
		bytes->room = room;
	}
	memcpy(bytes->text + bytes->used, text, length);
	bytes->used += length;
	bytes->text[bytes->used] = '\0';
	return true;
}

void bytes_drop(struct bytes *bytes, size_t length)
{
	memmove(bytes->text, bytes->text + length, bytes->used - length);
	bytes->used -= length;
	if (bytes->used)
		return;
	free(bytes->text);
	*bytes = (struct bytes){NULL};
}

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
	free(client->input.text);
	free(client->output.text);
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
		char *text = client->input.text + at;

		end = memchr(text, '\n', client->input.used - at);
		if (!end && !client->ended)
			break;
		end = end ? end : client->input.text + client->input.used;
		*end = '\0';
		client->line++;
		if (!client->skipping && text[strspn(text, " \t\r")])
			(server->mcp ? mcp_line : serve_line)(server, client, text, (size_t)(end - text));
		client->skipping = false;
		at = (size_t)(end - client->input.text) + 1;
	}
	if (at)
		bytes_drop(&client->input, at < client->input.used ? at : client->input.used);
	if (client->input.used > SERVE_LINE_MAX && !memchr(client->input.text, '\n', client->input.used))
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
	ssize_t wrote = client->output.used ? write(client->out, client->output.text, client->output.used) : 0;

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
	}
}

static void accept_client(struct server *server)
{
	int file = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (file >= 0 && !client_new(server, file, file))
		close(file);
}

/* What there is to wait for; in the order in which `turn` asks for it. */
static size_t fill(const struct server *server, struct pollfd *polls)
{
	size_t count = 0;

	if (polls)
		polls[0] = (struct pollfd){.fd = server->listener, .events = POLLIN};
	count++;
	for (const struct client *client = server->clients; client; client = client->next) {
		bool reads = !client->ended && client->open < SERVE_QUEUE && client->output.used < SERVE_OUTPUT_MAX;

		if (polls) {
			polls[count] = (struct pollfd){.fd = client->ended ? -1 : client->in, .events = reads ? POLLIN : 0};
			polls[count + 1] =
				(struct pollfd){.fd = client->out, .events = client->output.used ? POLLOUT : 0};
		}
		count += 2;
	}
	for (const struct job *job = server->jobs; job; job = job->next) {
		if (polls)
			polls[count] = (struct pollfd){.fd = job->child ? job->result : -1, .events = POLLIN};
		count++;
	}
	return count;
}

static void turn_clients(struct server *server, const struct pollfd *polls)
{
	for (struct client *client = server->clients; client; client = client->next, polls += 2) {
		bool hung_up = client->in == client->out && polls[1].revents & POLLHUP;

		if (polls[0].revents & (POLLIN | POLLHUP | POLLERR))
			read_client(server, client);
		if (polls[1].revents & (POLLERR | POLLNVAL) || hung_up)
			client->gone = true;
		else if (polls[1].revents & POLLOUT)
			write_client(client);
	}
}

static void turn_jobs(struct server *server, const struct pollfd *polls)
{
	struct job *next;

	for (struct job *job = server->jobs; job; job = next, polls++) {
		next = job->next;
		if (job->child && polls->fd == job->result && polls->revents)
			job_read(server, job);
	}
}

static bool turn(struct server *server)
{
	size_t count = fill(server, NULL), clients = 0;
	struct pollfd *polls = calloc(count, sizeof(*polls));
	bool good = polls != NULL;

	for (const struct client *client = server->clients; client; client = client->next)
		clients++;
	if (good)
		fill(server, polls);
	good = good && (poll(polls, count, -1) >= 0 || errno == EINTR);
	/* The jobs first: reading a client adds to them. A new client waits for its turn. */
	if (good)
		turn_jobs(server, polls + 1 + 2 * clients);
	if (good)
		turn_clients(server, polls + 1);
	if (good && polls[0].revents)
		accept_client(server);
	free(polls);
	return good;
}

int server_run(struct server *server)
{
	signal(SIGPIPE, SIG_IGN);
	if (server->listener < 0 && !client_new(server, STDIN_FILENO, STDOUT_FILENO))
		return STATUS_FAILED;
	while (server->listener >= 0 || server->clients || server->jobs) {
		if (!turn(server)) {
			say("serve: %s", strerror(errno));
			return STATUS_FAILED;
		}
		for (struct client *client = server->clients; client; client = client->next)
			take_lines(server, client);
		job_start_waiting(server);
		for (struct client *client = server->clients; client; client = client->next)
			write_client(client);
		sweep(server);
	}
	return 0;
}
