import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { pageRows } from './log-queries.ts';

/**
 * The alternative to an encrypted file, as far as the bench needs it: customer details, rows and words encrypted value
 * by value with AES-256-GCM, and an index of keyed digests of words and their beginnings.
 */

const key = randomBytes(32);
const nonceBytes = 12;
const tagBytes = 16;
const tokenBytes = 8;
/** Lengths of the beginnings of a word that can be searched for. */
const minPrefix = 3;
const maxPrefix = 12;

const seal = (text: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};

const open = (sealed: Buffer): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
  return text + decipher.final('utf8');
};

const tokenOf = (prefix: string): Buffer =>
  createHmac('sha256', key).update(prefix).digest().subarray(0, tokenBytes);

const tokensOf = (words: string): Set<string> => {
  const prefixes = new Set<string>();
  for (const word of words.toLowerCase().split(/\s+/))
    for (let length = minPrefix; length <= Math.min(word.length, maxPrefix); length += 1)
      prefixes.add(word.slice(0, length));
  return prefixes;
};

export type SensitiveRow = { payment: number; row: string; words: string; personal: readonly string[] };

/** Tables with encrypted values in `file`. */
export const createEncryptedColumns = (file: string) => {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // The flush of an append is measured with the log that contains the rest.
  database.pragma('synchronous = OFF');
  database.exec(`
    CREATE TABLE listed (payment INTEGER PRIMARY KEY, "row" BLOB NOT NULL) STRICT;
    CREATE TABLE personal (payment INTEGER NOT NULL, "values" BLOB NOT NULL) STRICT;
    CREATE TABLE word (token BLOB NOT NULL, payment INTEGER NOT NULL, PRIMARY KEY (token, payment)) STRICT, WITHOUT ROWID;
  `);
  const insertRow = database.prepare('INSERT INTO listed VALUES (?, ?)');
  const insertPersonal = database.prepare('INSERT INTO personal VALUES (?, ?)');
  const insertWord = database.prepare('INSERT INTO word VALUES (?, ?)');
  const newest = database
    .prepare<[], Buffer>(`SELECT "row" FROM listed ORDER BY payment DESC LIMIT ${pageRows + 1}`)
    .pluck();
  const found = database
    .prepare<[Buffer], Buffer>(
      `SELECT l."row" FROM word w JOIN listed l ON l.payment = w.payment WHERE w.token = ?
       ORDER BY w.payment DESC LIMIT ${pageRows + 1}`,
    )
    .pluck();
  return {
    insert: database.transaction((rows: readonly SensitiveRow[]): void => {
      for (const { payment, row, words, personal } of rows) {
        insertRow.run(payment, seal(row));
        for (const values of personal) insertPersonal.run(payment, seal(values));
        for (const prefix of tokensOf(words)) insertWord.run(tokenOf(prefix), payment);
      }
    }),
    firstPage: (): unknown[] => newest.all().map(row => JSON.parse(open(row)) as unknown),
    /** Only words and their beginnings can be found. */
    search: (word: string): unknown[] =>
      found.all(tokenOf(word)).map(row => JSON.parse(open(row)) as unknown),
    close: () => database.close(),
  };
};
