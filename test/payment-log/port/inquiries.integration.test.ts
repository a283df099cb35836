import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { callback, draft, lookUp, order, requested } from '../../../tools/evidence/evidence.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { filter } from '../../../tools/app-harness/running-payment-log.ts';

/** A look-up is an inquiry until the gateway or other evidence shows that there is a payment. */
const used = useLog('file');

const refusedLookUp = (at: number, asked: string): EventDraft =>
  draft('status.observed', at, {
    asked: { by: 'order-number', value: asked },
    answers: [],
    problem: { code: 'gateway.signature-refused', message: 'Hash is not valid.' },
    answer: null,
    requestedBy: 'person',
  });
const ofOrder = (one: EventDraft, orderNumber: string): EventDraft =>
  ({
    ...one,
    id: crypto.randomUUID(),
    orderNumber,
    // A look-up by order number has no payment id.
    paymentId: one.kind === 'status.observed' ? null : one.paymentId,
    dedupeKey: one.dedupeKey === null ? null : `${one.dedupeKey} ${orderNumber}`,
    body:
      one.kind === 'status.observed'
        ? {
            ...one.body,
            answers: one.body.answers.map(answer => ({
              ...answer,
              order: {
                ...answer.order,
                number: answer.order.number === order.number ? orderNumber : answer.order.number,
              },
            })),
          }
        : one.body,
  }) as EventDraft;

const failures = [
  (at: number) => refusedLookUp(at, 'X'),
  (at: number) => lookUp(at, 'settled', { order: { ...order, number: 'ANOTHER' } }),
  (at: number) => lookUp(at, 'not found', { paymentId: null, order: { ...order, number: null } }),
];
const autoConfirm = [
  (at: number) => lookUp(at, 'settled'),
  (at: number) => lookUp(at, 'prepare', { order: { ...order, number: null } }),
  (at: number) => callback(at, 'sale', 'success'),
  (at: number) => requested(at),
];

test('a payment with only failed look-ups stays out of lists until other evidence confirms it, and then has its whole history', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...failures).map(make => ({ make, confirms: false })) },
          { weight: 1, arbitrary: fc.constantFrom(...autoConfirm).map(make => ({ make, confirms: true })) },
        ),
        { minLength: 1, maxLength: 5 },
      ),
      async steps => {
        made += 1;
        const orderNumber = `INQ-${made}`;
        const before = await used.log.count(filter({}));
        let confirmed = false;
        for (const [index, { make, confirms }] of steps.entries()) {
          const written = await used.log.append([ofOrder(make(index * 1000), orderNumber)]);
          expect(written.ok).toBe(true);
          confirmed ||= confirms;
          const payment = await used.log.payment('sandbox', orderNumber);
          expect(payment === null).toBe(!confirmed);
          if (payment) expect(payment.events).toBe(index + 1);
        }
        const after = await used.log.count(filter({}));
        expect(after.count - before.count).toBe(confirmed ? 1 : 0);
        const inquiries = await used.log.inquiries('sandbox', 1_000);
        const here = inquiries.filter(event => event.orderNumber === orderNumber).length;
        expect(here).toBe(confirmed ? 0 : steps.length);
      },
    ),
    { numRuns: runs(15) },
  );
  const { currencies, elsewhere } = await used.log.overview(null, [0, Number.MAX_SAFE_INTEGER]);
  const { rows } = await used.log.list(filter({}), null, 1_000);
  expect(currencies.length + elsewhere).toBeGreaterThan(0);
  expect(rows.every(({ paymentIds, raisedHere }) => raisedHere || paymentIds.length > 0)).toBe(true);
  expect((await used.log.verify(() => undefined)).problems).toEqual([]);
});

test('a payment is found by its id in any letter case, so a look-up with another spelling is no inquiry', async () => {
  const id = '6F1D2C3B-00AB-4000-8000-00000000C0DE';
  const spelled = { given: id.toLowerCase(), typed: id };
  const sale = callback(0, 'sale', 'success', { id: spelled.given });
  const asked: EventDraft = {
    ...lookUp(1000, 'not found', { paymentId: null, order: { ...order, number: null } }),
    orderNumber: null,
    paymentId: spelled.typed,
  };
  await used.log.append([asked]);
  const about = async (paymentIds?: string[]) =>
    (await used.log.inquiries('sandbox', 1_000, paymentIds)).filter(one => one.paymentId === spelled.typed)
      .length;
  expect(await about()).toBe(1);
  await used.log.append([{ ...ofOrder(sale, 'SPELLED'), paymentId: spelled.given }]);
  expect(await about()).toBe(0);
  for (const one of Object.values(spelled)) {
    expect(await used.log.ordersOf(one)).toEqual([{ profileId: 'sandbox', orderNumber: 'SPELLED' }]);
    expect(await about([one])).toBe(1);
  }
});
