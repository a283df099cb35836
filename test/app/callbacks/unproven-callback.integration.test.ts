import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sourcesOf } from '../../../renderer/screens/payment/sources.tsx';
import type { Inspection } from '../../../shared/callbacks/inspection.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { translateTo } from '../../../tools/app-harness/translate.ts';

/** A forged callback with sale + success: no headline calls it a payment. */

const app = useApp();

const forged = (order: number): string => {
  const signed = {
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    order_number: `FORGED-${order}`,
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Two nights, room 12',
  };
  const hash = createHash('sha1').update(JSON.stringify(signed)).digest('hex');
  return new URLSearchParams({ ...signed, type: 'sale', status: 'success', hash }).toString();
};

const headlines = ({ callbacks }: Inspection) =>
  callbacks.map(({ meaning }) => ({ effect: meaning.effect, title: inWords(meaning.title) }));
const unproven = { effect: 'none', title: 'This callback changes nothing' };

test('the inspector shows it as not proven', async () => {
  const inspected = await app.value('callbacks.inspect', { text: forged(0) });
  expect(headlines(inspected)).toEqual([unproven]);
});

test('the payment in it is not paid, and its column among the sources shows it as not proven', async () => {
  await app.value('callbacks.store', { text: forged(1), via: 'paste', profileId: 'sandbox' });
  const { payment, events } = await app.value('payments.read', {
    profileId: 'sandbox',
    orderNumber: 'FORGED-1',
  });
  expect(payment.state).not.toMatch(/paid/);
  expect(sourcesOf(events, payment, translateTo('en')).map(({ name }) => name)).toEqual([
    'unproven-callback',
  ]);
});
