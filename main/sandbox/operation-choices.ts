import * as z from 'zod';

/** What the merchant chooses in the dashboard about operations on a payment: how they end, and what no source agrees on. */

/** How an operation ends; with `wait-` after a callback `waiting`. */
const outcomes = ['success', 'fail', 'wait-success', 'wait-fail'] as const;
export type Outcome = (typeof outcomes)[number];

export const operationChoicesSchema = z.object({
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
export type OperationChoices = z.infer<typeof operationChoicesSchema>;

const outcomeTitles: Readonly<Record<Outcome, string>> = {
  success: 'succeeds',
  fail: 'fails',
  'wait-success': 'waits, then succeeds',
  'wait-fail': 'waits, then fails',
};

/** The dashboard's words for each choice and its values, in the order of the form. */
export const operationChoiceTitles: {
  readonly [Name in keyof OperationChoices]: {
    title: string;
    values: Readonly<Record<OperationChoices[Name], string>>;
  };
} = {
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
