import { afterAll, beforeAll } from 'vitest';
import { openKeyring, type OpenKeyring } from './keyring-session.ts';

/**
 * Gives the tests of a file a separate keyring, like a desktop session's. Windows and macOS always have one, which is
 * used directly: every test names its secrets after a separate installation.
 */
export const useKeyring = (): void => {
  if (process.platform !== 'linux') return;
  let keyring: OpenKeyring;
  let bus: string | undefined;
  beforeAll(async () => {
    keyring = await openKeyring();
    bus = process.env['DBUS_SESSION_BUS_ADDRESS'];
    process.env['DBUS_SESSION_BUS_ADDRESS'] = keyring.env['DBUS_SESSION_BUS_ADDRESS'];
  });
  afterAll(async () => {
    if (bus === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS'];
    else process.env['DBUS_SESSION_BUS_ADDRESS'] = bus;
    await keyring.close();
  });
};
