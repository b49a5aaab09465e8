/*
 * Loaded before libc (LD_PRELOAD): writes down, at every sync of a file or folder under one folder, what the sync makes safe from a power cut.
 * For the sync N of the process, in a folder of its own: `N.tree`, all names there are just before it; and `N.f.INODE`, the content of the
 * file, or `N.d.INODE`, the names in the folder. Nothing is really synced. It works below Node and below SQLite.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_HELD 4096

static const char *under;
static const char *notes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long turn;
static ino_t held[MOST_HELD];
static int held_by[MOST_HELD];
static int held_count;

__attribute__((constructor)) static void load(void) {
  under = getenv("COFFRE_SYNCED_UNDER");
  notes = getenv("COFFRE_SYNCED_NOTES");
}

static void fail(const char *what) {
  perror(what);
  abort();
}

static int is_ours(int fd) {
  char link[40], path[PATH_MAX];
  if (under == NULL || notes == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t size = strlen(under);
  return strncmp(path, under, size) == 0 && (path[size] == '/' || path[size] == 0);
}

/*
 * A descriptor of the file to read from, never closed: so no other file gets the number of this one while its old name may come back, and the
 * locks of SQLite, which end when a process closes any descriptor of a file, stay.
 */
static int hold(int fd, const struct stat *stat) {
  char self[40];
  for (int each = 0; each < held_count; each++)
    if (held[each] == stat->st_ino) return held_by[each];
  if (held_count == MOST_HELD) fail("too many files");
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  int own = open(self, O_RDONLY | O_CLOEXEC);
  if (own < 0) fail("cannot be opened again");
  held[held_count] = stat->st_ino;
  held_by[held_count] = own;
  held_count += 1;
  return own;
}

/* The names in a folder; with `prefix`, also those in its folders. */
static void list_names(const char *folder, const char *prefix, FILE *to) {
  DIR *opened = opendir(folder);
  if (opened == NULL) return;
  for (struct dirent *each; (each = readdir(opened)) != NULL;) {
    char path[PATH_MAX], inner[PATH_MAX];
    if (strcmp(each->d_name, ".") == 0 || strcmp(each->d_name, "..") == 0) continue;
    if (each->d_type != DT_DIR && each->d_type != DT_REG) continue;
    char kind = each->d_type == DT_DIR ? 'd' : 'f';
    fprintf(to, "%c %lu %s%s\n", kind, (unsigned long)each->d_ino, prefix == NULL ? "" : prefix, each->d_name);
    if (kind == 'f' || prefix == NULL) continue;
    if (snprintf(path, sizeof path, "%s/%s", folder, each->d_name) >= (int)sizeof path) continue;
    if (snprintf(inner, sizeof inner, "%s%s/", prefix, each->d_name) >= (int)sizeof inner) continue;
    list_names(path, inner, to);
  }
  closedir(opened);
}

static FILE *note(const char *what, unsigned long inode, char *place) {
  if (inode == 0) snprintf(place, PATH_MAX, "%s/%lu.%s", notes, turn, what);
  else snprintf(place, PATH_MAX, "%s/%lu.%s.%lu", notes, turn, what, inode);
  FILE *file = fopen(place, "we");
  if (file == NULL) fail(place);
  return file;
}

static int keep(int fd) {
  struct stat stat;
  char place[PATH_MAX], self[40];
  if (!is_ours(fd) || fstat(fd, &stat) != 0) return 0;
  pthread_mutex_lock(&lock);
  FILE *tree = note("tree", 0, place);
  list_names(under, "", tree);
  fclose(tree);
  int own = hold(fd, &stat);
  if (S_ISDIR(stat.st_mode)) {
    FILE *to = note("d", stat.st_ino, place);
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    list_names(self, NULL, to);
    fclose(to);
  } else {
    char bytes[65536];
    FILE *to = note("f", stat.st_ino, place);
    off_t at = 0;
    for (ssize_t length; (length = pread(own, bytes, sizeof bytes, at)) > 0; at += length) fwrite(bytes, 1, length, to);
    fclose(to);
  }
  turn += 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int fd) { return keep(fd); }
int fdatasync(int fd) { return keep(fd); }
