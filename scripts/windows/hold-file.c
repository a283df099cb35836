/*
 * hold-file FILE MILLISECONDS [read] [write] [delete]: opens a file for reading as another program would, and allows
 * others what is listed. Prints a line once it is open. Closes it after that time, or with 0 when its standard input
 * ends. Node itself can only open a file with all three.
 */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

int wmain(int count, wchar_t **arguments)
{
    DWORD sharing = 0;
    for (int at = 3; at < count; at += 1) {
        if (wcscmp(arguments[at], L"read") == 0) sharing |= FILE_SHARE_READ;
        if (wcscmp(arguments[at], L"write") == 0) sharing |= FILE_SHARE_WRITE;
        if (wcscmp(arguments[at], L"delete") == 0) sharing |= FILE_SHARE_DELETE;
    }
    HANDLE file = count < 3 ? INVALID_HANDLE_VALUE
                            : CreateFileW(arguments[1], GENERIC_READ, sharing, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        printf("error %lu\n", GetLastError());
        return 1;
    }
    printf("open\n");
    fflush(stdout);
    long milliseconds = wcstol(arguments[2], NULL, 10);
    if (milliseconds > 0)
        Sleep((DWORD)milliseconds);
    else
        while (getchar() != EOF) {
        }
    return 0;
}
