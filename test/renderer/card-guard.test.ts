import { expect, test } from 'vitest';
import { createCardGuard } from '../../renderer/digit-runs.ts';

/** A card number that is typed key by key: nothing of it stays in the field. */

const card = '4242424242424242';

test('of a typed card number no digit stays, as long as its keys follow each other', () => {
  let now = 0;
  const guard = createCardGuard(() => now);
  let value = '';
  for (const key of card) {
    now += 400;
    value = guard(value + key, value).text;
  }
  expect(value).toBe('');
  now += 2_001;
  expect(guard('42', value)).toEqual({ text: '42', hasCard: false });
});

test('what is no digit is kept after a card number, and so is a number that its field allows', () => {
  const guard = createCardGuard(() => 0);
  expect(guard(`Room A ${card}`, 'Room A ').text).toBe('Room A');
  expect(createCardGuard(() => 0)(`Bouquet ${card} red`, '').text).toBe('Bouquet red');
  let value = '';
  for (const key of `Bouquet ${card} red`) value = guard(value + key, value).text;
  expect(value).toBe('Bouquet red');
  expect(guard('Room A, blue', 'Room A').text).toBe('Room A, blue');
  expect(createCardGuard(() => 0)(card, '', true)).toEqual({ text: card, hasCard: false });
});
