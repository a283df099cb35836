import { fail, ok, type Result } from '../../shared/errors.ts';
import { isLoopbackHttp } from '../../shared/network-address.ts';
import { joined, msg } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';

const refused = (
  problem: 'not-web-address' | 'user-name' | 'more-than-path' | 'not-encrypted' | 'request-path',
): Result<never> => {
  const message = msg(`base-url.${problem}`);
  const hint = msg(`base-url.${problem}.hint`);
  return fail('input.invalid', message, {
    hint,
    fields: [{ path: 'baseUrl', message: joined(message, hint) }],
  });
};

/** Paths of single requests (§4), which documentation names and the console adds. */
const requestPath = /\/api\/v1\/(?:session|payment)(?:\/|$)/;

const checkBaseUrlFor = ({ kind, baseUrl }: Pick<Profile, 'kind' | 'baseUrl'>): Result<string> => {
  const url = URL.parse(baseUrl.trim());
  if (url === null) return refused('not-web-address');
  if (url.username !== '' || url.password !== '') return refused('user-name');
  if (url.search !== '' || url.hash !== '') return refused('more-than-path');
  if (url.protocol !== 'https:' && !(kind !== 'live' && isLoopbackHttp(url))) return refused('not-encrypted');
  if (requestPath.test(url.pathname)) return refused('request-path');
  return ok(url.origin + url.pathname.replace(/\/+$/, ''));
};

/** Cache of the last result: every request checks the same address. */
let last: { kind: string; baseUrl: string; checked: Result<string> } | null = null;

/**
 * The gateway's address as requests use it: scheme, host and path prefix without a trailing slash (§4). Everything
 * except a sandbox or test gateway on this PC requires https. Errors: `input.invalid` with the field `baseUrl`.
 */
export const checkBaseUrl = ({ kind, baseUrl }: Pick<Profile, 'kind' | 'baseUrl'>): Result<string> => {
  if (last === null || last.kind !== kind || last.baseUrl !== baseUrl)
    last = { kind, baseUrl, checked: checkBaseUrlFor({ kind, baseUrl }) };
  return last.checked;
};
