import type { Profile } from '../../../shared/settings/profile.ts';
import { formulas, sign } from '../../signatures/signature.ts';
import { checkBaseUrl } from '../base-url.ts';
import type { OperationRequest, PreparedOperation } from '../operation.ts';
import { mask, redactor } from '../redact-answer.ts';
import { isObject } from '../refusal.ts';

/** The password of each prepared request, which must never appear in a recorded response. */
const passwords = new WeakMap<PreparedOperation, string>();

/** Hash and token in the bytes of a request: a copy of a prepared one is known by nothing else. */
const secretsIn = (body: string): string[] => {
  const value: unknown = JSON.parse(body);
  const fields = isObject(value) ? [value['hash'], value['recurring_token']] : [];
  return fields.filter(field => typeof field === 'string');
};

const secretFields = /("[\w-]*(?:token|password)"\s*:\s*")(?:[^"\\]|\\.)*/gi;

/** Hides password, hash and token of an operation prepared here in its response, and any other token. */
export const operationRedactor = (prepared: PreparedOperation): ((text: string) => string) => {
  const redact = redactor([passwords.get(prepared) ?? '', ...secretsIn(prepared.body)]);
  return text => redact(text).replaceAll(secretFields, `$1${mask}`);
};

type Values = Readonly<Record<string, string>>;

/** The values that are signed, by the names of the formula. */
export const signedValues = (request: OperationRequest): Values => {
  if ('amount' in request) return { payment_id: request.paymentId, amount: request.amount };
  if ('paymentId' in request) return { payment_id: request.paymentId };
  const { number, amount, description } = request.order;
  return {
    recurring_init_trans_id: request.firstPaymentId,
    recurring_token: request.token,
    number,
    amount,
    description,
  };
};

/** The fields on the wire without key and hash. */
const fieldsOf = ({ operations }: Profile, request: OperationRequest): Record<string, unknown> => {
  if (!('order' in request)) return { ...signedValues(request) };
  const { number, amount, currency, description } = request.order;
  const { name = '', email = '' } = request.customer ?? {};
  const customer = { ...(name === '' ? {} : { name }), ...(email === '' ? {} : { email }) };
  const isCustomerSent = operations.sendCustomerInRecurring && Object.keys(customer).length > 0;
  return {
    recurring_init_trans_id: request.firstPaymentId,
    recurring_token: request.token,
    order: {
      number,
      amount,
      ...(operations.sendCurrencyInRecurring ? { currency } : {}),
      description,
    },
    ...(isCustomerSent ? { customer } : {}),
  };
};

/** Prepares an operation, signed by its formula (assumption: §5.4), without sending it. Never throws. */
export const prepareOperation = (
  profile: Profile,
  password: string,
  request: OperationRequest,
): PreparedOperation => {
  const { operation } = request;
  const hash = sign(formulas[operation], signedValues(request), password, {
    digest: profile.digest,
    uppercasing: profile.requestUppercasing,
  });
  const token = 'order' in request ? request.token : '';
  const fields = { merchant_key: profile.merchantKey, ...fieldsOf(profile, request), hash };
  const shown = { ...fields, ...(token === '' ? {} : { recurring_token: mask }), hash: mask };
  const base = checkBaseUrl(profile);
  const prepared: PreparedOperation = {
    endpoint: `${base.ok ? base.value : profile.baseUrl}/api/v1/payment/${operation}`,
    body: JSON.stringify(fields),
    redacted: redactor([token])(JSON.stringify(shown)),
  };
  passwords.set(prepared, password);
  return prepared;
};
