import { expect, test } from 'vitest';
import { changedFigures } from '../../../main/app/scheduled-export/changed-figures.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, hour, requested, start } from '../../../tools/evidence/evidence.ts';

/** What the sheet of changes reads. */

const used = useLog();
const day = 24 * hour;
const paid = (orderNumber: string, at: number): EventDraft[] => [
  requested(at, { idempotencyKey: crypto.randomUUID() }, { orderNumber }),
  accepted(at + 500, {}, { orderNumber }),
  callback(at + hour, 'sale', 'success', { order_number: orderNumber, id: orderNumber }, undefined, {
    orderNumber,
  }),
];

test('the changes of exported periods are found by reading what is new since the last export, and nothing else', async () => {
  const { log } = used;
  const orders = Array.from({ length: 120 }, (_, index) => `X-${index}`);
  await log.append(orders.flatMap(order => paid(order, day)));
  const positions = Object.fromEntries((await log.chainEnds()).map(({ writer, seq }) => [writer, seq]));
  const exported = [{ from: start, until: start + 3 * day }];
  // New payments of a later period, a refund in an exported one, and a late word on another one that changes nothing.
  await log.append([
    ...Array.from({ length: 60 }, (_, index) => paid(`LATER-${index}`, 5 * day)).flat(),
    callback(2 * day, 'refund', 'success', { order_number: 'X-7', id: 'X-7', rrn: '9' }, undefined, {
      orderNumber: 'X-7',
    }),
    callback(2 * day, 'redirect', 'success', { order_number: 'X-8', id: 'X-8' }, undefined, {
      orderNumber: 'X-8',
    }),
  ]);
  const read: string[] = [];
  const watched: PaymentLog = {
    ...log,
    events: (profileId, orderNumber) => {
      read.push(orderNumber);
      return log.events(profileId, orderNumber);
    },
    moved: () => Promise.reject(new Error('Every payment of the period was read.')),
  };
  const changes = await changedFigures(watched, 'sandbox', exported, { positions, since: Date.now() });
  expect(changes.map(({ row }) => row.orderNumber)).toEqual(['X-7']);
  expect(changes[0]).toMatchObject({ before: { refunded: { minor: 0n } } });
  expect(read.toSorted()).toEqual(['X-7', 'X-8']);
});
