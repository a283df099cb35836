/** The end of one writer's chain. */
export type ChainEnd = {
  writer: string;
  /** The number of the writer's last event. */
  seq: number;
  /** Its link of the chain, lower-case hex. */
  hash: string;
};

/**
 * The ends of all chains at one instant, signed. With a signed head, later truncation or rebuilding of the log before
 * it can be detected.
 */
export type SignedHead = {
  format: 'counterfoil-head-1';
  /** Milliseconds since 1970. */
  at: number;
  chains: ChainEnd[];
  /** The export it was written with, and the SHA-256 of the file's bytes in hex; null if it was written alone. */
  export: { file: string; sha256: string } | null;
  /** Ed25519, SPKI, base64. */
  publicKey: string;
  /** Base64. */
  signature: string;
};

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
