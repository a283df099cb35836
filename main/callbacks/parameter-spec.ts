import { isCountryCode } from '../../shared/countries.ts';
import { currencyStatus } from '../../shared/money/currencies.ts';
import {
  documentedStatuses,
  documentedTypes,
  observedTypes,
} from '../../shared/callbacks/callback-meaning.ts';
import { paymentStatuses } from '../../shared/payments/payment-statuses.ts';

/**
 * The callback parameters of §2.6 as data, with the interface's description of each, and the parameters that field
 * notes report beyond it. Nothing here refuses a callback: a check returns the problem of a value, or null.
 */
export type Parameter = {
  name: string;
  required: boolean;
  /** The interface's description, with its section. */
  description: string;
  /** False for a parameter that the interface does not list. */
  documented: boolean;
  /** The problem of a value, in one sentence; null = valid. */
  check: (value: string) => string | null;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ipv4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

const noCheck = (): null => null;
const isUuid = (value: string): string | null => (uuid.test(value) ? null : 'is not a UUID (§2.6).');

const isCountry = (value: string): string | null =>
  isCountryCode(value) ? null : 'is not an ISO 3166-1 alpha-2 country (§2.6).';

const isCurrency = (value: string): string | null => {
  const status = currencyStatus(value);
  if (status === 'withdrawn') return 'is a withdrawn ISO 4217 currency (§2.6).';
  if (status === 'current') return null;
  if (currencyStatus(value.toUpperCase()) !== null) return 'is an ISO 4217 code in the wrong case (§2.6).';
  return 'is not an ISO 4217 currency (§2.6).';
};

const isAmount = (value: string): string | null =>
  /^\d{1,15}(?:\.\d{1,4})?$/.test(value) ? null : 'is not a decimal amount (§2.6).';

const isExpiry = (value: string): string | null =>
  /^(?:0[1-9]|1[0-2])\/\d{4}$/.test(value) ? null : 'is not a month and year in the form MM/YYYY (§2.6).';

const isDate = (value: string): string | null => {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(value);
  if (!parts) return 'is not a date and time in the form YYYY-MM-DD HH:MM:SS (§2.5).';
  const at = Date.parse(`${parts[1]}T${parts[2]}Z`);
  const same = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === parts[1];
  return same ? null : 'is not a valid date.';
};

const isCard = (value: string): string | null =>
  /^\d{13,19}$/.test(value.replace(/[ -]/g, ''))
    ? 'is a full card number, but must be masked (§2.6).'
    : /[*xX•]/.test(value)
      ? null
      : 'is not a masked card number (§2.6).';

const isEmail = (value: string): string | null =>
  /^[^\s@]+@[^\s@]+$/.test(value) ? null : 'is not an email address.';

const oneOf =
  (documented: readonly string[], section: string, observed: readonly string[] = []) =>
  (value: string): string | null => {
    if (documented.includes(value)) return null;
    if (observed.includes(value)) return `is not documented (${section}), but other gateways send it.`;
    return `is not one of ${documented.join(', ')} (${section}).`;
  };

const isHash = (value: string): string | null =>
  // Surrounding blanks are ignored in every comparison.
  /^[0-9a-f]{40}$/i.test(value.trim()) ? null : 'is not a SHA-1 of 40 hexadecimal digits (§5.3).';

const required = (name: string, description: string, check: Parameter['check']): Parameter => ({
  name,
  required: true,
  description,
  documented: true,
  check,
});
const optional = (name: string, description: string, check: Parameter['check'] = noCheck): Parameter => ({
  name,
  required: false,
  description,
  documented: true,
  check,
});
const observedParameter = (
  name: string,
  description: string,
  check: Parameter['check'] = noCheck,
): Parameter => ({
  name,
  required: false,
  description,
  documented: false,
  check,
});

const recurringReference =
  'UUID; the first transaction of the recurring payments. Both spellings of this parameter occur (§2.6).';

/** §2.6 row by row, then the additions of the field notes. */
export const parameters: readonly Parameter[] = [
  required('id', 'UUID; transaction ID (§2.6). Signed (§5.3).', isUuid),
  required('order_number', 'Order identifier (§2.6). Signed (§5.3).', noCheck),
  required('order_amount', 'Order amount (§2.6). Signed (§5.3).', isAmount),
  required('order_currency', 'ISO 4217, 3 characters (§2.6). Signed (§5.3).', isCurrency),
  required('order_description', 'Product description (§2.6). Signed (§5.3).', noCheck),
  required(
    'type',
    'Operation type: sale, 3ds, redirect, refund, void, chargeback; the event list adds recurring (§2.6, §6.1).',
    oneOf(documentedTypes, '§2.6, §6.1', observedTypes),
  ),
  required(
    'status',
    'Transaction status: success, fail, waiting (§2.6). Read it together with type (§3.2).',
    oneOf(documentedStatuses, '§2.6', ['undefined']),
  ),
  optional(
    'reason',
    'Decline or error reason; only for types sale and refund, shown only when status is fail (§2.6).',
  ),
  optional('rrn', 'Retrieval Reference Number from the acquirer system, ISO 8583 (§2.6).'),
  optional('approval_code', 'Approval code from the acquirer system (§2.6).'),
  optional('card', 'Masked card number (§2.6).', isCard),
  optional('card_expiration_date', 'Card expiration date, form MM/YYYY (§2.6).', isExpiry),
  optional('card_token', 'Card token; present when req_token was enabled (§2.6).'),
  optional('customer_name', "Customer's first and last name (§2.6)."),
  optional('customer_email', "Customer's email address (§2.6).", isEmail),
  optional('customer_country', 'ISO 3166-1 alpha-2 (§2.6).', isCountry),
  optional('customer_state', "Customer's state (§2.6)."),
  optional('customer_city', "Customer's city (§2.6)."),
  optional('customer_address', "Customer's address (§2.6)."),
  required('customer_ip', 'IPv4 address of the customer (§2.6).', value =>
    ipv4.test(value) ? null : 'is not an IPv4 address (§2.6).',
  ),
  optional('date', 'Transaction date (§2.6), in provider time without a time zone.', isDate),
  optional('recurring_inti_trans_id', recurringReference, isUuid),
  optional('recurring_init_trans_id', recurringReference, isUuid),
  optional(
    'recurring_token',
    'Token for recurring payments. The sample callback contains it, the parameter table does not (§2.6).',
  ),
  optional('schedule_id', 'Present when a schedule is used for a recurring sale (§2.6).'),
  required('hash', 'Signature of the callback (§2.6, §5.3).', isHash),
  observedParameter(
    'order_status',
    'Not documented. Other gateways send it with the values of §3.1.',
    oneOf(paymentStatuses, '§3.1', ['void']),
  ),
  ...[
    'connector_name',
    'gateway_id',
    'extra_gateway_id',
    'merchant_name',
    'mid_name',
    'issuer_country',
    'issuer_bank',
    'exchange_rate',
    'exchange_rate_base',
    'exchange_currency',
    'exchange_amount',
    'vat_amount',
    'digital_wallet',
    'pan_type',
    'custom_data',
    'extended_data',
    'shedule_id',
    'brand',
    'trans_id',
  ].map(name => observedParameter(name, 'Not documented. Other gateways send it.')),
];

const byName = new Map(parameters.map(parameter => [parameter.name, parameter]));

/**
 * The row of a parameter, `custom_data[x]` under `custom_data`; null = neither in the interface nor in the field
 * notes.
 */
export const parameterOf = (name: string): Parameter | null =>
  byName.get(name) ?? byName.get(name.slice(0, Math.max(0, name.indexOf('[')))) ?? null;

/** Whether a callback may have a parameter of this name: the parser's criterion. */
export const isKnownName = (name: string): boolean =>
  byName.has(name) || (name.endsWith(']') && parameterOf(name) !== null);
