import { msg, type Message } from '../messages/message.ts';

/** Files of callbacks, as the renderer and main read them. */

/** A file up to this size is shown in the box like a pasted text, bytes. */
export const pastedBytes = 256 * 1024;
/** Size limit of a file, bytes: it is read at once. */
export const maxFileBytes = 20 * 1024 * 1024;

/** The decoded text and a description of repairs; a byte order mark determines the encoding and is removed. */
export const decodeBytes = (bytes: Uint8Array): { text: string; problem: Message | null } => {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), problem: null };
  } catch {
    return {
      text: new TextDecoder(encoding).decode(bytes),
      problem: msg('inspection.other-encoding', { encoding: encoding.toUpperCase() }),
    };
  }
};
