import { codeOf } from '../../../shared/errors.ts';
import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { msg } from '../../../shared/messages/message.ts';
import { notRegular, openFlags } from '../../files/read-regular-file.ts';
import { StatementRefusal } from './statement-refusal.ts';
import { maxFileBytes } from './statement-rows.ts';

/** The bytes of a statement with their SHA-256. */
export type StatementFile = { name: string; bytes: Buffer; sha256: string };

/** Reads a whole file that does not change meanwhile. Throws `StatementRefusal`. */
export const openStatement = async (path: string): Promise<StatementFile> => {
  const name = basename(path);
  try {
    const handle = await open(path, openFlags);
    try {
      const before = await handle.stat();
      if (!before.isFile()) throw notRegular();
      if (before.size > maxFileBytes)
        throw new StatementRefusal(
          msg('statement-file.too-large', { file: name, max: maxFileBytes / 1024 / 1024 }),
          msg('statement-file.rows.hint'),
        );
      const bytes = await handle.readFile();
      const after = await handle.stat();
      if (bytes.length !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new StatementRefusal(msg('statement-file.changing', { file: name }));
      if (bytes.length === 0) throw new StatementRefusal(msg('statement-file.empty', { file: name }));
      return { name, bytes, sha256: hash('sha256', bytes) };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (thrown instanceof StatementRefusal) throw thrown;
    throw new StatementRefusal(msg('command.unreadable', { file: name, code: codeOf(thrown) || '?' }));
  }
};
