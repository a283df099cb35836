/** The payment statuses of §3.1, which a look-up answers and `order_status` carries. */
export const paymentStatuses = [
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
