/* SPDX-License-Identifier: MIT */
/* Faults that need a program of their own kind, compiled below bridle. Where there is no compiler nothing is tried. */
#include "fault.h"

#define HEAD                                                                                                           \
	"#include <dlfcn.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <spawn.h>\n"       \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/auxv.h>\n#include <sys/wait.h>\n" \
	"#include <unistd.h>\nextern char **environ;\n"                                                                \
	"static int no(const char*p){return open(p,O_RDONLY)<0&&errno==EACCES;}\n"

/* Writes NAME.c, and compiles it with what follows; a compiler that cannot is no failure of ours. */
#define SOURCE(name, text) "cat > " name ".c <<'END'\n" HEAD text "\nEND\n"
#define COMPILE(words) "gcc -w -D_GNU_SOURCE " words " 2>compiler || { cat compiler; echo not compiled; exit 1; }\n"
#define LIBRARY(text) COMPILER SOURCE("l", text) COMPILE("-shared -fPIC -o l.so l.c -ldl")
#define PROGRAM(text, flags) COMPILER SOURCE("m", text) COMPILE(flags " -o m m.c -ldl -lpthread")

#define SPAWN(path) "{pid_t p;char*a[]={\"" path "\",0};r=posix_spawn(&p,a[0],0,0,a,environ);if(!r)waitpid(p,0,0);}"

#define RUN "static int run(void){int r;" SPAWN("./fine") "return r;}\n"

const struct fault faults_of_programs[] = {
	/* Start-up. */
	{"another library's constructor opens and starts before ours",
	 LIBRARY("static __attribute__((constructor)) void f(void){int r;unsetenv(\"LD_PRELOAD\");"
		 "char*a[]={\"./forbidden\",0};\n"
		 "if(!no(\"../out/f\"))puts(\"bad\");" SPAWN("./forbidden") "if(r!=EACCES)puts(\"bad\");\n"
									    "if(execv(a[0],a)"
									    "!=-1||errno!=EACCES)"
									    "puts(\"bad\");errno=0;}"
									    "") "LD_PRELOAD=./l.so ./fine && echo done",
	 "done", -1},
	{"another library's constructor loads a library",
	 LIBRARY("static __attribute__((constructor)) void f(void){if(!dlopen(\"libm.so.6\",RTLD_NOW))puts(\"bad\");\n"
		 "if(dlopen(\"../out/lib.so\",RTLD_NOW))puts(\"bad\");}") "LD_PRELOAD=./l.so ./fine && echo done",
	 "done", 1},
	{"the block that a program starts with is whole",
	 LIBRARY("static __attribute__((constructor)) void f(void){unsetenv(\"LD_PRELOAD\");unsetenv(\"BRIDLE_SESSION\");}")
		 SOURCE("m", "int main(void){return !(getauxval(AT_PAGESZ)>=4096&&getauxval(AT_RANDOM)&&no(\"../out/f\"));}")
			 COMPILE("-o m m.c") "LD_PRELOAD=./l.so ./m && echo done",
	 "done", 1},
	{"a program has functions of our names",
	 PROGRAM("ssize_t write(int f,const void*b,size_t n){abort();}\nint close(int f){abort();}"
		 "\nchar*getenv(const char*n){abort();}\n"
		 "void*malloc(size_t n);int main(void){return !no(\"../out/f\");}",
		 "-rdynamic") "./m && echo done",
	 "done", 1},
	{"a program exports the allocator that it has linked in",
	 PROGRAM("static char pool[1<<20];static size_t used;\n"
		 "void*malloc(size_t n){if(!used)open(\"/proc/sys/vm/overcommit_memory\",O_RDONLY);n=(n+31)&~15ul;used+=n;\n"
		 "return pool+used-n;}void free(void*p){}void*calloc(size_t a,size_t b){return malloc(a*b);}\n"
		 "void*realloc(void*p,size_t n){void*q=malloc(n);if(p)memmove(q,p,n);return q;}\n"
		 "int main(void){FILE*f=fopen(\"f\",\"r\");return !(f&&!fopen(\"../out/f\",\"r\"));}",
		 "-rdynamic") "./m && echo done",
	 "done", 1},
	/* Names that a call can have. */
	{"libc is opened by its name and asked for its functions",
	 PROGRAM("typedef int o(const char*,int);int main(void){void*c=dlopen(\"libc.so.6\",RTLD_NOW);\n"
		 "o*a=(o*)dlsym(c,\"open\"),*b=(o*)dlvsym(c,\"open64\",\"GLIBC_2.2.5\"),*n=(o*)dlsym(RTLD_NEXT,\"open\");\n"
		 "b=b?b:(o*)dlvsym(c,\"open64\",\"GLIBC_2.17\");if(!c||!a||!b||!n||dlsym(c,\"no_such\")||!dlerror())return 1;\n"
		 "if(a(\"../out/f\",0)>=0||errno!=EACCES||b(\"../out/f\",0)>=0||errno!=EACCES)return 2;\n"
		 "return !(n(\"../out/f\",0)<0&&a(\"f\",0)>=0&&strlen!=dlsym(c,\"open\"));}",
		 "") "./m && echo done",
	 "done", 3},
	{"libc is opened by its name in python",
	 PYTHON "python3 -c 'import ctypes\nc = ctypes.CDLL(\"libc.so.6\", use_errno=True)\n"
		"print(\"done\" if c.open(b\"../out/f\", 0) < 0 and ctypes.get_errno() == 13 and c.open(b\"f\", 0) >= 0 and "
		"c.system(b\"./forbidden\") else \"bad\")'",
	 "done", -1},
	{"a fortified program reads and opens into small rooms",
	 PROGRAM("int main(int c,char**v){char b[4];int f=c>9?O_CREAT:O_RDONLY;memset(b,0,4);\n"
		 "return !(readlink(\"link\",b,c+3)==4&&open(\"../out/f\",f)<0&&errno==EACCES&&open(\"f\",f)>=0&&"
		 "openat(AT_FDCWD,\"../out/f\",f)<0);}",
		 "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2") "./m && echo done",
	 "done", 2},
	{"an older version of a function is asked for",
	 "[ $(uname -m) = x86_64 ] || { echo done; exit 0; }\n" PROGRAM(
		 "__asm__(\".symver posix_spawn,posix_spawn@GLIBC_2.2.5\");\n"
		 "int main(void){int r;" SPAWN("./forbidden") "if(r!=EACCES)return 1;" SPAWN("./fine") "return r;}",
		 "") "./m && echo done",
	 "done", 1},
	{"vfork has two names and is neither wrapped nor replaced",
	 PROGRAM("pid_t __vfork(void);static int n;static void h(void){n++;}\n"
		 "static int by(pid_t(*f)(void)){pid_t p=f();int s;if(p==0){execl(\"./forbidden\",\"x\",NULL);\n"
		 "if(errno!=EACCES)_exit(1);execl(\"./fine\",\"x\",NULL);_exit(2);}return waitpid(p,&s,0)!=p||s;}\n"
		 "int main(void){pthread_atfork(h,0,0);if(by(vfork)||by(__vfork)||n)return 1;return by(fork)||n!=1;}",
		 "") "./m && echo done",
	 "done", -1},
	{"a program starts others by libc's other libc",
	 NEEDS("musl-gcc") "export TMPDIR=.\ncat > m.c <<'END'\n#include <errno.h>\n#include <unistd.h>\n#include <spawn.h>\n"
			   "extern char **environ;int main(void){char*a[]={\"./forbidden\",0};pid_t p;\n"
			   "if(execvp(a[0],a)!=-1||errno!=EACCES||posix_spawnp(&p,a[0],0,0,a,environ)!=EACCES)return 1;\n"
			   "a[0]=\"./fine\";execvp(a[0],a);return 2;}\nEND\n"
			   "musl-gcc -o m m.c && ./m && echo done",
	 "done", -1},
	/* Threads, stacks, the end. */
	{"a thread ends after its program's own destructors are gone",
	 PROGRAM("static void d(void*p){if(!no(\"../out/f\"))puts(\"bad\");}\n"
		 "static void*t(void*k){pthread_setspecific(*(pthread_key_t*)k,k);return 0;}\n"
		 "int main(void){pthread_key_t k;pthread_t a;pthread_key_create(&k,d);pthread_create(&a,0,t,&k);\n"
		 "pthread_join(a,0);return 0;}",
		 "") "./m && echo done",
	 "done", 1},
	{"the first thread ends before the others",
	 PROGRAM("static void*t(void*m){pthread_join(*(pthread_t*)m,0);\n"
		 "exit(!(no(\"../out/f\")&&truncate(\"f\",1)==0&&chmod(\"./f\",0600)==0));}\n"
		 "int main(void){static pthread_t m;pthread_t a;m=pthread_self();pthread_create(&a,0,t,&m);pthread_exit(0);}",
		 "") "./m && echo done",
	 "done", 1},
	{"the environment is no list any more",
	 PROGRAM(RUN
		 "int main(void){char*odd[]={\"\",\"=\",\"x\",\"LD_PRELOAD\",\"A=1\",\"A=2\",0};\n"
		 "char*a[]={\"/bin/cat\",\"../out/f\",0};environ=NULL;if(run())return 1;environ=odd;\n"
		 "if(run())return 2;execve(a[0],a,odd);return 3;}",
		 "") "./m || echo done",
	 "done", 1},
	{"errno is what it was when a report cannot be written",
	 PROGRAM("int main(void){errno=0;return !(open(\"../out/missing\",O_RDONLY)"
		 "<0&&errno==ENOENT&&open(\"f/x\",O_RDONLY)<0&&"
		 "errno==ENOTDIR&&(errno=77,open(\"f\",O_RDONLY)>=0)&&errno==77&&(errno=78,mkdir(\"new\","
		 "0700)==0)&&errno==78&&"
		 "unlink(\"./g\")==0&&errno==78&&rename(\"./f\",\"./h\")==0&&errno==78&&chmod(\"link\",0)"
		 "<0&&errno==EACCES);}",
		 "") "./m && echo done",
	 "done", 1},
	{NULL, NULL, NULL, 0},
};
