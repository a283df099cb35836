import { existsSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openAppLog } from '../../main/app-log/app-log.ts';
import { type FailureRecord, reportFailure, setFailureSink } from '../../main/app-log/failure-report.ts';
import { recordOutages } from '../../main/app/payments/gateway-outages.ts';
import { createWindowErrorHandlers } from '../../main/app/desktop/desktop-feature.ts';
import type { Gateway } from '../../main/gateway/gateway.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { fail } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { type Profile, profileDefaults } from '../../shared/settings/profile.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { addShop, newPayment, value } from '../../tools/app-harness/running-app.ts';
import { useApp } from '../../tools/app-harness/use-app.ts';

const app = useApp();

test('an ordinary day of payments writes nothing to the application log', async () => {
  const { payment } = await app.value('payments.create', newPayment({ description: 'Blue chair' }));
  await app.daily();
  const records = await app.appLog();
  expect(records).not.toContain(payment.orderNumber);
  expect(records).not.toContain('Blue chair');
});

test('an error of the window is in the application log under the reference that the window gets', async () => {
  const { reference } = await app.value('app.reportError', {
    kind: 'render',
    name: 'TypeError',
    message: 'Cannot read properties of undefined',
    stack: 'TypeError\n    at PaymentScreen (app://counterfoil/index.js:1:2)',
  });
  const records = await app.appLog();
  expect(records).toContain(`"reference":"${reference}"`);
  expect(records).toContain('PaymentScreen (app://counterfoil/index.js:1:2)');
  await app.value('app.showLog', {});
  expect(app.opened).toEqual([join(app.folder, 'logs', 'app.log')]);
});

test('a typed password is in no record, for any error that contains it', async () => {
  await addShop(app);
  reportFailure(
    'background',
    'A job failed.',
    new Error('cannot sign with correct horse, CORRECT HORSE or correct%20horse'),
  );
  const records = await app.appLog();
  expect(records).toContain('A job failed.');
  expect(records).not.toMatch(/correct|horse/i);
});

test('a window that fails repeatedly is logged up to five times a minute, and the window is notified of the limit', async () => {
  const recorded: FailureRecord[] = [];
  setFailureSink(record => recorded.push(record));
  let now = 0;
  // Without letters and digits that are confused when they are read out.
  const readable = /^[ABCDEFGHJKMNPQRSTVWXYZ2-9]{4}-[ABCDEFGHJKMNPQRSTVWXYZ2-9]{4}$/;
  const { 'app.reportError': report } = createWindowErrorHandlers({
    appLog: openAppLog('/nowhere'),
    system: { showInFolder: () => undefined } as never,
    clock: () => now,
  });
  const once = () => report({ kind: 'error', name: 'Error', message: 'again', stack: null });
  for (let at = 0; at < 5; at += 1) expect(value(await once()).reference).toMatch(readable);
  expect(value(await once()).reference).toBeNull();
  expect(recorded).toHaveLength(5);
  now = 60_001;
  expect(value(await once()).reference).not.toBeNull();
  setFailureSink(() => undefined);
});

test('an error of the payment log’s worker is logged with its stack, under the reference in the error', async () => {
  const folder = newFolder('worker-failure');
  const file = join(folder, 'payments.db');
  const recorded: FailureRecord[] = [];
  setFailureSink(record => recorded.push(record));
  writeFileSync(file, 'this is no database, and never was one'.repeat(200));
  truncateSync(file, 4096);
  const opened = await openPaymentLog({ file, writer: crypto.randomUUID() });
  if (opened.ok) throw new Error('opened');
  expect(opened.error.code).toBe('log.corrupt');
  const record = recorded.find(({ reference }) => reference === opened.error.details?.['reference']);
  expect(record).toMatchObject({ area: 'payment-log', error: { code: 'SQLITE_NOTADB' } });
  expect(record?.error?.stack).toMatch(/\bat \w/);
  setFailureSink(() => undefined);
});

test('an outage of the gateway is logged at its beginning and its end, not at every request', async () => {
  const folder = newFolder('outage');
  const appLog = openAppLog(join(folder, 'app.log'));
  const written: string[] = [];
  let isDown = true;
  const gateway = {
    lookUp: async () =>
      isDown
        ? {
            kind: 'failed',
            ...fail('gateway.unreachable', msg('error.gateway.unreachable'), {
              details: { cause: 'ECONNREFUSED' },
            }),
            answer: null,
          }
        : {
            kind: 'answered',
            answers: [],
            answer: { httpStatus: 200, contentType: '', body: '', truncated: false },
          },
  } as unknown as Gateway;
  const recording = recordOutages(
    gateway,
    { ...appLog, write: (level, _area, message) => written.push(`${level} ${message}`) },
    () => 0,
  );
  const profile: Profile = {
    ...profileDefaults,
    id: 'a',
    name: 'A',
    kind: 'test',
    baseUrl: 'https://pay.example.com',
    merchantKey: 'k',
  };
  const ask = () => recording.lookUp(profile, 'password', { by: 'order-number', value: 'A-1' });
  for (let at = 0; at < 20; at += 1) await ask();
  isDown = false;
  for (let at = 0; at < 3; at += 1) await ask();
  expect(written).toEqual(['warn The gateway cannot be reached.', 'info The gateway answers again.']);
});

const hour = 3_600_000;

test('A start removes the temporary files that a kill left, and no others', async () => {
  const beforeStart = new Date(performance.timeOrigin - hour);
  const at = (name: string): string => join(app.folder, name);
  const put = (name: string, isOlder = true): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), '{"pin":"a hash"}');
    if (isOlder) utimesSync(at(name), beforeStart, beforeStart);
  };
  const left = [
    'settings.json.0123456789ab.part',
    'settings.json.copy.0123456789ab.part',
    'status.json.0123456789ab.part',
    'quarantine.json.0123456789ab.part',
    'heads/2026-01-01.json.0123456789ab.part',
  ];
  const others = ['notes.part', 'settings.json.unreadable-0123456789ab'];
  const current = 'settings.json.ba9876543210.part';
  await app.restart(() => {
    for (const name of [...left, ...others]) put(name);
    put(current, false);
  });
  await expect.poll(() => left.filter(name => existsSync(at(name)))).toEqual([]);
  expect([...others, current].filter(name => !existsSync(at(name)))).toEqual([]);
});
