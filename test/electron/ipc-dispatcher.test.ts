import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAppLog, type AppLog } from '../../main/app-log/app-log.ts';
import { setFailureSink } from '../../main/app-log/failure-report.ts';
import { dispatchRequest } from '../../main/electron/ipc-dispatcher.ts';
import type { Handlers } from '../../shared/contract/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-answer-'));
let appLog: AppLog;
beforeAll(() => {
  appLog = openAppLog(join(folder, 'app.log'));
  setFailureSink(appLog.fail);
});
beforeEach(() => rmSync(appLog.file, { force: true }));
afterAll(() => {
  setFailureSink(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

const throwing = (thrown: unknown): Handlers =>
  ({ 'app.read': () => Promise.reject(thrown) }) as unknown as Handlers;

test('a handler that throws: the answer has the reference of a log record with the stack, and neither contains a secret', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async bytes => {
      const secret = createHash('sha256').update(bytes).digest('hex');
      const thrown = new TypeError(`No session for anna@example.com with ${secret} and 4111 1111 1111 1111`);
      const result = await dispatchRequest('app.read', throwing(thrown), {});
      await appLog.flush();
      if (result.ok) throw new Error('answered');
      const { code, details } = result.error;
      expect(code).toBe('internal');
      const text = readFileSync(appLog.file, 'utf8');
      const records = text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as { reference: string; message: string; error: { stack: string } });
      const record = records.find(({ reference }) => reference === details?.['reference']);
      expect(record).toMatchObject({
        level: 'error',
        area: 'request',
        message: 'The handler of app.read threw.',
      });
      expect(record?.error.stack).toContain('ipc-dispatcher.test.ts');
      for (const hidden of [secret, 'anna@example.com', '4111 1111']) {
        expect(text).not.toContain(hidden);
        expect(JSON.stringify(result)).not.toContain(hidden);
      }
    }),
    { numRuns: 40 },
  );
});

test('the same error again within seconds has the same reference, and one log record', async () => {
  const thrown = new RangeError('once');
  const references = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const result = await dispatchRequest('app.read', throwing(thrown), {});
      return result.ok ? null : result.error.details?.['reference'];
    }),
  );
  await appLog.flush();
  expect(new Set(references).size).toBe(1);
  expect(readFileSync(appLog.file, 'utf8').trimEnd().split('\n')).toHaveLength(1);
});
