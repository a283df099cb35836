import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession } from './create-session.ts';
import { appAtSize } from './app-at-size.ts';
import { flood } from './flood.ts';
import { inspectHostile } from './inspect-hostile.ts';
import { logAtSize, logFolder } from './payment-log/log-at-size.ts';
import type { Row } from './measure.ts';
import { receiveCallbacks } from './receive-callbacks.ts';
import { movementRows } from './movements.ts';
import { sendOperation } from './send-operation.ts';
import { teamRows } from './team/team.ts';

/**
 * Speed as ratios measured in one run: `npm run bench`. `--json` prints an array, `--quick` shortens the load tests.
 * `--only NAME` measures one part; `--full` adds a log of a million payments, and a simulated hour of work with it.
 * `npm run bench -- team` measures the shared payment log instead.
 */

const json = process.argv.includes('--json');
const isQuick = process.argv.includes('--quick');
const full = process.argv.includes('--full');
const only = process.argv.find((_, at, all) => all[at - 1] === '--only');
const largest = full ? 1_000_000 : 100_000;
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The measurements in their order; each makes one or more rows. */
const measurements: Readonly<Record<string, () => Promise<Row | Row[]>>> = {
  session: createSession,
  operation: () => sendOperation(isQuick ? 100 : 400),
  movements: () => movementRows(isQuick ? 15 : 60),
  flood: () => flood(isQuick ? { burstMs: 3_000, sustainedMs: 10_000 } : {}),
  receive: receiveCallbacks,
  inspect: inspectHostile,
  log: () => logAtSize(folder, full ? [100_000, largest] : [largest]),
  app: () => appAtSize({ userData: logFolder(folder, largest), payments: largest, rounds: full ? 400 : 60 }),
};
const rows: Row[] = [];
if (process.argv.includes('team')) rows.push(...(await teamRows({ isFull: full, only })));
else
  for (const [name, measure] of Object.entries(measurements)) {
    // The app runs on the log that the measurement before it has filled.
    if (only !== undefined && only !== name && !(only === 'app' && name === 'log')) continue;
    process.stderr.write(`measuring ${name}\n`);
    rows.push(...[await measure()].flat());
  }

if (json) {
  console.log(JSON.stringify(rows, null, 2));
} else {
  const figure = (value: number): string => (Number.isNaN(value) ? '–' : value.toPrecision(3));
  const cells = rows.map(row => [
    row.name,
    figure(row.ours),
    figure(row.reference),
    figure(row.ratio),
    `${row.atLeast ? '≥' : '≤'} ${figure(row.target)}`,
    row.missing ?? (row.ok ? 'ok' : 'MISSED'),
  ]);
  const table = [['what', 'ours', 'reference', 'ratio', 'target', ''], ...cells];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map(line => (line[column] ?? '').length))) ?? [];
  for (const line of table)
    console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
process.exitCode = rows.every(row => row.ok) ? 0 : 1;
