import type { CDPSession, Page } from 'playwright-core';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import {
  box,
  ipcRequest,
  goTo,
  raiseLink,
  startNewPayment,
  waitForState,
} from '../../tools/browser-harness/console.ts';
import { atMost, type Row } from './measure.ts';

/** The window's memory after a simulated hour of work. */

/** Rounds of an hour, and of its first minute. */
export const roundsOfAnHour = 400;
const firstMinute = 7;

const switchProfile = async (page: Page, profileId: string): Promise<void> => {
  const changed = await ipcRequest(page, 'settings.change', { activeProfileId: profileId });
  if (!changed.ok) throw new Error(inEnglish(changed.error.message));
};

const words = ['nowak', 'CF-2026-00', 'bicycle', '12', 'zebra'];
const screens = [
  'nav.overview',
  'nav.reconciliation',
  'nav.callbacks',
  'nav.look-up',
  'nav.settings',
  'nav.sandbox',
] as const;

/** Creates and pays one link, receives its callbacks, then opens every screen, a list, a search, a payment. */
const workOneRound = async (page: Page, round: number): Promise<void> => {
  await switchProfile(page, 'sandbox');
  const { link } = await raiseLink(page, { amount: '10', description: 'Two nights' });
  const declined = round % 5 === 0;
  await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ scenario: declined ? 'decline' : 'pay' }),
    redirect: 'manual',
  });
  await waitForState(page, declined ? 'declined' : 'paid-confirmed');
  await switchProfile(page, 'hotel');
  for (const screen of screens) {
    await goTo(page, screen);
    await page.locator('.screen h1').waitFor();
  }
  await goTo(page, 'nav.payments');
  const rows = page.locator('.grid-body [role="row"]');
  await rows.first().waitFor();
  await page.locator('[role="grid"]').focus();
  for (const key of ['End', 'End', 'Home', 'PageDown']) await page.keyboard.press(key);
  await page.locator('#search').fill(words[round % words.length] ?? '');
  await page.locator('#search').fill('');
  await rows.nth(2).click();
  await page.locator('.screen.payment h1').waitFor();
};

/**
 * Removes and re-inserts every field, so that Chromium drops its undo history. The history holds a node for each
 * typed text, up to a thousand, and belongs to the browser, not the window.
 */
const clearUndo = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const box of document.querySelectorAll('input, textarea')) {
      const target = document.createComment('');
      box.replaceWith(target);
      target.replaceWith(box);
    }
  });

/** Code on the heap, bytes: V8 compiles more the more often a path has run, independent of the window. */
const codeBytes = async (session: CDPSession): Promise<number> => {
  const chunks: string[] = [];
  const collect = ({ chunk }: { chunk: string }): number => chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', collect);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', collect);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as {
    snapshot: { meta: { node_fields: string[]; node_types: [types: string[]] } };
    nodes: number[];
  };
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const code = types[0].indexOf('code');
  const type = fields.indexOf('type');
  const size = fields.indexOf('self_size');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (nodes[at + type] === code) bytes += nodes[at + size] ?? 0;
  return bytes;
};

/** Live memory after garbage collection: bytes of JavaScript, the code among them, and nodes of the document. */
const countLiveObjects = async (
  page: Page,
  session: CDPSession,
): Promise<{ heap: number; code: number; nodes: number }> => {
  await startNewPayment(page);
  await box(page, 'new.amount').waitFor();
  await clearUndo(page);
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find(metric => metric.name === name)?.value ?? Number.NaN;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), code: await codeBytes(session) };
};

/** The window's memory after `rounds` rounds of work, compared with the first minute's. */
export const appHour = async (page: Page, rounds: number): Promise<Row[]> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  for (let round = 0; round < firstMinute; round += 1) await workOneRound(page, round);
  const first = await countLiveObjects(page, session);
  for (let round = firstMinute; round < rounds; round += 1) await workOneRound(page, round);
  const last = await countLiveObjects(page, session);
  await session.detach();
  const after = `after ${rounds} rounds of work (an hour has ${roundsOfAnHour}) / after the first minute's ${firstMinute}`;
  const megabyte = 1024 * 1024;
  return [
    atMost(`memory of the window ${after} (MB)`, last.heap / megabyte, first.heap / megabyte, 1.2),
    atMost(
      'the same without the code that was compiled (MB)',
      (last.heap - last.code) / megabyte,
      (first.heap - first.code) / megabyte,
      1.2,
    ),
    atMost(`nodes of its document ${after}`, last.nodes, first.nodes, 1.2),
  ];
};
