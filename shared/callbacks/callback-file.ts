/** Size limits of a file of callbacks, bytes, shared by the renderer and main. */

/** A file up to this size is shown in the box like a pasted text. */
export const pastedBytes = 256 * 1024;
/** A larger dropped file is sent in parts of this size. */
export const partBytes = 1024 * 1024;
