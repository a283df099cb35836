import './without-window.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestNames } from '../../shared/contract/contract.ts';
import { fixedRight, type GuardedRequest } from '../../shared/contract/required-rights.ts';
import { rightOf, type Need } from '../../renderer/use-rights.ts';

const root = join(import.meta.dirname, '..', '..');

const guarded = requestNames.flatMap(name => {
  const right = fixedRight(name);
  return right === null ? [] : [{ request: name as GuardedRequest, right }];
});
const isGuarded = (name: string): boolean => guarded.some(({ request }) => request === name);

/** Literals in the sources of the window that say what a control needs: `request="log.restore"`. */
const needsInSources = globSync('renderer/**/*.tsx', { cwd: root }).flatMap(file =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\b(request|right)(?:="|: ')([\w.-]+)["']/g)].map(
    ([, by = '', name = '']) => ({ file, by, name }),
  ),
);

test('a control needs the right that the contract declares for its request', () => {
  expect(guarded.length).toBeGreaterThan(50);
  expect(guarded.map(({ request }) => ({ request, right: rightOf({ request }) }))).toEqual(guarded);
  expect(rightOf({ right: 'people' })).toBe('people');
});

test('a control cannot name a request that needs no right, or whose input decides', () => {
  const needs: Need[] = [
    // @ts-expect-error Everyone may list payments.
    { request: 'payments.list' },
    // @ts-expect-error Everyone may change their own PIN.
    { request: 'agents.save' },
  ];
  expect(needs.filter(({ request = '' }) => isGuarded(request))).toEqual([]);
});

test('every request that a control names has a fixed right in the contract', () => {
  const named = needsInSources.filter(({ by }) => by === 'request');
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !isGuarded(name))).toEqual([]);
});

test('a right is given by hand only for a request whose input decides', () => {
  // settings.change; agents.save; review.assign, for oneself and for another person.
  const decidedByInput = ['settings', 'people', 'links', 'review'];
  const given = needsInSources.filter(({ by }) => by === 'right');
  expect(given.filter(({ name }) => !decidedByInput.includes(name))).toEqual([]);
});
