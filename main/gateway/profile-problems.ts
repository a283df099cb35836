import { containsCardNumber } from '../../shared/card-number.ts';
import { readAmountLimits } from '../../shared/money/amount-limits.ts';
import { readAmountExceptions } from '../../shared/money/amount-rules.ts';
import type { FieldProblem } from '../../shared/errors.ts';
import { joined, msg } from '../../shared/messages/message.ts';
import type { ProfileDraft } from '../../shared/settings/profile.ts';
import { unseenIn } from '../../shared/plain-text.ts';
import { returnPageProblem } from '../../shared/settings/return-pages.ts';
import { checkBaseUrl } from './base-url.ts';

const webAddress = (path: string, text: string): FieldProblem[] => {
  const address = URL.parse(text.replaceAll('{order}', 'order'));
  return address && (address.protocol === 'https:' || address.protocol === 'http:')
    ? []
    : [{ path, message: msg('profile.web-address') }];
};

const jsonObject = (path: string, text: string): FieldProblem[] => {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [];
  } catch {
    // Reported below.
  }
  return [{ path, message: msg('profile.json-object', { json: '{"till": "3"}' }) }];
};

type Extra = keyof ProfileDraft['extras'];

/** The settings of the optional fields, by their names on the wire. */
const settingOf: Readonly<Record<string, Extra>> = {
  req_token: 'reqToken',
  card_token: 'cardToken',
  recurring_init: 'recurringInit',
  schedule_id: 'scheduleId',
  customer: 'sendCustomer',
  session_expiry: 'sessionExpiry',
  expiry_url: 'expiryUrl',
  error_url: 'errorUrl',
  channel_id: 'channelId',
  billing_address: 'billingAddress',
  custom_data: 'customData',
  auth: 'auth',
};
/** The fields that every session request has (§2.1). */
const ownFields = [
  'merchant_key',
  'operation',
  'methods',
  'order',
  'cancel_url',
  'success_url',
  'hash',
  // A secret that no request carries.
  'password',
];

/** Free JSON must not repeat a field that Counterfoil sends itself: its settings would then say something else. */
const freeFields = (text: string): FieldProblem[] => {
  const invalid = jsonObject('extras.extraJson', text);
  if (invalid.length > 0 || text.trim() === '') return invalid;
  // A gateway may read another case as the same name.
  return Object.keys(JSON.parse(text) as object).flatMap(written => {
    const name = written.toLowerCase();
    const setting = Object.hasOwn(settingOf, name) ? settingOf[name] : undefined;
    if (setting !== undefined) {
      const message = msg('profile.extra-json.setting', { name, setting: msg(`extra.${setting}`) });
      return [{ path: 'extras.extraJson', message }];
    }
    return ownFields.includes(name)
      ? [{ path: 'extras.extraJson', message: msg('profile.extra-json.own', { name }) }]
      : [];
  });
};

const withoutCardNumber = (path: string, text: string): FieldProblem[] =>
  containsCardNumber(text) ? [{ path, message: msg('card-number.found') }] : [];

const isTimeZone = (zone: string): boolean =>
  Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC';

/** Names what a copied key or password got without anybody seeing it. */
export const withoutUnseenAt = (path: string, text: string): FieldProblem[] => {
  const found = unseenIn(text);
  if (found === null) return [];
  return [{ path, message: found === 'blank' ? msg('input.outer-blank') : msg('input.invisible', found) }];
};

/** An amount without its currency is the usual mistake: its message shows how to write that very amount. */
const limitProblems = (path: string, text: string, currency: string): FieldProblem[] => {
  if (readAmountLimits(text) !== null) return [];
  const corrected = `${currency} ${text.trim()}`;
  const isBare = readAmountLimits(corrected) !== null;
  return [
    {
      path,
      message: isBare ? msg('profile.limits.no-currency', { corrected }) : msg('profile.limits.invalid'),
    },
  ];
};

/** What is wrong with a profile beyond its schema: addresses, amount rules, JSON, time zones. */
export const profileProblems = (profile: ProfileDraft): FieldProblem[] => {
  const base = checkBaseUrl(profile);
  const optional = (path: string, text: string): FieldProblem[] =>
    text === '' ? [] : webAddress(path, text);
  return [
    ...withoutUnseenAt('merchantKey', profile.merchantKey),
    ...(base.ok ? [] : [{ path: 'baseUrl', message: joined(base.error.message, base.error.hint ?? null) }]),
    ...(['successUrl', 'cancelUrl'] as const).flatMap(path => {
      const message = returnPageProblem(profile[path], profile.kind);
      return message === null ? [] : [{ path, message }];
    }),
    ...(readAmountExceptions(profile.amountExceptions) === null
      ? [{ path: 'amountExceptions', message: msg('profile.amount-exceptions.invalid') }]
      : []),
    ...(['perOperation', 'perDay', 'secondPersonFrom'] as const).flatMap(name =>
      limitProblems(`operations.limits.${name}`, profile.operations.limits[name], profile.defaultCurrency),
    ),
    ...(profile.extras.auth && !profile.operations.capture
      ? [{ path: 'extras.auth', message: msg('profile.auth-without-capture') }]
      : []),
    ...optional('extras.expiryUrl', profile.extras.expiryUrl),
    ...optional('extras.errorUrl', profile.extras.errorUrl),
    ...jsonObject('extras.billingAddress', profile.extras.billingAddress),
    ...jsonObject('extras.customData', profile.extras.customData),
    ...freeFields(profile.extras.extraJson),
    ...(['billingAddress', 'customData', 'extraJson'] as const).flatMap(name =>
      withoutCardNumber(`extras.${name}`, profile.extras[name]),
    ),
    ...(['gatewayZone', 'timeZone'] as const).flatMap(path =>
      (path === 'timeZone' && profile[path] === '') || isTimeZone(profile[path])
        ? []
        : [{ path, message: msg('profile.zone.unknown') }],
    ),
  ];
};
