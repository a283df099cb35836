import { readAmountExceptions } from '../../shared/money/amount-rules.ts';
import type { FieldProblem } from '../../shared/errors.ts';
import { joined, msg } from '../../shared/messages/message.ts';
import type { ProfileDraft } from '../../shared/settings/profile.ts';
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

const isTimeZone = (zone: string): boolean =>
  Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC';

/** What is wrong with a profile beyond its schema: addresses, amount rules, JSON, time zones. */
export const profileProblems = (profile: ProfileDraft): FieldProblem[] => {
  const base = checkBaseUrl(profile);
  const optional = (path: string, text: string): FieldProblem[] =>
    text === '' ? [] : webAddress(path, text);
  return [
    ...(base.ok ? [] : [{ path: 'baseUrl', message: joined(base.error.message, base.error.hint ?? null) }]),
    ...(['successUrl', 'cancelUrl'] as const).flatMap(path => {
      const message = returnPageProblem(profile[path], profile.kind);
      return message === null ? [] : [{ path, message }];
    }),
    ...(readAmountExceptions(profile.amountExceptions) === null
      ? [{ path: 'amountExceptions', message: msg('profile.amount-exceptions.invalid') }]
      : []),
    ...optional('extras.expiryUrl', profile.extras.expiryUrl),
    ...optional('extras.errorUrl', profile.extras.errorUrl),
    ...jsonObject('extras.billingAddress', profile.extras.billingAddress),
    ...jsonObject('extras.customData', profile.extras.customData),
    ...jsonObject('extras.extraJson', profile.extras.extraJson),
    ...(['gatewayZone', 'timeZone'] as const).flatMap(path =>
      (path === 'timeZone' && profile[path] === '') || isTimeZone(profile[path])
        ? []
        : [{ path, message: msg('profile.zone.unknown') }],
    ),
  ];
};
