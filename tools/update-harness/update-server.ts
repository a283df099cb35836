import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Channel } from '../../main/updates/channel.ts';
import { signChannel } from '../../main/updates/channel-signature.ts';
import { answering } from '../server-harness/test-server.ts';

/** A server of updates on this computer, and signing keys for tests. */

/** A pair of keys as a release uses them. `pinned`: the public key as a build takes it. */
export const signingKey = (): { key: KeyObject; pinned: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    key: privateKey,
    pinned: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
};

export const packageName = 'counterfoil-0.2.0-win-x64.exe';
export const packageBytes = Buffer.from('the installer of version 0.2.0');

export const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('base64');

/** Version 0.2.0 for everyone, with these differences. */
export const channelOf = (different: Partial<Channel> = {}): Channel => ({
  version: '0.2.0',
  files: [{ url: packageName, sha512: sha512(packageBytes), size: packageBytes.length }],
  releaseDate: '2026-07-01T12:00:00.000Z',
  signedAt: '2026-07-02T00:00:00.000Z',
  expires: '2027-01-01T00:00:00.000Z',
  paymentLog: { reads: 1, writes: 1_000 },
  sharedLog: { needs: 3, knows: 1_000 },
  ...different,
});

/** The text of a signed channel file. */
export const signed = (channel: object, keys: KeyObject | KeyObject[], fileName = 'latest.yml'): string =>
  signChannel(`${JSON.stringify(channel, null, 2)}\n`, fileName, [keys].flat());

/** `send` answers in place of the rest; without an end it never ends. */
type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  send?: (response: ServerResponse) => void;
};

/** Serves `files` by path until the end of the test; `requests` collects what was asked. */
export const startUpdateServer = async (files: Record<string, Answer>) => {
  const { port, requests, close } = await answering(({ url }, response) => {
    const { status = 200, headers = {}, body = '', send } = files[url] ?? { status: 404 };
    if (send) send(response);
    else response.writeHead(status, headers).end(body);
  });
  return { files, requests, folder: `http://127.0.0.1:${port}/counterfoil`, close };
};
