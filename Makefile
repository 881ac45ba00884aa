# SPDX-License-Identifier: MIT
# bridle: `make` builds build/bridle and build/libbridle.so; `make help` lists the rest.
# A new file in a known folder needs no edit here.

BUILD ?= build
CC ?= cc
PREFIX ?= /usr/local
WERROR ?=
OPT ?= -O2 -g

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
       -Wvla -Wundef -Wformat=2 -Wno-missing-field-initializers $(WERROR)
BASE = -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -MMD -MP -Iinclude -Ishim -Ilauncher -I$(BUILD)
PURE_FLAGS = $(BASE) -fPIC -fvisibility=hidden -fno-stack-protector -U_FORTIFY_SOURCE -fno-builtin-printf
SHIM_FLAGS = $(PURE_FLAGS) -fno-plt -fcf-protection=none
LAUNCHER_FLAGS = $(BASE) $(shell pkg-config --cflags libconfig jansson 2>/dev/null)
LAUNCHER_LIBS = $(shell pkg-config --libs libconfig jansson 2>/dev/null) -lpthread

# The pure objects: no effects, no allocation, linked into shim, launcher, unit tests and fuzzers alike.
PURE_SRC := $(sort $(wildcard shim/check/*.c) $(filter-out shim/report/send.c,$(wildcard shim/report/*.c)) \
	    $(wildcard shim/inherit.c))
SHIM_SRC := $(sort $(shell find shim -name '*.c'))
LAUNCHER_SRC := $(sort $(shell find launcher -name '*.c'))
PROFILES := $(sort $(wildcard launcher/profiles/*.cfg))

PURE_OBJ := $(PURE_SRC:%.c=$(BUILD)/%.o)
SHIM_OBJ := $(SHIM_SRC:%.c=$(BUILD)/%.o)
LAUNCHER_OBJ := $(LAUNCHER_SRC:%.c=$(BUILD)/%.o) $(BUILD)/profiles.o

.PHONY: all help
all: $(BUILD)/bridle $(BUILD)/libbridle.so $(BUILD)/layers.ok

help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST)

$(BUILD)/bridle: $(LAUNCHER_OBJ) $(PURE_OBJ)
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LAUNCHER_LIBS)

$(BUILD)/libbridle.so: $(SHIM_OBJ) $(BUILD)/exports.map
	$(CC) $(OPT) -shared -nostdlib -Wl,-z,defs -Wl,-z,now -Wl,-Bsymbolic -Wl,--version-script=$(BUILD)/exports.map \
		-Wl,--unresolved-symbols=ignore-all -Wl,-soname,libbridle.so -Wl,-z,noexecstack -o $@ $(SHIM_OBJ)

# The export list is symbols.def and nothing else.
$(BUILD)/exports.map: include/symbols.def
	@mkdir -p $(@D)
	{ echo '{ global:'; sed -n 's/^SYM(\([A-Za-z0-9_]*\),.*/\t\1;/p' $<; echo 'local: *; };'; } > $@

$(BUILD)/profiles.c: $(PROFILES) launcher/profiles/embed.sh
	@mkdir -p $(@D)
	sh launcher/profiles/embed.sh $(PROFILES) > $@

$(BUILD)/profiles.o: $(BUILD)/profiles.c
	$(CC) $(BASE) -c -o $@ $<

$(PURE_OBJ) $(SHIM_OBJ): $(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(SHIM_FLAGS) -c -o $@ $<

$(BUILD)/launcher/%.o: launcher/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(LAUNCHER_FLAGS) -c -o $@ $<

# The laws that the build proves; each check stops it.
$(BUILD)/layers.ok: $(BUILD)/libbridle.so tests/support/layers.sh
	sh tests/support/layers.sh $(BUILD) include/symbols.def $(PURE_OBJ) -- $(SHIM_OBJ)
	@touch $@

.PHONY: clean
clean: ## remove what make made
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
