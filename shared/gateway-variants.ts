/** The variants of a gateway where the interface does not specify one; a profile selects them. */

export const digests = ['md5', 'sha256'] as const;
export const uppercasings = ['unicode', 'ascii'] as const;
export const sessionPaths = [
  '/api/v1/sessions/',
  '/api/v1/session/',
  '/api/v1/sessions',
  '/api/v1/session',
] as const;
export const statusForms = ['get-json', 'get-query', 'post-json'] as const;
/** The `order_amount` of a refund callback: the order's amount, as in §2.6, or the refunded one. */
export const refundAmounts = ['order', 'refunded'] as const;

/** When a payment may be voided: on the gateway's day of the payment, while it is only authorised, or both. */
export const voidMoments = ['same-day', 'authorised', 'both'] as const;
