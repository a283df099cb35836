import { readFileSync } from 'node:fs';
import { today } from '@internationalized/date';
import { describe, expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { inState, newPayment, press, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { type OperationChanges, openForm, sendOperation } from '../../../tools/app-harness/send-operation.ts';

/** What a person records from the provider's dashboard, by the real app with the built-in sandbox. */

const app = useApp();

const profileId = 'sandbox';
const day = today('UTC');
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
  const payment = await app.paid();
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
  const payment = await app.paid();
  await app.value('sandbox.faults', { faults: ['callback-none'] });
  value(await sendOperation(app, payment, { amount: '20' }));
  await app.value('sandbox.faults', { faults: [] });
  const { payment: open } = await app.read(payment.orderNumber, profileId);
  const movement = open.movements.find(({ kind }) => kind === 'refund')?.id ?? '';
  const ended = value(await record(payment, { movement, outcome: 'not-carried-out', amount: null }));
  expect(ended.payment.movements.find(({ id }) => id === movement)).toMatchObject({ fate: 'failed' });
  expect(recordsIn(ended)).toMatchObject([{ movement, outcome: 'not-carried-out', amount: null }]);
});

test('a record is taken back once, by another event, and what it said before counts again', async () => {
  const payment = await app.paid();
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
  const payment = await app.paid();
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
  const read = await app.read(payment.orderNumber, profileId);
  expect(recordsIn(read)).toEqual([]);
});

test('the case of a chargeback has its deadline and what was sent, also in a calendar, until it is won', async () => {
  const payment = await app.paid();
  const { orderNumber } = payment;
  const part = {
    kind: 'chargeback',
    amount: { text: '40,00', locale: 'de-DE' },
    text: 'Letter of 3 November',
  } as const;
  const { payment: disputed } = value(await record(payment, part));
  const movement = disputed.movements.at(-1)?.id ?? '';
  for (const respondBy of ['0026-12-12', '2025-12-12', '2062-12-12'])
    expect(
      await app.request('movements.noteDispute', { profileId, orderNumber, movement, respondBy, sent: '' }),
    ).toMatchObject({ ok: false, error: { fields: [{ path: 'respondBy' }] } });
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

describe('operations', () => {
  /** Refunds, cancellations and what else follows a payment, by the real app with the built-in sandbox. */

  const offer = async (orderNumber: string) =>
    await app.value('operations.offer', { profileId, orderNumber });
  const send = (payment: Payment, changes: OperationChanges = {}) => sendOperation(app, payment, changes);
  const ended =
    (count: number) =>
    ({ operations }: Payment): boolean =>
      operations.filter(({ state }) => state === 'done' || state === 'failed').length === count;

  test('a refund of a part, then of the rest, is on its way until a callback ends it, and adds up', async () => {
    const payment = await app.paid();
    const { orderNumber } = payment;
    const first = value(await send(payment, { amount: '23.40' })).payment;
    expect(first.operations).toMatchObject([
      { kind: 'refund', state: 'accepted', amount: '23.40', agent: 'anna' },
    ]);
    expect((await offer(orderNumber)).payments[0]?.balance).toMatchObject({
      onTheWay: '23.40',
      remaining: '100.00',
    });
    const part = await app.until(orderNumber, ended(1));
    expect(part.payment.state).toBe('part-refunded');
    value(await send(payment, { amount: '100' }));
    const whole = await app.until(orderNumber, ended(2));
    expect(whole.payment).toMatchObject({
      state: 'refunded',
      movements: [
        { kind: 'paid', amount: '123.40' },
        { kind: 'refund', amount: '23.40' },
        { kind: 'refund', amount: '100.00' },
      ],
    });
    expect((await offer(orderNumber)).payments[0]).toMatchObject({
      balance: { returned: '123.40', remaining: '0.00', hasUnknownPart: false },
      offers: expect.arrayContaining([
        { kind: 'refund', refusal: expect.objectContaining({ key: 'operation.no.nothing-left' }) as unknown },
      ]) as unknown,
    });
    expect(await send(payment, { amount: '0.01' })).toMatchObject({ error: { code: 'operation.refused' } });
  });

  test('a refund is refused for more than is left, for a typing error and with a card number, and nothing is sent', async () => {
    const payment = await app.paid();
    for (const [changes, code] of [
      [{ amount: '123.41' }, 'input.invalid'],
      [{ amount: '1.234' }, 'input.invalid'],
      [{ amount: '' }, 'input.invalid'],
      [{ amount: '1.00', text: '4111 1111 1111 1111' }, 'input.card-number'],
      [{ amount: '1.00', paymentId: crypto.randomUUID() }, 'operation.refused'],
    ] as const)
      expect(await send(payment, changes)).toMatchObject({ ok: false, error: { code } });
    const { payment: after } = await app.read(payment.orderNumber, profileId);
    expect(after.operations).toEqual([]);
  });

  test('a form is sent once, also if it was refused, and only by its person for its payment', async () => {
    const [payment, other] = [await app.paid(), await app.paid()];
    const request = (form: RequestInput<'operations.send'>) => app.request('operations.send', form);
    const open = async (amount: string) => value(await openForm(app, payment, { amount }));
    const form = await open('10.00');
    const all = await Promise.all([form, form, { ...form, amount: { whole: true as const } }].map(request));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    const used = { ok: false, error: { code: 'input.invalid', message: { key: 'operation.intent-used' } } };
    expect(await request(form)).toMatchObject(used);
    const done = await app.until(payment.orderNumber, ended(1));
    expect(done.payment.movements.filter(({ kind }) => kind === 'refund')).toHaveLength(1);

    const tooMuch = await open('200.00');
    expect(await request(tooMuch)).toMatchObject({ error: { code: 'input.invalid', fields: [{}] } });
    expect(await request({ ...tooMuch, amount: form.amount })).toMatchObject(used);
    const { orderNumber, paymentIds } = other;
    const elsewhere = { ...(await open('10.00')), orderNumber, paymentId: paymentIds[0] ?? '' };
    expect(await request(elsewhere)).toMatchObject(used);
    expect(await request({ ...form, intent: crypto.randomUUID() })).toMatchObject(used);
    const ofAnna = await open('10.00');
    const { agentId } = await app.state();
    const ben = await app.addPerson('Ben', 'supervisor');
    await app.value('agents.signIn', { id: ben.id, pin: null });
    expect(await request(ofAnna)).toMatchObject(used);
    await app.value('agents.signIn', { id: agentId, pin: null });
  });

  test('of several refunds of one payment at the same moment one is sent', async () => {
    const payment = await app.paid();
    const forms = await Promise.all(
      Array.from({ length: 4 }, () => openForm(app, payment, { amount: '70.00' })),
    );
    const all = await Promise.all(forms.map(form => app.request('operations.send', value(form))));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    const { operations } = (await app.until(payment.orderNumber, ended(1))).payment;
    expect(operations).toHaveLength(1);
  });

  test('all that is left, and a part, are sent only as the form showed the money', async () => {
    const payment = await app.paid();
    const form = value(await openForm(app, payment));
    const part = value(await openForm(app, payment, { amount: '23.40' }));
    value(await send(payment, { amount: '23.40' }));
    await app.until(payment.orderNumber, ended(1));
    expect(await app.request('operations.send', form)).toMatchObject({
      error: { code: 'operation.refused', message: { key: 'operation.amount.changed' } },
    });
    // The same part, by another person or in another window.
    expect(await app.request('operations.send', part)).toMatchObject({
      error: { code: 'operation.refused', message: { key: 'operation.money-moved' } },
    });
    value(await send(payment));
    await app.until(payment.orderNumber, inState('refunded'));
  });

  test('of two payments of one order the second is not refunded while the refund of the first has no result, unless a person insists', async () => {
    const first = await app.paid();
    const { orderNumber } = first;
    const again = { orderNumber, allowDuplicate: true, allowSameIntent: true };
    const { payment } = value(await app.request('payments.create', newPayment(again)));
    await press(payment);
    const both = await app.until(orderNumber, ({ flags }) => flags.some(one => one.kind === 'settled-twice'));
    await app.value('sandbox.faults', { faults: ['callback-none'] });
    const refund = (paymentId: string, insist = false) =>
      send(both.payment, { paymentId, reason: 'paid-twice', insist });
    const sent = await Promise.all(both.payment.paymentIds.map(id => refund(id)));
    expect(sent.map(one => (one.ok ? 'sent' : one.error.code)).toSorted()).toEqual([
      'operation.under-way',
      'sent',
    ]);
    // Nor is the first refunded again.
    for (const id of both.payment.paymentIds)
      expect(await refund(id)).toMatchObject({ error: { code: 'operation.under-way' } });
    const other = both.payment.paymentIds[sent.findIndex(({ ok }) => !ok)] ?? '';
    value(await refund(other, true));
    await app.value('sandbox.faults', { faults: [] });
  });

  test('a refund is not sent if the status cannot be checked directly before it', async () => {
    const payment = await app.paid();
    await app.value('sandbox.faults', { faults: ['http-500', 'callback-none'] });
    expect(await send(payment, { amount: '10.00' })).toMatchObject({ ok: false });
    await app.value('sandbox.faults', { faults: [] });
    const { payment: after } = await app.read(payment.orderNumber, profileId);
    expect(after.operations).toEqual([]);
  });

  test('a cancellation keeps the payment and its counter-entry, and is confirmed by a look-up or callback', async () => {
    const payment = await app.paid();
    const sent = value(await send(payment, { operation: 'void' })).payment;
    expect(sent.operations).toMatchObject([{ kind: 'void', amount: null }]);
    const done = await app.until(payment.orderNumber, ended(1));
    expect(done.payment.movements.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['paid', '123.40'],
      ['void', '123.40'],
    ]);
  });
});
