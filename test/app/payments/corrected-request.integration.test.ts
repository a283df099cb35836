import { expect, test } from 'vitest';
import type { SandboxFault } from '../../../shared/sandbox-faults.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** A form that is corrected after its request was refused. */

const app = useApp();

const faults = async (...names: SandboxFault[]) => await app.value('sandbox.faults', { faults: names });

test('the corrected request is another one: all that is shown and sent is its own', async () => {
  const refused = newPayment({ amount: '25', description: 'One chair', customer: { name: 'Anna Nowak' } });
  await faults('http-400');
  expect(await app.refusal('payments.create', refused)).toBe('gateway.refused');
  await faults();
  const corrected = { ...refused, amount: '2525', description: 'Chairs', customer: { name: 'Elif Brown' } };
  // With the key of the refused request nothing is sent.
  expect(await app.refusal('payments.create', corrected)).toBe('input.invalid');
  const { payment, events } = await app.value('payments.create', {
    ...corrected,
    idempotencyKey: crypto.randomUUID(),
  });
  expect(payment).toMatchObject({
    state: 'waiting',
    amount: '2525.00',
    description: 'Chairs',
    customer: { name: 'Elif Brown' },
    links: [{ amount: '2525.00' }],
  });
  const sent = events.filter(event => event.kind === 'session.requested').map(({ body }) => body.request);
  expect(sent).toHaveLength(2);
  expect(sent.at(-1)).toContain('"2525.00"');
  const { orderNumber, profileId } = refused;
  const { rows } = await app.value('payments.list', { filter: { profileId, words: orderNumber }, limit: 5 });
  expect(rows).toMatchObject([{ amount: '2525.00', description: 'Chairs' }]);
});
