import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { writeFileAtomicSync } from '../main/files/replace-file.ts';
import { migrations } from '../main/payment-log/sqlite/store/migrations.ts';
import { knownVersion, neededVersion } from '../main/payment-log/postgres/schema/versions.ts';
import { channelSchema, packedSchema, type Channel } from '../main/updates/channel.ts';
import { contentOf, signChannel, verifiedContent } from '../main/updates/channel-signature.ts';

/**
 * Signs the channel files of a release; see docs/build/releasing.md. The private key (PEM) is read from standard
 * input, never from an argument.
 *
 *     update-channel sign FILE [PACKED…] [--days 180] [--percent 10] < KEY
 *     update-channel rollout FILE PERCENT [--days 180] < KEY
 *     update-channel verify FILE --key PUBLIC-KEY
 */
const usage = `update-channel sign FILE [PACKED…] [--days 180] [--percent 10] < KEY
update-channel rollout FILE PERCENT [--days 180] < KEY
update-channel verify FILE --key PUBLIC-KEY
KEY: an Ed25519 private key (PEM). PACKED: channel files of the packer for several processors; FILE if left out.
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

/** The channel in a file that one of `keys` signed. */
const signedChannel = (keys: readonly string[]): Channel => {
  const content = verifiedContent(readText(file), basename(file), keys);
  if (content === null) return stop(`${file} is not signed by this key under this name.`, 1);
  const read = channelSchema.safeParse(JSON.parse(content));
  return read.success ? read.data : stop(`${file} is signed, but is not a channel file.`, 1);
};

if (command === 'sign' && file !== '') {
  const percent = values.percent === undefined ? null : wholeNumber(values.percent, 0, 100);
  write(
    {
      ...packed(rest),
      ...(percent === null ? {} : { stagingPercentage: percent }),
      expires: expiry(),
      paymentLog: { reads: oldestFormat, writes: migrations.length },
      sharedLog: { needs: neededVersion, knows: knownVersion },
    },
    readKey(),
  );
} else if (command === 'rollout' && file !== '' && rest.length === 1) {
  const stagingPercentage = wholeNumber(rest[0] ?? '', 0, 100);
  const key = readKey();
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  write({ ...signedChannel([own]), stagingPercentage, expires: expiry() }, key);
} else if (command === 'verify' && file !== '' && rest.length === 0 && values.key.length > 0) {
  const channel = signedChannel(values.key);
  if (Date.parse(channel.expires) <= Date.now()) stop(`${describe(channel)}: it has expired.`, 1);
  process.stdout.write(`${describe(channel)}. The signature is valid.\n`);
} else stop(usage);
