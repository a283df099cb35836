import * as z from 'zod';
import { maxSearchText } from '../../max-search-text.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from '../define-request.ts';

const keySchema = z.object({ profileId, orderNumber });

/** Limit of payments on a customer's page. */
export const maxCustomerPayments = 200;

/** What the merchant typed about a customer, in the latest spelling of each detail. */
const detailsSchema = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});

/** A customer under one spelling. `orderNumber`: of their newest payment. */
const spellingSchema = detailsSchema.extend({ orderNumber: z.string(), payments: z.int() });

/** A customer of one profile, derived from what this merchant typed: never from a callback or a look-up. */
export const customerSchema = detailsSchema.extend({
  /** Spellings with different surest details, newest first. */
  spellings: z.array(
    spellingSchema.extend({
      /** The join that brought it here, which can be undone; null: it is here by its details. */
      joined: z.object({ id: z.string(), agent: z.string(), at: z.int() }).nullable(),
    }),
  ),
  /** Totals of all payments by currency, the one with the most links first. Amounts in the wire form. */
  sums: z.array(
    z.object({
      currency: z.string(),
      links: z.int(),
      open: z.int(),
      paid: z.int(),
      paidAmount: z.string(),
      refundedAmount: z.string(),
      /** Movements in no sum, because their amount is unknown. */
      uncounted: z.int(),
    }),
  ),
  /** Newest first. */
  payments: z.array(paymentRowSchema),
  /** Older payments are neither listed nor counted. */
  more: z.boolean(),
  /** Newest first, as the payments' pages show them. */
  notes: z.array(z.object({ orderNumber: z.string(), text: z.string(), agent: z.string(), at: z.int() })),
  /** Other customers with the same phone number or full name. */
  candidates: z.array(spellingSchema),
});
export type Customer = z.infer<typeof customerSchema>;

/** Requests about customers: a customer is named by any of their payments, so that no address holds personal data. */
export const customerRequests = {
  'customers.read': defineRequest(
    'The customer of a payment: details, sums, payments and notes; null if the merchant typed nothing that identifies one.',
    { right: 'everyone', effect: 'none' },
    keySchema,
    z.object({ customer: customerSchema.nullable() }),
  ),
  'customers.find': defineRequest(
    'Customers by any part of their name or e-mail address, or by phone number; newest first, then those with a similar spelling.',
    { right: 'everyone', effect: 'none' },
    z.object({
      profileId: z.string().nullable(),
      words: z.string().max(maxSearchText),
      limit: z.int().min(1).max(10),
    }),
    z.object({
      customers: z.array(
        spellingSchema.extend({
          profileId: z.string(),
          isApproximate: z.boolean(),
          /** The newest payment; `at`: milliseconds. */
          newest: z.object({ amount: z.string().nullable(), currency: z.string().nullable(), at: z.int() }),
        }),
      ),
    }),
  ),
  'customers.join': defineRequest(
    'Record that the customers of two payments of one profile are one person; `joined`: the id that undoes it.',
    { right: 'links', effect: 'write', recorded: 'no' },
    keySchema.extend({ otherOrderNumber: orderNumber }),
    z.object({ joined: z.uuid() }),
  ),
  'customers.separate': defineRequest(
    "Undo a join, by its event's id.",
    { right: 'links', effect: 'write', recorded: 'no' },
    keySchema.extend({ joined: z.uuid() }),
    emptySchema,
  ),
  'customers.erase': defineRequest(
    "Erase the details of every payment of a payment's customer permanently; the log still verifies. `log.progress` reports the progress.",
    { right: 'erase', effect: 'write', recorded: 'if-possible' },
    keySchema.extend({
      /** Identifies it for `payments.cancelWait`. */
      requestId: z.uuid().default(() => crypto.randomUUID()),
    }),
    z.object({
      payments: z.int(),
      /** Whether it was cancelled, so that details of others may be left. */
      isStopped: z.boolean(),
    }),
  ),
} as const;
