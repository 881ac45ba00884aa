# SPDX-License-Identifier: MIT
# bridle: `make` builds build/bridle and build/libbridle.so; `make help` lists the rest.
# A new file in a known folder needs no edit here.

BUILD ?= build
CC ?= cc
PREFIX ?= /usr/local
WERROR ?=
OPT ?= -O2 -g
FUZZ_SECONDS ?= 60

# V=1 shows the commands.
Q = $(if $(filter 1,$(V)),,@)
quiet = $(if $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),quiet)
say = @$(if $(filter 1,$(V))$(quiet),:,printf '  %-9s%s\n')

# What apt calls the things that each job needs; `make deps` installs the first three, the others their own. None of
# check-real's is started as a service: runlevel 1.
BUILD_PACKAGES = gcc libc6-dev make pkg-config libconfig-dev libjansson-dev libcurl4-openssl-dev
CHECK_PACKAGES = libcriterion-dev python3 strace valgrind python3-pytest perl procps git cmake nodejs mandoc \
		 fish musl-tools g++
DAY_PACKAGES = libpython3.11-testsuite? libpython3.13-testsuite? python3-venv ninja-build autoconf automake gdb valgrind clang \
	       zlib1g-dev openssh-client openssl gpg gpg-agent gpgconf sqlite3 vim tmux screen rsync tar cpio zip unzip xz-utils \
	       file fakeroot eatmydata libjemalloc2 libtcmalloc-minimal4 gawk mawk zsh mksh busybox@busybox ed less lsof curl@curl \
	       npm@npm bubblewrap firejail
REAL_PACKAGES = golang-go busybox@busybox tcl8.6 ruby ruby3.1? php-cli php8.2-cli? lua5.4 ocaml-nox sbcl emacs-nox redis-server \
		nginx-light faketime postgresql-15?
LINT_PACKAGES = clang clang-format cppcheck shellcheck
AARCH64_PACKAGES = gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
FUZZ_PACKAGES = clang llvm libclang-rt-dev?

# ---------------------------------------------------------------- flags

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
       -Wvla -Wundef -Wformat=2 -Wno-missing-field-initializers $(WERROR)
BASE = -std=c11 -D_GNU_SOURCE $(OPT) $(CPPFLAGS) $(CFLAGS) $(WARN) -MMD -MP -Iinclude -Ishim -Ilauncher -I$(BUILD)
SANITIZER = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Wrappers are reached by name only, through the export map: link-time optimisation would drop them, so what goes into
# the shim never takes part in it, whatever CFLAGS say. The pure objects are linked into the launcher as well.
PURE_FLAGS = $(BASE) -fPIC -fvisibility=hidden -fno-stack-protector -U_FORTIFY_SOURCE -fno-builtin-printf -fno-builtin-bcmp \
	     -fno-lto $(INLINE_ATOMICS)
# On aarch64 gcc calls functions of libgcc for atomics; the shim links nothing.
INLINE_ATOMICS := $(if $(filter aarch64%,$(shell $(CC) -dumpmachine 2>/dev/null)),-mno-outline-atomics)
SHIM_FLAGS = $(PURE_FLAGS) -fomit-frame-pointer -fno-plt -fcf-protection=none -fno-delete-null-pointer-checks -Wframe-larger-than=2048
$(BUILD)/shim/real/string.o: SHIM_FLAGS += -fno-builtin
LAUNCHER_FLAGS = $(BASE) $(PACKAGE_FLAGS)
# Machine code between labels, which link-time optimisation would tear apart.
$(BUILD)/launcher/doctor/static.o: LAUNCHER_FLAGS += -fno-lto
TEST_FLAGS = $(LAUNCHER_FLAGS) -Itests/support $(CRITERION_FLAGS)

PACKAGE_FLAGS := $(shell pkg-config --cflags libconfig jansson 2>/dev/null)
PACKAGE_LIBS := $(shell pkg-config --libs libconfig jansson 2>/dev/null)
LAUNCHER_LIBS = $(PACKAGE_LIBS) -lpthread
# To load two libraries takes a start of bridle a tenth of its time: their archives are linked in where there are such.
# SHARED=1 is for who packages bridle.
archive = $(if $(SHARED),,$(wildcard $(shell pkg-config --variable=libdir $(1) 2>/dev/null)/$(2).a))
BRIDLE_LIBS := $(or $(call archive,libconfig,libconfig),-lconfig) $(or $(call archive,jansson,libjansson),-ljansson) \
	       $(filter-out -lconfig -ljansson,$(PACKAGE_LIBS))
CRITERION_FLAGS := $(shell pkg-config --cflags criterion 2>/dev/null)
CRITERION_LIBS := $(shell pkg-config --libs criterion 2>/dev/null)

# ---------------------------------------------------------------- sources

# The pure objects: no effects, no allocation, linked into shim, launcher, unit tests and fuzzers alike.
PURE_SRC := $(sort $(wildcard shim/check/*.c) $(filter-out shim/report/send.c shim/report/emit.c shim/report/explain.c,$(wildcard shim/report/*.c)) \
	    $(wildcard shim/inherit.c))
# What nearly every process runs stands together in the library, in front: fewer pages are touched.
SHIM_FIRST := $(addprefix shim/,start.c start_handoff.c real/string.c real/real.c real/lookup.c frame.c check/validate.c check/validate_path.c check/path.c \
	      check/glob.c describe/memory.c describe/cwd.c describe/path.c memo.c guard_text.c guard_open.c guard.c wrap/open.c)
SHIM_SRC := $(SHIM_FIRST) $(filter-out $(SHIM_FIRST),$(sort $(shell find shim -name '*.c')))
# What stands in launcher/profiles are tools of the build, not parts of bridle.
EMBED_SRC := $(wildcard launcher/profiles/*.c)
LAUNCHER_SRC := $(sort $(filter-out $(EMBED_SRC),$(shell find launcher -name '*.c')))
PROFILES := $(sort $(wildcard launcher/profiles/*.cfg launcher/profiles/*/*.cfg))
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/*.c))
CALL_SRC := $(sort $(wildcard tests/call/*.c))
PROBE_SRC := $(sort $(wildcard tests/probe/*.c))
LIFE_SRC := $(sort $(wildcard tests/life/*.c))
BACKSTOP_SRC := $(sort $(wildcard tests/backstop/*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/*.c))
C_FILES := $(sort $(shell find include shim launcher tests -name '*.[ch]'))
SCRIPTS := $(sort $(shell find launcher tests examples -name '*.sh') $(wildcard .ci/run))

objects = $(1:%.c=$(BUILD)/%.o)
PURE_OBJ := $(call objects,$(PURE_SRC))
SHIM_OBJ := $(call objects,$(SHIM_SRC))
EMBEDDED_OBJ := $(BUILD)/profiles.o $(BUILD)/rules.o $(BUILD)/settings.o
RULES_PARTS = $(filter $(BUILD)/launcher/policy/% $(BUILD)/launcher/compile/% $(BUILD)/launcher/failure.o $(BUILD)/launcher/digest.o \
	$(BUILD)/launcher/report/visible.o,$(LAUNCHER_OBJ))
LAUNCHER_OBJ := $(call objects,$(LAUNCHER_SRC)) $(EMBEDDED_OBJ)
LAUNCHER_PARTS = $(filter-out $(BUILD)/launcher/main.o,$(LAUNCHER_OBJ))
SUPPORT_OBJ := $(call objects,$(SUPPORT_SRC))
UNIT_OBJ := $(call objects,$(UNIT_SRC))
CALL_OBJ := $(call objects,$(CALL_SRC))
TEST_OBJ := $(SUPPORT_OBJ) $(UNIT_OBJ) $(CALL_OBJ)
PROBE_OBJ := $(call objects,$(PROBE_SRC))
LIFE_OBJ := $(call objects,$(LIFE_SRC))
BACKSTOP_OBJ := $(call objects,$(BACKSTOP_SRC))
FUZZ_OBJ := $(call objects,$(FUZZ_SRC))
BENCH_OBJ := $(call objects,$(BENCH_SRC))

TEST_PROGRAMS := $(if $(UNIT_SRC),$(BUILD)/test-unit) $(if $(CALL_SRC),$(BUILD)/test-call)
SUBJECTS := $(if $(PROBE_SRC),$(BUILD)/probe) $(LIFE_SRC:tests/life/%.c=$(BUILD)/life/%) \
	    $(BACKSTOP_SRC:tests/backstop/%.c=$(BUILD)/backstop/%) $(BACKSTOP_SRC:tests/backstop/%.c=$(BUILD)/backstop/%-static) \
	    $(if $(LIFE_SRC),$(BUILD)/life/behind.so) \
	    $(if $(shell command -v musl-gcc),$(BUILD)/backstop/doors-musl) \
	    $(if $(shell command -v go),$(BUILD)/backstop/day-go)
FUZZERS := $(FUZZ_SRC:tests/fuzz/%.c=$(BUILD)/fuzz-%)
STILL_SRC := $(shell grep -l raw_openat2 $(SHIM_SRC))
STILL_OBJ := $(STILL_SRC:%.c=$(BUILD)/still/%.o)
STILL := $(BUILD)/still/bridle $(BUILD)/still/libbridle.so
BENCHES := $(BENCH_SRC:tests/bench/%.c=$(BUILD)/bench-%)

# ---------------------------------------------------------------- what is built

.PHONY: all help tests
all: $(BUILD)/bridle $(BUILD)/libbridle.so $(BUILD)/layers.ok ## build bridle and libbridle.so

help: ## say what make can do
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24
	@echo '  BUILD=build PREFIX=/usr/local DESTDIR= CC=cc CFLAGS= WERROR= V=1 SHARED=1 FUZZ_SECONDS=60'

tests: all $(TEST_PROGRAMS) $(SUBJECTS)

$(BUILD)/bridle: $(LAUNCHER_OBJ) $(PURE_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(OPT) $(CFLAGS) $(SANITIZER) $(LDFLAGS) -o $@ $^ $(BRIDLE_LIBS) -lpthread

LINK_SHIM = $(CC) $(OPT) -fno-lto -shared -nostdlib -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,-Bsymbolic \
	    -Wl,--version-script=$(BUILD)/exports.map -Wl,--unresolved-symbols=ignore-all \
	    -Wl,-soname,libbridle.so -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,--sort-section=name

ifdef PLAIN_SHIM
# A sanitized launcher takes the ordinary shim: sanitizers need a runtime that a preloaded library may not bring.
$(BUILD)/libbridle.so: $(PLAIN_SHIM)
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/layers.ok: ;
else
$(BUILD)/libbridle.so: $(SHIM_OBJ) $(BUILD)/exports.map
	$(say) LINK $@
	$(Q)$(LINK_SHIM) -o $@ $(SHIM_OBJ)

# The laws that the build proves; each check stops it.
$(BUILD)/layers.ok: $(BUILD)/libbridle.so tests/support/layers.sh
	$(say) LAYERS $(BUILD)/libbridle.so
	$(Q)sh tests/support/layers.sh $(BUILD) include/symbols.def $(PURE_OBJ) -- $(SHIM_OBJ)
	@touch $@
endif

# The export list is symbols.def and nothing else.
$(BUILD)/exports.map: include/symbols.def Makefile
	@mkdir -p $(@D)
	$(Q){ echo '{ global:'; sed -n 's/^SYM(\([A-Za-z0-9_]*\),.*/\t\1;/p' $<; echo 'local: *; };'; } > $@

$(BUILD)/profiles.c: $(PROFILES) launcher/profiles/embed.sh
	$(say) EMBED launcher/profiles
	@mkdir -p $(@D)
	$(Q)sh launcher/profiles/embed.sh $(PROFILES) > $@

# The profiles' rules about programs, compiled here and not at each start.
$(BUILD)/embed-rules: $(BUILD)/launcher/profiles/embed_rules.o $(RULES_PARTS) $(BUILD)/profiles.o $(PURE_OBJ)
	$(Q)$(CC) $(OPT) $(CFLAGS) $(SANITIZER) $(LDFLAGS) -o $@ $^ $(LAUNCHER_LIBS)

$(BUILD)/rules.c: $(BUILD)/embed-rules
	$(say) RULES launcher/profiles/rules
	$(Q)$< tool agent code > $@.new
	@mv $@.new $@

# The rest of what they say, read here and not at each start.
$(BUILD)/embed-settings: $(BUILD)/launcher/profiles/embed_settings.o $(RULES_PARTS) $(BUILD)/profiles.o $(BUILD)/rules.o $(PURE_OBJ)
	$(Q)$(CC) $(OPT) $(CFLAGS) $(SANITIZER) $(LDFLAGS) -o $@ $^ $(LAUNCHER_LIBS)

$(BUILD)/settings.c: $(BUILD)/embed-settings
	$(say) SETTINGS launcher/profiles
	$(Q)$< tool agent code > $@.new
	@mv $@.new $@

# A change of compiler or flags rebuilds what they made.
$(BUILD)/flags: always
	@mkdir -p $(@D)
	@echo '$(CC) $(SHIM_FLAGS) $(LAUNCHER_FLAGS) $(CRITERION_FLAGS) $(SANITIZER)' | cmp -s - $@ || \
		echo '$(CC) $(SHIM_FLAGS) $(LAUNCHER_FLAGS) $(CRITERION_FLAGS) $(SANITIZER)' > $@

.PHONY: always
always:

# $(call compile,FLAGS)
define compile
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(1) -c -o $@ $<
endef

$(PURE_OBJ): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile
	$(call compile,$(SHIM_FLAGS) $(SANITIZER))

$(filter-out $(PURE_OBJ),$(SHIM_OBJ)): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile
	$(call compile,$(SHIM_FLAGS))

$(call objects,$(LAUNCHER_SRC) $(EMBED_SRC)): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile | libraries
	$(call compile,$(LAUNCHER_FLAGS) $(SANITIZER))

$(EMBEDDED_OBJ): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	$(call compile,$(BASE) $(SANITIZER))

$(TEST_OBJ): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile | libraries
	$(call compile,$(TEST_FLAGS) $(SANITIZER))

# Programs that run under bridle know nothing of it and take no sanitizer.
$(PROBE_OBJ) $(LIFE_OBJ) $(BACKSTOP_OBJ) $(BENCH_OBJ): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile
	$(call compile,$(BASE) -Itests/support)

$(FUZZ_OBJ): $(BUILD)/%.o: %.c $(BUILD)/flags Makefile
	$(call compile,$(LAUNCHER_FLAGS) $(SANITIZER))

.PHONY: libraries
libraries:
	@pkg-config --exists libconfig jansson || { \
		echo 'make: libconfig and jansson (with their headers) are needed: run `make deps`' >&2; exit 1; }

$(BUILD)/test-unit: $(UNIT_OBJ) $(SUPPORT_OBJ) $(LAUNCHER_PARTS) $(PURE_OBJ)
$(BUILD)/test-call: $(CALL_OBJ) $(SUPPORT_OBJ) $(LAUNCHER_PARTS) $(PURE_OBJ)
$(BUILD)/test-unit $(BUILD)/test-call:
	$(say) LINK $@
	$(Q)$(CC) $(OPT) $(CFLAGS) $(SANITIZER) $(LDFLAGS) -o $@ $^ $(LAUNCHER_LIBS) $(CRITERION_LIBS)

$(BUILD)/probe: $(PROBE_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -o $@ $^ -lpthread

$(BUILD)/life/%: $(BUILD)/tests/life/%.o
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) -o $@ $^ -lpthread -ldl

# The same object dynamic and static; the static ones are what a preload cannot enter.
$(BUILD)/backstop/%-static: $(BUILD)/tests/backstop/%.o
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) -static -o $@ $^ -lpthread

$(BUILD)/life/%.so: tests/life/library/%.c tests/backstop/raw.h
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) -shared -fPIC -o $@ $<

$(BUILD)/backstop/%-go: tests/backstop/%.go
	$(say) GO $@
	@mkdir -p $(@D)
	$(Q)CGO_ENABLED=0 GO111MODULE=off GOCACHE=$(abspath $(BUILD))/go-cache go build -o $@ $<

$(BUILD)/backstop/%-musl: tests/backstop/%.c
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)musl-gcc -std=c11 -D_GNU_SOURCE -O1 -static -o $@ $<

$(BUILD)/backstop/%: $(BUILD)/tests/backstop/%.o
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) -o $@ $^ -lpthread

# ---------------------------------------------------------------- packages

.PHONY: deps
deps: ## install what building and testing need, with apt
	@sh tests/support/deps.sh $(BUILD_PACKAGES) $(CHECK_PACKAGES) $(DAY_PACKAGES)

# ---------------------------------------------------------------- tests

# Two steps each: the sub-make reads pkg-config anew once the packages are there.
.PHONY: check check-built demo demo-built
check: deps ## run the tests but for the slow suites
	@$(MAKE) --no-print-directory check-built

# Each test in tests/real/ is a script of its own, given the build folder or the program.
REAL_TESTS = 'python3 tests/real/damaged.py $(BUILD)' \
	     'python3 tests/real/libc_names.py' \
	     'python3 tests/real/steadiness.py' \
	     'python3 tests/real/system_calls.py $(BUILD)/bridle $(BUILD)/bench-calls' \
	     'python3 tests/bench/instructions.py $(BUILD)/still/bridle $(BUILD)/bench-work' \
	     'python3 tests/bench/verdict.py' \
	     'python3 tests/real/report_page.py $(BUILD)/bridle' \
	     'python3 tests/real/otlp.py $(BUILD)/bridle' \
	     'python3 tests/real/report_sessions.py $(BUILD)/bridle' \
	     'python3 tests/real/report_load.py $(BUILD)/bridle' \
	     'python3 tests/real/report_damaged.py $(BUILD)/bridle' \
	     'python3 tests/real/outcomes.py $(BUILD)/bridle' \
	     'python3 tests/real/session.py $(BUILD)' \
	     'python3 tests/real/surroundings.py $(BUILD)' \
	     'python3 tests/real/full_disk.py $(BUILD)' \
	     'python3 tests/real/cages.py $(BUILD)' \
	     'python3 tests/real/other_user.py $(BUILD)' \
	     'python3 tests/real/everyday.py $(BUILD)' \
	     'python3 tests/real/callers.py $(BUILD)' \
	     'python3 tests/real/agents/day.py $(BUILD)' \
	     'python3 tests/real/transparent.py $(BUILD)' \
	     'python3 tests/real/hooks.py $(BUILD)' \
	     'python3 tests/real/trust.py $(BUILD)' \
	     'python3 tests/real/init_agent.py $(BUILD)' \
	     'python3 tests/real/serve.py $(BUILD)' \
	     'python3 tests/real/clients.py $(BUILD)'

check-built: tests $(BUILD)/bench-calls $(BUILD)/bench-work $(STILL)
	$(Q)BUILD=$(BUILD) sh tests/support/run.sh $(TEST_PROGRAMS) $(REAL_TESTS)

# What is compared with and without bridle, under a policy that allows everything: minutes, or (check-real) hours.
SUITES = 'python3 tests/real/cpython.py $(BUILD)' 'python3 tests/real/suites.py $(BUILD)' \
	 'python3 tests/real/cpython.py --as 65534 $(BUILD) test_os test_posix test_subprocess test_shutil test_tempfile' \
	 'python3 tests/real/transparent.py --as 65534 --backstop off $(BUILD)'
ALL_SUITES = 'python3 tests/real/transparent.py $(BUILD)' 'python3 tests/real/transparent.py --backstop off $(BUILD)' \
	     'python3 tests/real/transparent.py --as 65534 $(BUILD)' 'python3 tests/real/cpython.py --all $(BUILD)' \
	     'python3 tests/real/cpython.py --backstop off $(BUILD)' 'python3 tests/real/cpython.py --as 65534 $(BUILD)' \
	     'python3 tests/real/suites.py --all $(BUILD)' 'python3 tests/real/suites.py --backstop off $(BUILD)' \
	     'python3 tests/real/suites.py --as 65534 $(BUILD)' \
	     'python3 tests/real/suites.py --as 65534 $(BUILD) coreutils busybox tcl8.6' \
	     'python3 tests/real/suites.py --backstop off $(BUILD) tcl8.6 ruby3.1 nodejs/parallel/test-fs-*'

.PHONY: check-suites check-suites-built check-real check-real-built
check-suites: deps ## compare the quicker suites of CPython, git, bash and Perl with and without bridle
	@$(MAKE) --no-print-directory check-suites-built

check-suites-built: tests
	$(Q)VERBOSE=1 sh tests/support/run.sh $(SUITES)

check-real: deps ## compare all of them, also without the backstop and as an ordinary user: hours
	@RUNLEVEL=1 sh tests/support/deps.sh $(REAL_PACKAGES)
	@$(MAKE) --no-print-directory check-real-built

check-real-built: tests
	$(Q)VERBOSE=1 sh tests/support/run.sh $(ALL_SUITES)

.PHONY: check-serve
check-serve: all ## ten thousand requests from eight clients of bridle serve: two minutes
	$(Q)python3 tests/real/serve.py --requests 10000 $(BUILD)

.PHONY: check-mcp
check-mcp: all ## bridle serve --mcp with the protocol's own SDK and inspector, from npm (150 MB)
	$(Q)mkdir -p $(BUILD)/mcp
	$(Q)npm install --silent --no-fund --no-audit --save-exact --prefix $(BUILD)/mcp @modelcontextprotocol/sdk@1.32.2 \
		@modelcontextprotocol/inspector@0.15.0
	$(Q)node tests/real/mcp/check.mjs $(BUILD) $(BUILD)/mcp

# The versions that tests/cases/hooks was recorded from and README speaks of; the last ones want a Node of their own.
AGENT_PACKAGES := @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33 \
		  node@22.23.3 @qwen-code/qwen-code@0.24.4 @github/copilot@1.0.102 cline@3.0.65 @continuedev/cli@1.5.47

.PHONY: check-agents
check-agents: all ## real agents from npm (two gigabytes) on loopback, with a stand-in for their model
	$(Q)mkdir -p $(BUILD)/agents
	$(Q)for package in $(AGENT_PACKAGES); do npm install --silent --no-fund --no-audit --save-exact \
		--prefix $(BUILD)/agents $$package || echo "SKIP $$package cannot be installed"; done
	$(Q)python3 tests/real/agents/check.py $(BUILD) $(BUILD)/agents
	$(Q)python3 tests/real/agents/terminal.py $(BUILD) $(BUILD)/agents

# What depends on the machine, for the other one that bridle knows: the library and the backstop compile, and tests of pure
# parts run in an emulator. The launcher's libraries are the build machine's own, so no session starts there.
PLAIN_TESTS = backstop_filter inherit check_glob
PLAIN_OBJ = $(PLAIN_TESTS:%=$(BUILD)/plain/%.o) $(BUILD)/plain/main.o

.PHONY: check-aarch64 check-aarch64-built
check-aarch64: ## compile for aarch64, and run what is pure in an emulator
	@sh tests/support/deps.sh $(BUILD_PACKAGES) $(AARCH64_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/aarch64 CC=aarch64-linux-gnu-gcc WERROR=-Werror check-aarch64-built

check-aarch64-built: $(BUILD)/layers.ok $(filter $(BUILD)/launcher/backstop/% $(BUILD)/launcher/doctor/%,$(LAUNCHER_OBJ)) \
		     $(BUILD)/test-plain
	$(Q)qemu-aarch64 $(BUILD)/test-plain

$(PLAIN_TESTS:%=$(BUILD)/plain/%.o): $(BUILD)/plain/%.o: tests/unit/%.c $(BUILD)/flags Makefile
	$(call compile,$(BASE) -Itests/support/plain)

$(BUILD)/plain/main.o: tests/support/plain/main.c $(BUILD)/flags Makefile
	$(call compile,$(BASE) -Itests/support/plain)

$(BUILD)/test-plain: $(PLAIN_OBJ) $(addprefix $(BUILD)/launcher/backstop/,calls.o filter.o) $(PURE_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -static -o $@ $^

demo: ## show in a temporary project what bridle lets through and what it stops
	@sh tests/support/deps.sh $(BUILD_PACKAGES) python3
	@$(MAKE) --no-print-directory demo-built

demo-built: all
	$(Q)python3 examples/demo.py $(BUILD)/bridle

.PHONY: asan asan-built
asan: deps ## the tests with the launcher and the pure parts under ASan and UBSan
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan PLAIN_SHIM=$(BUILD)/libbridle.so CC=gcc OPT='-O1 -g' \
		SANITIZE=address,undefined LDFLAGS='-static-libasan -static-libubsan' asan-built

asan-built: tests
	$(Q)BUILD=$(BUILD) UBSAN_OPTIONS=print_stacktrace=1 \
		LSAN_OPTIONS=suppressions=tests/support/leaks.txt:print_suppressions=0 sh tests/support/run.sh $(TEST_PROGRAMS)

.PHONY: fuzz fuzzers
fuzz: ## feed the pure parts with what nobody would write, for FUZZ_SECONDS in all
	@sh tests/support/deps.sh $(BUILD_PACKAGES) $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=clang OPT='-O1 -g' \
		SANITIZE=address,undefined,fuzzer-no-link fuzzers
	$(Q)sh tests/fuzz/run.sh $(BUILD)/fuzz $(FUZZ_SECONDS)

fuzzers: $(FUZZERS)

$(BUILD)/fuzz-%: $(BUILD)/tests/fuzz/%.o $(LAUNCHER_PARTS) $(PURE_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -fsanitize=address,undefined,fuzzer -o $@ $^ $(LAUNCHER_LIBS)

.PHONY: bench bench-built bench-check bench-check-built
bench: ## what bridle costs beside the bare command, in two minutes; BENCH='--only git --rounds 15' for some rows
	@sh tests/support/deps.sh $(BUILD_PACKAGES) python3 git nodejs
	@$(MAKE) --no-print-directory bench-built

bench-built: all $(BENCHES) $(BUILD)/bench-calls-static $(STILL)
	$(Q)python3 tests/bench/table.py $(BENCH) $(BUILD)

.PHONY: bench-peers bench-peers-built
bench-peers: ## the same beside the guards and tracers that are installed, and what trace costs: a quarter of an hour
	@sh tests/support/deps.sh $(BUILD_PACKAGES) python3 strace git nodejs
	@$(MAKE) --no-print-directory bench-peers-built

bench-peers-built: all $(BENCHES) $(BUILD)/bench-calls-static $(STILL)
	$(Q)python3 tests/bench/table.py --peers $(BENCH) $(BUILD)
	$(Q)$(BUILD)/bench-command
	$(Q)python3 tests/bench/trace.py $(BUILD)/bridle

bench-check: ## fail when a budget of speed is missed by more than the spread of its figures
	@sh tests/support/deps.sh $(BUILD_PACKAGES) python3 strace valgrind git nodejs
	@$(MAKE) --no-print-directory bench-check-built

bench-check-built: all $(BENCHES) $(BUILD)/bench-calls-static $(STILL)
	$(Q)python3 tests/bench/instructions.py $(BUILD)/still/bridle $(BUILD)/bench-work -v
	$(Q)python3 tests/real/system_calls.py $(BUILD)/bridle $(BUILD)/bench-calls -v
	$(Q)python3 tests/bench/table.py --check $(BENCH) $(BUILD)

$(BUILD)/bench-check $(BUILD)/bench-command: $(BUILD)/bench-%: $(BUILD)/tests/bench/%.o $(LAUNCHER_PARTS) $(PURE_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -o $@ $^ $(LAUNCHER_LIBS)

$(BUILD)/bench-calls-static: $(BUILD)/tests/bench/calls.o
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -static -o $@ $^

# The shim whose opens stop short of the kernel, beside a bridle of its own that finds it.
$(STILL_OBJ): $(BUILD)/still/%.o: %.c tests/bench/still.h $(BUILD)/flags Makefile
	$(call compile,$(SHIM_FLAGS) -include tests/bench/still.h)

$(BUILD)/still/libbridle.so: $(STILL_OBJ) $(filter-out $(STILL_SRC:%.c=$(BUILD)/%.o),$(SHIM_OBJ)) $(BUILD)/exports.map
	$(say) LINK $@
	$(Q)$(LINK_SHIM) -o $@ $(filter %.o,$^)

$(BUILD)/still/bridle: $(BUILD)/bridle
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(BUILD)/bench-%: $(BUILD)/tests/bench/%.o
	$(say) LINK $@
	$(Q)$(CC) $(OPT) -o $@ $^

# ---------------------------------------------------------------- sources in order

.PHONY: format lint lint-built everything
format: ## lay the sources out as .clang-format says
	$(Q)clang-format -i $(C_FILES)

lint: ## layout, cppcheck, shellcheck, and no warning from gcc or clang
	@sh tests/support/deps.sh $(BUILD_PACKAGES) $(CHECK_PACKAGES) $(LINT_PACKAGES)
	@$(MAKE) --no-print-directory lint-built

lint-built:
	$(say) FORMAT "$(words $(C_FILES)) files"
	$(Q)clang-format --dry-run -Werror $(C_FILES)
	$(Q)expand $(C_FILES) | awk 'length > 128 { print "longer than 128 columns: " $$0; bad = 1 } END { exit bad }'
	$(say) CPPCHECK "$(words $(C_FILES)) files"
	$(Q)cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppressions-list=tests/support/cppcheck.txt \
		-D_GNU_SOURCE -D__x86_64__=1 -D__linux__=1 '-DElfW(t)=Elf64_##t' \
		'-Djson_array_foreach(a,i,e)=while ((e = json_array_get(a, i)))' \
		-Iinclude -Ishim -Ilauncher shim launcher
	$(say) SHELL "$(words $(SCRIPTS)) scripts"
	$(Q)shellcheck $(SCRIPTS)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/gcc CC=gcc WERROR=-Werror everything
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/clang CC=clang WERROR=-Werror everything

everything: tests $(BENCHES) $(FUZZ_OBJ)

# ---------------------------------------------------------------- install

.PHONY: install uninstall clean
install: all ## copy bridle, its library and the examples under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/bridle $(DESTDIR)$(PREFIX)/share/doc/bridle/agents \
		$(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d $(DESTDIR)$(PREFIX)/share/doc/bridle/clients
	install -m 755 $(BUILD)/bridle $(DESTDIR)$(PREFIX)/bin/bridle
	install -m 755 $(BUILD)/libbridle.so $(DESTDIR)$(PREFIX)/lib/bridle/libbridle.so
	install -m 644 README.md LICENSE examples/why-denied.md $(wildcard examples/*.cfg) $(DESTDIR)$(PREFIX)/share/doc/bridle
	install -m 644 $(wildcard examples/agents/*.cfg) $(DESTDIR)$(PREFIX)/share/doc/bridle/agents
	install -m 644 $(wildcard examples/clients/*.*) $(DESTDIR)$(PREFIX)/share/doc/bridle/clients
	install -m 644 launcher/man/bridle.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 launcher/man/bridle.cfg.5 $(DESTDIR)$(PREFIX)/share/man/man5
	$(BUILD)/bridle completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bridle
	$(BUILD)/bridle completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_bridle
	$(BUILD)/bridle completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/bridle.fish

.PHONY: deb
deb: all ## a Debian package of what install copies
	$(Q)sh tests/support/deb.sh $(BUILD) $$(sed -n 's/.*BRIDLE_VERSION "\(.*\)"/\1/p' launcher/version.h)

.PHONY: check-deb
check-deb: deb ## what lintian says of it
	@sh tests/support/deps.sh lintian
	$(Q)lintian --allow-root --fail-on error,warning $(BUILD)/bridle_*.deb

uninstall: ## remove what install copied
	rm -f $(DESTDIR)$(PREFIX)/bin/bridle
	rm -rf $(DESTDIR)$(PREFIX)/lib/bridle $(DESTDIR)$(PREFIX)/share/doc/bridle
	rm -f $(DESTDIR)$(PREFIX)/share/man/man1/bridle.1 $(DESTDIR)$(PREFIX)/share/man/man5/bridle.cfg.5 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/bridle $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_bridle \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/bridle.fish

clean: ## remove what make made
	rm -rf $(BUILD)

-include $(patsubst %.o,%.d,$(PURE_OBJ) $(SHIM_OBJ) $(LAUNCHER_OBJ) $(TEST_OBJ) $(PROBE_OBJ) $(LIFE_OBJ) $(FUZZ_OBJ) $(BENCH_OBJ) $(STILL_OBJ))
