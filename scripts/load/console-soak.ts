import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { sandboxFaults } from '../../shared/contract/contract.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { ipcRequest } from '../../tools/browser-harness/console.ts';
import type { DriverName } from '../../tools/browser-harness/harness.ts';
import { signedCallbacks } from './callbacks.ts';
import { startListener, valueOf } from './listener.ts';
import { startConsole } from './running-console.ts';

/**
 * A console in use, with its window, while everything around it fails at random: the gateway by each fault of the
 * sandbox, processes, threads, the clock, the disk. Afterwards everything that was acknowledged must be in the payment
 * log, every state must follow from its evidence, and the log must verify.
 */

/** Limit of one request: longer than the gateway's time limits. */
const requestMs = 60_000;
/** Between two faults. */
const pauseMs = { least: 500, most: 4_000 };
/** Moves of the clock, seconds: an hour and three days, both ways. */
const moves = [3_600, -3_600, 259_200, -259_200];
/** Growth of the main process during the last third, in which it is not restarted: megabytes, and part of what it was. */
const growth = { megabytes: 60, part: 0.25 };
/** Time limit of one fault with its recovery, and of the check at the end for each minute of the run. */
const maxFaultMs = 120_000;
const maxCheckMs = 10_000;
/** Time limit of quitting: the product's own, and some for a busy machine. */
const maxQuitMs = 10_000;
/** Agents who create links at the same time. */
const agents = 3;
const crash = 'crash of the window';
const scenarios = ['pay', 'decline', 'cancel'] as const;

export type ConsoleSoak = {
  /** What the console acknowledged. */
  links: number;
  notes: number;
  callbacks: number;
  events: number;
  faults: Readonly<Record<string, number>>;
  /** Faults that this machine does not allow. */
  leftOut: readonly string[];
  /** The longest time from quitting to the end of the process, with requests unanswered. */
  longestQuitMs: number;
  /** Of the main process at the beginning and at the end of the last third, megabytes. */
  memoryMb: readonly [number, number];
};

type Acknowledged = {
  /** `hasLink`: false if the outcome of the request is unknown. */
  links: { orderNumber: string; hasLink: boolean }[];
  notes: { orderNumber: string; text: string }[];
  callbacks: string[];
};

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];
const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** Rejects with the step's name if it takes longer. */
const within = async <T>(name: string, milliseconds: number, step: () => Promise<T>): Promise<T> => {
  const limit = new AbortController();
  const late = delay(milliseconds, null, { signal: limit.signal }).then(() => {
    throw new Error(`"${name}" did not end within ${milliseconds / 1_000} s`);
  });
  // Cancelled below.
  late.catch(() => undefined);
  try {
    return await Promise.race([step(), late]);
  } finally {
    limit.abort();
  }
};

/** The value, or null if the request failed or its window went away: then nothing was acknowledged. */
const orNull = async <T>(work: () => Promise<{ ok: true; value: T } | { ok: false }>): Promise<T | null> => {
  try {
    const result = await within('a request', requestMs, work);
    return result.ok ? result.value : null;
  } catch {
    return null;
  }
};

/** Requests to the log at the same time: a reader's thread must not wait for each next question. */
const atOnce = 32;

/** Runs the check for every item; throws at the first difference. */
const forEach = async <T>(items: readonly T[], compare: (item: T) => Promise<void>): Promise<void> => {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await compare(item);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
};

/** Compares the log with what was acknowledged; throws at the first difference. Returns the number of events. */
const check = async (log: PaymentLog, loadProfileId: string, acknowledged: Acknowledged): Promise<number> => {
  await forEach(acknowledged.links, async ({ orderNumber, hasLink }) => {
    const events = await log.events('sandbox', orderNumber);
    for (const kind of ['session.requested', ...(hasLink ? (['session.accepted'] as const) : [])] as const)
      if (!events.some(event => event.kind === kind))
        throw new Error(`${orderNumber} was created and has no event ${kind}`);
    const shown = await log.payment('sandbox', orderNumber);
    const derived = reducePayment(events);
    if (shown?.state !== derived.state)
      throw new Error(`${orderNumber} is ${shown?.state}, and its evidence says ${derived.state}`);
  });
  await forEach(acknowledged.notes, async ({ orderNumber, text }) => {
    const events = await log.events('sandbox', orderNumber);
    if (!events.some(event => event.kind === 'note.added' && event.body.text === text))
      throw new Error(`the note "${text}" of ${orderNumber} is missing`);
  });
  await forEach(acknowledged.callbacks, async orderNumber => {
    const kinds = (await log.events(loadProfileId, orderNumber)).map(({ kind }) => kind);
    const found = kinds.filter(kind => kind === 'callback.received').length;
    if (found !== 1)
      throw new Error(
        `${orderNumber} was answered 200 and is ${found} times in the log: ${kinds.join(', ')}`,
      );
  });
  const { events, problems } = await log.verify();
  const [problem] = problems;
  if (problem) throw new Error(`${inEnglish(placeInWords(problem.at))}: ${inEnglish(problem.message)}`);
  return events;
};

/**
 * Runs for the given time, and throws at the first broken guarantee. `onMinute`: called about every minute with what
 * was acknowledged so far and the last fault.
 */
export const soakConsole = async (
  driver: DriverName,
  seconds: number,
  onMinute: (progress: string) => void = () => undefined,
): Promise<ConsoleSoak> => {
  const password = 'a password for the soak';
  const console = await startConsole(driver);
  try {
    const listener = await startListener(console.page(), password, false);
    const next = signedCallbacks(password);
    const acknowledged: Acknowledged = { links: [], notes: [], callbacks: [] };
    const faults: Record<string, number> = {};
    let isOver = false;
    const awaitOver = (): boolean => isOver;

    const agent = async (name: number): Promise<void> => {
      for (let number = 1; !awaitOver(); number += 1) {
        const page = console.page();
        const orderNumber = `SOAK-${name}-${number}`;
        const chosen = sandboxFaults.filter(() => Math.random() < 0.12);
        await orNull(() => ipcRequest(page, 'sandbox.faults', { faults: chosen }));
        for (const fault of chosen) faults[fault] = (faults[fault] ?? 0) + 1;
        const detail = await orNull(() =>
          ipcRequest(page, 'payments.create', {
            profileId: 'sandbox',
            idempotencyKey: crypto.randomUUID(),
            orderNumber,
            amount: '123.40',
            currency: 'EUR',
            description: 'Two nights, room 12',
            locale: 'en',
          }),
        );
        const url = detail?.payment.link?.url;
        if (detail !== null) acknowledged.links.push({ orderNumber, hasLink: url !== undefined });
        if (url !== undefined)
          await fetch(url, {
            method: 'POST',
            body: new URLSearchParams({ scenario: pick(scenarios) ?? 'pay' }),
            redirect: 'manual',
            signal: AbortSignal.timeout(requestMs),
          }).catch(() => null);
        const text = `called ${name}-${number}`;
        if (detail !== null) {
          const isNoted = await orNull(() =>
            ipcRequest(page, 'payments.note', { profileId: 'sandbox', orderNumber, text }),
          );
          if (isNoted !== null) acknowledged.notes.push({ orderNumber, text });
          await orNull(() =>
            ipcRequest(page, 'payments.lookUp', {
              profileId: 'sandbox',
              key: { by: 'order-number', value: orderNumber },
            }),
          );
        }
        await delay(50);
      }
    };
    const gateway = async (): Promise<void> => {
      while (!awaitOver()) {
        const body = next();
        const answer = await fetch(listener.url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
          signal: AbortSignal.timeout(requestMs),
        }).catch(() => null);
        if (answer?.status === 200)
          acknowledged.callbacks.push(new URLSearchParams(body).get('order_number') ?? '');
        await answer?.arrayBuffer().catch(() => null);
        await delay(answer?.status === 200 ? 20 : 200);
      }
    };

    let longestQuitMs = 0;
    const quit = async (): Promise<void> => {
      const startedAt = performance.now();
      await console.stop();
      longestQuitMs = Math.max(longestQuitMs, performance.now() - startedAt);
      if (longestQuitMs > maxQuitMs) throw new Error(`quitting took ${longestQuitMs.toFixed()} ms`);
    };
    const restarting: Readonly<Record<string, () => Promise<void>>> = {
      'kill of the main process': async () => {
        await console.kill();
        await console.start();
      },
      'kill of a thread': async () => {
        await console.endThread();
        await delay(between(100, 2_000));
        await quit();
        await console.start();
      },
      restart: async () => {
        await quit();
        await console.start();
      },
    };
    const { fill, moveClock } = console;
    const lasting: Readonly<Record<string, () => Promise<void>>> = {
      [crash]: () => console.crashWindow(),
      ...(moveClock && {
        'jump of the clock': async () => {
          moveClock(pick(moves) ?? 0);
          await delay(between(500, 5_000));
          moveClock(0);
        },
      }),
      ...(fill && {
        'full disk': async () => {
          const free = fill();
          await delay(between(500, 4_000));
          free();
        },
      }),
    };

    const working = Promise.all([
      ...Array.from({ length: agents }, (_, name) => agent(name)),
      gateway(),
      gateway(),
    ]);
    working.catch(() => undefined);
    let reportedAt = performance.now();
    const report = (name: string): void => {
      if (performance.now() - reportedAt < 60_000) return;
      reportedAt = performance.now();
      const { links, notes, callbacks } = acknowledged;
      onMinute(`${links.length} links, ${notes.length} notes, ${callbacks.length} callbacks; ${name}`);
    };
    const runFor = async (kinds: typeof lasting, milliseconds: number): Promise<void> => {
      const all = Object.keys(kinds);
      const until = performance.now() + milliseconds;
      for (let round = 0; performance.now() < until; round += 1) {
        const names = all.filter(name => name !== crash || console.mayCrashWindow());
        // Each kind once in its turn, then at random.
        const name = (round < names.length ? names[round] : pick(names)) ?? '';
        await within(name, maxFaultMs, async () => kinds[name]?.());
        report(name);
        faults[name] = (faults[name] ?? 0) + 1;
        await delay(between(pauseMs.least, pauseMs.most));
      }
    };
    const settleMs = Math.min(60_000, seconds * 100);
    await runFor({ ...restarting, ...lasting }, (seconds * 1_000 * 2) / 3 - settleMs);
    // What grows in one process shows only if it is not restarted. Its first seconds are not measured.
    await restarting['restart']?.();
    await delay(settleMs);
    const before = console.memoryMb();
    await runFor(lasting, (seconds * 1_000) / 3);
    const after = console.memoryMb();
    isOver = true;
    // What is unanswered now was not acknowledged, and the console does not wait for it either.
    await within('quitting', maxFaultMs, quit);
    await within('the last requests', 3 * requestMs, () => working);

    const log = valueOf(
      await openPaymentLog({ file: join(console.folder, 'payments.db'), writer: 'auditor' }),
    );
    try {
      const events = await within('the check', Math.max(60_000, (seconds / 60) * maxCheckMs), () =>
        check(log, listener.id, acknowledged),
      );
      const limit = before * (1 + growth.part) + growth.megabytes;
      if (after > limit) throw new Error(`memory grew from ${before.toFixed()} MB to ${after.toFixed()} MB`);
      return {
        links: acknowledged.links.length,
        notes: acknowledged.notes.length,
        callbacks: acknowledged.callbacks.length,
        events,
        faults,
        leftOut: [...(fill ? [] : ['full disk']), ...(moveClock ? [] : ['jump of the clock'])],
        longestQuitMs,
        memoryMb: [before, after],
      };
    } finally {
      await log.close();
    }
  } finally {
    // What was found is more important than a console that does not end any more.
    await within('closing', maxFaultMs, () => console.close()).catch(() => undefined);
  }
};
