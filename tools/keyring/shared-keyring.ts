import { openKeyring, type OpenKeyring } from './keyring-session.ts';

let keyring: OpenKeyring | null = null;

/**
 * One keyring for all integration tests of a run, like a desktop session's: the keychain's library connects once in a
 * process, and no test touches the developer's own. Every test names its secrets after a separate installation. Windows
 * and macOS always have a keychain, which is used directly.
 */
export const setup = async (): Promise<void> => {
  if (process.platform !== 'linux') return;
  keyring = await openKeyring();
  // The processes of the tests inherit it.
  process.env['DBUS_SESSION_BUS_ADDRESS'] = keyring.env['DBUS_SESSION_BUS_ADDRESS'];
};

export const teardown = async (): Promise<void> => {
  await keyring?.close();
};
