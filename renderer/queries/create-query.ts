import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { IpcEventName } from '../../shared/contract/contract.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import { paymentKey } from '../../shared/payments/payment-row.ts';
import type { ClockReading } from '../i18n/time-left.ts';
import { subscribe } from '../ipc-client.ts';
import { useClock } from '../stores/clock-store.ts';

/** What is known of a key. `isReading`: for the first time, or because a person asked for it. */
export type Answer<T> = {
  readonly value: T | null;
  readonly problem: AppError | null;
  readonly isReading: boolean;
};

/** The payments that changed, by their keys; null: any. */
export type Changed = ReadonlySet<string> | null;

type Options<K, T, A> = {
  /** `changed`: since `present` was read. `isCurrent`: whether the answer is still wanted. */
  read: (key: K, present: T | null, changed: Changed, isCurrent: () => boolean) => Promise<Result<A>>;
  /** Combines what was read with the present value. Without it the former replaces the latter. */
  merge?: (arrived: A, present: T | null) => T;
  /** The events after which it is read again. */
  on?: readonly IpcEventName[];
  /** Whether a change of payments concerns it; any does without this. */
  concerns?: (changed: Changed, key: K, present: T | null) => boolean;
  /** How long further events are awaited before it is read again, milliseconds. */
  throttleMs?: number;
  /** It is read again when such a period of the clock begins, milliseconds. */
  everyMs?: number;
  /** Another key begins with the value of the last one, until its own arrives. */
  keepsLast?: boolean;
};

/** Equal keys have the same text, with their fields in any order. */
const textOf = (key: unknown): string =>
  JSON.stringify(
    typeof key === 'object' && key !== null
      ? Object.entries(key).toSorted(([one], [other]) => one.localeCompare(other))
      : key,
  );

/**
 * Data of main by key, and the one place in which the window reads again: guard against late answers, throttle, timer.
 *
 * - `use`: the answer for a key, kept current while the component is mounted; null: none is wanted. `settleMs`: how long
 *   a key must be wanted before it is read. `hold`: the same without a component; returns what ends it.
 * - `read` reads now and resolves to the answer; that of an earlier read is dropped. `refresh`: every key that is shown.
 * - `update` changes the value by what another request returned.
 */
export const createQuery = <K, A extends T, T = A>(options: Options<K, T, A>) => {
  const { on = [], throttleMs = 0, everyMs = 0 } = options;
  const useAnswers = create<Readonly<Record<string, Answer<T>>>>(() => ({}));
  const unwanted: Answer<T> = { value: null, problem: null, isReading: false };
  let unread: Answer<T> = { ...unwanted, isReading: true };

  const createEntry = (key: K, text: string) => {
    let observers = 0;
    let latest = 0;
    let isBusy = false;
    let isStale = false;
    /** Whether the value is that of this key, not that of the last one. */
    let isRead = false;
    let changed: Set<string> | null = null;
    let timer: number | undefined;
    let ends: (() => void)[] = [];
    const answer = (): Answer<T> => useAnswers.getState()[text] ?? unread;
    const present = (): T | null => (isRead ? answer().value : null);
    const put = (changes: Partial<Answer<T>>): void => {
      const next = { ...answer(), ...changes };
      if (options.keepsLast) unread = { ...next, problem: null, isReading: true };
      useAnswers.setState({ [text]: next });
    };
    const update = (change: (present: T | null) => T | null): void => {
      const value = change(present());
      isRead ||= value !== null;
      put({ value });
    };
    const end = (): void => {
      window.clearTimeout(timer);
      timer = undefined;
      latest += 1;
      isBusy = false;
    };
    const start = async (since: Changed): Promise<Answer<T>> => {
      end();
      const own = latest;
      isBusy = true;
      isStale = false;
      changed = new Set();
      const read = await options.read(key, present(), since, () => own === latest);
      if (own !== latest) return answer();
      isBusy = false;
      if (read.ok) update(before => (options.merge ? options.merge(read.value, before) : read.value));
      else changed = null;
      put({ value: present(), problem: read.ok ? null : read.error, isReading: false });
      if (isStale) soon();
      return answer();
    };
    const soon = (): void => {
      isStale = true;
      // Never twice at once: under constant change every answer would be a late one.
      if (!isBusy) timer ??= window.setTimeout(() => void start(changed), throttleMs);
    };
    const read = (): Promise<Answer<T>> => {
      put({ isReading: true });
      return start(null);
    };
    const take = (payments: Changed): void => {
      if (options.concerns?.(payments, key, present()) === false) return;
      changed = payments && changed && new Set([...changed, ...payments]);
      soon();
    };
    const period = ({ wallClock }: ClockReading): number => Math.floor(wallClock / everyMs);
    const begin = (settleMs: number): void => {
      ends = on.map(name =>
        subscribe(name, event => {
          const payments = 'payments' in event ? event.payments : null;
          take(payments && new Set(payments.map(paymentKey)));
        }),
      );
      if (everyMs > 0)
        ends.push(useClock.subscribe((now, before) => period(now) !== period(before) && take(null)));
      if (settleMs === 0) void read();
      else timer = window.setTimeout(() => void read(), settleMs);
    };
    const hold = (settleMs = 0): (() => void) => {
      entries.set(text, entry);
      observers += 1;
      if (observers === 1) {
        forgetOthers();
        begin(settleMs);
      }
      return () => {
        observers -= 1;
        if (observers > 0) return;
        lastLeft = text;
        for (const stop of [...ends, end]) stop();
      };
    };
    const entry = { text, answer, read, hold, update, isHeld: () => observers > 0 };
    return entry;
  };

  const entries = new Map<string, ReturnType<typeof createEntry>>();
  /** The key that was shown last may soon be shown again. */
  let lastLeft = '';
  const forgetOthers = (): void => {
    for (const { text, isHeld } of entries.values()) if (text !== lastLeft && !isHeld()) entries.delete(text);
    const kept = Object.entries(useAnswers.getState()).filter(([text]) => entries.has(text));
    useAnswers.setState(Object.fromEntries(kept), true);
  };
  const entryOf = (key: K): ReturnType<typeof createEntry> => {
    const text = textOf(key);
    const entry = entries.get(text) ?? createEntry(key, text);
    entries.set(text, entry);
    return entry;
  };
  return {
    use: (key: K | null, settleMs?: number): Answer<T> => {
      const entry = key === null ? null : entryOf(key);
      useLayoutEffect(() => entry?.hold(settleMs), [entry, settleMs]);
      return useAnswers(all => (entry === null ? unwanted : (all[entry.text] ?? unread)));
    },
    hold: (key: K, settleMs?: number) => entryOf(key).hold(settleMs),
    get: (key: K) => entryOf(key).answer(),
    read: (key: K) => entryOf(key).read(),
    refresh: () => Promise.all([...entries.values()].filter(one => one.isHeld()).map(one => one.read())),
    update: (key: K, change: (present: T | null) => T | null) => entryOf(key).update(change),
  };
};
