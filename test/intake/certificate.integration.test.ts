import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { intakeFolder, type IntakeFolder } from '../../tools/intake-harness/running-intake.ts';

/** The certificate of an intake is renewed without closing the listener. */

let intake: IntakeFolder;
beforeEach(() => {
  intake = intakeFolder();
});
afterEach(() => intake.remove());

const makeCertificate = (name: string): void => {
  const files = ['-keyout', join(intake.folder, 'tls.key'), '-out', join(intake.folder, 'tls.crt')];
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...files];
  execFileSync('openssl', ['req', ...made, '-subj', `/CN=${name}`], { stdio: 'ignore' });
};
const servedName = async (port: number): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
};

test.skipIf(spawnSync('openssl', ['version']).error !== undefined)(
  'SIGHUP uses the new certificate; one that cannot be used leaves the old one',
  async () => {
    makeCertificate('first.example');
    intake.configure({ listen: { port: 0, tls: { certificate: 'tls.crt', key: 'tls.key' } } });
    expect((await intake.command('check')).stdout).toContain('certificate of first.example, valid until ');
    const running = await intake.start();
    const port = Number(new URL(running.url).port);
    expect(await servedName(port)).toBe('first.example');
    makeCertificate('second.example');
    running.child.kill('SIGHUP');
    await expect.poll(() => servedName(port)).toBe('second.example');
    writeFileSync(join(intake.folder, 'tls.crt'), 'nothing');
    running.child.kill('SIGHUP');
    await expect.poll(() => running.output()).toContain('The certificate cannot be used');
    expect(await servedName(port)).toBe('second.example');
  },
);
