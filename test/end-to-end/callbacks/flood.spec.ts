import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { join } from 'node:path';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { goTo, inPage } from '../../../tools/browser-harness/console.ts';
import { startApp } from '../../../tools/browser-harness/open-app.ts';
import { startListener, valueOf } from '../../../scripts/load/listener.ts';
import { postCallbacks } from '../../../scripts/load/post-callbacks.ts';
import { expect, test } from 'vitest';
import { signedCallbacks } from '../../../scripts/load/callbacks.ts';
import { type DriverName } from '../../../tools/browser-harness/harness.ts';

/** The window under high load. */

const password = 'correct horse';

/** The result of load on a console whose window was open and in use. */
type Flooded = {
  /** Callbacks sent, those answered 200, and events in the log at the end. */
  sent: number;
  answered: number;
  stored: number;
  /** Response times, milliseconds, and from a click on a screen's name in the rail until that screen was visible. */
  answers: number[];
  screens: number[];
};

/** The screens opened in turn. */
const rail = ['nav.overview', 'nav.callbacks', 'nav.reconciliation', 'nav.payments', 'nav.look-up'] as const;

/**
 * Posts callbacks to a console for the given time, and until each screen was opened once, while its window changes
 * screens; then closes it and counts the events in its log. `next`: bodies to send, each another callback. Throws if
 * one is refused, a screen does not open, or the log does not verify.
 */
const floodWithWindow = async (
  driver: DriverName,
  password: string,
  next: () => string,
  milliseconds: number,
): Promise<Flooded> => {
  const app = await startApp({ driver, size: { width: 1366, height: 768 } });
  try {
    const { url } = await startListener(inPage(app.page).request, password, true);
    const answers: number[] = [];
    const screens: number[] = [];
    const until = performance.now() + milliseconds;
    const heading = app.page.locator('.screen h1');
    const work = async (): Promise<void> => {
      for (let turn = 0; turn < rail.length || performance.now() < until; turn += 1) {
        const before = await heading.textContent();
        const startedAt = performance.now();
        await goTo(app.page, rail[turn % rail.length] ?? 'nav.payments');
        await heading.filter({ hasNotText: before ?? '' }).waitFor();
        screens.push(performance.now() - startedAt);
      }
    };
    let isOver = false;
    let sent = 0;
    const working = work().finally(() => {
      isOver = true;
    });
    // Its failure is thrown below, after the connections have ended.
    working.catch(() => undefined);
    const broken = await postCallbacks({
      url,
      connections: 32,
      next: () => {
        if (isOver) return null;
        sent += 1;
        return next();
      },
      onAnswer: answered => {
        if (answered.status !== 200) throw new Error(`a callback was answered ${answered.status}`);
        answers.push(answered.milliseconds);
      },
    });
    await working;
    await app.app.close();
    if (broken > 0) throw new Error(`${broken} connections broke`);
    const log = valueOf(await openPaymentLog({ file: join(app.userData, 'payments.db'), writer: 'auditor' }));
    const report = await log.verify();
    // What people did is evidence in the same log.
    const { events } = await log.activities({ person: null, group: null }, null, 100);
    await log.close();
    if (report.problems[0]) throw new Error(inEnglish(report.problems[0].message));
    return { sent, answered: answers.length, stored: report.events - events.length, answers, screens };
  } finally {
    await app.close();
  }
};

onEachDriver('a window in use', name => {
  test(
    'every screen opens under high load, and every callback that was answered 200 is in the log once',
    { timeout: 120_000 },
    async () => {
      const flood = await floodWithWindow(name, password, signedCallbacks(password), 2_000);
      // All 32 connections were used, and every callback got a response.
      expect(flood.sent).toBeGreaterThanOrEqual(32);
      expect(flood.answered).toBe(flood.sent);
      expect(flood.stored).toBe(flood.answered);
      expect(flood.screens.length).toBeGreaterThanOrEqual(rail.length);
    },
  );
});
