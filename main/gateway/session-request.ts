import { maskCardNumbers } from '../../shared/card-number.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, sign } from '../signatures/signature.ts';
import { checkBaseUrl } from './base-url.ts';
import type { PreparedSession, SessionOrder } from './gateway.ts';
import { mask } from './redact-answer.ts';
import { isObject } from './refusal.ts';

/** The session request (§2.1, §2.2, §4.1): built and signed by the profile's settings, not sent. */

/** A JSON object from the settings; null for anything else (the settings refuse it). */
const objectIn = (text: string): Record<string, unknown> | null => {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** Replaces `{order}` by the order number, percent-encoded. */
const withOrder = (url: string, number: string): string =>
  url.replaceAll('{order}', () => encodeURIComponent(number.toWellFormed()));

/** The optional fields, which the interface does not specify (assumptions): each only if the profile enables it. */
const optionalFields = (profile: Profile, order: SessionOrder): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  const { extras } = profile;
  const { options = {} } = order;
  if (options.requestCardToken ?? extras.reqToken) fields['req_token'] = true;
  if (extras.cardToken && options.cardToken) fields['card_token'] = [options.cardToken];
  if (extras.recurringInit || (profile.operations.recurring && options.recurring))
    fields['recurring_init'] = true;
  // A schedule belongs to a series, and only its first payment starts one.
  if (extras.recurringInit && extras.scheduleId !== '') fields['schedule_id'] = extras.scheduleId;
  if (extras.auth) fields['auth'] = 'Y';
  if (extras.sendCustomer && order.customer) {
    const { name = '', email = '' } = order.customer;
    const customer = { ...(name === '' ? {} : { name }), ...(email === '' ? {} : { email }) };
    if (Object.keys(customer).length > 0) fields['customer'] = customer;
  }
  if (extras.sessionExpiry > 0) fields['session_expiry'] = options.expiryMinutes ?? extras.sessionExpiry;
  if (extras.expiryUrl !== '') fields['expiry_url'] = withOrder(extras.expiryUrl, order.number);
  if (extras.errorUrl !== '') fields['error_url'] = withOrder(extras.errorUrl, order.number);
  if (extras.channelId !== '') fields['channel_id'] = extras.channelId;
  const billingAddress = options.billingAddress ?? objectIn(extras.billingAddress);
  if (billingAddress) fields['billing_address'] = billingAddress;
  const customData = objectIn(extras.customData);
  if (customData) fields['custom_data'] = { ...customData, ...options.customData };
  return fields;
};

const secretNames = /(?:^|_)(?:hash|token|password)s?$/i;

/** Hides signatures and tokens; `req_token` is a switch, not a token. */
const hidden = (name: string, value: unknown): unknown =>
  secretNames.test(name) && typeof value !== 'boolean' ? mask : value;

/** A prepared request with its secrets in a private field. */
class Prepared implements PreparedSession {
  readonly endpoint: string;
  readonly body: string;
  readonly redacted: string;
  readonly expiryMinutes: number | null;
  readonly #secrets: readonly string[];

  constructor({ endpoint, body, redacted, expiryMinutes }: PreparedSession, secrets: readonly string[]) {
    this.endpoint = endpoint;
    this.body = body;
    this.redacted = redacted;
    this.expiryMinutes = expiryMinutes;
    this.#secrets = secrets;
  }

  static secretsOf(prepared: PreparedSession): readonly string[] {
    return prepared instanceof Prepared ? prepared.#secrets : [];
  }
}

/** Password and hash of a request prepared here, to be hidden in its response. */
export const secretsOf = (prepared: PreparedSession): readonly string[] => Prepared.secretsOf(prepared);

/** Prepares the request, signed by the profile's formula (§2.1, assumption: §5.4). Never throws. */
export const prepareSession = (profile: Profile, password: string, order: SessionOrder): PreparedSession => {
  const { extras } = profile;
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
  const extra = objectIn(extras.extraJson);
  // Free extras never overwrite fields that the interface requires.
  const request = extra ? { ...fields, ...extra, ...fields } : fields;
  const body = JSON.stringify(request);
  const sentExpiry = 'session_expiry' in request ? request.session_expiry : null;
  const { cardToken } = order.options ?? {};
  const free =
    extra !== null ||
    extras.customData !== '' ||
    extras.billingAddress !== '' ||
    cardToken !== undefined ||
    order.options?.billingAddress !== undefined;
  const base = checkBaseUrl(profile);
  return new Prepared(
    {
      endpoint: (base.ok ? base.value : profile.baseUrl) + profile.sessionPath,
      body,
      // Only free JSON can contain other secrets than the hash.
      redacted: maskCardNumbers(free ? JSON.stringify(request, hidden) : body.replaceAll(hash, mask)),
      // The request decides, not the setting (§3.3).
      expiryMinutes: Number.isInteger(sentExpiry) ? Number(sentExpiry) : null,
    },
    cardToken ? [password, hash, cardToken] : [password, hash],
  );
};
