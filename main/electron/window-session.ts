import { session, type Session } from 'electron';
import { windowOrigin } from './app-protocol.ts';

/**
 * The window's separate session: in memory, apart from the default session, whose proxy settings the gateway client
 * uses. Its only proxy is a port that never answers, loopback included. So traffic that the content policy does not
 * cover (WebRTC over TCP) is blocked too.
 */

export const isOwnPage = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === windowOrigin.protocol && url.host === windowOrigin.host;
};

type Permits = (permission: string, origin: string) => boolean;

/** The only permission is writing plain text to the clipboard, after a click, from our own page. */
const permitsClipboard: Permits = (permission, origin) =>
  permission === 'clipboard-sanitized-write' && isOwnPage(origin);

const lockPermissions = (own: Session, permits: Permits): void => {
  own.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permits(permission, contents.getURL())),
  );
  own.setPermissionCheckHandler((_contents, permission, origin) => permits(permission, `${origin}/`));
};

/** Port 1 of this PC: nothing listens there. `<-loopback>` sends loopback addresses to the proxy too. */
const deadProxy = {
  mode: 'fixed_servers',
  proxyRules: 'http://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
} as const;

/** A session without network and with only these permissions. Resolves when its proxy is set. */
export const lockSession = async (own: Session, permits: Permits): Promise<void> => {
  lockPermissions(own, permits);
  await own.setProxy(deadProxy);
};

/** Call it once the application is ready; the same session each time. Resolves when its proxy is set. */
export const windowSession = async (): Promise<Session> => {
  const own = session.fromPartition('counterfoil');
  await lockSession(own, permitsClipboard);
  return own;
};
