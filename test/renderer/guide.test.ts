import { expect, test } from 'vitest';
import { guideAt, isUntouched, verdictOf, type GuideFacts } from '../../renderer/guide-steps.ts';

type Outcome = 'good' | 'warning' | 'bad' | 'skipped';

const begun: GuideFacts = {
  guide: { shown: 'open', skipped: [], checked: false },
  profiles: [{ kind: 'sandbox' }],
  active: 'sandbox',
  payments: 0,
  sandbox: { paid: false, waiting: false },
};
const at = (change: Partial<GuideFacts>) => {
  const { done, next } = guideAt({ ...begun, ...change });
  return { done: [...done], next };
};

test('the guided start opens automatically only if nothing has been recorded', () => {
  expect(isUntouched(begun)).toBe(true);
  expect(isUntouched({ ...begun, payments: 1 })).toBe(false);
  expect(isUntouched({ ...begun, profiles: [{ kind: 'sandbox' }, { kind: 'test' }] })).toBe(false);
});

test('the guided start leads from a link and its payment to the profile and the check', () => {
  expect(at({})).toEqual({ done: [], next: 'sandbox' });
  expect(at({ sandbox: { paid: false, waiting: true } })).toEqual({ done: [], next: 'pay' });
  const sandbox = { paid: true, waiting: false };
  expect(at({ sandbox })).toEqual({ done: ['sandbox'], next: 'profile' });
  const profiles = [{ kind: 'sandbox' }, { kind: 'live' }] as const;
  expect(at({ sandbox, profiles })).toEqual({ done: ['sandbox', 'profile'], next: 'check' });
  const guide = { ...begun.guide, checked: true };
  const done = ['sandbox', 'profile', 'check'];
  expect(at({ sandbox, profiles, guide })).toEqual({ done, next: 'use' });
  expect(at({ sandbox, profiles, guide, active: 'live' })).toEqual({ done, next: null });
});

test('the check is ready, and its step done, only when key and password are proven', () => {
  const verdict = (isProven: boolean, ...outcomes: Outcome[]): string =>
    verdictOf({ steps: outcomes.map(outcome => ({ outcome })), isProven });
  expect(verdict(true, 'good', 'warning', 'good')).toBe('ready');
  expect(verdict(false, 'good', 'good', 'warning')).toBe('reached');
  expect(verdict(false, 'good', 'good', 'good')).toBe('reached');
  expect(verdict(true, 'good', 'bad')).toBe('stopped');
  expect(verdict(false)).toBe('stopped');
});

test('a skipped step is not offered again, and not shown as done', () => {
  const guide = { ...begun.guide, skipped: ['sandbox', 'check'] as GuideFacts['guide']['skipped'] };
  expect(at({ guide, sandbox: { paid: false, waiting: true } })).toEqual({ done: [], next: 'profile' });
});

test('after an expired or declined link the first step of the guided start is offered again', () => {
  expect(at({ sandbox: { paid: false, waiting: false } }).next).toBe('sandbox');
});
