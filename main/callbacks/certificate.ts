import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { openFlags } from '../files/read-regular-file.ts';
import type { CertificateFacts } from '../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';

/** Size limit of a PEM file, bytes: a chain of certificates takes some kilobytes. */
const maxBytes = 64 * 1024;

type Fault = 'unreadable' | 'certificate' | 'key' | 'encrypted-key' | 'mismatch' | 'not-yet' | 'expired';
const invalidPem = (what: Fault): Result<never> =>
  fail('receiver.certificate', msg(`certificate.${what}`), {
    hint: msg('hint.receiver.certificate'),
    details: { what },
  });

export type PemPair = { certificate: string; key: string };

const commonName = (subject: string): string =>
  /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');

/**
 * The properties of a certificate and its key, both PEM; only the first certificate of a chain counts. `now` in
 * milliseconds. Errors: `receiver.certificate`, with the reason in `details.what`.
 */
export const certificateFacts = ({ certificate, key }: PemPair, now: number): Result<CertificateFacts> => {
  let found: X509Certificate;
  try {
    found = new X509Certificate(certificate);
  } catch {
    return invalidPem('certificate');
  }
  if (/ENCRYPTED/.test(key)) return invalidPem('encrypted-key');
  let secret: KeyObject;
  try {
    secret = createPrivateKey(key);
  } catch {
    return invalidPem('key');
  }
  if (!found.checkPrivateKey(secret)) return invalidPem('mismatch');
  const validTo = Date.parse(found.validTo);
  if (Date.parse(found.validFrom) > now) return invalidPem('not-yet');
  if (validTo < now) return invalidPem('expired');
  return ok({
    name: commonName(found.subject),
    names: found.subjectAltName ?? '',
    issuer: commonName(found.issuer),
    validTo,
  });
};

/** Avoids pipes, which might block forever, and network paths, where Windows would send credentials. */
const readPem = async (file: string): Promise<string | null> => {
  if (/^[\\/]{2}/.test(file)) return null;
  const handle = await open(file, openFlags);
  try {
    const facts = await handle.stat();
    return facts.isFile() && facts.size <= maxBytes ? await handle.readFile('utf8') : null;
  } finally {
    await handle.close();
  }
};

/** Reads both files, PEM: regular files of at most 64 KB on this PC. Errors: `receiver.certificate`. */
export const readPems = async (files: PemPair): Promise<Result<PemPair>> => {
  try {
    const [certificate, key] = await Promise.all([readPem(files.certificate), readPem(files.key)]);
    return certificate === null || key === null ? invalidPem('unreadable') : ok({ certificate, key });
  } catch {
    return invalidPem('unreadable');
  }
};
