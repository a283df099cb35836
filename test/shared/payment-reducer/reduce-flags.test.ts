import { expect, test } from 'vitest';
import { flagKinds } from '../../../shared/payments/payment-kinds.ts';
import { compareTexts } from '../../../shared/compare-texts.ts';
import { createFlagCollector } from '../../../shared/payment-reducer/evidence/flag-collector.ts';

/** The list of a payment's flags, from what was noted about its evidence. */

test('the flags of a payment are sorted: the gravest first, then by their values', () => {
  const notes = createFlagCollector();
  for (const kind of flagKinds.toReversed())
    for (const field of ['b', 'c', 'a']) notes.add(kind, { field }, ['e']);
  const sorted = flagKinds.flatMap(kind => ['a', 'b', 'c'].map(field => ({ kind, values: { field } })));
  expect(notes.flags()).toMatchObject(sorted);
});

test('a payment has the first twenty flags of a kind, and further events of these', () => {
  const notes = createFlagCollector();
  for (let index = 1; index <= 30; index += 1) notes.add('unverified-evidence', { index: `${index}` }, ['1']);
  notes.add('unverified-evidence', { index: '1' }, ['2']);
  notes.add('outside-interface', {}, ['3']);
  const flags = notes.flags();
  expect(flags.filter(({ kind }) => kind === 'unverified-evidence')).toHaveLength(20);
  expect(flags.find(({ values }) => values['index'] === '1')?.events).toEqual(['1', '2']);
  expect(flags.at(-1)?.kind).toBe('outside-interface');
});

test('texts are compared by their code units, equal ones as equal', () => {
  expect([compareTexts('a', 'b'), compareTexts('b', 'a'), compareTexts('a', 'a')]).toEqual([-1, 1, 0]);
  expect(compareTexts('Z', 'a')).toBe(-1);
});
