/** The statuses of §3.1; the catalogue explains each. */
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
