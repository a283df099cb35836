import * as z from 'zod';

/** What the merchant chooses in the dashboard: how operations end, and what no source agrees on. */

/** How an operation ends; with `wait-` after a callback `waiting`. */
const outcomes = ['success', 'fail', 'wait-success', 'wait-fail'] as const;
export type Outcome = (typeof outcomes)[number];

/** Choices of one of several values. */
export const selectionSchema = z.object({
  /** The `order_amount` of a refund callback: the order's amount, or the refunded one. */
  refundAmount: z.enum(['order', 'refunded']).default('order'),
  refundOutcome: z.enum(outcomes).default('success'),
  voidOutcome: z.enum(outcomes).default('success'),
  captureOutcome: z.enum(outcomes).default('success'),
  retryOutcome: z.enum(outcomes).default('success'),
  /** The status of a new recurring payment; a pending one waits for the dashboard. */
  recurringOutcome: z.enum(['settled', 'decline', 'pending']).default('settled'),
  /** The type of its callback. */
  recurringCallback: z.enum(['sale', 'recurring']).default('sale'),
  /** Another operation on a payment while one is in progress. */
  duplicates: z.enum(['accepted', 'refused']).default('accepted'),
  /** Which of the documented shapes the answer to a void has. */
  voidAnswer: z.enum(['example', 'table', 'trans-status']).default('example'),
  /** The status of a payment after a void. */
  voidedStatus: z.enum(['reversal', 'void']).default('reversal'),
  /** Whether callbacks carry `order_status`, which §2.6 does not list. */
  orderStatus: z.enum(['left-out', 'sent']).default('left-out'),
});
type Selection = z.infer<typeof selectionSchema>;

const checkbox = z
  .literal('on')
  .optional()
  .transform(value => value === 'on');

/** All choices in the form in which the dashboard posts them, apart from the events. */
export const choicesSchema = z.object({
  /** Redirects the payer's browser to success_url or cancel_url (§1) instead of showing a page with the link back. */
  redirectBack: checkbox,
  /** Adds payment_id, trans_id, order_id and a hash to the return URL (assumption). */
  signReturnUrl: checkbox,
  ...selectionSchema.shape,
});

const outcomeTitles: Readonly<Record<Outcome, string>> = {
  success: 'succeeds',
  fail: 'fails',
  'wait-success': 'waits, then succeeds',
  'wait-fail': 'waits, then fails',
};

/** The dashboard's words for each choice and its values, in the order of the form. */
export const selectionTitles: {
  readonly [Name in keyof Selection]: {
    title: string;
    values: Readonly<Record<Selection[Name], string>>;
  };
} = {
  refundAmount: {
    title: 'A refund callback carries',
    values: { order: "the order's amount", refunded: 'the refunded amount' },
  },
  refundOutcome: { title: 'A refund', values: outcomeTitles },
  voidOutcome: { title: 'A void', values: outcomeTitles },
  captureOutcome: { title: 'A capture', values: outcomeTitles },
  retryOutcome: { title: 'A retry', values: outcomeTitles },
  recurringOutcome: {
    title: 'A recurring payment',
    values: { settled: 'settles', decline: 'is declined', pending: 'stays pending' },
  },
  recurringCallback: {
    title: 'A recurring payment sends',
    values: { sale: 'a sale callback', recurring: 'a recurring callback' },
  },
  duplicates: {
    title: 'A second operation meanwhile',
    values: { accepted: 'is accepted', refused: 'is rejected' },
  },
  voidAnswer: {
    title: 'Response to a void',
    values: {
      example: 'SUCCESS, payment_status',
      table: 'VOID alone',
      'trans-status': 'void, trans_status',
    },
  },
  voidedStatus: { title: 'After a void the status is', values: { reversal: 'reversal', void: 'void' } },
  orderStatus: {
    title: 'In callbacks order_status',
    values: { 'left-out': 'is left out', sent: 'is sent' },
  },
};
