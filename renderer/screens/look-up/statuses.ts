/** The statuses of §3.1; each has its explanation in the catalogue. */
export const documentedStatuses = [
  'prepare',
  'settled',
  'pending',
  '3ds',
  'redirect',
  'decline',
  'refund',
  'reversal',
  'chargeback',
] as const;
