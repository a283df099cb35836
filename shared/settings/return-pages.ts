import { isLoopbackHttp } from '../network-address.ts';
import { msg, type Message } from '../messages/message.ts';
import type { Profile } from './profile.ts';

/** Hosts reserved for examples and tests (RFC 2606, RFC 6761): customers cannot reach them. */
const reservedHosts = /(?:^|\.)(?:example(?:\.com|\.net|\.org)?|test|invalid|localhost)$/i;

/**
 * The problem of a customer return page (§1, §2.1), or null if it is usable. `page` may contain the
 * placeholder `{order}`. Live profiles refuse example hosts and pages on this PC.
 */
export const returnPageProblem = (page: string, kind: Profile['kind']): Message | null => {
  if (page.trim() === '') return msg('profile.return-page.required');
  const url = URL.parse(page.replaceAll('{order}', 'order'));
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return msg('profile.web-address');
  if (kind === 'live' && (reservedHosts.test(url.hostname) || isLoopbackHttp(url)))
    return msg('profile.return-page.example');
  return null;
};
