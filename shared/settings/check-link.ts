import { maskCardNumbers } from '../card-number.ts';
import { fail, ok, type Result } from '../errors.ts';
import { isLoopbackHttp, addressScope } from '../network-address.ts';
import { msg } from '../messages/message.ts';
import type { Profile } from './profile.ts';

/** Length limit of a payment link, characters: the limit of browsers, mail programs and QR codes. */
const maxLinkLength = 2_048;
/** Blanks, control characters, and invisible or direction-changing characters. */
const unseen = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether the host is an IPv4 address in another form (`0x7f.1`), which a browser silently reads as one. */
const hasDisguisedAddress = (link: string, url: URL): boolean =>
  /^\d+(?:\.\d+){3}$/.test(url.hostname) &&
  !link
    .slice(link.indexOf('//') + 2)
    .replace(/^[^/?#]*@/, '')
    .startsWith(url.hostname);

/** A link whose profile was removed is checked like a live one. */
export const noProfile = { kind: 'live', baseUrl: '' } as const;

/**
 * The link for a customer (§2.3), as a browser reads it: its host in ASCII (punycode), the rest escaped. It must be
 * https with a host, without user name, blank or invisible character; plain http only for a gateway on this PC that
 * is not live. A live link never leads into this PC or this network, a test link only from a gateway there. Errors: `gateway.unsafe-link`, which contains no part of the link except the host.
 */
export const checkLink = (link: string, profile: Pick<Profile, 'kind' | 'baseUrl'>): Result<string> => {
  const unsafe = (
    problem: 'too-long' | 'invisible' | 'not-web-address' | 'not-encrypted' | 'user-name' | 'not-public',
    host: string | null,
  ): Result<never> =>
    fail('gateway.unsafe-link', msg(`gateway.unsafe-link.${problem}`), {
      hint: msg('gateway.unsafe-link.hint'),
      details: { host: host && maskCardNumbers(host) },
    });
  if (link.length > maxLinkLength) return unsafe('too-long', null);
  if (unseen.test(link)) return unsafe('invisible', null);
  // A browser repairs `https:\\host` and `https:///host` silently; such a link is refused.
  const url = /^https?:\/\/[^/?#\\][^\\]*$/i.test(link) ? URL.parse(link) : null;
  if (url === null) return unsafe('not-web-address', null);
  const base = URL.parse(profile.baseUrl);
  if (hasDisguisedAddress(link, url)) return unsafe('not-web-address', null);
  const isLocal = profile.kind !== 'live' && base !== null && isLoopbackHttp(base) && isLoopbackHttp(url);
  if (url.protocol !== 'https:' && !isLocal) return unsafe('not-encrypted', url.host || null);
  if (url.username !== '' || url.password !== '') return unsafe('user-name', url.host);
  const isInside = addressScope(url.hostname) !== 'public';
  if (isInside && (profile.kind === 'live' || base === null || addressScope(base.hostname) === 'public'))
    return unsafe('not-public', url.host);
  return url.href.length > maxLinkLength ? unsafe('too-long', url.host) : ok(url.href);
};
