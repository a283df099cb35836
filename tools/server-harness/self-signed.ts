import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../app-harness/new-folder.ts';

export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

/** A self-signed certificate for one name that expires after `days`. */
export const selfSigned = (name: string, days = 365): { key: string; cert: string } => {
  const folder = newFolder('tls');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const wanted = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ');
  const files = ['-keyout', key, '-out', cert, '-days', String(days)];
  const names = ['-subj', `/O=Test/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', [...wanted, ...files, ...names], { stdio: ['ignore', 'pipe', 'pipe'] });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
};
