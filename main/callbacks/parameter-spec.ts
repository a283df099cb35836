import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { currencyStatus, exponentOf } from '../../shared/money/currencies.ts';
import {
  documentedStatuses,
  documentedTypes,
  observedTypes,
} from '../../shared/callbacks/callback-meaning.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import { paymentStatuses } from '../../shared/payments/payment-statuses.ts';

/**
 * The callback parameters of §2.6 as data, with the interface's description of each, and the parameters that field
 * notes report beyond it. Nothing here refuses a callback: a check returns the problem of a value, or null.
 */
export type Parameter = {
  name: string;
  required: boolean;
  /** The interface's description (§2.6). */
  description: Message;
  /** False for a parameter that the interface does not list. */
  documented: boolean;
  check: Check;
};

/** The problem of a parameter's value, in one sentence; null = valid. */
type Check = (value: string, name: string) => Message | null;

/** A user-assigned code that ISO 3166-1 does not assign, though the package lists it. */
const notAssigned: ReadonlySet<string> = new Set(['XK']);

const alpha2: ReadonlySet<string> = new Set(
  codes.flatMap(([code]) => (code === undefined || notAssigned.has(code) ? [] : [code])),
);

/** Whether ISO 3166-1 assigns this alpha-2 code, in upper case, to a country (§2.6). */
const isCountryCode = (code: string): boolean => alpha2.has(code);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ipv4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

const noCheck = (): null => null;
const isUuid: Check = (value, name) => (uuid.test(value) ? null : msg('parameter.not-uuid', { name }));

const isCountry: Check = (value, name) =>
  isCountryCode(value) ? null : msg('parameter.not-country', { name });

const isCurrency: Check = (value, name) => {
  const status = currencyStatus(value);
  if (status === 'withdrawn') return msg('parameter.withdrawn-currency', { name });
  if (status === 'current') return null;
  if (currencyStatus(value.toUpperCase()) !== null) return msg('parameter.currency-case', { name });
  // Field notes: codes of three to six characters for crypto-currencies (`USDT`).
  return msg(/^[A-Z][A-Z0-9]{3,5}$/.test(value) ? 'parameter.perhaps-crypto' : 'parameter.not-currency', {
    name,
  });
};

const isAmount: Check = (value, name) => {
  if (!/^\d{1,15}(?:\.\d{1,4})?$/.test(value)) return msg('parameter.not-amount', { name });
  if (/^0\d/.test(value)) return msg('parameter.leading-zero', { name });
  return /[1-9]/.test(value) ? null : msg('parameter.zero', { name });
};

/** The problem of an amount that is finer than its currency (§2.2 shows two digits for each); null = none. */
export const amountProblem = (amount: string, currency: string): Message | null => {
  const own = exponentOf(currency);
  const fraction = /^\d{1,15}\.(\d{1,4})$/.exec(amount)?.[1] ?? '';
  if (own === null || (fraction.length <= Math.max(own, 2) && /^0*$/.test(fraction.slice(own)))) return null;
  return msg('parameter.finer-than-currency', { currency, digits: own });
};

const isExpiry: Check = (value, name) =>
  /^(?:0[1-9]|1[0-2])\/\d{4}$/.test(value) ? null : msg('parameter.not-expiry', { name });

const isDate: Check = (value, name) => {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(value);
  if (!parts) return msg('parameter.not-date-form', { name });
  const at = Date.parse(`${parts[1]}T${parts[2]}Z`);
  const same = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === parts[1];
  return same ? null : msg('parameter.not-date', { name });
};

const isCard: Check = (value, name) =>
  /^\d{13,19}$/.test(value.replace(/[ -]/g, ''))
    ? msg('parameter.full-card-number', { name })
    : /[*xX•]/.test(value)
      ? null
      : msg('parameter.not-masked', { name });

const isEmail: Check = (value, name) =>
  /^[^\s@]+@[^\s@]+$/.test(value) ? null : msg('parameter.not-email', { name });

const isIpv4: Check = (value, name) => (ipv4.test(value) ? null : msg('parameter.not-ipv4', { name }));

const oneOf =
  (documented: readonly string[], observed: readonly string[] = []): Check =>
  (value, name) => {
    if (documented.includes(value)) return null;
    if (observed.includes(value)) return msg('parameter.observed-value', { name });
    const documentedCase = [...documented, ...observed].find(one => one === value.toLowerCase());
    if (documentedCase !== undefined) return msg('parameter.case', { name, value: documentedCase });
    return msg('parameter.not-one-of', { name, list: documented.join(', ') });
  };

const isHash: Check = (value, name) =>
  // Surrounding blanks are ignored in every comparison.
  /^[0-9a-f]{40}$/i.test(value.trim()) ? null : msg('parameter.not-sha1', { name });

const required = (name: string, description: Message, check: Check): Parameter => ({
  name,
  required: true,
  description,
  documented: true,
  check,
});
const optional = (name: string, description: Message, check: Check = noCheck): Parameter => ({
  name,
  required: false,
  description,
  documented: true,
  check,
});
const observedParameter = (name: string, description: Message, check: Check = noCheck): Parameter => ({
  name,
  required: false,
  description,
  documented: false,
  check,
});

const recurringReference = msg('parameter.recurring-reference.description');
const observed = msg('parameter.observed.description');

/** §2.6 row by row, then the additions of the field notes. */
export const parameters: readonly Parameter[] = [
  required('id', msg('parameter.id.description'), isUuid),
  required('order_number', msg('parameter.order-number.description'), noCheck),
  required('order_amount', msg('parameter.order-amount.description'), isAmount),
  required('order_currency', msg('parameter.order-currency.description'), isCurrency),
  required('order_description', msg('parameter.order-description.description'), noCheck),
  required('type', msg('parameter.type.description'), oneOf(documentedTypes, observedTypes)),
  required('status', msg('parameter.status.description'), oneOf(documentedStatuses, ['undefined'])),
  optional('reason', msg('parameter.reason.description')),
  optional('rrn', msg('parameter.rrn.description')),
  optional('approval_code', msg('parameter.approval-code.description')),
  optional('card', msg('parameter.card.description'), isCard),
  optional('card_expiration_date', msg('parameter.card-expiration-date.description'), isExpiry),
  optional('card_token', msg('parameter.card-token.description')),
  optional('customer_name', msg('parameter.customer-name.description')),
  optional('customer_email', msg('parameter.customer-email.description'), isEmail),
  optional('customer_country', msg('parameter.customer-country.description'), isCountry),
  optional('customer_state', msg('parameter.customer-state.description')),
  optional('customer_city', msg('parameter.customer-city.description')),
  optional('customer_address', msg('parameter.customer-address.description')),
  required('customer_ip', msg('parameter.customer-ip.description'), isIpv4),
  optional('date', msg('parameter.date.description'), isDate),
  optional('recurring_inti_trans_id', recurringReference, isUuid),
  optional('recurring_init_trans_id', recurringReference, isUuid),
  optional('recurring_token', msg('parameter.recurring-token.description')),
  optional('schedule_id', msg('parameter.schedule-id.description')),
  required('hash', msg('parameter.hash.description'), isHash),
  observedParameter(
    'order_status',
    msg('parameter.order-status.description'),
    oneOf(paymentStatuses, ['void']),
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
    'payee_name',
    'payee_email',
    'payee_country',
    'payee_state',
    'payee_city',
    'payee_address',
    'payee_card',
    'crypto_network',
    'crypto_address',
    'consent_state',
    'consent_id',
  ].map(name => observedParameter(name, observed)),
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
