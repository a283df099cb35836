import { expect, test } from 'vitest';
import { documentedTypes, observedTypes } from '../../shared/callbacks/callback-meaning.ts';
import {
  kindsWithCallback,
  operationKinds,
  operationTable,
} from '../../shared/operations/operation-kinds.ts';

test('the result of every kind of operation can be known, by a callback of a known type or by a look-up', () => {
  const known: readonly string[] = [...documentedTypes, ...observedTypes];
  expect(kindsWithCallback.filter(kind => !known.includes(kind))).toEqual([]);
  const undecided = operationKinds.filter(kind => {
    const { callback, provingStatuses } = operationTable[kind];
    return callback === null && provingStatuses.length === 0;
  });
  expect(undecided).toEqual([]);
});

test('the words of an answer are compared in small letters', () => {
  const words = operationKinds.flatMap(kind => operationTable[kind].doneWords);
  expect(words).toEqual(words.map(word => word.toLowerCase()));
});
