/* Preloaded by failing-disk.integration.test.ts: reads and writes of the files of a payment log fail as those of a
   broken disk do, while a file of that name lies beside the log ("fail.read", "fail.write"). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(int fd, const char *what) {
  char link[64], path[4096], control[4200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  if (!name || strncmp(name, "/payments.db", 12) || strstr(name, "-shm") || strstr(name, ".lock")) return 0;
  snprintf(control, sizeof control, "%.*s/fail.%s", (int)(name - path), path, what);
  return access(control, F_OK) == 0;
}

#define WRAP(type, name, buffer, offset, what)                              \
  type name(int fd, buffer data, size_t size, offset at) {                  \
    static type (*real)(int, buffer, size_t, offset);                       \
    if (!real) real = (type (*)(int, buffer, size_t, offset))dlsym(RTLD_NEXT, #name); \
    if (fails(fd, what)) return errno = EIO, -1;                            \
    return real(fd, data, size, at);                                        \
  }

WRAP(ssize_t, pread, void *, off_t, "read")
WRAP(ssize_t, pread64, void *, off64_t, "read")
WRAP(ssize_t, pwrite, const void *, off_t, "write")
WRAP(ssize_t, pwrite64, const void *, off64_t, "write")

ssize_t read(int fd, void *data, size_t size) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) real = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  if (fails(fd, "read")) return errno = EIO, -1;
  return real(fd, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (fails(fd, "write")) return errno = EIO, -1;
  return real(fd, data, size);
}
