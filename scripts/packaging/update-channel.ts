import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { writeFileAtomicSync } from '../../main/files/replace-file.ts';
import { logVersion } from '../../main/payment-log/sqlite/store/journal-tables.ts';
import { schemaVersion } from '../../main/payment-log/postgres/schema/schema.ts';
import {
  channelSchema,
  maxClockDifferenceMs,
  packedSchema,
  type Channel,
} from '../../main/updates/channel.ts';
import { root } from '../../tools/build/steps.ts';
import { signChannel, signedParts, verifiedContent } from '../../main/updates/channel-signature.ts';

/**
 * Signs the channel files of a release; see docs/build/releasing.md. Private keys (PEM) are read from standard input,
 * never from an argument.
 */
const usage = `update-channel sign FILE [PACKED…] --packages FOLDER --percent NUMBER [--replaces SIGNED] [OPTIONS] < KEYS
update-channel rollout FILE PERCENT [OPTIONS] < KEYS
update-channel verify FILE --key PUBLIC-KEY [--key ANOTHER]
KEYS: one or more Ed25519 private keys (PEM). PACKED: channel files of the packer for several processors; FILE if left
out. FOLDER: the packages, which are compared with what is signed. NUMBER: the first part of the roll-out, 0 to 100.
SIGNED: the file that is on the server now. FILE: latest.yml, latest-mac.yml or latest-linux.yml.
OPTIONS: --days 180, until it expires; --today YYYY-MM-DD, the date as you know it, where the clock is doubted.
`;

/** The oldest format of the payment log that this version reads: every migration begins at the first one. */
const oldestFormat = 1;

const pemBlock = /-----BEGIN[^]*?-----END [A-Z ]+-----/g;
const dayMs = 86_400_000;

/** Ends the command with this exit code. */
class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly code: number;
  constructor(problem: string, code: number) {
    super(problem);
    this.code = code;
  }
}
const stop = (problem: string, code = 2): never => {
  throw new Stopped(problem, code);
};

/** What a run of the command reads, and how it ends. `now`: milliseconds. */
type Run = { args: readonly string[]; now: number; readInput: () => string; print: (line: string) => void };

const run = ({ args, now, readInput, print }: Run): void => {
  const readArguments = () => {
    try {
      return parseArgs({
        args: [...args],
        allowPositionals: true,
        options: {
          days: { type: 'string', default: '180' },
          percent: { type: 'string' },
          packages: { type: 'string' },
          replaces: { type: 'string' },
          today: { type: 'string' },
          key: { type: 'string', multiple: true, default: [] },
        },
      });
    } catch {
      return stop(usage);
    }
  };
  const { values, positionals } = readArguments();
  const [command = '', file = '', ...rest] = positionals;

  const wholeNumber = (text: string, from: number, to: number): number => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : -1;
    return number >= from && number <= to
      ? number
      : stop(`${text}: a number from ${from} to ${to} is needed.`);
  };

  const readKeys = (): KeyObject[] => {
    try {
      const keys = [...readInput().matchAll(pemBlock)].map(([pem]) => createPrivateKey(pem));
      if (keys.length > 0 && keys.every(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519'))
        return keys;
    } catch {
      // Reported below, without its content.
    }
    return stop('Standard input contains no Ed25519 private key (PEM).');
  };

  const publicKeyOf = (key: KeyObject): string =>
    createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');

  const readText = (from: string): string => {
    try {
      return readFileSync(from, 'utf8');
    } catch {
      return stop(`${from} cannot be read.`);
    }
  };

  const expiry = (): string => new Date(now + wholeNumber(values.days, 1, 366) * dayMs).toISOString();
  const dateInWords = (instant: string | number): string =>
    `${new Date(instant).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

  /** How long after its packing a version is signed without a question, milliseconds. */
  const maxAgeMs = 180 * dayMs;

  /**
   * Stops if the clock cannot be right: of an offline computer it is checked by nothing else, and installations refuse
   * every file that is signed before the newest that they have seen. `from` to `until`: when this file can be signed.
   * `previous`: the signed file that it replaces.
   */
  const checkClock = (from: number, until: number, previous: Channel | null): void => {
    const { today } = values;
    const isConfirmed = today !== undefined;
    const clock = `This computer's clock says ${dateInWords(now)}`;
    if (isConfirmed && today !== new Date(now).toISOString().slice(0, 10)) stop(`${clock}, not ${today}.`, 1);
    const doubt = 'Set the clock, or confirm the date with --today YYYY-MM-DD.';
    if (Number.isNaN(from)) stop('The file does not say when its packages were made.', 1);
    if (now < from - dayMs) stop(`${clock}, before these packages were made. ${doubt}`, 1);
    if (now > until && !isConfirmed) stop(`${clock}: later than expected. ${doubt}`, 1);
    const before = previous === null ? 0 : Date.parse(previous.signedAt);
    // Installations did not accept a file of the future either.
    const isIgnored = isConfirmed && before > now + maxClockDifferenceMs;
    if (now <= before && !isIgnored)
      stop(`${clock}, and the file to replace was signed on ${dateInWords(before)}. ${doubt}`, 1);
  };

  const describe = ({ version, stagingPercentage, signedAt, expires }: Channel): string =>
    `${basename(file)}: version ${version} for ${stagingPercentage ?? 100} %, signed on ${dateInWords(signedAt)}, until ${expires.slice(0, 10)}`;

  const write = (channel: Channel, keys: readonly KeyObject[]): void => {
    const content = `${JSON.stringify(channelSchema.parse(channel), null, 2)}\n`;
    writeFileAtomicSync(file, signChannel(content, basename(file), keys));
    print(
      `${describe(channel)}. If that is not the date of today, do not publish it.\nPublic key: ${keys.map(publicKeyOf).join(' ')}`,
    );
  };

  const readPacked = (from: string) => {
    const read = packedSchema.safeParse(
      parseUpdateInfo(signedParts(readText(from)).content, from, new URL('file:///')),
    );
    return read.success ? read.data : stop(`${from} is not a channel file of the packer.`);
  };

  /** The packages of several processors in one file: each is packed on its own. */
  const packed = (sources: readonly string[]) => {
    const [first, ...others] = (sources.length === 0 ? [file] : sources).map(readPacked);
    if (!first) return stop(usage);
    if (others.some(({ version }) => version !== first.version))
      stop('These files are of different versions.');
    return { ...first, files: [first, ...others].flatMap(({ files }) => files) };
  };

  /**
   * Stops unless these are the packages of this checkout: what is offered must be what was looked at, and the formats of
   * the payment log are read from the checkout.
   */
  const comparePackages = ({ version, files }: Pick<Channel, 'version' | 'files'>, from: string): void => {
    const own = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
    if (version !== own)
      stop(
        `The packages are version ${version}, and this checkout is ${own}. Check out the release first.`,
        1,
      );
    for (const { url, sha512, size } of files) {
      const path = join(from, url);
      let bytes: Buffer;
      try {
        bytes = readFileSync(path);
      } catch {
        return stop(`${path} cannot be read.`);
      }
      if (bytes.length !== size || createHash('sha512').update(bytes).digest('base64') !== sha512)
        stop(`${path} is not the package that the channel file names: size or hash differs.`, 1);
    }
  };

  /** The channel in a file that one of `keys` signed. */
  const signedChannel = (keys: readonly string[], from = file): Channel => {
    const content = verifiedContent(readText(from), basename(file), keys);
    if (content === null) return stop(`${from} is not signed by this key under this name.`, 1);
    const read = channelSchema.safeParse(JSON.parse(content));
    return read.success ? read.data : stop(`${from} is signed, but is not a channel file.`, 1);
  };

  /** The signed file that `sign` replaces: the one that is named, or one that has its name. */
  const replaced = (keys: readonly string[]): Channel | null => {
    const { replaces } = values;
    if (replaces !== undefined) return signedChannel(keys, replaces);
    return existsSync(file) && verifiedContent(readFileSync(file, 'utf8'), basename(file), keys) !== null
      ? signedChannel(keys)
      : null;
  };

  if (command === 'sign' && file !== '') {
    const { packages, percent } = values;
    if (packages === undefined || percent === undefined)
      stop(`--packages and --percent are needed.\n${usage}`);
    const stagingPercentage = wholeNumber(percent ?? '', 0, 100);
    const content = packed(rest);
    comparePackages(content, packages ?? '');
    const keys = readKeys();
    const packedAt = Date.parse(content.releaseDate);
    checkClock(packedAt, packedAt + maxAgeMs, replaced(keys.map(publicKeyOf)));
    write(
      {
        ...content,
        stagingPercentage,
        signedAt: new Date(now).toISOString(),
        expires: expiry(),
        paymentLog: { reads: oldestFormat, writes: logVersion },
        sharedLog: { needs: schemaVersion, knows: schemaVersion },
      },
      keys,
    );
  } else if (command === 'rollout' && file !== '' && rest.length === 1) {
    const stagingPercentage = wholeNumber(rest[0] ?? '', 0, 100);
    const keys = readKeys();
    const before = signedChannel(keys.map(publicKeyOf));
    if (signedParts(readText(file)).signatures.length > keys.length)
      stop(`${file} has the signatures of several keys: give all of them.`, 1);
    checkClock(Date.parse(before.releaseDate), Date.parse(before.expires), before);
    write({ ...before, stagingPercentage, signedAt: new Date(now).toISOString(), expires: expiry() }, keys);
  } else if (command === 'verify' && file !== '' && rest.length === 0 && values.key.length > 0) {
    const [channel] = values.key.map(key => signedChannel([key]));
    if (!channel) stop(usage);
    else {
      const { signedAt, expires, releaseDate } = channel;
      if (Date.parse(expires) <= now) stop(`${describe(channel)}: it has expired.`, 1);
      if (Date.parse(signedAt) > now + maxClockDifferenceMs)
        stop(`${describe(channel)}: it was signed in the future. One of the two clocks is wrong.`, 1);
      if (Date.parse(signedAt) < Date.parse(releaseDate) - dayMs)
        stop(
          `${describe(channel)}: it was signed before its packages were made. The signer's clock was wrong.`,
          1,
        );
      print(`${describe(channel)}. The signature is valid.`);
    }
  } else stop(usage);
};

/** Runs the command; returns its exit code and what it prints. */
export const updateChannel = (
  args: readonly string[],
  now: number,
  readInput: () => string,
): { status: number; stdout: string; stderr: string } => {
  let stdout = '';
  try {
    run({ args, now, readInput, print: line => (stdout += `${line}\n`) });
    return { status: 0, stdout, stderr: '' };
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
    return { status: thrown.code, stdout, stderr: `${thrown.message}\n` };
  }
};

if (import.meta.main) {
  const { status, stdout, stderr } = updateChannel(process.argv.slice(2), Date.now(), () =>
    readFileSync(0, 'utf8'),
  );
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status;
}
