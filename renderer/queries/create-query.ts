import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { IpcEventName } from '../../shared/contract/contract.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import { paymentKey } from '../../shared/payments/payment-key.ts';
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

/** Data of main by key. */
export type Query<K, T> = {
  /**
   * The answer for a key, kept current while the component is mounted; null: none is wanted. `settleMs`: how long a key
   * must be wanted before it is read.
   */
  use: (key: K | null, settleMs?: number) => Answer<T>;
  /** Keeps it current without a component; returns what ends it. */
  hold: (key: K, settleMs?: number) => () => void;
  get: (key: K) => Answer<T>;
  /** Reads it now; resolves to the answer. The answer of a read that began earlier is dropped. */
  read: (key: K) => Promise<Answer<T>>;
  /** Changes the value by what another request returned. */
  update: (key: K, change: (present: T | null) => T | null) => void;
};

/** The one place in which the window reads again: key, guard against late answers, throttle, timer. */
export const createQuery = <K, A extends T, T = A>(options: Options<K, T, A>): Query<K, T> => {
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
    const start = async (since: Changed): Promise<Answer<T>> => {
      latest += 1;
      const own = latest;
      window.clearTimeout(timer);
      timer = undefined;
      isBusy = true;
      isStale = false;
      changed = new Set();
      const isCurrent = (): boolean => own === latest;
      const read = await options.read(key, present(), since, isCurrent);
      if (!isCurrent()) return answer();
      isBusy = false;
      if (read.ok) {
        const value = options.merge ? options.merge(read.value, present()) : read.value;
        isRead = true;
        put({ value, problem: null, isReading: false });
      } else {
        changed = null;
        put({ value: present(), problem: read.error, isReading: false });
      }
      if (isStale) soon();
      return answer();
    };
    const soon = (): void => {
      isStale = true;
      // Never twice at once: under constant change every answer would be a late one.
      if (!isBusy) timer ??= window.setTimeout(() => void start(changed), throttleMs);
    };
    const take = (payments: Changed): void => {
      if (options.concerns?.(payments, key, present()) === false) return;
      changed = payments === null || changed === null ? null : new Set([...changed, ...payments]);
      soon();
    };
    const read = (): Promise<Answer<T>> => {
      put({ isReading: true });
      return start(null);
    };
    const begin = (settleMs: number): void => {
      ends = on.map(name =>
        subscribe(name, event => {
          const payments = 'payments' in event ? event.payments : null;
          take(payments && new Set(payments.map(paymentKey)));
        }),
      );
      const period = (at: number): number => Math.floor(at / everyMs);
      const onTick = ({ wallClock }: { wallClock: number }, before: { wallClock: number }): void => {
        if (everyMs > 0 && period(wallClock) !== period(before.wallClock)) take(null);
      };
      ends.push(useClock.subscribe(onTick));
      if (settleMs === 0) void read();
      else timer = window.setTimeout(() => void read(), settleMs);
    };
    const hold = (settleMs = 0): (() => void) => {
      entries.set(text, entry);
      observers += 1;
      if (observers === 1) begin(settleMs);
      return () => {
        observers -= 1;
        if (observers > 0) return;
        for (const end of ends) end();
        window.clearTimeout(timer);
        timer = undefined;
        latest += 1;
        isBusy = false;
        // This one may soon be shown again; those before it are forgotten.
        for (const other of entries.values())
          if (other !== entry && !other.isHeld()) entries.delete(other.text);
        const kept = Object.entries(useAnswers.getState()).filter(([text]) => entries.has(text));
        useAnswers.setState(Object.fromEntries(kept), true);
      };
    };
    const update = (change: (present: T | null) => T | null): void => {
      const value = change(present());
      isRead ||= value !== null;
      put({ value });
    };
    const entry = { text, answer, read, hold, update, isHeld: () => observers > 0 };
    return entry;
  };
  const entries = new Map<string, ReturnType<typeof createEntry>>();
  const entryOf = (key: K): ReturnType<typeof createEntry> => {
    const text = JSON.stringify(key);
    const entry = entries.get(text) ?? createEntry(key, text);
    entries.set(text, entry);
    return entry;
  };
  return {
    use: (key, settleMs) => {
      const entry = key === null ? null : entryOf(key);
      useLayoutEffect(() => entry?.hold(settleMs), [entry, settleMs]);
      return useAnswers(all => (entry === null ? unwanted : (all[entry.text] ?? unread)));
    },
    hold: (key, settleMs) => entryOf(key).hold(settleMs),
    get: key => entryOf(key).answer(),
    read: key => entryOf(key).read(),
    update: (key, change) => entryOf(key).update(change),
  };
};
