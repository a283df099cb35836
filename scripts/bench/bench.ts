import { createLink } from './create-link.ts';
import { callbackToRow } from './drawn.ts';
import { listAtSize } from './list.ts';
import type { Row } from './measure.ts';
import { receive } from './receive.ts';
import { statementOf } from './statement.ts';

/**
 * Speed as ratios measured in one run: `npm run bench`. `--json` prints an array, `--quick` shortens everything,
 * `--only NAME` measures one part, `--full` a list of a million payments.
 */

const isQuick = process.argv.includes('--quick');
const only = process.argv.find((_, at, all) => all[at - 1] === '--only');

/** The measurements in their order; each makes one or more rows. */
const measurements: Readonly<Record<string, () => Promise<Row | Row[]>>> = {
  link: () => createLink(isQuick ? 100 : 400),
  receive: () => receive(isQuick ? 10_000 : 60_000),
  list: () => listAtSize(isQuick ? 10_000 : process.argv.includes('--full') ? 1_000_000 : 100_000),
  statement: () => statementOf(isQuick ? 10_000 : 100_000),
  drawn: () => callbackToRow(isQuick ? 3 : 10),
};
if (only !== undefined && !Object.hasOwn(measurements, only))
  throw new Error(`Choose one of ${Object.keys(measurements).join(', ')}.`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (only !== undefined && only !== name) continue;
  process.stderr.write(`measuring ${name}\n`);
  rows.push(...[await measure()].flat());
}

if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2));
else {
  const figure = (value: number | null): string => value?.toPrecision(3) ?? '–';
  const cells = rows.map(row => [
    row.name,
    figure(row.ours),
    figure(row.reference),
    figure(row.ratio),
    `${row.atLeast ? '≥' : '≤'} ${figure(row.target)}`,
    row.missing ? `not measured: ${row.missing}` : row.ok ? 'ok' : 'MISSED',
  ]);
  const table = [['what', 'ours', 'reference', 'ratio', 'target', ''], ...cells];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map(line => (line[column] ?? '').length))) ?? [];
  for (const line of table)
    console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
process.exitCode = rows.some(row => row.ok === false) ? 1 : 0;
// A browser that waits for the next window would keep this process running.
process.exit();
