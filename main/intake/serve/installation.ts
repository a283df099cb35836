import { codeOf } from '../../../shared/errors.ts';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomicSync } from '../../files/replace-file.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The journal's file in a state folder. */
export const journalFile = (state: string): string => join(state, 'payments.db');

/**
 * The name under which this intake writes its chain, created with the state folder at first use. Throws file system
 * errors, and an Error if the stored name is damaged: a new one would begin another chain.
 */
export const installationOf = (state: string): string => {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, 'installation');
  let text: string | null = null;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  }
  if (text === null) {
    const name = randomUUID();
    writeFileAtomicSync(file, `${name}\n`);
    return name;
  }
  if (!uuid.test(text)) throw new Error('The file "installation" of the state folder is damaged.');
  return text;
};
