import { callbackToRow } from './drawn.ts';
import { listAtSize } from './list.ts';
import { alternate, atLeast, atMost, type Row } from './measure.ts';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { once } from 'node:events';
import { parse } from 'csv-parse';
import { agree } from '../../main/statements/agree.ts';
import { decoded } from '../../main/statements/files/decode.ts';
import { readerOptions } from '../../main/statements/files/delimited.ts';
import { createLookUp } from '../../main/statements/match.ts';
import type { Movement } from '../../main/statements/movements.ts';
import { readStatement, recognise } from '../../main/statements/read-statement.ts';
import { fork } from 'node:child_process';
import { signedCallbacks } from '../load/callbacks.ts';
import { startReceiving } from '../load/console-process.ts';
import { percentile } from '../load/percentile.ts';
import { postCallbacks } from '../load/post-callbacks.ts';

/**
 * Speed as ratios measured in one run: `npm run bench`. `--json` prints an array, `--quick` shortens everything,
 * `--only NAME` measures one part, `--full` a list of a million payments.
 */

const connections = 32;
/** Uncounted warm-up: a receiver that runs all day is warm. */
const warmUpMs = 3_000;

type Posted = { answered: number; perSecond: number; p99: number };

/** Posts callbacks for a time; throws unless each is answered 200. */
const postFor = async (url: string, next: () => string, milliseconds: number): Promise<Posted> => {
  const times: number[] = [];
  const startedAt = performance.now();
  const broken = await postCallbacks({
    url,
    connections,
    next: () => (performance.now() - startedAt < milliseconds ? next() : null),
    onAnswer: ({ status, milliseconds: took }) => {
      if (status !== 200) throw new Error(`a callback was answered ${status}`);
      times.push(took);
    },
  });
  if (broken > 0) throw new Error(`${broken} connections broke`);
  const perSecond = times.length / ((performance.now() - startedAt) / 1_000);
  return { answered: times.length, perSecond, p99: percentile(times, 0.99) };
};

/**
 * Signed callbacks, posted for `milliseconds` and answered once they are on disk: by the console, and by a bare server
 * that appends and flushes for all that wait.
 */
const receive = async (milliseconds: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const next = signedCallbacks(password);
  const receiving = await startReceiving(folder, password);
  const bare = fork(join(import.meta.dirname, 'journal-child.ts'), [join(folder, 'journal')]);
  try {
    const warm = await postFor(receiving.url, next, warmUpMs);
    const ours = await postFor(receiving.url, next, milliseconds);
    const endedAt = performance.now();
    await receiving.settle(warm.answered + ours.answered);
    const levelMs = performance.now() - endedAt;
    const memory = (await receiving.peakMemory()) / 1e6;
    const [url] = (await once(bare, 'message')) as [string];
    await postFor(url, next, warmUpMs);
    const reference = await postFor(url, next, milliseconds);
    const name = `receive for ${milliseconds / 1_000} s, ${connections} connections`;
    const than = 'bare server that flushes a journal';
    return [
      atLeast(`${name}, per second / ${than}`, ours.perSecond, reference.perSecond, 0.06),
      atMost(`the same, 99th percentile / ${than} (ms)`, ours.p99, reference.p99, 8),
      atMost('the same, until the list is complete / 2,000 (ms)', levelMs, 2_000, 1),
      atMost('the same, peak memory / 500 (MB)', memory, 500, 1),
    ];
  } finally {
    bare.kill();
    await receiving.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

const headings =
  '"Merchant Account","Psp Reference","Merchant Reference","Payment Method","Creation Date","TimeZone","Type","Gross Currency","Gross Debit (GC)","Gross Credit (GC)","Net Currency","Net Debit (NC)","Net Credit (NC)","Commission (NC)","Batch Number"';

/** A month of payments, and the provider's file about them. */
const monthOf = (count: number): { bytes: Buffer; movements: Movement[] } => {
  const lines = [headings];
  const movements: Movement[] = [];
  const decimal = (cents: number): string => (cents / 100).toFixed(2);
  for (let index = 0; index < count; index += 1) {
    const cents = 500 + ((index * 7919) % 90_000);
    const fee = Math.round(cents * 0.015);
    const at = Date.UTC(2026, 10, 1) + Math.floor((index / count) * 30 * 86_400_000);
    const stamp = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const [orderNumber, paymentId] = [String(index).padStart(7, '0'), randomUUID()];
    lines.push(
      `"Harbour","${paymentId}","${orderNumber}","visa","${stamp}","UTC","Settled","EUR","","${decimal(cents)}","EUR","","${decimal(cents - fee)}","${decimal(fee)}","${300 + Math.floor((index / count) * 30)}"`,
    );
    const known = { rrn: String(1e11 + index), approval: String(index % 1e6), card: '1111' };
    const money = { kind: 'sale', amount: BigInt(cents), currency: 'EUR' } as const;
    const day = stamp.slice(0, 10);
    movements.push({ key: `0 ${orderNumber}`, orderNumber, paymentId, day, at, ...money, ...known });
  }
  return { bytes: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`), movements };
};

/** The records of a file, read by the library alone. */
const countRecords = async (bytes: Buffer): Promise<number> => {
  let count = 0;
  const parser = parse({
    ...readerOptions,
    on_record: () => {
      count += 1;
      return null;
    },
  });
  parser.resume();
  for (const piece of decoded(bytes, 'utf-8'))
    if (piece !== '' && !parser.write(piece)) await once(parser, 'drain');
  parser.end();
  await once(parser, 'end');
  return count;
};

/** Reads a file and compares it with the payments, as the command and the thread do; throws unless all agree. */
const compareAll = async ({ bytes, movements }: ReturnType<typeof monthOf>): Promise<void> => {
  const lookUp = createLookUp(movements);
  const file = await recognise({ bytes, name: 'statement.csv', sha256: '' }, 'UTC');
  const { lines } = readStatement(file, movements, { mapping: null, zone: 'UTC', lookUp });
  const { agreed } = agree(lines, movements, { lookUp });
  if (agreed.length !== movements.length) throw new Error(`${agreed.length} of ${movements.length} agree`);
};

/** A statement with as many lines as there are payments, compared with them. */
const statementOf = async (count: number): Promise<Row> => {
  const month = monthOf(count);
  const of = `a statement of ${count.toLocaleString('en')} lines`;
  const [ours, bare] = await alternate([() => compareAll(month), () => countRecords(month.bytes)], {
    rounds: 5,
    warmUp: 1,
  });
  return atMost(`read and compare ${of} / its records counted by csv-parse (ms)`, ours, bare, 4);
};

const password = 'bench password';

/**
 * Creating a link, with both of its events durable, compared with a bare POST of the same bytes to the same sandbox
 * between two bare durable writes, which do not block the main thread either. `rounds`: counted ones.
 */
const createLink = async (rounds: number): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const account = { merchantKey: 'bench', merchantPassword: password };
  const sandbox = await startSandbox({ port: 0, ...account, callbackUrl: null });
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: randomUUID() });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const log = opened.value;
  const gateway = createGateway({ clock: Date.now });
  const profile: Profile = {
    ...profileDefaults,
    successUrl: 'https://shop.test/thank-you?order={order}',
    cancelUrl: 'https://shop.test/cancelled?order={order}',
    id: 'sandbox',
    name: 'Sandbox',
    kind: 'sandbox',
    baseUrl: sandbox.baseUrl,
    merchantKey: 'bench',
  };
  let count = 0;
  const nextOrder = () => {
    count += 1;
    const terms = { amount: '10.00', currency: 'EUR', description: 'Two nights, room 12' };
    return { number: `B-${count}`, ...terms, methods: ['card'], customer: null };
  };
  const ours = async (): Promise<void> => {
    const { number, ...order } = nextOrder();
    const prepared = gateway.prepareSession(profile, password, { number, ...order });
    const idempotencyKey = randomUUID();
    const { endpoint, redacted, expiryMinutes } = prepared;
    const frame = () => ({
      id: randomUUID(),
      profileId: 'sandbox',
      orderNumber: number,
      paymentId: null,
      happenedAt: Date.now(),
      agent: 'bench',
      dedupeKey: null,
    });
    const requested = { idempotencyKey, ...order, endpoint, request: redacted, expiryMinutes };
    await log.append([{ ...frame(), kind: 'session.requested', body: requested }]);
    const outcome = await gateway.sendSession(profile, prepared);
    if (outcome.kind !== 'accepted') throw new Error(`the sandbox answered ${outcome.kind}`);
    const { link, answer } = outcome;
    const issuedAt = Date.now();
    const accepted = { idempotencyKey, link, issuedAt, expiresAt: issuedAt + 3_600_000, answer };
    await log.append([{ ...frame(), kind: 'session.accepted', body: accepted }]);
  };

  const bare = new Agent();
  // Off the main thread, which never waits for a disk.
  const flushed = await open(join(folder, 'flushed'), 'w');
  const written = Buffer.alloc(4_096);
  const flush = async (): Promise<void> => {
    await flushed.write(written);
    await flushed.datasync();
  };
  const betweenFlushes = async (): Promise<void> => {
    await flush();
    const { endpoint, body } = gateway.prepareSession(profile, password, nextOrder());
    const headers = { 'content-type': 'application/json' };
    const answer = await request(endpoint, { method: 'POST', dispatcher: bare, headers, body });
    await answer.body.json();
    await flush();
  };
  const [us, durablePost] = await alternate([ours, betweenFlushes], { rounds, warmUp: Math.min(50, rounds) });
  await flushed.close();
  await Promise.all([log.close(), gateway.close(), bare.close(), sandbox.close()]);
  rmSync(folder, { recursive: true, force: true });
  const name = 'create a link, recorded durably / bare POST between two bare durable writes (ms)';
  return atMost(name, us, durablePost, 1.25);
};

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
