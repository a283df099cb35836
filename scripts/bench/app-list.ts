import type { Page } from 'playwright-core';
import { filterOf } from '../../renderer/stores/payments/filters.ts';
import { goTo, word } from '../../tools/browser-harness/console.ts';
import { atMost, type Row } from './measure.ts';
import { percentile } from '../load/percentile.ts';

/** The list of payments in use: evenness of scrolling, response time to a key. */

/** Pixels of one notch of the wheel, and notches in one scroll. */
const notch = 240;
const notches = 120;
const scrolls = 4;
/** Duration of a frame at 60 Hz, with the tolerance of a clock, milliseconds. */
const frame = 17;
/**
 * The shortest reference for a key, milliseconds: a key, its question and its answer each end in a separate frame, a
 * question alone does not.
 */
const minAsked = 25;
/** The active profile in the benchmark's settings. */
export const activeProfileId = 'hotel';

/**
 * Turns the wheel over the middle of an element; the intervals between frames, milliseconds, in the page's own time.
 */
const scroll = async (page: Page, selector: string): Promise<number[]> => {
  const place = await page.locator(selector).boundingBox();
  if (!place) throw new Error(`nothing to scroll at ${selector}`);
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.evaluate(() => {
    const frames: number[] = [];
    const watch = (at: number): void => {
      frames.push(at);
      Object.assign(globalThis, { watching: requestAnimationFrame(watch), frames });
    };
    requestAnimationFrame(watch);
  });
  for (let turn = 0; turn < notches; turn += 1) await page.mouse.wheel(0, notch);
  const frames = await page.evaluate(() => {
    const { watching, frames } = globalThis as unknown as { watching: number; frames: number[] };
    cancelAnimationFrame(watching);
    return frames;
  });
  return frames.slice(1).map((at, index) => at - (frames[index] ?? at));
};

/** As many plain rows as fit in the viewport, repeatedly: the host's own cost of scrolling. */
const showPlainList = (page: Page, rows: number): Promise<void> =>
  page.evaluate(count => {
    const line = (index: number): string =>
      `<div style="height:32px;white-space:nowrap">Paid 123.40 EUR CF-2026-${String(index).padStart(7, '0')} Two nights, room 12 Anna Nowak Ada 12:34</div>`;
    document.body.innerHTML = `<div id="plain" style="height:600px;overflow-y:auto">${Array.from({ length: count }, (_, index) => line(index)).join('')}</div>`;
  }, rows);

/**
 * Scrolling the list, compared with a plain one of as many rows, alternately. `blank`: a page in the same host for
 * the plain list.
 */
export const scrollList = async (page: Page, blank: Page, of: string): Promise<Row> => {
  await goTo(page, 'nav.payments');
  await page.locator('.grid-body [role="row"]').first().waitFor();
  await showPlainList(blank, Math.ceil((notch * notches * (scrolls + 1)) / 32) + 40);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -1; round < scrolls; round += 1) {
    const one = await scroll(page, '[role="grid"]');
    const other = await scroll(blank, '#plain');
    if (round < 0) continue;
    ours.push(...one);
    theirs.push(...other);
  }
  const plain = percentile(theirs, 0.95);
  return atMost(
    `a frame while scrolling a list ${of}, p95 / 17, or of a plain list where that takes longer (ms)`,
    percentile(ours, 0.95),
    Math.max(frame, plain),
    1,
  );
};

/** Typical searches, a few of each kind, typed letter by letter. */
const wordsTyped = [
  'CF-2026-00',
  'CF-2026-0042',
  'nowak',
  'larsen',
  'bicycle',
  '123.45',
  '500',
  'zebra',
  'qq',
  'anna nowak',
  'paid',
] as const;

/** The time from one key to its rendered results, and the time of the bare request and one frame, milliseconds. */
type Key = { drawn: number; asked: number };

/** The bare request for the first page of a search, and one frame: milliseconds in the page's time. */
const askAndDraw = async (page: Page, typed: string): Promise<number> => {
  const filter = filterOf({ view: 'all', words: typed.trim() }, activeProfileId, Date.now());
  return page.evaluate(
    async input => {
      const scope = globalThis as unknown as { api: { request: (name: string, input: unknown) => unknown } };
      const startedAt = performance.now();
      await scope.api.request('payments.list', input);
      await new Promise(resolve => requestAnimationFrame(resolve));
      return performance.now() - startedAt;
    },
    { filter, cursor: null, limit: 100 },
  );
};

/** Types a word letter by letter; for each key the time until its results are rendered, and the bare equivalent. */
const typeWord = async (page: Page, typed: string): Promise<Key[]> => {
  const search = page.locator('#search');
  const keys: Key[] = [];
  await search.fill('');
  await page.waitForFunction(() => document.querySelectorAll('.grid-body [role="row"]').length > 0);
  for (const [index, letter] of Array.from(typed).entries()) {
    await page.evaluate(loading => {
      const scope = globalThis as unknown as { answered: Promise<number> };
      scope.answered = new Promise(resolve => {
        const input = document.querySelector<HTMLInputElement>('#search');
        input?.addEventListener(
          'keydown',
          pressed => {
            const look = (): void => {
              const [, asked = ''] = location.hash.split('?');
              const words = new URLSearchParams(asked).get('words') ?? '';
              const isAnswered =
                words === (input?.value.trim() ?? '') &&
                document.querySelector('.list-foot output')?.textContent !== loading;
              if (!isAnswered) return void requestAnimationFrame(look);
              // The frame is on the screen when the task after it runs.
              const { port1, port2 } = new MessageChannel();
              port1.addEventListener('message', () => resolve(performance.now() - pressed.timeStamp));
              port1.start();
              port2.postMessage(null);
            };
            requestAnimationFrame(look);
          },
          { once: true },
        );
      });
    }, word('loading'));
    await page.keyboard.type(letter);
    const drawn = await page.evaluate(
      () => (globalThis as unknown as { answered: Promise<number> }).answered,
    );
    keys.push({ drawn, asked: await askAndDraw(page, typed.slice(0, index + 1)) });
  }
  return keys;
};

/** From a key in the search box to its results, compared with the same request made directly and one frame. */
export const searchList = async (page: Page, of: string): Promise<Row> => {
  await goTo(page, 'nav.payments');
  // Once uncounted: a console that runs all day is warm.
  for (const typed of wordsTyped) await typeWord(page, typed);
  const keys: Key[] = [];
  for (const typed of wordsTyped) keys.push(...(await typeWord(page, typed)));
  return atMost(
    `a key in the search box until its results are drawn, log ${of} / the same question and one frame, at least ${minAsked}, p95 (ms)`,
    percentile(
      keys.map(({ drawn }) => drawn),
      0.95,
    ),
    Math.max(
      minAsked,
      percentile(
        keys.map(({ asked }) => asked),
        0.95,
      ),
    ),
    2.5,
  );
};
