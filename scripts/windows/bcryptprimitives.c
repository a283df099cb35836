/* Wine 8 lacks this library, from which every native module written in Rust imports one function. */
#include <windows.h>

/* RtlGenRandom, under the name that advapi32 exports it by. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    const SIZE_T largest = 1u << 30;
    while (size > 0) {
        ULONG length = (ULONG)(size < largest ? size : largest);
        if (!SystemFunction036(data, length))
            return FALSE;
        data += length;
        size -= length;
    }
    return TRUE;
}
