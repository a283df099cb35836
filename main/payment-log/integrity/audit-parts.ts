/**
 * The parts of a verification, which run side by side: the file itself with its schema, search index and the order of
 * its chains, and ranges of
 * payments, number `index` of `of`, each event with its hash and each payment rebuilt.
 */
export type AuditPart = { part: 'file' } | { part: 'payments'; index: number; of: number };

/** The parts for a number of threads: the file, which is soon done, and a range of payments for each. */
export const auditParts = (threads: number): AuditPart[] => [
  { part: 'file' },
  ...Array.from({ length: threads }, (_, index): AuditPart => ({ part: 'payments', index, of: threads })),
];
