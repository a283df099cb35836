import { once, type EventEmitter } from 'node:events';
import { Provider, type AppUpdater, type UpdateInfo } from 'electron-updater';
import type { Checked, Installer } from './installer.ts';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider';
import { ok, type AppError, type Result } from '../../shared/errors.ts';
import { logVersion } from '../payment-log/sqlite/store/journal-tables.ts';
import { readChannel, type Channel, type Installed } from './channel.ts';
import { refuseUpdate, updateUnreachable } from './update-failure.ts';

/**
 * Fetches a newer version with electron-updater. Every request is made here, within limits: the channel file is
 * verified first, and a package must have its signed size and hash. electron-updater keeps the package, checks the
 * publisher, and installs it.
 */

/** One GET of the update server, within limits: a server can send without a length, slowly, or never. */

/** `maxBytes` of content, `idleMs` without a byte, `totalMs` until the last one. */
type ReceiveLimits = { maxBytes: number; idleMs: number; totalMs: number };

/** One GET that follows no redirect. */
type Get = (url: string, signal: AbortSignal) => Promise<Response>;

/** An error with a code, as network errors have it. */
const coded = (code: string): Error => Object.assign(new Error(code), { code });

/** The bytes at an address. Throws a network error, or one with the code REDIRECTED, HTTP NUMBER, TOO_LARGE or TIMEOUT. */
const receive = async function* (
  get: Get,
  url: string,
  { maxBytes, idleMs, totalMs }: ReceiveLimits,
): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  // Raced too: a client that ignores the signal must not hold the check.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(coded('TIMEOUT')), { once: true });
  });
  stopped.catch(() => undefined);
  const [idle, total] = [idleMs, totalMs].map(ms => setTimeout(() => stop.abort(), ms));
  try {
    const response = await Promise.race([get(url, stop.signal), stopped]);
    if (response.status >= 300 && response.status < 400) throw coded('REDIRECTED');
    if (!response.ok) throw coded(`HTTP ${response.status}`);
    const reader = response.body?.getReader();
    let size = 0;
    for (;;) {
      const part = await Promise.race([reader?.read(), stopped]);
      if (part === undefined || part.done) return;
      idle?.refresh();
      size += part.value.length;
      if (size > maxBytes) throw coded('TOO_LARGE');
      yield part.value;
    }
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    stop.abort();
  }
};

/** Size limit of a channel file, bytes. */
const maxChannelBytes = 64 * 1024;

/** Limits of requests, milliseconds: for the channel file; without a byte; for the package. */
const defaultLimits = { channelMs: 30_000, idleMs: 60_000, packageMs: 60 * 60_000 };

/** Where channel files come from and who must have signed them. */
type ChannelSource = {
  /** The file's name, different for each system. */
  fileName: string;
  /** Public keys, one of which must have signed it. */
  keys: readonly string[];
  get: Get;
  limits?: typeof defaultLimits;
};

const codeOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if ('code' in thrown) return String(thrown.code);
  return thrown.cause === undefined ? thrown.message : codeOf(thrown.cause);
};

const isRedirect = (thrown: unknown): boolean =>
  thrown instanceof Error && /redirect/i.test(`${thrown.message} ${codeOf(thrown)}`);

const failureOf = (thrown: unknown, version: string): { ok: false; error: AppError } => {
  const code = codeOf(thrown);
  if (code === 'TOO_LARGE' || code === 'DAMAGED') return refuseUpdate('damaged', version);
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return refuseUpdate('publisher', version);
  return isRedirect(thrown) ? refuseUpdate('redirected', version) : updateUnreachable(code.slice(0, 200));
};

const fetchChannel = async (
  url: string,
  { get, limits = defaultLimits }: ChannelSource,
): Promise<Result<string>> => {
  const within = { maxBytes: maxChannelBytes, idleMs: limits.channelMs, totalMs: limits.channelMs };
  try {
    return ok(Buffer.concat(await Array.fromAsync(receive(get, url, within))).toString('utf8'));
  } catch (thrown) {
    return codeOf(thrown) === 'TOO_LARGE' ? refuseUpdate('unsigned', '') : failureOf(thrown, '');
  }
};

/** The verified channel file as electron-updater's source; it makes no request for it. */
const providerOf = ({ version, releaseDate, stagingPercentage, ...channel }: Channel, folder: string) => {
  const files = channel.files.map(({ isAdminRightsRequired = false, ...file }) => ({
    ...file,
    isAdminRightsRequired,
  }));
  const info: UpdateInfo = {
    version,
    files,
    releaseDate,
    ...(stagingPercentage === undefined ? {} : { stagingPercentage }),
    // Required by the type; nothing reads them beside `files`.
    path: '',
    sha512: '',
  };
  return class extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }
    getLatestVersion() {
      return Promise.resolve(info);
    }
    resolveFiles() {
      return files.map(file => ({ url: new URL(file.url, folder), info: file }));
    }
  };
};

/** Downloads in place of electron-updater, which knows neither a limit of bytes nor one of time. */
const executorOf = ({ files }: Channel, { get, limits = defaultLimits }: ChannelSource) => ({
  download: async ({ href }: URL, destination: string): Promise<string> => {
    const file = files.find(({ url }) => href.endsWith(`/${url}`));
    if (file === undefined) throw coded('DAMAGED');
    const within = { maxBytes: file.size, idleMs: limits.idleMs, totalMs: limits.packageMs };
    const hash = createHash('sha512');
    await pipeline(
      receive(get, href, within),
      async function* (bytes) {
        for await (const chunk of bytes) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(destination),
    );
    if (hash.digest('base64') !== file.sha512) throw coded('DAMAGED');
    return destination;
  },
});

/** Prepares electron-updater: nothing happens that was not asked for. */
const configure = (updater: AppUpdater): void => {
  updater.logger = null;
  updater.autoDownload = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  // Both would fetch files that the channel file does not sign.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
};

/** Downloads a newer version from `server`, the address of a folder. Errors: see Installer. */
const fetchUpdate = async (
  updater: AppUpdater,
  server: string,
  source: ChannelSource,
  installed: Omit<Installed, 'paymentLog'>,
  beforeDownload: () => void,
): Promise<Result<Checked>> => {
  const { fileName, keys } = source;
  const folder = server.endsWith('/') ? server : `${server}/`;
  const text = await fetchChannel(new URL(fileName, folder).href, source);
  if (!text.ok) return text;
  const offer = readChannel(text.value, fileName, keys, { ...installed, paymentLog: logVersion });
  if ('refused' in offer) return refuseUpdate(offer.refused, offer.version, offer.signedAt);
  const signedAt = Date.parse(offer.channel.signedAt);
  if (offer.offer === 'same') return ok({ found: 'current', signedAt });
  const { version } = offer.channel;
  configure(updater);
  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(offer.channel, folder) });
  Object.assign(updater, { httpExecutor: executorOf(offer.channel, source) });
  try {
    const checked = await updater.checkForUpdates();
    if (!checked?.isUpdateAvailable) return ok({ found: 'later', version, signedAt });
    beforeDownload();
    return ok({ found: 'ready', version, signedAt, files: await updater.downloadUpdate() });
  } catch (thrown) {
    return failureOf(thrown, version);
  }
};

/** Time for macOS to take and unpack a version, milliseconds. */
const squirrelLimitMs = 120_000;

/** Electron's updater of macOS, Squirrel. What it has taken it installs, and nothing takes it back. */
export type Squirrel = EventEmitter & { checkForUpdates(): void };

/** Joins electron-updater with the application. `close`: see Installer.restart. `squirrel`: on macOS. */
export const createInstaller = (
  updater: AppUpdater,
  source: ChannelSource,
  { close, squirrel = null }: { close: () => Promise<void>; squirrel?: Squirrel | null },
): Installer => {
  let isWanted = false;
  // On macOS electron-updater would give a version to Squirrel as soon as it is downloaded.
  if (squirrel !== null) updater.autoInstallOnAppQuit = false;
  const setOnQuit = (isOn: boolean): void => {
    if (squirrel === null) updater.autoInstallOnAppQuit = isOn;
  };
  return {
    check: (server, installed) =>
      // electron-updater listens to the program's end only if this is set when a download ends.
      fetchUpdate(updater, server, source, installed, () => setOnQuit(true)),
    installOnQuit: wanted => {
      isWanted = wanted;
      setOnQuit(wanted);
    },
    atQuit: async () => {
      if (squirrel === null || !isWanted) return;
      isWanted = false;
      const limit = AbortSignal.timeout(squirrelLimitMs);
      // `once` rejects at an `error` too: the next start says that nothing was installed.
      const taken = once(squirrel, 'update-downloaded', { signal: limit }).catch(() => undefined);
      squirrel.checkForUpdates();
      await taken;
    },
    restart: async () => {
      // The installer must not meet a payment log that is still being written.
      await close();
      updater.quitAndInstall(true, true);
    },
  };
};
