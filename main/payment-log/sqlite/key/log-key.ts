import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openRegularFileSync } from '../../../files/read-regular-file.ts';
import type Database from 'better-sqlite3';
import { ok, type Result } from '../../../../shared/errors.ts';
import { logFailure } from '../../log-failures.ts';

/** The key of an encrypted payment log: 32 bytes as 64 hexadecimal digits, lower case. */
export type LogKey = string;

/** A log and the key that opens it if it is encrypted; for a new file, null leaves it plain. */
export type KeyedFile = { file: string; key: LogKey | null };

export const newLogKey = (): LogKey => randomBytes(32).toString('hex');

export const isLogKey = (text: string): boolean => /^[\da-f]{64}$/.test(text);

/**
 * The first 16 bytes of an encrypted log. SQLite3 Multiple Ciphers has its salt there, which a raw key does not need.
 * They say what the file is, and which key opens it.
 */
const mark = Buffer.from('CfLgEnc1');
const headerBytes = 16;
/** "SQLite format 3" and a zero byte. */
export const plainHeader = Buffer.from('53514c69746520666f726d6174203300', 'hex');

/** Names a key without revealing it: 16 hexadecimal digits. */
export const logKeyId = (key: LogKey): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update('counterfoil-payment-log').digest('hex').slice(0, 16);

/** What a file is: `keyId` names the key that opens it; `empty`: missing or without content. */
export type LogFileKind = { kind: 'plain' | 'empty' | 'unknown' } | { kind: 'encrypted'; keyId: string };

/** Reads the first bytes of a file. Throws file system errors, except for a missing file. */
export const logFileKind = (file: string): LogFileKind => {
  let handle: number;
  try {
    handle = openRegularFileSync(file);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return { kind: 'empty' };
    throw thrown;
  }
  try {
    const header = Buffer.alloc(headerBytes);
    const read = readSync(handle, header, 0, headerBytes, 0);
    if (read === 0) return { kind: 'empty' };
    if (header.equals(plainHeader)) return { kind: 'plain' };
    return header.subarray(0, mark.length).equals(mark)
      ? { kind: 'encrypted', keyId: header.subarray(mark.length).toString('hex') }
      : { kind: 'unknown' };
  } finally {
    closeSync(handle);
  }
};

/** Whether a file is an encrypted log. One that cannot be read counts as none: opening it says why. */
export const isEncryptedLog = (file: string): boolean => {
  try {
    return logFileKind(file).kind === 'encrypted';
  } catch {
    return false;
  }
};

/**
 * The key to open a file with: null for a file that is not encrypted, `key` for an encrypted one and for a new one.
 * Errors: `log.locked` if the file needs another key. Throws file system errors.
 */
export const keyToOpen = (file: string, key: LogKey | null): Result<LogKey | null> => {
  const found = logFileKind(file);
  if (found.kind === 'empty') return ok(key);
  if (found.kind !== 'encrypted') return ok(null);
  if (key === null) return logFailure('log.locked', 'no key');
  return found.keyId === logKeyId(key) ? ok(key) : logFailure('log.locked', 'another key');
};

/** The key as the cipher takes it: with the 16 bytes that a new file begins with. */
export const cipherKey = (key: LogKey): string => `raw:${key}${mark.toString('hex')}${logKeyId(key)}`;

/** Prepares a new connection for an encrypted file, before anything else is read. Throws SQLite errors. */
export const applyKey = (database: Database.Database, key: LogKey): void => {
  database.pragma("cipher = 'chacha20'");
  database.pragma(`key = '${cipherKey(key)}'`);
  // Temporary tables and sorts would be on the disk unencrypted.
  database.pragma('temp_store = MEMORY');
};
