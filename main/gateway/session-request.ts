import type { Profile } from '../../shared/profile.ts';
import { formulas, sign } from '../signatures/signature.ts';
import { checkBaseUrl } from './base-url.ts';
import type { PreparedSession, SessionOrder } from './gateway.ts';
import { mask } from './redact.ts';
import { isObject } from './refusal.ts';

/** The session request (§2.1, §2.2, §4.1): built and signed as the profile says, not sent. */

/** A JSON object written in the settings; anything else counts as none (the settings refuse it). */
const objectIn = (text: string): Record<string, unknown> | null => {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** `{order}` becomes the order number, percent-encoded. */
const withOrder = (url: string, number: string): string =>
  url.replaceAll('{order}', () => encodeURIComponent(number.toWellFormed()));

/** The optional fields, which the interface does not show (assumptions): each only when the profile switches it on. */
const optionalFields = ({ extras }: Profile, order: SessionOrder): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  if (extras.reqToken) fields['req_token'] = true;
  if (extras.recurringInit) fields['recurring_init'] = true;
  if (extras.scheduleId !== '') fields['schedule_id'] = extras.scheduleId;
  if (extras.sendCustomer && order.customer) {
    const { name = '', email = '' } = order.customer;
    const customer = { ...(name === '' ? {} : { name }), ...(email === '' ? {} : { email }) };
    if (Object.keys(customer).length > 0) fields['customer'] = customer;
  }
  if (extras.sessionExpiry > 0) fields['session_expiry'] = extras.sessionExpiry;
  if (extras.expiryUrl !== '') fields['expiry_url'] = withOrder(extras.expiryUrl, order.number);
  if (extras.errorUrl !== '') fields['error_url'] = withOrder(extras.errorUrl, order.number);
  if (extras.channelId !== '') fields['channel_id'] = extras.channelId;
  const customData = objectIn(extras.customData);
  if (customData) fields['custom_data'] = customData;
  return fields;
};

const secretNames = /(?:^|_)(?:hash|token|password)s?$/i;

/** Hides signatures and tokens; `req_token` is a switch and no token. */
const hidden = (name: string, value: unknown): unknown =>
  secretNames.test(name) && typeof value !== 'boolean' ? mask : value;

/** Prepares the request; `hash` is its signature, to be hidden wherever it is echoed. Never throws. */
export const prepare = (
  profile: Profile,
  password: string,
  order: SessionOrder,
): { prepared: PreparedSession; hash: string } => {
  const { number, amount, currency, description } = order;
  const signed = { number, amount, currency, description };
  const hash = sign(formulas.session, signed, password, {
    digest: profile.digest,
    uppercasing: profile.requestUppercasing,
  });
  const fields = {
    merchant_key: profile.merchantKey,
    operation: 'purchase',
    methods: order.methods,
    order: signed,
    cancel_url: withOrder(profile.cancelUrl, number),
    success_url: withOrder(profile.successUrl, number),
    hash,
    ...optionalFields(profile, order),
  };
  const extra = objectIn(profile.extras.extraJson);
  // What the interface asks for is never overwritten by free extras.
  const request = extra ? { ...fields, ...extra, ...fields } : fields;
  const base = checkBaseUrl(profile);
  const body = JSON.stringify(request);
  return {
    hash,
    prepared: {
      endpoint: (base.ok ? base.value : profile.baseUrl) + profile.sessionPath,
      body,
      redacted: JSON.stringify(request, hidden),
      expiryMinutes: profile.extras.sessionExpiry > 0 ? profile.extras.sessionExpiry : null,
    },
  };
};
