import { isLoopbackHttp } from '../loopback.ts';
import type { Profile } from '../settings/profile.ts';

/** Hosts reserved for examples and tests (RFC 2606, RFC 6761): customers cannot reach them. */
const reservedHosts = /(?:^|\.)(?:example(?:\.com|\.net|\.org)?|test|invalid|localhost)$/i;

/**
 * The problem of a customer return page (§1, §2.1), as one sentence; null if it is usable. `page` may contain the
 * placeholder `{order}`. Live profiles refuse example hosts and pages on this PC.
 */
export const returnPageProblem = (page: string, kind: Profile['kind']): string | null => {
  if (page.trim() === '')
    return 'Enter the page of your shop that customers return to, starting with https://.';
  const url = URL.parse(page.replaceAll('{order}', 'order'));
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'Enter a full web address that starts with https://.';
  }
  if (kind === 'live' && (reservedHosts.test(url.hostname) || isLoopbackHttp(url))) {
    return 'This is an example page, and real customers would return to it. Enter a page of your shop.';
  }
  return null;
};
