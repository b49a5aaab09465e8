/*
 * Loaded before libc (LD_PRELOAD): the calls that a process makes to the disk under one folder, of which some fail. It works below Node and
 * below SQLite, so that both are tested as they are. What fails, and when, stands in a file that the test shares with the process.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The layout is that of CONTROL in faulty-disk.ts. */
struct control {
  _Atomic int64_t armed; /* 0: nothing fails */
  _Atomic int64_t left;  /* calls of that kind that still succeed */
  _Atomic int64_t kind;
  _Atomic int64_t lasting; /* 0: one call fails; 1: all from then on */
  _Atomic int64_t calls;
  _Atomic int64_t injected;
};

enum { ENOSPC_ = 1, EIO_, EACCES_, EMFILE_, SHORT_READ, SHORT_WRITE, SLOW_SYNC, KEEPS_NAMES, BLIND };
enum { OPEN = 1, MAKE = 2, READ = 4, WRITE = 8, SYNC = 16, NAME = 32, UNLINK = 64, LOOK = 128, LIST = 256, MARK = 512 };

static struct control *control;
static const char *under;

__attribute__((constructor)) static void load(void) {
  const char *file = getenv("COFFRE_FAULTS_CONTROL");
  under = getenv("COFFRE_FAULTS_UNDER");
  if (file == NULL || under == NULL) return;
  int (*open_)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  int fd = open_(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (shared != MAP_FAILED) control = shared;
}

static int is_under(const char *path) {
  return strncmp(path, under, strlen(under)) == 0;
}

static int is_ours_fd(int fd) {
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_under(path);
}

static int is_ours_path(const char *path) {
  char folder[PATH_MAX];
  int fd;
  /* Node's way to a name in an open folder. */
  if (sscanf(path, "/proc/self/fd/%d", &fd) == 1) return is_ours_fd(fd);
  if (path[0] == '/') return is_under(path);
  return getcwd(folder, sizeof folder) != NULL && is_under(folder);
}

/* Which calls a kind of fault can hit. */
static int hits(int64_t kind, int call) {
  switch (kind) {
    case ENOSPC_: return call & (MAKE | WRITE | NAME);
    case EIO_: return call & (OPEN | MAKE | READ | WRITE | SYNC | NAME | LOOK | LIST | MARK);
    case EACCES_: return call & (OPEN | MAKE | NAME | LIST);
    case EMFILE_: return call & (OPEN | MAKE | LIST);
    case BLIND: return call & LOOK;
    case SHORT_READ: return call & READ;
    case SHORT_WRITE: return call & WRITE;
    case SLOW_SYNC: return call & SYNC;
    case KEEPS_NAMES: return call & UNLINK;
    default: return 0;
  }
}

/* The kind of fault that hits this call; 0 for none. */
static int64_t fault(int call) {
  control->calls++;
  if (!control->armed || !hits(control->kind, call)) return 0;
  if (atomic_fetch_sub(&control->left, 1) > 0) return 0;
  if (!control->lasting) control->armed = 0;
  control->injected++;
  return control->kind;
}

/* -1 with errno when the call fails, else 0. */
static int fails(int64_t kind) {
  if (kind == SLOW_SYNC) {
    struct timespec time = {0, 150 * 1000 * 1000};
    nanosleep(&time, NULL);
    return 0;
  }
  switch (kind) {
    case ENOSPC_: errno = ENOSPC; return -1;
    case EIO_:
    case BLIND:
    case KEEPS_NAMES: errno = EIO; return -1;
    case EACCES_: errno = EACCES; return -1;
    case EMFILE_: errno = EMFILE; return -1;
    default: return 0;
  }
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = dlsym(RTLD_NEXT, name)

#define DEFINE_OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, #name, const char *, int, ...); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list list; \
      va_start(list, flags); \
      mode = va_arg(list, mode_t); \
      va_end(list); \
    } \
    if (control != NULL && is_ours_path(path) && fails(fault(flags & O_CREAT ? MAKE : OPEN))) return -1; \
    return real(path, flags, mode); \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_TRANSFER(name, params, given, call, is_short) \
  ssize_t name params { \
    static ssize_t (*real) params; \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    if (control != NULL && is_ours_fd(fd)) { \
      int64_t kind = fault(call); \
      if (fails(kind)) return -1; \
      if (kind != 0 && kind == is_short && size > 1) size = size / 2; \
    } \
    return real given; \
  }
DEFINE_TRANSFER(read, (int fd, void *bytes, size_t size), (fd, bytes, size), READ, SHORT_READ)
DEFINE_TRANSFER(pread, (int fd, void *bytes, size_t size, off_t at), (fd, bytes, size, at), READ, SHORT_READ)
DEFINE_TRANSFER(pread64, (int fd, void *bytes, size_t size, off64_t at), (fd, bytes, size, at), READ, SHORT_READ)
DEFINE_TRANSFER(write, (int fd, const void *bytes, size_t size), (fd, bytes, size), WRITE, SHORT_WRITE)
DEFINE_TRANSFER(pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at), WRITE, SHORT_WRITE)
DEFINE_TRANSFER(pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at), WRITE, SHORT_WRITE)

#define DEFINE_ON_FD(name, params, given, call) \
  int name params { \
    static int (*real) params; \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    if (control != NULL && is_ours_fd(fd) && fails(fault(call))) return -1; \
    return real given; \
  }
DEFINE_ON_FD(fsync, (int fd), (fd), SYNC)
DEFINE_ON_FD(fdatasync, (int fd), (fd), SYNC)
DEFINE_ON_FD(ftruncate, (int fd, off_t size), (fd, size), WRITE)
DEFINE_ON_FD(ftruncate64, (int fd, off64_t size), (fd, size), WRITE)

#define DEFINE_ON_PATH(name, params, given, call) \
  int name params { \
    static int (*real) params; \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    if (control != NULL && is_ours_path(path) && fails(fault(call))) return -1; \
    return real given; \
  }
DEFINE_ON_PATH(rename, (const char *path, const char *to), (path, to), NAME)
DEFINE_ON_PATH(unlink, (const char *path), (path), NAME | UNLINK)
DEFINE_ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode), NAME)
DEFINE_ON_PATH(rmdir, (const char *path), (path), NAME)
DEFINE_ON_PATH(link, (const char *path, const char *to), (path, to), NAME)
DEFINE_ON_PATH(symlink, (const char *to, const char *path), (to, path), NAME)
DEFINE_ON_PATH(chmod, (const char *path, mode_t mode), (path, mode), MARK)
DEFINE_ON_FD(fchmod, (int fd, mode_t mode), (fd, mode), MARK)
DEFINE_ON_FD(futimens, (int fd, const struct timespec times[2]), (fd, times), MARK)

DEFINE_TRANSFER(writev, (int fd, const struct iovec *parts, int size), (fd, parts, size), WRITE, 0)

#define DEFINE_LIST(type, name, params, given, isours) \
  type name params { \
    static type (*real) params; \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    if (control != NULL && isours && fails(fault(LIST))) return FAILED_##name; \
    return real given; \
  }
#define FAILED_opendir NULL
#define FAILED_fdopendir NULL
#define FAILED_scandir64 -1
DEFINE_LIST(DIR *, opendir, (const char *path), (path), is_ours_path(path))
DEFINE_LIST(DIR *, fdopendir, (int fd), (fd), is_ours_fd(fd))
DEFINE_LIST(int, scandir64,
  (const char *path, struct dirent64 ***found, int (*chosen)(const struct dirent64 *), int (*order)(const struct dirent64 **, const struct dirent64 **)),
  (path, found, chosen, order), is_ours_path(path))

/* What SQLite is compiled to; libc has them for programs that were linked with an older one. */
#define DEFINE_STAT(name, what, isours) \
  int name(int version, what, struct stat64 *found) { \
    static int (*real)(int, what, struct stat64 *); \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    if (control != NULL && isours && fails(fault(LOOK))) return -1; \
    return real(version, place, found); \
  }
DEFINE_STAT(__xstat64, const char *place, is_ours_path(place))
DEFINE_STAT(__lxstat64, const char *place, is_ours_path(place))
DEFINE_STAT(__fxstat64, int place, is_ours_fd(place))

/* Node looks at files by statx, which its library calls by number. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_statx && control != NULL) {
    const char *path = (const char *)b;
    int is_ours = path[0] == 0 || ((int)a != AT_FDCWD && path[0] != '/') ? is_ours_fd((int)a) : is_ours_path(path);
    if (is_ours && fails(fault(LOOK))) return -1;
  }
  return real(number, a, b, c, d, e, f);
}
