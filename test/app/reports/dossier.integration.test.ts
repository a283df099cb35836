import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Dossier } from '../../../main/export/dossier.ts';
import { checkAsDocumented, documentedProcedure } from '../../../tools/evidence/documented-check.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The dossier of a payment, checked only with docs/integrate/check-dossier.mjs. */

let aheadMs = 0;
const app = useApp({ clock: () => Date.now() + aheadMs });

const check = (json: string): Promise<{ whole: boolean; description: string }> =>
  checkAsDocumented(json, app.folder);

/** The gateway's id of the payment of an order `DOS-…`. */
const paymentIdOf = (orderNumber: string): string =>
  `6f1d2c3b-0000-4000-8000-${orderNumber.replace('DOS-', '').padStart(12, '0')}`;

/** A payment that is created, called back, noted and shared; others before, between and after. */
const history = async (orderNumber: string): Promise<void> => {
  const key = { profileId: 'sandbox', orderNumber };
  await app.value('payments.create', newPayment({ orderNumber: `OTHER-1-${orderNumber}` }));
  await app.value(
    'payments.create',
    newPayment({
      orderNumber,
      customer: { name: 'Jane Quillfeather', email: 'jane@example.com' },
      allowSameIntent: true,
    }),
  );
  await app.value('payments.note', { ...key, text: 'Asked for a <b>receipt</b>' });
  await app.value('payments.create', newPayment({ orderNumber: `OTHER-2-${orderNumber}` }));
  const text = `id=${paymentIdOf(orderNumber)}&order_number=${orderNumber}&order_amount=123.40&order_currency=EUR&order_description=Two+nights%2C+room+12&type=sale&status=success&card_token=tok-very-secret&hash=${'ab'.repeat(20)}`;
  await app.value('callbacks.store', { text, via: 'paste', profileId: 'sandbox' });
  await app.value('payments.note', { ...key, text: 'Will call back' });
  await app.value('payments.create', newPayment({ orderNumber: `OTHER-3-${orderNumber}` }));
};

const write = async (orderNumber: string): Promise<{ page: string; json: string; proven: boolean }> => {
  const written = await app.value('payments.dossier', { profileId: 'sandbox', orderNumber });
  if (written.file === null) throw new Error('Nothing was written.');
  return {
    page: app.printed.at(-1) ?? '',
    json: readFileSync(written.file.replace(/\.pdf$/, '.json'), 'utf8'),
    proven: written.proven,
  };
};

test('a dossier written after the link expired says that it expired', async () => {
  await app.value('payments.create', newPayment({ orderNumber: 'DOS-EXPIRED' }));
  aheadMs = 2 * 3_600_000;
  const { page, json } = await write('DOS-EXPIRED');
  aheadMs = 0;
  expect((JSON.parse(json) as Dossier).payment).toMatchObject({ state: 'expired', linkUsable: false });
  expect(page).toContain('Expired');
});

test('the dossier of a payment has a documented procedure of at most forty lines', () => {
  expect(documentedProcedure().trim().split('\n').length).toBeLessThanOrEqual(40);
});

test('the dossier of a payment is proven by the documented procedure, event by event', async () => {
  await history('DOS-1');
  const { json, proven } = await write('DOS-1');
  expect(proven).toBe(true);
  const { whole, description } = await check(json);
  expect(description).toContain('The dossier is whole.');
  expect(whole).toBe(true);
  const { events } = JSON.parse(json) as Dossier;
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['session.requested', 'session.accepted', 'callback.received', 'note.added']),
  );
  expect(description.match(/: proven/g)).toHaveLength(events.length);
});

test('the dossier of a payment refers to the signed head of its day if there is one, and stays proven when the log grows', async () => {
  await history('DOS-2');
  await app.daily();
  const { json } = await write('DOS-2');
  expect((await check(json)).whole).toBe(true);
  await app.value('payments.note', {
    profileId: 'sandbox',
    orderNumber: 'DOS-2',
    text: 'After the head',
  });
  const later = await write('DOS-2');
  expect((await check(later.json)).whole).toBe(true);
  const { segments } = JSON.parse(later.json) as Dossier;
  expect(new Set(segments.map(({ head }) => head.at)).size).toBe(2);
});

test('the dossier of a payment replaces an older dossier, and no other file that has the name of its JSON', async () => {
  await history('DOS-9');
  await write('DOS-9');
  const { json, page } = await write('DOS-9');
  expect((await check(json)).whole).toBe(true);
  expect(page).not.toBe('');
  const key = { profileId: 'sandbox', orderNumber: 'DOS-9' };
  const { file } = await app.value('payments.dossier', key);
  const beside = (file ?? '').replace(/\.pdf$/, '.json');
  writeFileSync(beside, '{"customers": 12}');
  expect(await app.request('payments.dossier', key)).toMatchObject({
    ok: false,
    error: { code: 'file.unwritable', message: { key: 'dossier.other-file' } },
  });
  expect(readFileSync(beside, 'utf8')).toBe('{"customers": 12}');
});

test('the dossier of a payment fails the check if an event, a segment or a head was changed, removed or added', async () => {
  await history('DOS-3');
  const { json } = await write('DOS-3');
  const changes: Record<string, (dossier: Dossier) => unknown> = {
    'a callback': ({ events }) => {
      const callback = events.find(({ kind }) => kind === 'callback.received');
      Object.assign(callback ?? {}, { body: callback?.body?.replace('123.40', '123.41') });
    },
    'a time': ({ events }) =>
      Object.assign(events[1] ?? {}, { happenedAt: (events[1]?.happenedAt ?? 0) + 1 }),
    'who did it': ({ events }) => Object.assign(events[2] ?? {}, { agent: 'another agent' }),
    "the customer's name": ({ events }) =>
      Object.assign(events[0]?.personal ?? {}, { values: '["John","jane@example.com"]' }),
    'a withheld body': ({ events }) => Object.assign(events[1] ?? {}, { bodySha256: '0'.repeat(64) }),
    'a content hash': ({ segments }) => segments[0]?.contents.splice(-1, 1, 'f'.repeat(64)),
    'the end that was signed': ({ segments }) =>
      Object.assign(segments[0]?.head.chains[0] ?? {}, { hash: 'e'.repeat(64) }),
    'the time of signing': ({ segments }) => Object.assign(segments[0]?.head ?? {}, { at: 1 }),
    'the stretches': dossier => Object.assign(dossier, { segments: [] }),
    'all events': dossier => Object.assign(dossier, { events: [] }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const dossier = JSON.parse(json) as Dossier;
    change(dossier);
    const { whole, description } = await check(JSON.stringify(dossier));
    expect({ what, whole }).toEqual({ what, whole: false });
    expect(description).toContain('WRONG: ');
  }
  const { events } = JSON.parse(json) as Dossier;
  const forged = { ...events[2], writerSeq: 999 };
  const added = JSON.stringify({ ...(JSON.parse(json) as Dossier), events: [...events, forged] });
  expect((await check(added)).whole).toBe(false);
});

test('the dossier of a payment stays proven after the customer’s details were erased', async () => {
  await history('DOS-4');
  await app.value('log.erase', { profileId: 'sandbox', orderNumber: 'DOS-4' });
  const { json, page } = await write('DOS-4');
  expect((await check(json)).whole).toBe(true);
  expect(page + json).not.toMatch(/Quillfeather|jane@/);
});

test('the dossier of a payment contains no link, token or signature of the gateway, and a page without scripts', async () => {
  await history('DOS-5');
  const file = await app.read('DOS-5');
  const link = file.payment.link?.url ?? '';
  expect(link).toMatch(/^http/);
  const { page, json } = await write('DOS-5');
  for (const secret of [link, 'tok-very-secret', 'ab'.repeat(20), 'OTHER-'])
    expect(page + json).not.toContain(secret);
  expect(page).toContain('Jane Quillfeather');
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain('<b>receipt</b>');
  expect(page).not.toContain('<script');
});

test('the dossier of a payment begins with a page in plain words: what was sold, the merchant, and each time once', async () => {
  await history('DOS-8');
  const { page } = await write('DOS-8');
  const [first = '', annex = ''] = page.slice(page.indexOf('<body>')).split('class="annex"');
  for (const text of [
    '€123.40',
    'Two nights, room 12',
    'Jane Quillfeather',
    'What happened',
    'Times are in UTC.',
  ])
    expect(first).toContain(text);
  // Raw data are in the annex only.
  for (const raw of ['POST <bdi>http', 'order_amount', '{&quot;']) {
    expect(first).not.toContain(raw);
    expect(annex).toContain(raw);
  }
  expect(first).not.toContain(' UTC</span>');
  expect(first).not.toMatch(/spelled|event\(s\)|sale|settled/);
  expect(page).toContain('counter(page)');
});
