import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  const desk = { idleSeconds: 0, lockSystem: (): void => undefined, isLeft: false };
  const part = createIdleLock(
    {
      settings: { read: () => ({ settings: { idleLock } }) } as never,
      system: {
        idleSeconds: () => desk.idleSeconds,
        onSystemLock: listener => {
          desk.lockSystem = listener;
          return () => undefined;
        },
      },
      notify: (_name, payload) => asked.push((payload as { reason: string }).reason),
    },
    {
      isLeft: () => desk.isLeft,
      state: () => ({ agents: [{ id: 'a', name: 'Ada', role: 'administrator', hasPin }], agentId: 'a' }),
    },
    reason => {
      locked.push(reason);
      desk.isLeft = true;
    },
  );
  part.start();
  return { desk, asked, locked, stop: () => part.stop() };
};

test('the default is never without PINs, and ten minutes once one person has a PIN; a choice stays', () => {
  const some = (hasPin: boolean) => [{ hasPin: false }, { hasPin }];
  expect(idleLockMinutes(null, some(false))).toBe(0);
  expect(idleLockMinutes(null, some(true))).toBe(10);
  expect(idleLockMinutes(0, some(true))).toBe(0);
  expect(idleLockMinutes(30, some(false))).toBe(30);
});

describe('the console', () => {
  test('asks the window to lock once there was no input for the chosen time', () => {
    const { desk, asked, locked, stop } = start(5, true);
    desk.idleSeconds = 299;
    vi.advanceTimersByTime(20 * second);
    expect(asked).toEqual([]);
    desk.idleSeconds = 300;
    vi.advanceTimersByTime(5 * second);
    expect(asked).toEqual(['idle']);
    desk.isLeft = true;
    vi.advanceTimersByTime(60 * second);
    expect([asked, locked]).toEqual([['idle'], []]);
    stop();
  });

  test('locks without the window if it does not answer', () => {
    const { desk, locked, stop } = start(1, true);
    desk.idleSeconds = 60;
    vi.advanceTimersByTime(5 * second);
    expect(locked).toEqual([]);
    vi.advanceTimersByTime(2 * second);
    expect(locked).toEqual(['idle']);
    stop();
  });

  test('never locks automatically if that is switched off', () => {
    const { desk, asked, stop } = start(0, true);
    desk.idleSeconds = 100_000;
    vi.advanceTimersByTime(60 * second);
    expect(asked).toEqual([]);
    stop();
  });

  test.each([
    ['locks', 0, true, ['system']],
    ['locks', 5, false, ['system']],
    ['stays open without PINs', null, false, []],
  ] as const)('%s with the computer', (_what, idleLock, hasPin, expected) => {
    const { desk, asked, stop } = start(idleLock, hasPin);
    desk.lockSystem();
    desk.lockSystem();
    expect(asked).toEqual(expected);
    stop();
  });
});
