import * as z from 'zod';
import { maxSearchText } from '../../max-search-text.ts';
import { customerSchema, eventSchema, shareChannelSchema } from '../../payments/evidence.ts';
import { maxWithdrawalText, withdrawalReasons } from '../../payments/order-link.ts';
import { paymentOptionsSchema } from '../../payments/payment-options.schema.ts';
import { languages } from '../../messages/message.ts';
import { messageChannels } from '../../merchant-texts/message-templates.ts';
import { maxRows } from '../../payments/payment-row.ts';
import { flagKinds, paymentRowSchema, paymentSchema, paymentStates } from '../../payments/payment.ts';
import { defineRequest, emptySchema, localeTag, orderNumber, profileId } from '../define-request.ts';

const foundPaymentsSchema = z.object({
  /** Exact ones first, each payment once. */
  hits: z.array(z.object({ row: paymentRowSchema, isApproximate: z.boolean() })),
  /** Whether there are more. */
  more: z.boolean(),
});
export type FoundPayments = z.infer<typeof foundPaymentsSchema>;

/** Requests of the search box. */
export const findRequests = {
  'payments.find': defineRequest(
    'The first payments that a typed or pasted text finds: exact ones, then those that match almost. Dates, amounts and filters count as in the list.',
    { right: 'everyone', effect: 'none' },
    z.object({
      /** Null: of all profiles; the text may name others. */
      profileId: z.string().nullable(),
      words: z.string().max(maxSearchText),
      limit: z.int().min(1).max(10),
    }),
    foundPaymentsSchema,
  ),
} as const;

/**
 * A payment with one page of its events: long values are truncated, tokens and hashes masked; `earlier` is the cursor
 * of the previous page.
 */
export const paymentDetailSchema = z.object({
  payment: paymentSchema,
  events: z.array(eventSchema),
  earlier: z.string().nullable(),
});
export type PaymentDetail = z.infer<typeof paymentDetailSchema>;

const paymentTotalsSchema = z.object({
  count: z.int(),
  /** Whether there are more than were counted. */
  more: z.boolean(),
  /** Exact sums in the wire form, the currency with most payments first; null beyond the limit. */
  sums: z.array(z.object({ currency: z.string(), amount: z.string(), paid: z.string() })).nullable(),
  /** How many amounts, and movements of money, are in no sum: unreadable, or in another currency. */
  notIn: z.object({ amount: z.int(), paid: z.int() }),
});
export type PaymentTotals = z.infer<typeof paymentTotalsSchema>;

export const paymentFilterSchema = z.object({
  /**
   * Free search words: order number, payment id, name, e-mail, amount, last four digits, RRN, approval code, text. In a
   * longer text only an id counts.
   */
  words: z.string().max(maxSearchText).default(''),
  profileId: z.string().nullable().default(null),
  states: z.array(z.enum(paymentStates)).max(paymentStates.length).default([]),
  /** Besides these states: declined, with a link that can still be paid. */
  retryable: z.boolean().default(false),
  currency: z.string().nullable().default(null),
  flags: z.array(z.enum(flagKinds)).max(flagKinds.length).default([]),
  /** Whether it was created by this console. */
  raisedHere: z.boolean().nullable().default(null),
  /** The agent who created it, by name, ignoring case. */
  agent: z.string().max(80).nullable().default(null),
  /** Half-open range of the payment's first event, milliseconds. */
  from: z.int().nullable().default(null),
  until: z.int().nullable().default(null),
});
export type PaymentFilter = z.infer<typeof paymentFilterSchema>;

const pageSchema = z.object({ rows: z.array(paymentRowSchema), next: z.string().nullable() });
export type PaymentPage = z.infer<typeof pageSchema>;

const listedPageSchema = pageSchema.extend({
  /**
   * Null unless the rows only match almost: the corrected words, which further pages, counts and sums are requested
   * with (`=schmidt|schmitt`: one of these).
   */
  approximate: z.object({ words: z.string() }).nullable(),
});
export type ListedPage = z.infer<typeof listedPageSchema>;

export const newPaymentSchema = z.object({
  profileId,
  /** Created when the form opens: sending the same key twice makes one request. */
  idempotencyKey: z.uuid(),
  /** As typed, in the locale's notation; main converts it into minor units and the wire form. */
  amount: z.string().max(40),
  currency: z.string().max(3),
  orderNumber: z.string().max(255),
  description: z.string().max(1024),
  methods: z.array(z.string()).max(20).default([]),
  customer: customerSchema.nullable().default(null),
  /** Only what the profile sends may be set; see offered-options.ts. */
  options: paymentOptionsSchema
    .extend({
      /** A card saved earlier, as `card_token`. Sent, never recorded. */
      cardToken: z.string().trim().max(255).optional(),
    })
    .default({}),
  locale: localeTag,
  /** A second link for the same order: only after explicit confirmation. */
  allowDuplicate: z.boolean().default(false),
  /** A second link for the same customer and amount: only after explicit confirmation. */
  allowSameIntent: z.boolean().default(false),
});
export type NewPayment = z.infer<typeof newPaymentSchema>;

/** Requests about payments: create, find, look up, share. */
export const paymentRequests = {
  'payments.create': defineRequest(
    'Record the request, send it, record the outcome (§4.1).',
    { right: 'links', effect: 'write', recorded: 'no' },
    newPaymentSchema,
    paymentDetailSchema,
  ),
  'payments.suggestOrder': defineRequest(
    "An unused order number from the profile's pattern.",
    { right: 'links', effect: 'none' },
    z.object({ profileId }),
    z.object({ orderNumber: z.string() }),
  ),
  'payments.knownCustomer': defineRequest(
    "A customer's earlier payments in one profile: by email, otherwise by phone, otherwise by full name.",
    { right: 'everyone', effect: 'none' },
    z.object({
      profileId,
      name: z.string().trim().max(255),
      email: z.string().trim().max(320),
      phone: z.string().trim().max(40),
    }),
    z.object({
      customer: z
        .object({
          /** The search that lists them. */
          words: z.string(),
          links: z.int(),
          paid: z.int(),
          /** Older ones were not counted. */
          more: z.boolean(),
          last: z
            .object({ amount: z.string().nullable(), currency: z.string().nullable(), at: z.int() })
            .nullable(),
          /** Of their newest payment. */
          orderNumber: z.string(),
          /** Their open links, newest first, three at most. */
          open: z.array(
            z.object({
              orderNumber: z.string(),
              amount: z.string().nullable(),
              currency: z.string().nullable(),
              at: z.int(),
            }),
          ),
        })
        .nullable(),
    }),
  ),
  'payments.list': defineRequest(
    'One page, newest first. The first page has payments that match the words almost if none matches them.',
    { right: 'everyone', effect: 'none' },
    z.object({
      filter: paymentFilterSchema,
      cursor: z.string().nullable().default(null),
      limit: z.int().min(1).max(200).default(50),
    }),
    listedPageSchema,
  ),
  'payments.rows': defineRequest(
    'The rows of the list of these payments; one that is not listed has none.',
    { right: 'everyone', effect: 'none' },
    z.object({ keys: z.array(z.object({ profileId: z.string(), orderNumber: z.string() })).max(maxRows) }),
    z.object({ rows: z.array(paymentRowSchema) }),
  ),
  'payments.count': defineRequest(
    'The number of payments that match a filter; a count that needs a scan stops at 999 (`more`: there are more).',
    { right: 'everyone', effect: 'none' },
    z.object({ filter: paymentFilterSchema }),
    z.object({ count: z.int(), more: z.boolean() }),
  ),
  'payments.totals': defineRequest(
    'The number of payments that match a filter, and the sums of their amounts and of the money that came in, by currency. Beyond 10,000 payments that have to be searched, or 100,000 of a period, there are no sums.',
    { right: 'everyone', effect: 'none' },
    z.object({ filter: paymentFilterSchema }),
    paymentTotalsSchema,
  ),
  'payments.counts': defineRequest(
    'The number of payments by state and by currency.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId: z.string().nullable().default(null) }),
    z.object({
      states: z.record(z.string(), z.int()),
      retryable: z.int(),
      currencies: z.record(z.string(), z.int()),
      flagged: z.int(),
    }),
  ),
  'payments.read': defineRequest(
    "One payment with its latest events, or with earlier ones from the previous page's `earlier` on.",
    { right: 'everyone', effect: 'none' },
    z.object({ profileId, orderNumber, before: z.string().max(300).nullable().default(null) }),
    paymentDetailSchema,
  ),
  'payments.lookUp': defineRequest(
    'Query the gateway (§4.2) and store the answer as evidence.',
    { right: 'look-up', effect: 'write', recorded: 'no' },
    z.object({
      profileId,
      // Limited to the length of an id: the value is hashed with the merchant password.
      key: z.discriminatedUnion('by', [
        z.object({ by: z.literal('payment-id'), value: z.string().max(64) }),
        z.object({ by: z.literal('order-number'), value: orderNumber }),
      ]),
      /** Identifies it for `payments.cancelWait`. */
      requestId: z.uuid().default(() => crypto.randomUUID()),
    }),
    z.object({ event: eventSchema, file: paymentDetailSchema.nullable() }),
  ),
  'payments.cancelWait': defineRequest(
    'Cancel a creation by its idempotency key (the request may have arrived: its outcome is unknown), or a look-up, an export or an erasure by its request id.',
    { right: 'everyone', effect: 'none' },
    z.object({ requestId: z.uuid() }),
    z.object({
      /** False if it had already ended. */
      stopped: z.boolean(),
    }),
  ),
  'payments.shareLink': defineRequest(
    'Share the link: record the channel, and do it (copy, open, mail, SMS, WhatsApp).',
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({
      profileId,
      orderNumber,
      channel: shareChannelSchema,
      /** Of the message; null = the language of the request for the link, otherwise the window's. */
      language: z.enum(languages).nullable().default(null),
      /** The text that the channel `message` copies. */
      text: z.enum(messageChannels).default('email'),
    }),
    emptySchema,
  ),
  'payments.printConfirmation': defineRequest(
    'Record that the confirmation slip of a confirmed payment is printed; the window prints it.',
    { right: 'everyone', effect: 'write', recorded: 'required' },
    z.object({ profileId, orderNumber }),
    emptySchema,
  ),
  'payments.withdrawLink': defineRequest(
    'Record that a link is withdrawn: it is no longer shared. The gateway cannot cancel it.',
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({
      profileId,
      orderNumber,
      /** Of the request that issued the link. */
      idempotencyKey: z.uuid(),
      reason: z.enum(withdrawalReasons),
      text: z.string().trim().max(maxWithdrawalText).default(''),
    }),
    paymentDetailSchema,
  ),
  'payments.note': defineRequest(
    'Add a note.',
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({ profileId, orderNumber, text: z.string().trim().min(1).max(4000) }),
    emptySchema,
  ),
} as const;

/** Events about payments. */
export const paymentEvents = {
  /** Null: any payment may have changed, for example because the log was replaced. */
  'payments.changed': z.object({
    payments: z.array(z.object({ profileId: z.string(), orderNumber: z.string() })).nullable(),
  }),
} as const;
