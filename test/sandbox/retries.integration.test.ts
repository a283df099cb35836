import { expect, test } from 'vitest';
import { openShop } from './shop.ts';

/** Delivery by the sandbox (§6.2): repeated until 200, three more times at most. */

const deliveriesWhen = async (answers: readonly number[], wanted: number): Promise<string[]> => {
  const { raise, answerWith, deliveries } = await openShop();
  answerWith((_, earlier) => answers[earlier] ?? 500);
  await raise();
  return (await deliveries.atLeast(wanted)).map(
    ({ attempt, httpStatus, outcome }) => `${attempt} ${httpStatus} ${outcome}`,
  );
};

test('a callback that is not confirmed with 200 is sent three more times at most', async () => {
  const attempts = ['1 500 will-retry', '2 500 will-retry', '3 500 will-retry', '4 500 given-up'];
  expect(await deliveriesWhen([], 4)).toEqual(attempts);
});

test('a callback that is answered with another success than 200 is not confirmed', async () => {
  expect(await deliveriesWhen([204, 201, 200], 3)).toEqual([
    '1 204 will-retry',
    '2 201 will-retry',
    '3 200 confirmed',
  ]);
});

test('a callback that is confirmed is not sent again', async () => {
  expect(await deliveriesWhen([503, 200], 2)).toEqual(['1 503 will-retry', '2 200 confirmed']);
});

test('a further attempt goes to the address that replaced the old one', async () => {
  const { sandbox, receiverUrl, raise, received, answerWith, deliveries } = await openShop();
  answerWith(() => {
    sandbox.setCallbackUrl(`${receiverUrl}/replaced`);
    return received.items.length === 0 ? 500 : 200;
  });
  await raise();
  await deliveries.atLeast(2);
  expect(received.items.map(({ path }) => path)).toEqual(['/callbacks', '/callbacks/replaced']);
});
