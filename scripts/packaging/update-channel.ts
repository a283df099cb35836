import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { writeFileAtomicSync } from '../../main/files/replace-file.ts';
import { logVersion } from '../../main/payment-log/sqlite/store/journal-tables.ts';
import { schemaVersion } from '../../main/payment-log/postgres/schema/schema.ts';
import { channelSchema, packedSchema, type Channel } from '../../main/updates/channel.ts';
import { root } from '../../tools/build/steps.ts';
import { contentOf, signChannel, verifiedContent } from '../../main/updates/channel-signature.ts';

/**
 * Signs the channel files of a release; see docs/build/releasing.md. The private key (PEM) is read from standard
 * input, never from an argument.
 *
 *     update-channel sign FILE [PACKED…] --packages FOLDER --percent NUMBER [--days 180] < KEY
 *     update-channel rollout FILE PERCENT [--days 180] < KEY
 *     update-channel verify FILE --key PUBLIC-KEY
 */
const usage = `update-channel sign FILE [PACKED…] --packages FOLDER --percent NUMBER [--days 180] < KEY
update-channel rollout FILE PERCENT [--days 180] < KEY
update-channel verify FILE --key PUBLIC-KEY
KEY: an Ed25519 private key (PEM). PACKED: channel files of the packer for several processors; FILE if left out.
FOLDER: the packages, which are compared with what is signed. NUMBER: the first part of the roll-out, 0 to 100.
FILE: latest.yml, latest-mac.yml or latest-linux.yml.
`;

/** The oldest format of the payment log that this version reads: every migration begins at the first one. */
const oldestFormat = 1;

const stop = (problem: string, code = 2): never => {
  process.stderr.write(`${problem}\n`);
  process.exit(code);
};

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        days: { type: 'string', default: '180' },
        percent: { type: 'string' },
        packages: { type: 'string' },
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
  return number >= from && number <= to ? number : stop(`${text}: a number from ${from} to ${to} is needed.`);
};

const readKey = (): KeyObject => {
  try {
    const key = createPrivateKey(readFileSync(0));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without its content.
  }
  return stop('Standard input contains no Ed25519 private key (PEM).');
};

const readText = (from: string): string => {
  try {
    return readFileSync(from, 'utf8');
  } catch {
    return stop(`${from} cannot be read.`);
  }
};

const expiry = (): string =>
  new Date(Date.now() + wholeNumber(values.days, 1, 366) * 86_400_000).toISOString();

const describe = ({ version, stagingPercentage, expires }: Channel): string =>
  `${basename(file)}: version ${version} for ${stagingPercentage ?? 100} %, until ${expires.slice(0, 10)}`;

const write = (channel: Channel, key: KeyObject): void => {
  const content = `${JSON.stringify(channelSchema.parse(channel), null, 2)}\n`;
  writeFileAtomicSync(file, signChannel(content, basename(file), key));
  const pinned = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  process.stdout.write(`${describe(channel)}, signed. Public key: ${pinned}\n`);
};

const readPacked = (from: string) => {
  const read = packedSchema.safeParse(parseUpdateInfo(contentOf(readText(from)), from, new URL('file:///')));
  return read.success ? read.data : stop(`${from} is not a channel file of the packer.`);
};

/** The packages of several processors in one file: each is packed on its own. */
const packed = (sources: readonly string[]) => {
  const [first, ...others] = (sources.length === 0 ? [file] : sources).map(readPacked);
  if (!first) return stop(usage);
  if (others.some(({ version }) => version !== first.version)) stop('These files are of different versions.');
  return { ...first, files: [first, ...others].flatMap(({ files }) => files) };
};

/**
 * Stops unless these are the packages of this checkout: what is offered must be what was looked at, and the formats of
 * the payment log are read from the checkout.
 */
const comparePackages = ({ version, files }: Pick<Channel, 'version' | 'files'>, from: string): void => {
  const own = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  if (version !== own)
    stop(`The packages are version ${version}, and this checkout is ${own}. Check out the release first.`, 1);
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
const signedChannel = (keys: readonly string[]): Channel => {
  const content = verifiedContent(readText(file), basename(file), keys);
  if (content === null) return stop(`${file} is not signed by this key under this name.`, 1);
  const read = channelSchema.safeParse(JSON.parse(content));
  return read.success ? read.data : stop(`${file} is signed, but is not a channel file.`, 1);
};

if (command === 'sign' && file !== '') {
  const { packages, percent } = values;
  if (packages === undefined || percent === undefined) stop(`--packages and --percent are needed.\n${usage}`);
  const stagingPercentage = wholeNumber(percent ?? '', 0, 100);
  const content = packed(rest);
  comparePackages(content, packages ?? '');
  write(
    {
      ...content,
      stagingPercentage,
      signedAt: new Date().toISOString(),
      expires: expiry(),
      paymentLog: { reads: oldestFormat, writes: logVersion },
      sharedLog: { needs: schemaVersion, knows: schemaVersion },
    },
    readKey(),
  );
} else if (command === 'rollout' && file !== '' && rest.length === 1) {
  const stagingPercentage = wholeNumber(rest[0] ?? '', 0, 100);
  const key = readKey();
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  write(
    { ...signedChannel([own]), stagingPercentage, signedAt: new Date().toISOString(), expires: expiry() },
    key,
  );
} else if (command === 'verify' && file !== '' && rest.length === 0 && values.key.length > 0) {
  const channel = signedChannel(values.key);
  if (Date.parse(channel.expires) <= Date.now()) stop(`${describe(channel)}: it has expired.`, 1);
  process.stdout.write(`${describe(channel)}. The signature is valid.\n`);
} else stop(usage);
