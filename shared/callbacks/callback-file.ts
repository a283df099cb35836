/** The sizes of a file of callbacks by which window and main agree how it is taken; bytes. */

/** A file of at most so many is shown in the box, as if it had been pasted. */
export const pastedBytes = 256 * 1024;
/** A longer one that was dropped is handed over in parts of so many. */
export const partBytes = 1024 * 1024;
