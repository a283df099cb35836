import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reconciliationColumns } from '../../../main/export/columns.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { isAtRest, reconciliationCauses } from '../../../shared/reports/reconcile.ts';
import { moved, attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { readSheet } from '../../export/read-sheet.ts';

/** The reconciliation queue over the real handlers, from a log that contains every cause once. */

const german = formatterFor('de');
const app = useApp({
  isInTime: true,
  evidence: [
    ...reconciliationCauses.flatMap(cause => moved(attemptHistories[cause], 'sandbox', `R-${cause}`)),
    ...moved(attemptHistories.chargeback, 'shop', 'elsewhere'),
  ],
});

const csv = (): string => {
  const name = readdirSync(app.saved).find(one => /^to-review-\d{4}-\d\d-\d\d\.csv$/.test(one));
  return readFileSync(join(app.saved, name ?? ''), 'utf8').replace('\uFEFF', '');
};

test('every cause has its next action, gravest cause first', async () => {
  const queue = await app.value('payments.reconcile', { profileId: 'sandbox' });
  expect(queue.rows.map(({ findings }) => [findings[0]?.cause, findings[0]?.action])).toEqual([
    ['changed-between-deliveries', 'do-not-ship'],
    ['sources-disagree', 'do-not-ship'],
    ['source-took-back', 'do-not-ship'],
    ['record-differs', 'do-not-ship'],
    ['settled-twice', 'refund-one'],
    ['operation-unknown', 'look-up'],
    ['refunds-differ', 'record'],
    ['returned-twice', 'hand-to-finance'],
    ['operation-overdue', 'look-up'],
    ['paid-after-withdrawal', 'hand-to-finance'],
    ['chargeback', 'hand-to-finance'],
    ['returned-without-callback', 'hand-to-finance'],
    ['order-status-disagrees', 'look-up'],
    ['contradicts-interface', 'look-up'],
    ['outside-interface', 'look-up'],
    ['unverified-callback', 'look-up'],
    ['outcome-unknown', 'look-up'],
    ['paid-without-look-up', 'look-up'],
    ['refund-amount-unknown', 'look-up'],
    ['no-outcome-yet', 'look-up'],
    ['expired-without-outcome', 'new-link'],
    ['refund-seen', 'note-it'],
  ]);
});

test('the same queue as a CSV has one line for each payment, with columns for causes and next action', async () => {
  const written = await app.request('payments.exportReconciliation', {
    profileId: 'sandbox',
    cause: null,
    format: 'csv-iso',
  });
  expect(written).toMatchObject({ ok: true, value: { written: reconciliationCauses.length } });
  const [head, ...lines] = csv().trimEnd().split('\r\n');
  expect(head).toBe(reconciliationColumns.map(({ id }) => id).join(','));
  expect(head).toMatch(/causes,next_action,cause_since$/);
  expect(lines.map(line => line.split(',')[2])).toEqual(reconciliationCauses.map(cause => `R-${cause}`));
  expect(lines[0]).toMatch(/,changed-between-deliveries,do-not-ship,\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
  expect(lines.find(line => line.includes('R-unverified-callback'))).toMatch(
    /,unverified-callback expired-without-outcome,look-up,/,
  );
  expect(csv()).not.toContain('https://');
});

test('for people the export has headings, causes and next steps in the chosen language, as a workbook too', async () => {
  await app.request('settings.change', { language: 'de' });
  const wanted = { profileId: 'sandbox', cause: null, list: 'all' as const };
  const written = await app.request('payments.exportReconciliation', { ...wanted, format: 'xlsx' });
  const needed = reconciliationCauses.filter(cause => !isAtRest(cause));
  expect(written).toMatchObject({ ok: true, value: { written: needed.length } });
  const name = readdirSync(app.saved).find(one => one.endsWith('.xlsx')) ?? '';
  const [head = [], first = []] = readSheet(readFileSync(join(app.saved, name)));
  expect(head.map(({ value }) => value)).toEqual(
    expect.arrayContaining(['Bestellnummer', 'Zu prüfen', 'Nächster Schritt']),
  );
  expect(first.map(({ value }) => value)).toContain(german(msg('cause.changed-between-deliveries')));
  await app.request('payments.exportReconciliation', { ...wanted, format: 'csv' });
  expect(csv()).toContain(german(msg('cause.changed-between-deliveries')));
  expect(csv()).not.toContain('do-not-ship');
  rmSync(join(app.saved, name));
  await app.request('settings.change', { language: 'en' });
});
