import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as z from 'zod';
import { describe, afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAppLog, type AppLog } from '../../main/app-log/app-log.ts';
import { setFailureSink } from '../../main/app-log/failure-report.ts';
import { dispatchRequest, isOversized } from '../../main/electron/ipc-dispatcher.ts';
import { ipcRequests, requestNames, type Handlers } from '../../shared/contract/contract.ts';
import { fail } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

const folder = newFolder('answer');
let appLog: AppLog;
beforeAll(() => {
  appLog = openAppLog(join(folder, 'app.log'));
  setFailureSink(appLog.fail);
});
beforeEach(() => rmSync(appLog.file, { force: true }));
afterAll(() => {
  setFailureSink(() => undefined);
});

const application = (handlers: unknown) => ({ handlers: handlers as Handlers, refusal: () => null });
const throwing = (thrown: unknown) => application({ 'app.read': () => Promise.reject(thrown) });

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

describe('a message of the window', () => {
  test.each<[string, unknown]>([
    ['a million entries', Array.from({ length: 1_000_000 }, () => null)],
    ['entries in many lists', { a: Array.from({ length: 200 }, () => Array.from({ length: 100 }, () => 0)) }],
    ['many names', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [String(at), 1]))],
    ['too much text', { text: 'x'.repeat(11_000_000) }],
    ['texts that are too much together', { list: Array.from({ length: 20 }, () => 'x'.repeat(600_000)) }],
  ])('a message of the window with %s is refused before its schema is looked at', async (_name, input) => {
    expect(isOversized(input)).toBe(true);
    let isRead = false;
    const handlers = {
      'sandbox.faults': async () => {
        isRead = true;
        return { ok: true, value: {} };
      },
    };
    expect(await dispatchRequest('sandbox.faults', application(handlers), { faults: input })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
    expect(isRead).toBe(false);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'profileId'],
    ['wrong fields', { profileId: 7, orderNumber: null }],
    ['an over-long text', { profileId: 'sandbox', orderNumber: 'x'.repeat(300) }],
  ])('a message of the window with %s is refused before its handler', async (_name, input) => {
    const handlers = { 'payments.read': () => Promise.reject(new Error('read')) };
    expect(await dispatchRequest('payments.read', application(handlers), input)).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
  });

  test('a message of the window with too many names is refused without reading all of them', () => {
    let read = 0;
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`n${at}`, 1]));
    const counted = new Proxy(many, {
      getOwnPropertyDescriptor: (target, name) => {
        read += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    expect(isOversized(counted)).toBe(true);
    expect(read).toBeLessThan(10_100);
  });

  test('a message of the window is refused by lock and right before its size and its schema are looked at', async () => {
    const locked = { ...application({}), refusal: () => fail('app.locked', msg('error.app.locked')) };
    for (const input of [{ faults: 'none' }, { faults: Array.from({ length: 20_000 }, () => 0) }])
      expect(await dispatchRequest('sandbox.faults', locked, input)).toMatchObject({
        error: { code: 'app.locked' },
      });
  });

  test('a message of the window has a limit for each of its lists', () => {
    const unlimited: string[] = [];
    const walk = (schema: z.core.JSONSchema.BaseSchema, path: string): void => {
      if (schema.type === 'array' && schema.maxItems === undefined) unlimited.push(path);
      for (const part of ['anyOf', 'oneOf', 'allOf'] as const)
        for (const one of schema[part] ?? []) walk(one, path);
      for (const [name, one] of Object.entries(schema.properties ?? {}))
        if (typeof one === 'object') walk(one, `${path}.${name}`);
      const { items, additionalProperties } = schema;
      if (typeof items === 'object' && !Array.isArray(items)) walk(items, `${path}[]`);
      if (typeof additionalProperties === 'object') walk(additionalProperties, `${path}.*`);
    };
    for (const name of requestNames)
      walk(
        z.toJSONSchema(ipcRequests[name].input, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
        name,
      );
    expect(unlimited).toEqual([]);
  });

  test('a message of the window with the largest request of a person is read', () => {
    const payments = Array.from({ length: 2_000 }, (_, at) => ({ profileId: 'p', orderNumber: String(at) }));
    expect(isOversized({ payments })).toBe(false);
    expect(isOversized({ text: 'x'.repeat(8_000_000) })).toBe(false);
  });

  test('a message of the window that is nested without end is no reason for an error', () => {
    let deep: unknown = 0;
    for (let at = 0; at < 5_000; at += 1) deep = [deep];
    expect(isOversized(deep)).toBe(false);
  });
});
