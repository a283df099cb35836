import type { ChainEnd, SignedHead } from '../answers.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isComplete = (value: unknown): value is number => Number.isSafeInteger(value);

/**
 * Reads a head from a JSON value and drops unknown fields; null if it is not a head. Written by hand: the log's
 * worker threads read heads and load no schema library.
 */
export const readSignedHead = (value: unknown): SignedHead | null => {
  if (!isFields(value)) return null;
  const { format, at, chains, export: file, publicKey, signature } = value;
  if (format !== 'counterfoil-head-1' || !isComplete(at) || !isText(publicKey) || !isText(signature))
    return null;
  const ends: ChainEnd[] = [];
  for (const end of Array.isArray(chains) ? (chains as unknown[]) : [null]) {
    if (!isFields(end) || !isText(end.writer) || !isComplete(end.seq) || !isText(end.hash)) return null;
    ends.push({ writer: end.writer, seq: end.seq, hash: end.hash });
  }
  const head = { format, at, chains: ends, publicKey, signature } as const;
  if (file === null) return { ...head, export: null };
  if (!isFields(file) || !isText(file.file) || !isText(file.sha256)) return null;
  return { ...head, export: { file: file.file, sha256: file.sha256 } };
};
