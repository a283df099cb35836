import { createReportContext } from '../../main/export/report-context.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';

/** Payments to export, without a payment log. */
export const exportedRow = (number: number): PaymentRow => ({
  profileId: 'live',
  orderNumber: `A-${number}`,
  raisedHere: true,
  state: 'paid-confirmed',
  since: 1_700_000_000_000,
  amount: '10.00',
  currency: 'EUR',
  description: '=HYPERLINK("http://evil.example","pay")',
  customer: { name: 'Müller, "Jo"\nline', email: 'jo@example.com' },
  customerFrom: 'request',
  series: null,
  review: null,
  dispute: null,
  entries: [],
  paidAmount: null,
  paidCurrency: null,
  pendingSince: null,
  expiresAt: null,
  reason: null,
  paidAt: null,
  checkedAt: null,
  concern: null,
  linkUsable: false,
  paymentIds: [],
  flags: [],
  basis: null,
  cardLast4: '1111',
  firstAt: 1_700_000_000_000,
  lastAt: 1_700_000_000_000,
  agent: 'anna',
  events: 5,
});

export const given = {
  readers: 'programs',
  language: 'en',
  locale: 'en',
  zone: 'UTC',
  now: 0,
  period: null,
  profileName: (id: string) => id,
} as const;
export const context = createReportContext(given);

/** The pages of `count` payments, by cursor. */
export const pages = (count: number, size: number) => (cursor: string | null) => {
  const from = cursor === null ? 0 : Number(cursor);
  const rows = Array.from({ length: Math.min(size, count - from) }, (_, at) => exportedRow(from + at));
  return Promise.resolve({ rows, next: from + size < count ? String(from + size) : null });
};
