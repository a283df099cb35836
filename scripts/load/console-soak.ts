import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { sandboxFaults } from '../../shared/contract/contract.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { inPage, ipcRequest } from '../../tools/browser-harness/console.ts';
import type { DriverName } from '../../tools/browser-harness/harness.ts';
import { signedCallbacks } from './callbacks.ts';
import { listed, maxFaultMs, pick, runFaults, someTime, within, type Faults } from './fault-loop.ts';
import { startListener, valueOf } from './listener.ts';
import { startConsole } from './running-console.ts';

/**
 * A console in use, with its window, while everything around it fails at random: the gateway by each fault of the
 * sandbox, processes, threads, the clock, the disk. Afterwards everything that was acknowledged must be in the payment
 * log, every state must follow from its evidence, and the log must verify.
 */

/** Limit of one request: longer than the gateway's time limits. */
const requestMs = 60_000;
/** Moves of the clock, seconds: an hour and three days, both ways. */
const moves = [3_600, -3_600, 259_200, -259_200];
/** Growth of the main process during the last third, in which it is not restarted: megabytes, and part of what it was. */
const growth = { megabytes: 60, part: 0.25 };
/** Time limit of the check at the end for each minute of the run. */
const maxCheckMs = 10_000;
/** Time limit of quitting: the product's own, and some for a busy machine. */
const maxQuitMs = 10_000;
/** Agents who create links at the same time. */
const agents = 3;
const crash = 'crash of the window';
const scenarios = ['pay', 'decline', 'cancel'] as const;

type Acknowledged = {
  /** `hasLink`: false if the outcome of the request is unknown. */
  links: { orderNumber: string; hasLink: boolean }[];
  notes: { orderNumber: string; text: string }[];
  callbacks: string[];
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

/** Runs for the given time, and throws at the first broken guarantee. Returns what was found, as text. */
export const soakConsole = async (driver: DriverName, seconds: number): Promise<string> => {
  const password = 'a password for the soak';
  const console = await startConsole(driver);
  try {
    const listener = await startListener(inPage(console.page()).request, password, false);
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
    const restarting: Faults = {
      'kill of the main process': async () => {
        await console.kill();
        await console.start();
      },
      'kill of a thread': async () => {
        await console.endThread();
        await someTime(100, 2_000);
        await quit();
        await console.start();
      },
      restart: async () => {
        await quit();
        await console.start();
      },
    };
    const { fill, moveClock } = console;
    const lasting: Faults = {
      [crash]: () => console.crashWindow(),
      ...(moveClock && {
        'jump of the clock': async () => {
          moveClock(pick(moves) ?? 0);
          await someTime(500, 5_000);
          moveClock(0);
        },
      }),
      ...(fill && {
        'full disk': async () => {
          const free = fill();
          await someTime(500, 4_000);
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
    const mayNotCrash = (name: string): boolean => name === crash && !console.mayCrashWindow();
    const settleMs = Math.min(60_000, seconds * 100);
    await runFaults({ ...restarting, ...lasting }, (seconds * 1_000 * 2) / 3 - settleMs, faults, mayNotCrash);
    // What grows in one process shows only if it is not restarted. Its first seconds are not measured.
    await restarting['restart']?.();
    await delay(settleMs);
    const before = console.memoryMb();
    await runFaults(lasting, (seconds * 1_000) / 3, faults, mayNotCrash);
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
      const { links, notes, callbacks } = acknowledged;
      const leftOut = [...(fill ? [] : ['full disk']), ...(moveClock ? [] : ['jump of the clock'])];
      const missing = leftOut.length > 0 ? ` (left out on this machine: ${leftOut.join(', ')})` : '';
      return `${listed(faults)}${missing}: all ${links.length} links, ${notes.length} notes and ${callbacks.length} callbacks that were acknowledged are in the log, each state follows from its evidence, and its ${events} events verify; memory ${before.toFixed()} MB before and ${after.toFixed()} MB after the last third; quitting took at most ${(longestQuitMs / 1_000).toFixed(1)} s.`;
    } finally {
      await log.close();
    }
  } finally {
    // What was found is more important than a console that does not end any more.
    await within('closing', maxFaultMs, () => console.close()).catch(() => undefined);
  }
};
