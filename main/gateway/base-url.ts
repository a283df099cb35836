import { fail, ok, type Result } from '../../shared/errors.ts';
import type { Profile } from '../../shared/profile.ts';

const refused = (message: string, hint: string): Result<never> =>
  fail('input.invalid', message, { hint, fields: [{ path: 'baseUrl', message: `${message} ${hint}` }] });

const judge = ({ kind, baseUrl }: Pick<Profile, 'kind' | 'baseUrl'>): Result<string> => {
  const url = URL.parse(baseUrl.trim());
  if (url === null) {
    return refused('The base address is no web address.', 'Copy it as the gateway gave it, with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refused('The base address holds a user name or password.', 'Leave out what stands before the @.');
  }
  if (url.search !== '' || url.hash !== '') {
    return refused('The base address goes on after its path.', 'Leave out everything from ? or # on.');
  }
  const loopback = kind === 'sandbox' && url.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !loopback) {
    return refused(
      'The base address is not encrypted.',
      'Write https:// in front: only the built-in sandbox is spoken to without.',
    );
  }
  return ok(url.origin + url.pathname.replace(/\/+$/, ''));
};

/** Every request asks about the same address: the last judgement is remembered. */
let last: { kind: string; baseUrl: string; checked: Result<string> } | null = null;

/**
 * The gateway's address as requests use it: scheme, host and path prefix without a trailing slash (§4).
 * Test and live profiles need https; the sandbox's speaks plain http, to this PC alone.
 * Errors: `input.invalid` with the field `baseUrl`.
 */
export const checkBaseUrl = ({ kind, baseUrl }: Pick<Profile, 'kind' | 'baseUrl'>): Result<string> => {
  if (last === null || last.kind !== kind || last.baseUrl !== baseUrl) {
    last = { kind, baseUrl, checked: judge({ kind, baseUrl }) };
  }
  return last.checked;
};

/**
 * Whether a customer may be sent to a link (§2.3): https, without credentials or blanks; the sandbox's
 * own page on this PC may be plain http. Errors: `gateway.unsafe-link`, which names the host at most.
 */
export const checkLink = (link: string, kind: Profile['kind']): Result<string> => {
  const unsafe = (what: string, host: string | null): Result<never> =>
    fail('gateway.unsafe-link', `The gateway answered with a link ${what}.`, {
      hint: 'Do not pass it on. Ask the gateway why; the payment may be registered under its order number.',
      details: { host },
    });
  const url = /[\s\p{Cc}]/u.test(link) ? null : URL.parse(link);
  if (url === null) return unsafe('that is no web address', null);
  const ownPage = kind === 'sandbox' && url.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !ownPage) return unsafe('that is not encrypted', url.host || null);
  if (url.username !== '' || url.password !== '') return unsafe('that holds a user name', url.host);
  return ok(link);
};
