import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import {
  hasHeadOf,
  headFolder,
  readHeads,
  writeDaysHead,
} from '../../../main/payment-log/heads/head-files.ts';
import { readSignedHead } from '../../../main/payment-log/heads/read-signed-head.ts';
import {
  hasValidSignature,
  keyName,
  newHeadKey,
  signHead,
} from '../../../main/payment-log/heads/signed-head.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { accepted, draft, invalid, note, requested } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { verifyClosedLog } from '../../../tools/app-harness/closed-log.ts';

const used = useLog('test', { isClosed: true });
/** Only the evidence is read. */
const withoutList = { hasList: false };

const key = newHeadKey();
const monday = Date.UTC(2026, 10, 23, 9);

/** A log of three events whose head was signed after the second. */
const signedAfterTwo = async () => {
  const log = await used.folder.open('console-1', withoutList);
  await log.append([requested(0), accepted(1)]);
  const head = signHead(key, monday, await log.chainEnds());
  writeDaysHead(headFolder(used.folder.file), head);
  await log.append([note(2, 'rang back')]);
  return log;
};

test('a signed head verifies, and no longer if one character of it is changed', async () => {
  const head = signHead(key, monday, [{ writer: 'console-1', seq: 2, hash: 'ab'.repeat(32) }]);
  expect(hasValidSignature(head)).toBe(true);
  for (const changed of [
    { ...head, at: head.at + 1 },
    { ...head, chains: [{ writer: 'console-1', seq: 3, hash: 'ab'.repeat(32) }] },
    { ...head, export: { file: 'payments.csv', sha256: 'cd'.repeat(32) } },
    { ...head, publicKey: signHead(newHeadKey(), monday, []).publicKey },
    { ...head, signature: 'no signature' },
  ])
    expect(hasValidSignature(changed)).toBe(false);
  expect(keyName(head)).toMatch(/^[0-9a-f]{16}$/);
});

test('a signed head is read from JSON only if it is complete and every part has its type', () => {
  const serialize = signHead(key, monday, [{ writer: 'console-1', seq: 2, hash: 'ab'.repeat(32) }]);
  const beside = signHead(key, monday, [], { file: 'payments.csv', sha256: 'cd'.repeat(32) });
  for (const head of [serialize, beside]) {
    expect(readSignedHead(JSON.parse(JSON.stringify({ ...head, more: 1 })))).toEqual(head);
    for (const name of Object.keys(head)) {
      expect(readSignedHead({ ...head, [name]: undefined })).toBeNull();
      expect(readSignedHead({ ...head, [name]: [7] })).toBeNull();
    }
  }
  for (const value of [null, 7, '', [], { ...serialize, chains: [{ writer: 'console-1', seq: 2 }] }])
    expect(readSignedHead(value)).toBeNull();
});

test('a signed head matches the log that it was taken from, also after later events', async () => {
  const log = await signedAfterTwo();
  expect((await log.verify()).problems).toEqual([]);
  expect(readHeads(headFolder(used.folder.file)).map(({ source }) => source)).toEqual([
    { kind: 'head-file', name: '2026-11-23.json' },
  ]);
});

test('a signed head is written once a day and not replaced on the same day', async () => {
  const log = await signedAfterTwo();
  writeDaysHead(headFolder(used.folder.file), signHead(key, monday + 3_600_000, await log.chainEnds()));
  expect(readHeads(headFolder(used.folder.file))[0]?.head?.chains[0]?.seq).toBe(2);
});

test('a signed head shows that the end of the log was removed together with every trace of it in the file', async () => {
  const log = await signedAfterTwo();
  const first = (await log.events('sandbox', 'CF-1001')).at(0);
  await log.close();
  used.folder.tamper(
    'DELETE FROM event WHERE seq > 1',
    `UPDATE writer SET last_seq = 1, last_hash = lower((SELECT hex(hash) FROM event WHERE seq = 1))`,
  );
  const cut = await used.folder.open('console-1', withoutList);
  expect((await cut.events('sandbox', 'CF-1001')).map(({ id }) => id)).toEqual([first?.id]);
  expect(inWords((await cut.verify()).problems)).toContainEqual({
    kind: 'head',
    at: { kind: 'head-file', name: '2026-11-23.json' },
    message: expect.stringContaining(
      'Event number 2 of installation console-1 existed on 2026-11-23',
    ) as string,
  });
});

test('a signed head shows that a log was rebuilt from other events', async () => {
  const log = await signedAfterTwo();
  await log.close();
  const other = logFolder();
  const forged = await other.open('console-1', withoutList);
  await forged.append([requested(0, { amount: '1.00' }), accepted(1), note(2, 'again')]);
  await forged.close();
  writeDaysHead(
    headFolder(other.file),
    readHeads(headFolder(used.folder.file))[0]?.head ?? signHead(key, 0, []),
  );
  const again = await other.open('console-1', withoutList);
  expect((await again.verify()).problems).toMatchObject([
    { kind: 'head', at: { kind: 'head-file', name: '2026-11-23.json' } },
  ]);
  await other.remove();
});

test('a signed head that was edited or is invalid is reported with its file', async () => {
  const log = await signedAfterTwo();
  const file = join(headFolder(used.folder.file), '2026-11-23.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"seq": 2', '"seq": 1'));
  writeFileSync(join(headFolder(used.folder.file), '2026-11-24.json'), 'not a head');
  expect(inWords((await log.verify()).problems)).toMatchObject([
    {
      kind: 'head',
      at: { kind: 'head-file', name: '2026-11-23.json' },
      message: expect.stringContaining('signature') as string,
    },
    { kind: 'head', at: { kind: 'head-file', name: '2026-11-24.json' } },
  ]);
});

test('An empty or incomplete head after a power cut is written again; a complete one is never replaced', async () => {
  const log = await used.folder.open('console-1', withoutList);
  await log.append([note(0, 'one')]);
  const begin = Date.UTC(2026, 10, 23);
  const head = signHead(key, begin, await log.chainEnds());
  const file = join(headFolder(used.folder.file), '2026-11-23.json');
  mkdirSync(headFolder(used.folder.file), { recursive: true });
  for (const left of ['', '{"format": "counterfoil-he']) {
    writeFileSync(file, left);
    expect(hasHeadOf(headFolder(used.folder.file), begin)).toBe(false);
    writeDaysHead(headFolder(used.folder.file), head);
    expect(readHeads(headFolder(used.folder.file))[0]?.head).toEqual(head);
  }
  writeDaysHead(headFolder(used.folder.file), { ...head, at: begin + 1 });
  expect(readHeads(headFolder(used.folder.file))[0]?.head).toEqual(head);
  expect((await log.verify()).problems).toEqual([]);
});

describe('odd callbacks', () => {
  /** Texts that anyone can send in any parameter. */
  const odd = [
    'A\uD800B',
    '\uDC00',
    '\uDC00\uD800',
    'A\u0000B',
    '\u0001\u0002\u0003\u0004\u0005\u0006',
    '\uFEFFA',
  ];
  const oddBodies: readonly [what: string, orderNumber: string, fields: CallbackFields][] = [
    ...['id', 'order_number', 'order_description', 'customer_name', 'order_currency', 'order_amount'].map(
      (name, index): [string, string, CallbackFields] => [
        `lone surrogates and control marks in ${name}`,
        `ODD-${index}`,
        odd.map(text => [name, text]),
      ],
    ),
    ['a lone surrogate in the order number', 'A\uD800B', [['order_number', 'A\uD800B']]],
    ['a lone surrogate in a name', 'ODD-8', [['na\uD800me', 'value']]],
    ['control marks in a name', 'ODD-9', [['\u0001\u0003na\u0000me', 'value']]],
    [
      'the name __proto__',
      'ODD-10',
      [
        ['__proto__', 'value'],
        ['constructor', 'value'],
      ],
    ],
    [
      'repeated names',
      'ODD-11',
      [
        ['status', 'success'],
        ['status', 'fail'],
        ['status', ''],
      ],
    ],
    ['an order number of 60,000 characters', 'x'.repeat(60_000), [['order_number', 'x'.repeat(60_000)]]],
    ['nothing', '', []],
  ];

  const used = useLog('file');

  test.each(oddBodies)(
    'a log that stores a callback with %s still verifies',
    async (_, orderNumber, fields) => {
      const body = { fields, form: 'json', via: 'receiver', verification: invalid } as const;
      const frame = {
        orderNumber: orderNumber || null,
        paymentId: fields.find(([name]) => name === 'id')?.[1] ?? null,
        dedupeKey: `callback:${JSON.stringify(fields)}`,
      };
      const written = await used.log.append([draft('callback.received', 0, body, frame)]);
      expect(written.ok).toBe(true);
      await used.log.list(filter({}), null, 10);
      expect(verifyClosedLog(used.folder.file).problems).toEqual([]);
    },
  );
});
