import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { goTo, word } from '../../../tools/browser-harness/console.ts';
import { launch, type Application } from '../../../tools/browser-harness/harness.ts';

/** Failures inside the console: reported, recorded, and followed by recovery where possible. */

type Record = { message: string; reference?: string; error?: { message: string; stack: string } };

onEachDriver('an unexpected failure', name => {
  let userData = '';
  let app: Application;
  let page: Page;
  let isUsable = false;
  const open = async (): Promise<void> => {
    app = await launch({ driver: name, browser: 'shared', userData });
    page = await app.firstWindow();
  };
  const started = () => page.getByRole('heading', { level: 1 }).waitFor();
  const remove = async (): Promise<void> => {
    isUsable = false;
    if (userData === '') return;
    await app?.close();
  };
  const records = (): Record[] => {
    try {
      const text = readFileSync(join(userData, 'logs', 'app.log'), 'utf8');
      return text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Record);
    } catch {
      return [];
    }
  };
  const orderRecordOf = (message: string): Record | undefined =>
    records().find(one => one.message === message);
  /** Answers every message box with this button, and records the box. */
  const answerQuestions = (button = 0) =>
    app.evaluate(({ dialog }, response) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      Object.assign(dialog, {
        showMessageBox: async (...given: { message: string; detail?: string }[]) => {
          const options = given.at(-1);
          asked.push(`${options?.message} ${options?.detail ?? ''}`);
          return { response, checkboxChecked: false };
        },
      });
    }, button);
  const questions = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked, null);
  const settings = (): { file: string; json: globalThis.Record<string, unknown> } => {
    const file = join(userData, 'settings.json');
    return { file, json: JSON.parse(readFileSync(file, 'utf8')) as globalThis.Record<string, unknown> };
  };

  const openFresh = async (): Promise<void> => {
    userData = newFolder('faults');
    await open();
    await started();
    isUsable = true;
  };
  beforeEach(() => (isUsable ? undefined : openFresh()));
  // The console continues with the next test, unless this one ended it or failed.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' || !isUsable) await remove();
  });
  afterAll(remove);

  test('an unexpected failure of the window that nothing handles is in the application log, without secrets', async () => {
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('not handled, for anna@example.com');
      }, 0);
      void Promise.reject(new TypeError('rejected, card 4111 1111 1111 1111'));
    });
    await expect
      .poll(() => orderRecordOf('The window met an error that nothing handled.')?.error?.message)
      .toBe('not handled, for •••');
    await expect
      .poll(
        () => orderRecordOf('A promise of the window was rejected and nothing handled it.')?.error?.message,
      )
      .toBe('rejected, card •••');
  });

  if (name === 'stand-in')
    test('a message from another frame is refused and recorded', async () => {
      const refused = await app.evaluate(({ BrowserWindow }) => {
        type Contents = { answer(channel: string, values: unknown[], isTop: boolean): Promise<unknown> };
        const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as Contents;
        return contents.answer('request:app.read', [{}], false);
      }, null);
      expect(refused).toMatchObject({ ok: false, error: { code: 'message.refused' } });
      await expect
        .poll(() => orderRecordOf('A message that did not come from the console was refused.'))
        .toMatchObject({ level: 'warn', area: 'window', details: { name: 'app.read' } });
    });

  test('the window says that saved events were lost until a person has dealt with it', async () => {
    await app.close();
    const end = join(userData, 'payments.db.end');
    const recorded = JSON.parse(readFileSync(end, 'utf8')) as { end: { seq: number; hash: string } };
    recorded.end = { ...recorded.end, seq: recorded.end.seq + 2, hash: '0'.repeat(64) };
    writeFileSync(end, JSON.stringify(recorded));
    await open();
    const notice = page.getByRole('region', { name: word('loss.name') });
    await notice.getByText('2 saved events are missing from the payment log').waitFor();
    await goTo(page, 'nav.callbacks');
    await notice.getByRole('link', { name: word('loss.data') }).click();
    await page.getByRole('region', { name: word('settings.data') }).waitFor();
    await notice.getByRole('button', { name: word('loss.settle') }).click();
    await notice.waitFor({ state: 'detached' });
  });

  test('a page that ended is loaded again at the same screen', async () => {
    await goTo(page, 'nav.callbacks');
    const address = page.url();
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
      null,
    );
    if (name === 'electron') page = await app.firstWindow();
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false);
    await started();
    expect(page.url()).toBe(address);
    expect(orderRecordOf('The page of the window has crashed.')).toBeDefined();
  });

  test('a page that hangs is loaded again after a question to the user', async () => {
    await answerQuestions(1);
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'), null);
    if (name === 'electron') page = await app.firstWindow();
    await expect.poll(() => page.evaluate(() => 'isOld' in window).catch(() => true)).toBe(false);
    await started();
    expect(await questions()).toHaveLength(1);
    expect(orderRecordOf('The window does not respond.')).toBeDefined();
  });

  test('a page that crashes again and again is loaded three times, then a restart is offered', async () => {
    // The loads of earlier tests count too.
    await remove();
    await openFresh();
    await answerQuestions(1);
    await app.evaluate(({ app: own, BrowserWindow }) => {
      own.quit = () => Object.assign(globalThis, { hasQuit: true });
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      let reloads = 0;
      if (contents) contents.reload = () => Object.assign(globalThis, { reloads: (reloads += 1) });
      for (let crashes = 0; crashes < 4; crashes += 1)
        contents?.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    }, null);
    await expect.poll(() => app.evaluate(() => 'hasQuit' in globalThis, null)).toBe(true);
    expect(await questions()).toHaveLength(1);
    expect(await app.evaluate(() => (globalThis as unknown as { reloads: number }).reloads, null)).toBe(3);
    await app.kill();
    isUsable = false;
  });

  test('an unexpected failure of a screen is shown in its place with the reference of its record, and it can be shown again', async () => {
    await page.evaluate(() => {
      // Only the overview has a choice of periods, thirty days among them.
      const lists = Array.prototype as object;
      const own = Object.getOwnPropertyDescriptor(lists, 'map') ?? {};
      const map = own.value as typeof Array.prototype.map;
      Object.defineProperty(lists, 'map', {
        ...own,
        value(this: unknown[], ...given: Parameters<typeof map>) {
          if (this.includes('30')) throw new RangeError('broken on purpose');
          return map.apply(this, given);
        },
      });
      Object.assign(window, { mend: () => Object.defineProperty(lists, 'map', own) });
      location.hash = '#/overview';
    });
    const note = page.getByRole('alert').filter({ hasText: word('error.internal') });
    const reference = await note.locator('.copyable-text').textContent();
    await expect
      .poll(() => records().find(one => one.reference === reference))
      .toMatchObject({
        message: 'A screen could not be shown.',
        error: { message: 'broken on purpose' },
      });
    await page.evaluate(() => (window as unknown as { mend: () => void }).mend());
    await note.getByRole('button', { name: word('error.show-again') }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await note.waitFor({ state: 'detached' });
  });

  test('an unexpected failure of the main process that nothing handles is shown with its reference, and a restart is offered', async () => {
    await answerQuestions();
    await app.evaluate(({ app: own }) => {
      own.relaunch = () => Object.assign(globalThis, { isRelaunched: true });
      // The test reads the message box before the process ends.
      own.quit = () => undefined;
      setTimeout(() => {
        throw new Error('broken');
      }, 0);
    }, null);
    await expect.poll(questions).toHaveLength(1);
    const { reference, error } = orderRecordOf('An exception was not handled.') ?? {};
    expect(error?.message).toBe('broken');
    expect((await questions())[0]).toContain(`Reference ${reference}`);
    await expect.poll(() => app.evaluate(() => 'isRelaunched' in globalThis, null)).toBe(true);
    await app.kill();
    isUsable = false;
  });

  test('an unexpected failure of a promise is reported once, and the console continues to work', async () => {
    await answerQuestions();
    await app.evaluate(() => {
      void Promise.reject(new Error('first'));
      setTimeout(() => void Promise.reject(new Error('second')), 0);
    }, null);
    await expect
      .poll(() => records().filter(({ message }) => message.startsWith('A promise was rejected')))
      .toHaveLength(2);
    expect(await questions()).toHaveLength(1);
    await goTo(page, 'nav.callbacks');
  });

  test('a damaged setting is reported when the console starts, with the archived file, until it is dismissed', async () => {
    isUsable = false;
    await app.close();
    const { file, json } = settings();
    Object.assign(json['settings'] as object, { density: 'airy' });
    writeFileSync(file, JSON.stringify(json, null, 2));
    rmSync(`${file}.copy`);
    await open();
    const note = page.getByRole('region', { name: word('settings-recovery.name') });
    await note.getByText('density').waitFor();
    await note.getByText(/settings\.json\.unreadable-/).waitFor();
    await note.getByRole('button', { name: word('dismiss') }).click();
    await note.waitFor({ state: 'detached' });
  });

  test('with settings of a newer version the window reports it and shows nothing else', async () => {
    isUsable = false;
    await app.close();
    const { file, json } = settings();
    writeFileSync(file, JSON.stringify({ ...json, version: 2 }));
    await open();
    await page.getByText(word('error.settings.newer')).waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
  });
});
