// A library that is loaded before all others and lets the n-th call of a kind fail, when it is told to.
//
//   torture_arm(kind, n, error)   the n-th call from now on fails (and those after it, where error < 0)
//   torture_disarm()              all is well again; returns how many calls there were
//   torture_clock(seconds)        the clock of the wall is off by so much, and by more at each look
//
// Only calls of the process that armed it count: a fork has counters of its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { NONE, ALLOCATION, WRITE, FSYNC, RENAME, OPEN };
static atomic_int armed = NONE;
static atomic_long calls, wanted;
static atomic_int error_given;
static atomic_long drift;

void torture_arm(int kind, long n, int error) {
  calls = 0;
  wanted = n;
  error_given = error;
  armed = kind;
}

long torture_disarm(void) {
  armed = NONE;
  return calls;
}

void torture_clock(long seconds) { drift = seconds; }

static int fails(int kind) {
  if (armed != kind) return 0;
  long count = atomic_fetch_add(&calls, 1) + 1;
  int error = error_given;
  if (error < 0 ? count < wanted : count != wanted) return 0;
  errno = error < 0 ? -error : error;
  return 1;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t n) { return fails(ALLOCATION) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails(ALLOCATION) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails(ALLOCATION) ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t to, size_t n) { return fails(ALLOCATION) ? NULL : __libc_memalign(to, n); }
int posix_memalign(void **p, size_t to, size_t n) {
  if (fails(ALLOCATION)) return ENOMEM;
  *p = __libc_memalign(to, n);
  return *p ? 0 : ENOMEM;
}

#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int file, const void *content, size_t n) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (file > 2 && fails(WRITE)) {
    if (n > 1) (void)!real(file, content, n / 2);  // a part has reached the disk
    return -1;
  }
  return real(file, content, n);
}
int fsync(int file) {
  REAL(int, "fsync", int);
  return fails(FSYNC) ? -1 : real(file);
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return fails(RENAME) ? -1 : real(from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
  REAL(int, "renameat", int, const char *, int, const char *);
  return fails(RENAME) ? -1 : real(a, from, b, to);
}
int open64(const char *path, int flags, ...) {
  REAL(int, "open64", const char *, int, ...);
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails(OPEN) ? -1 : real(path, flags, mode);
}

static void turn(struct timespec *now) {
  if (drift == 0) return;
  now->tv_sec += drift;
  drift = -3 * drift / 2;  // forwards, backwards, further each time
  if (drift > 1000000000L || drift < -1000000000L) drift = 1;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(int, "clock_gettime", clockid_t, struct timespec *);
  int result = real(clock, now);
  if (clock == CLOCK_REALTIME) turn(now);
  return result;
}
time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
