/**
 * The parts of a verification, which run in parallel: the file (schema, search index, order of the chains), and
 * ranges of payments, number `index` of `of`. For a range each event's hash is checked and each payment is rebuilt.
 */
export type AuditPart = { part: 'file' } | { part: 'payments'; index: number; of: number };

/** The parts for a number of threads: the file, which takes little time, and a range of payments for each thread. */
export const auditParts = (threads: number): AuditPart[] => [
  { part: 'file' },
  ...Array.from({ length: threads }, (_, index): AuditPart => ({ part: 'payments', index, of: threads })),
];
