import { CancellationToken, Provider, type AppUpdater, type UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider';
import { ok, type AppError, type Result } from '../../shared/errors.ts';
import { logVersion } from '../payment-log/sqlite/store/journal-tables.ts';
import { readChannel, type Channel, type Installed } from './channel.ts';
import type { Checked } from './installer.ts';
import { refuseUpdate, updateUnreachable } from './update-failure.ts';

/**
 * Fetches a newer version with electron-updater. The channel file is read and verified here; electron-updater gets its
 * verified content only, compares the hash of what it downloads with it, and checks the publisher.
 */

/** Size limit of a channel file, bytes. */
const maxBytes = 64 * 1024;

/** Where channel files come from and who must have signed them. */
export type ChannelSource = {
  /** The file's name, different for each system. */
  fileName: string;
  /** Public keys, one of which must have signed it. */
  keys: readonly string[];
  /** One GET that follows no redirect. */
  get: (url: string) => Promise<Response>;
};

const codeOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if ('code' in thrown) return String(thrown.code);
  return thrown.cause === undefined ? thrown.message : codeOf(thrown.cause);
};

const isRedirect = (thrown: unknown): boolean =>
  thrown instanceof Error && /redirect/i.test(`${thrown.message} ${codeOf(thrown)}`);

const readText = async (response: Response): Promise<string | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const fetchChannel = async (url: string, get: ChannelSource['get']): Promise<Result<string>> => {
  try {
    const response = await get(url);
    if (response.status >= 300 && response.status < 400) return refuseUpdate('redirected', '');
    if (!response.ok) return updateUnreachable(`HTTP ${response.status}`);
    const text = await readText(response);
    return text === null ? refuseUpdate('unsigned', '') : ok(text);
  } catch (thrown) {
    return isRedirect(thrown) ? refuseUpdate('redirected', '') : updateUnreachable(codeOf(thrown));
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
      // A package comes from the configured server or not at all: the first redirect is one too many.
      Object.assign(runtime.executor, { maxRedirects: -1 });
    }
    getLatestVersion() {
      return Promise.resolve(info);
    }
    resolveFiles() {
      return files.map(file => ({ url: new URL(file.url, folder), info: file }));
    }
  };
};

const failureOf = (thrown: unknown, version: string): { ok: false; error: AppError } => {
  const code = codeOf(thrown);
  if (code === 'ERR_CHECKSUM_MISMATCH') return refuseUpdate('damaged', version);
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return refuseUpdate('publisher', version);
  return isRedirect(thrown) ? refuseUpdate('redirected', version) : updateUnreachable(code.slice(0, 200));
};

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

/** Downloads the package; ends above its signed size, so that a server cannot fill the disk. */
const downloadWithin = async (updater: AppUpdater, maxBytes: number): Promise<string[]> => {
  const token = new CancellationToken();
  let isTooLarge = false;
  const watch = ({ transferred, total }: { transferred: number; total: number }): void => {
    if (Math.max(transferred, total) <= maxBytes) return;
    isTooLarge = true;
    token.cancel();
  };
  updater.on('download-progress', watch);
  try {
    return await updater.downloadUpdate(token);
  } catch (thrown) {
    throw isTooLarge
      ? Object.assign(new Error('larger than signed'), { code: 'ERR_CHECKSUM_MISMATCH' })
      : thrown;
  } finally {
    updater.off('download-progress', watch);
  }
};

/** Downloads a newer version from `server`, the address of a folder. Errors: see Installer. */
export const fetchUpdate = async (
  updater: AppUpdater,
  server: string,
  { fileName, keys, get }: ChannelSource,
  installed: Omit<Installed, 'paymentLog'>,
): Promise<Result<Checked>> => {
  const folder = server.endsWith('/') ? server : `${server}/`;
  const text = await fetchChannel(new URL(fileName, folder).href, get);
  if (!text.ok) return text;
  const offer = readChannel(text.value, fileName, keys, { ...installed, paymentLog: logVersion });
  if ('refused' in offer) return refuseUpdate(offer.refused, offer.version);
  const signedAt = Date.parse(offer.channel.signedAt);
  if (offer.offer === 'same') return ok({ found: 'current', signedAt });
  const { version } = offer.channel;
  configure(updater);
  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(offer.channel, folder) });
  try {
    const checked = await updater.checkForUpdates();
    if (!checked?.isUpdateAvailable) return ok({ found: 'later', version, signedAt });
    const files = await downloadWithin(updater, Math.max(...offer.channel.files.map(({ size }) => size)));
    return ok({ found: 'ready', version, signedAt, files });
  } catch (thrown) {
    return failureOf(thrown, version);
  }
};
