import { expect, test } from 'vitest';
import { defineRequest, emptySchema } from '../../../shared/contract/define-request.ts';
import { requestNames, rulesOf } from '../../../shared/contract/contract.ts';
import { fixedRight, rightNeeded } from '../../../shared/contract/required-rights.ts';

/** The rules of requests. What must not compile is marked: it becomes an error of the type check if it compiles. */

test('the declaration of a request does not compile without its right, its effect, or whether an effect is recorded', () => {
  // @ts-expect-error No right.
  defineRequest('', { effect: 'none' }, emptySchema, emptySchema);
  // @ts-expect-error No effect.
  defineRequest('', { right: 'links' }, emptySchema, emptySchema);
  // @ts-expect-error A request that writes says whether it is recorded.
  defineRequest('', { right: 'links', effect: 'write' }, emptySchema, emptySchema);
  // @ts-expect-error An export is always recorded.
  defineRequest('', { right: 'export', effect: 'export', recorded: 'no' }, emptySchema, emptySchema);
  // @ts-expect-error There is no such rule.
  defineRequest('', { right: 'links', effect: 'none', whileClosed: true }, emptySchema, emptySchema);
  expect(defineRequest('', { right: 'links', effect: 'none' }, emptySchema, emptySchema).rules).toEqual({
    right: 'links',
    effect: 'none',
  });
});

test('no request that writes, except signing in and out, is allowed while the console is locked', () => {
  const allowed = requestNames.filter(name => rulesOf(name).whileLocked && rulesOf(name).effect !== 'none');
  expect(allowed).toEqual(['agents.signIn', 'agents.signOut']);
});

const self = { id: 'a', name: 'Ada', role: 'agent' } as const;

test('the right of a request is that of its declaration, with any input', () => {
  expect(fixedRight('payments.export')).toBe('export');
  expect(rightNeeded('payments.export', {}, self)).toBe('export');
  expect(rightNeeded('payments.list', {}, self)).toBeNull();
});

test('the right of a request is not known before its input, if that decides', () => {
  expect(fixedRight('review.assign')).toBeNull();
  expect(rightNeeded('review.assign', { payments: [], assignee: 'Ada' }, self)).toBe('links');
  expect(rightNeeded('review.assign', { payments: [], assignee: 'Grace' }, self)).toBe('review');
});
