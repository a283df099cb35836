import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns } from '../../main/export/columns.ts';
import { exportPageRows, exportPayments } from '../../main/export/export-payments.ts';
import { createReportContext } from '../../main/export/report-context.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { splitIntoDays } from '../../shared/days.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { filterOf } from '../../renderer/stores/payments/filters.ts';
import { accepted, callback, requested, start } from '../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationCallback,
  operationRequested,
} from '../../tools/evidence/operation-evidence.ts';
import { alternate, atMost, type Row } from './measure.ts';

/** Payments with ten movements beside as many that were only paid, in the list, the overview and an export. */

const payments = 1_000;
const refunds = 9;
const minute = 60_000;
const day = 86_400_000;
const profileId = 'sandbox';

/** One paid payment; with movements, it was refunded in nine parts, each requested here. */
const eventsOf = (index: number, withMovements: boolean): EventDraft[] => {
  const frame = { profileId, orderNumber: `M-${String(index).padStart(5, '0')}` };
  const paymentId = `6f1d2c3b-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const named = { id: paymentId, order_number: frame.orderNumber };
  const at = index * minute;
  const link = [requested(at, {}, frame), accepted(at + 500, {}, frame)];
  const own = { ...frame, agent: 'console', paymentId };
  const paid = callback(at + minute, 'sale', 'success', { ...named, date: String(at) }, undefined, own);
  if (!withMovements) return [...link, paid];
  const parts = Array.from({ length: refunds }, (_, part) => {
    const when = at + (part + 1) * day;
    const intent = randomUUID();
    return [
      { ...operationRequested(when, { intent, amount: '10.00' }), ...frame, paymentId },
      { ...operationAnswered(when + 500, {}, intent), ...frame, paymentId },
      {
        ...operationCallback(when + minute, 'refund', 'success', { ...named, rrn: `${index}-${part}` }),
        ...own,
      },
    ];
  });
  return [...link, paid, ...parts.flat()];
};

const filled = async (folder: string, withMovements: boolean): Promise<PaymentLog> => {
  const file = join(folder, `${withMovements ? 'with' : 'without'}.db`);
  const opened = await openPaymentLog({ file, writer: randomUUID() });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  for (let first = 0; first < payments; first += 50) {
    const events = Array.from({ length: 50 }, (_, index) => eventsOf(first + index, withMovements)).flat();
    const written = await opened.value.append(events);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
  }
  return opened.value;
};

const listAll = async (log: PaymentLog): Promise<void> => {
  const filter = filterOf({ view: 'all', words: '' }, profileId, start);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['list']>> = await log.list(filter, cursor, 100);
    cursor = page.next;
  } while (cursor !== null);
};

const boundaries = splitIntoDays(start - day, start + 29 * day, 'UTC');
const overview = (log: PaymentLog): Promise<unknown> =>
  log.overview(profileId, boundaries, { dayBoundaries: [start - day, start - day], until: start - day });

const exported = (folder: string) => {
  const context = createReportContext({
    readers: 'programs',
    language: 'en',
    locale: 'en',
    zone: 'UTC',
    now: start + 30 * day,
    period: null,
    profileName: id => id,
  });
  const filter = filterOf({ view: 'all', words: '' }, profileId, start);
  return async (log: PaymentLog): Promise<void> => {
    const written = await exportPayments({
      file: join(folder, 'payments.csv'),
      content: 'csv',
      columns,
      context,
      next: cursor => log.list(filter, cursor, exportPageRows),
    });
    if (!written.ok || written.value.written !== payments) throw new Error('the export is not complete');
  };
};

/** Three rows: the list over all pages, the overview of 30 days, and the CSV of the payments. `rounds`: counted ones. */
export const movementRows = async (rounds = 60): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const [full, empty] = [await filled(folder, true), await filled(folder, false)];
  const works = [
    ['list, all pages', listAll],
    ['overview of 30 days', overview],
    ['export of the payments as CSV', exported(folder)],
  ] as const;
  const rows: Row[] = [];
  for (const [name, work] of works) {
    const [ours, reference] = await alternate([() => work(full), () => work(empty)], { rounds, warmUp: 5 });
    rows.push(
      atMost(`${name}: 1,000 payments with ten movements each / only paid (ms)`, ours, reference, 1.2),
    );
  }
  await Promise.all([full.close(), empty.close()]);
  rmSync(folder, { recursive: true, force: true });
  return rows;
};
