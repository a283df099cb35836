import { execFileSync } from 'node:child_process';
import { lstatSync, symlinkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSettingsFile } from '../../main/app/transfer/transfer-handlers.ts';
import { writeFileAtomic, writeFileAtomicSync } from '../../main/files/replace-file.ts';
import { openForReading, openForWriting } from '../../main/payment-log/sqlite/store/database.ts';
import {
  clientConfig,
  sharedLogSettingsSchema,
} from '../../main/payment-log/postgres/connection-settings.ts';
import { joiningText, readJoiningText } from '../../main/team/joining-text.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** Paths from outside that are no files: nothing waits for them, reads them without end or replaces them. */

describe.skipIf(process.platform === 'win32')('a pipe or a device', () => {
  let folder: string;
  let pipe: string;
  beforeAll(() => {
    folder = newFolder('special');
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });

  test('a pipe or a device is no payment log, no settings file and no certificate, and nothing waits for it', async () => {
    for (const path of [pipe, '/dev/zero']) {
      expect(openForReading(path)).toMatchObject({ ok: false, error: { code: 'log.unavailable' } });
      expect(openForWriting(path)).toMatchObject({ ok: false, error: { code: 'log.unavailable' } });
      expect(await readSettingsFile(path)).toMatchObject({ ok: false });
      const settings = sharedLogSettingsSchema.parse({
        host: 'db.example.com',
        database: 'x',
        role: 'r',
        ca: path,
      });
      expect(clientConfig(settings, 'test')).toMatchObject({ ok: false, error: { code: 'log.unreachable' } });
    }
  });

  test('a pipe or a device is not replaced by an exported file; a link is, and its target stays', async () => {
    await expect(writeFileAtomic(pipe, 'text')).rejects.toThrow('no regular file');
    expect(() => writeFileAtomicSync(pipe, 'text')).toThrow('no regular file');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    const target = join(folder, 'target');
    const link = join(folder, 'link');
    writeFileSync(target, 'stays');
    symlinkSync(target, link);
    await writeFileAtomic(link, 'text');
    expect(readFileSync(target, 'utf8')).toBe('stays');
    expect(readFileSync(link, 'utf8')).toBe('text');
  });
});

test('a joining text carries the authority itself; one with a path is refused', () => {
  const settings = {
    host: 'db.example.com',
    port: 5432,
    database: 'x',
    schema: 'counterfoil',
    role: 'r',
    password: 'p',
    logId: null,
  } as const;
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  expect(readJoiningText(joiningText({ ...settings, ca: pem }))).toMatchObject({
    ok: true,
    value: { ca: pem },
  });
  expect(readJoiningText(joiningText({ ...settings, ca: '/etc/shadow' }))).toMatchObject({
    ok: false,
    error: { code: 'input.invalid' },
  });
});
