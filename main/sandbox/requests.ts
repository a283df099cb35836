import * as z from 'zod';
import { signatureHolds, type Digest } from './hash.ts';
import { currencyDigits, readAmount } from './sandbox-money.ts';

/** The gateway's validation of a merchant's requests (§2.1, §2.2, §2.4). */

/** The family's text for a required value that is missing or empty. */
const blank = 'This value should not be blank.';
export const needed = (kind: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined || issue.input === null ? blank : `This value must be ${kind}.`,
});
/** A text with more than blanks; lengths in characters. */
export const text = (maxLength: number, minLength = 1) =>
  z
    .string(needed('a string'))
    .refine(value => value.trim() !== '', { error: blank, abort: true })
    .min(minLength, `This value is too short. It should have ${minLength} characters or more.`)
    .max(maxLength, `This value is too long. It should have ${maxLength} characters or less.`);

const webAddress = z
  .string(needed('a string'))
  .max(1024, 'This value must not be longer than 1024 characters.')
  .refine(value => {
    const url = URL.parse(value);
    return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  }, 'This value is not a valid URL.');

const orderSchema = z.object(
  {
    number: text(255),
    amount: text(32),
    currency: text(255).refine(
      code => currencyDigits(code) !== null,
      'This value is not an ISO 4217 currency.',
    ),
    description: text(1024, 2),
  },
  needed('an object'),
);

const customerSchema = z.object(
  {
    name: text(32, 2).optional(),
    email: text(320).pipe(z.email('This value is not a valid e-mail address.')).optional(),
  },
  needed('an object'),
);

const billingAddressSchema = z.object(
  {
    country: text(2).optional(),
    state: text(255).optional(),
    city: text(255).optional(),
    address: text(255).optional(),
    zip: text(32).optional(),
    phone: text(64).optional(),
  },
  needed('an object'),
);

/** §2.1, and the optional fields of other clients of this family (assumptions). Unknown fields are ignored. */
const sessionSchema = z.object(
  {
    merchant_key: text(255),
    operation: text(64).refine(value => value === 'purchase', 'This value must be "purchase".'),
    methods: z
      .array(text(64), needed('an array of strings'))
      .min(1, 'This value must name at least one payment method.'),
    order: orderSchema,
    cancel_url: webAddress,
    success_url: webAddress,
    hash: text(128),
    customer: customerSchema.optional(),
    billing_address: billingAddressSchema.optional(),
    req_token: z.boolean(needed('true or false')).optional(),
    recurring_init: z.boolean(needed('true or false')).optional(),
    schedule_id: text(255).optional(),
    /** `Y`: the payment is authorised only, until a capture (assumption). */
    auth: z.enum(['Y', 'N'], 'This value must be "Y" or "N".').optional(),
    card_token: z.array(text(255), needed('an array of strings')).optional(),
    /** Minutes. */
    session_expiry: z
      .int(needed('a whole number'))
      .min(1, 'This value must be between 1 and 720.')
      .max(720, 'This value must be between 1 and 720.')
      .optional(),
    expiry_url: webAddress.optional(),
    error_url: webAddress.optional(),
    url_target: text(64).optional(),
    channel_id: text(255).optional(),
    custom_data: z.record(z.string(), z.unknown(), needed('an object')).optional(),
  },
  needed('an object'),
);
export type SessionRequest = z.infer<typeof sessionSchema>;

/** §2.4; `order_id` in place of `payment_id`, and `size` with it, are assumptions. */
const statusSchema = z
  .object(
    {
      merchant_key: text(255),
      payment_id: text(64).optional(),
      order_id: text(255).optional(),
      size: z
        .string(needed('a string'))
        .regex(/^(?:[1-9]\d?|100)$/, 'This value must be between 1 and 100.')
        .optional(),
      hash: text(128),
    },
    needed('an object'),
  )
  .refine(({ payment_id, order_id }) => payment_id !== undefined || order_id !== undefined, {
    path: ['payment_id'],
    error: blank,
    when: () => true,
  });

export type StatusKey = { by: 'payment_id' | 'order_id'; value: string };
/** `size`: how many of the order's newest attempts are wanted as a list; null = the newest one, not as a list. */
export type StatusRequest = StatusKey & { size: number | null };
export type Merchant = { merchantKey: string; merchantPassword: string; digest: Digest };
export type Validated<T> = { ok: true; value: T } | { ok: false; problems: readonly string[] };

/** Also the response for an unknown key or payment: the gateway reveals nothing more. */
export const hashNotValid = 'hash: Hash is not valid.';

const problemsOf = (error: z.ZodError): string[] =>
  error.issues.map(issue =>
    issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
  );

const partialOrder = z.object({
  order: z.object({ amount: z.string().min(1), currency: z.string().optional() }),
});

/**
 * Problems of `order.amount` in `body`. §2.2: two fraction digits. A currency with another ISO 4217 exponent may also
 * use its own digits, which the interface does not specify.
 */
export const amountProblems = (body: unknown): string[] => {
  const read = partialOrder.safeParse(body);
  if (!read.success) return [];
  const { amount, currency } = read.data.order;
  const own = currencyDigits(currency ?? '') ?? 2;
  const wire = readAmount(amount);
  if (wire === null || ![2, own].includes(wire.digits))
    return [
      `order.amount: This value must be a decimal amount with two fraction digits${own === 2 ? '' : ` or ${own}`}.`,
    ];
  return wire.units > 0n ? [] : ['order.amount: This value must be greater than zero.'];
};

/** `body` as `schema` reads it: its fields first, then key and hash over `parts` and the password. */
export const validate = <T extends { merchant_key: string; hash: string }>(
  schema: z.ZodType<T>,
  body: unknown,
  { merchantKey, merchantPassword, digest }: Merchant,
  parts: (request: T) => readonly string[],
  furtherProblems: readonly string[] = [],
): Validated<T> => {
  const read = schema.safeParse(body);
  const problems = [...(read.success ? [] : problemsOf(read.error)), ...furtherProblems];
  if (!read.success || problems.length > 0) return { ok: false, problems };
  return read.data.merchant_key === merchantKey &&
    signatureHolds(read.data.hash, [...parts(read.data), merchantPassword], digest)
    ? { ok: true, value: read.data }
    : { ok: false, problems: [hashNotValid] };
};

/** The body of a session request (§4.1). */
export const validateSession = (body: unknown, merchant: Merchant): Validated<SessionRequest> =>
  validate(
    sessionSchema,
    body,
    merchant,
    ({ order: { number, amount, currency, description } }) => [number, amount, currency, description],
    amountProblems(body),
  );

/** The fields of a status request (§4.2), in any encoding. */
export const validateStatus = (body: unknown, merchant: Merchant): Validated<StatusRequest> => {
  const checked = validate(statusSchema, body, merchant, ({ payment_id, order_id = '' }) => [
    payment_id ?? order_id,
  ]);
  if (!checked.ok) return checked;
  const { payment_id, order_id = '', size } = checked.value;
  return {
    ok: true,
    value:
      payment_id === undefined
        ? { by: 'order_id', value: order_id, size: size === undefined ? null : Number(size) }
        : { by: 'payment_id', value: payment_id, size: null },
  };
};

/** The purchase of a test callback, without a request over the wire. */
export const testRequest = (orderNumber: string, merchantKey: string): SessionRequest => ({
  merchant_key: merchantKey,
  operation: 'purchase',
  methods: ['card'],
  order: { number: orderNumber, amount: '1.00', currency: 'EUR', description: 'Test callback' },
  cancel_url: 'http://127.0.0.1/return/cancel',
  success_url: 'http://127.0.0.1/return/success',
  hash: '',
});
