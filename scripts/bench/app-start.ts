import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type DriverName } from '../../tools/browser-harness/harness.ts';
import { blankPage } from './blank-page.ts';
import { atMost, type Row } from './measure.ts';
import { median } from '../load/percentile.ts';

/** Counted starts of each kind, after one uncounted. */
const rounds = 7;

/** As installed: code that an earlier start compiled is not kept, as it is for the tests. */
const env = { NODE_DISABLE_COMPILE_CACHE: '1' };

/** Milliseconds from the start of a process until its amount field has the focus and accepts typing. */
const startOf = async (driver: DriverName, userData: string, appFolder?: string): Promise<number> => {
  const startedAt = Date.now();
  const app = await launch({ driver, userData, env, ...(appFolder === undefined ? {} : { appFolder }) });
  try {
    const page = await app.firstWindow();
    const seen = await page.waitForFunction(() => {
      const box = document.activeElement;
      const isReady =
        box instanceof HTMLInputElement && box.name === 'amount' && !box.disabled && !box.readOnly;
      // A page that reports its own time is preferred: it may be ready before the first poll.
      const { usableAt } = globalThis as { usableAt?: number };
      return isReady ? (usableAt ?? performance.timeOrigin + performance.now()) : null;
    });
    return ((await seen.jsonValue()) ?? Number.NaN) - startedAt;
  } finally {
    await app.close();
  }
};

/**
 * From process start to the first screen, compared with a page with one field in the same host. `of`: the size of the
 * log as text.
 */
export const appStart = async (driver: DriverName, userData: string, of: string): Promise<Row> => {
  const blank = blankPage();
  const blankData = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let round = -1; round < rounds; round += 1) {
      const one = await startOf(driver, userData);
      const other = await startOf(driver, blankData, blank.folder);
      if (round < 0) continue;
      ours.push(one);
      theirs.push(other);
    }
  } finally {
    blank.remove();
    rmSync(blankData, { recursive: true, force: true });
  }
  return atMost(
    `from process start to the first screen, log ${of} / to a blank page in the same host (ms)`,
    median(ours),
    median(theirs),
    // 1.35 to 1.64 on different machines.
    1.8,
  );
};
