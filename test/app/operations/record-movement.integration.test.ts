import { readFileSync } from 'node:fs';
import { today } from '@internationalized/date';
import { expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { inState, newPayment, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { sendOperation } from '../../../tools/app-harness/send-operation.ts';

/** What a person records from the provider's dashboard, by the real app with the built-in sandbox. */

const app = useApp();

const profileId = 'sandbox';
const day = today('UTC');
const pay = async (): Promise<Payment> => {
  const { payment } = await app.value('payments.create', newPayment());
  await fetch(payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });
  return (await app.until(payment.orderNumber, inState('paid-confirmed'))).payment;
};
type Seen = Partial<RequestInput<'movements.record'>>;
const record = ({ orderNumber, paymentIds }: Payment, seen: Seen = {}) =>
  app.request('movements.record', {
    profileId,
    orderNumber,
    paymentId: paymentIds[0] ?? '',
    movement: null,
    kind: 'refund',
    outcome: 'carried-out',
    amount: { text: '23,4', locale: 'de-DE' },
    day: day.subtract({ days: 1 }).toString(),
    text: 'Refund 4711 in the dashboard',
    ...seen,
  });
const recordsIn = ({ events }: { events: readonly { kind: string; body: unknown }[] }) =>
  events.filter(({ kind }) => kind === 'movement.recorded').map(({ body }) => body);

test('a refund that only the dashboard shows is recorded as typed, with its day, by whom, and in the activity list', async () => {
  const payment = await pay();
  const recorded = value(await record(payment));
  expect(recordsIn(recorded)).toEqual([
    {
      movement: null,
      kind: 'refund',
      outcome: 'carried-out',
      amount: '23.40',
      day: day.subtract({ days: 1 }).toString(),
      text: 'Refund 4711 in the dashboard',
      undoes: null,
    },
  ]);
  expect(recorded.payment.movements).toMatchObject([
    { kind: 'paid', amount: '123.40' },
    { kind: 'refund', amount: '23.40', origin: 'recorded', recordedBy: 'anna' },
  ]);
  // All that is left, as it is known now.
  const rest = value(await record(payment, { amount: { whole: true } }));
  expect(rest.payment.movements.at(-1)).toMatchObject({ amount: '100.00' });
  const { rows } = await app.value('activity.list', {});
  expect(rows.map(({ action, details }) => [action, details.order]).slice(0, 2)).toEqual([
    ['movement-recorded', payment.orderNumber],
    ['movement-recorded', payment.orderNumber],
  ]);
});

test('a refund whose result stays unknown is ended by a record of its movement, which needs no amount', async () => {
  const payment = await pay();
  await app.value('sandbox.faults', { faults: ['callback-none'] });
  value(await sendOperation(app, payment, { amount: '20' }));
  await app.value('sandbox.faults', { faults: [] });
  const { payment: open } = await app.value('payments.read', { profileId, orderNumber: payment.orderNumber });
  const movement = open.movements.find(({ kind }) => kind === 'refund')?.id ?? '';
  const ended = value(await record(payment, { movement, outcome: 'not-carried-out', amount: null }));
  expect(ended.payment.movements.find(({ id }) => id === movement)).toMatchObject({ fate: 'failed' });
  expect(recordsIn(ended)).toMatchObject([{ movement, outcome: 'not-carried-out', amount: null }]);
});

test('a record is taken back once, by another event, and what it said before counts again', async () => {
  const payment = await pay();
  const { orderNumber } = payment;
  const { events } = value(await record(payment));
  const recorded = events.find(({ kind }) => kind === 'movement.recorded')?.id ?? '';
  const undo = () => app.request('movements.undo', { profileId, orderNumber, recorded });
  const undone = value(await undo());
  expect(recordsIn(undone)).toMatchObject([
    { undoes: null },
    { undoes: recorded, kind: 'refund', amount: '23.40' },
  ]);
  expect(undone.payment.movements.find(({ kind }) => kind === 'refund')?.fate).toBe('failed');
  expect(await undo()).toMatchObject({ ok: false, error: { message: { key: 'record.undo.gone' } } });
});

test('a record is refused at its field, and nothing is recorded', async () => {
  const payment = await pay();
  const refused: [string, Seen][] = [
    ['day', { day: day.add({ days: 2 }).toString() }],
    ['text', { text: ' ' }],
    ['text', { text: '4111 1111 1111 1111' }],
    ['amount', { amount: null }],
    ['amount', { amount: { text: '123.41', locale: 'en' } }],
    ['amount', { amount: { text: '', locale: 'en' } }],
    ['outcome', { outcome: 'won' }],
    ['outcome', { outcome: 'not-carried-out' }],
    ['movement', { movement: 'unknown' }],
    ['movement', { paymentId: crypto.randomUUID() }],
  ];
  for (const [path, seen] of refused)
    expect(await record(payment, seen)).toMatchObject({ ok: false, error: { fields: [{ path }] } });
  const read = await app.value('payments.read', { profileId, orderNumber: payment.orderNumber });
  expect(recordsIn(read)).toEqual([]);
});

test('the case of a chargeback has its deadline and what was sent, also in a calendar, until it is won', async () => {
  const payment = await pay();
  const { orderNumber } = payment;
  const part = {
    kind: 'chargeback',
    amount: { text: '40,00', locale: 'de-DE' },
    text: 'Letter of 3 November',
  } as const;
  const { payment: disputed } = value(await record(payment, part));
  const movement = disputed.movements.at(-1)?.id ?? '';
  const noted = await app.value('movements.noteDispute', {
    profileId,
    orderNumber,
    movement,
    respondBy: '2026-12-12',
    sent: 'Evidence by e-mail on 5 November',
  });
  expect(noted.payment.dispute).toMatchObject({
    movement,
    respondBy: '2026-12-12',
    sent: 'Evidence by e-mail on 5 November',
    agent: 'anna',
  });
  const { file } = await app.value('movements.disputeCalendar', { profileId, orderNumber });
  const calendar = readFileSync(file ?? '', 'utf8');
  expect(calendar).toContain('DTSTART;VALUE=DATE:20261212\r\n');
  expect(calendar).toContain(orderNumber);
  // What is in the list is what is on the page.
  const queue = await app.value('payments.reconcile', { profileId, cause: 'chargeback' });
  expect(queue.rows.find(row => row.orderNumber === orderNumber)?.dispute?.respondBy).toBe('2026-12-12');
  const { payment: won } = value(await record(payment, { ...part, movement, outcome: 'won', amount: null }));
  expect(won.dispute).toBeNull();
  // A won case is in the books on its own date.
  expect(won.entries.map(({ kind, isCounter }) => [kind, isCounter])).toEqual([
    ['paid', false],
    ['chargeback', false],
    ['chargeback', true],
  ]);
});
