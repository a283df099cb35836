import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdleLock } from '../../../main/app/settings/idle-lock.ts';
import { idleLockMinutes, type IdleLockMinutes } from '../../../shared/settings/idle-lock.ts';

/** When the console locks itself, without a window. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const second = 1_000;

const start = (idleLock: IdleLockMinutes | null, hasPin: boolean) => {
  const asked: string[] = [];
  const locked: string[] = [];
  const person = { idleSeconds: 0, lockSystem: (): void => undefined, isLeft: false };
  const part = createIdleLock(
    {
      settings: { read: () => ({ settings: { idleLock } }) } as never,
      system: {
        idleSeconds: () => person.idleSeconds,
        onSystemLock: listener => {
          person.lockSystem = listener;
          return () => undefined;
        },
      },
      notify: (_name, payload) => asked.push((payload as { reason: string }).reason),
    },
    {
      isLeft: () => person.isLeft,
      state: () => ({ agents: [{ id: 'a', name: 'Ada', role: 'administrator', hasPin }], agentId: 'a' }),
    },
    reason => {
      locked.push(reason);
      person.isLeft = true;
    },
  );
  part.start();
  return { person, asked, locked, stop: () => part.stop() };
};

test('the default is never without PINs, and ten minutes once one person has a PIN; a choice stays', () => {
  const some = (hasPin: boolean) => [{ hasPin: false }, { hasPin }];
  expect(idleLockMinutes(null, some(false))).toBe(0);
  expect(idleLockMinutes(null, some(true))).toBe(10);
  expect(idleLockMinutes(0, some(true))).toBe(0);
  expect(idleLockMinutes(30, some(false))).toBe(30);
});

test('the console asks the window to lock once there was no input for the chosen time', async () => {
  const { person, asked, locked, stop } = start(5, true);
  person.idleSeconds = 299;
  await vi.advanceTimersByTimeAsync(20 * second);
  expect(asked).toEqual([]);
  person.idleSeconds = 300;
  await vi.advanceTimersByTimeAsync(5 * second);
  expect(asked).toEqual(['idle']);
  person.isLeft = true;
  await vi.advanceTimersByTimeAsync(60 * second);
  expect([asked, locked]).toEqual([['idle'], []]);
  stop();
});

test('the console locks without the window if it does not answer', () => {
  const { person, locked, stop } = start(1, true);
  person.idleSeconds = 60;
  vi.advanceTimersByTime(5 * second);
  expect(locked).toEqual([]);
  vi.advanceTimersByTime(2 * second);
  expect(locked).toEqual(['idle']);
  stop();
});

test('the console never locks automatically if that is switched off', () => {
  const { person, asked, stop } = start(0, true);
  person.idleSeconds = 100_000;
  vi.advanceTimersByTime(60 * second);
  expect(asked).toEqual([]);
  stop();
});

test.each([
  ['locks', 0, true, ['system']],
  ['locks', 5, false, ['system']],
  ['stays open without PINs', null, false, []],
] as const)('the console %s with the computer', (_what, idleLock, hasPin, expected) => {
  const { person, asked, stop } = start(idleLock, hasPin);
  person.lockSystem();
  person.lockSystem();
  expect(asked).toEqual(expected);
  stop();
});
