import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPaymentLog } from '../main/payment-log/sqlite/open-payment-log.ts';
import {
  accepted,
  again,
  callback,
  draft,
  invalid,
  lookUp,
  note,
  refusedSession,
  requested,
  unanswered,
  verified,
} from '../tools/evidence/evidence.ts';
import { inEnglish } from '../shared/messages/catalogues.ts';
import { paymentFilterSchema } from '../shared/contract/index.ts';
import type { EventDraft } from '../shared/payments/evidence.ts';
import { root } from './steps.ts';

/**
 * Writes the stored sample of the payment log's format: `node scripts/sample-log.ts`. It is written once for each
 * version of the format. A test reads every sample in all later versions, so an existing sample is never written
 * again.
 */

const folder = join(root, 'test', 'fixtures', 'payment-log');
const minute = 60_000;
const of = (orderNumber: string) => ({ orderNumber });
const customer = { name: 'Zoë Quill', email: 'zoe@example.com' };

const unsigned = callback(3 * minute, 'sale', 'success', {}, invalid, of('SAMPLE-3'));
const paid = callback(2 * minute, 'sale', 'success', {}, verified, of('SAMPLE-1'));

/** Every event kind, and every state of personal values. */
const appends: readonly (readonly EventDraft[])[] = [
  [requested(0, { customer }, of('SAMPLE-1'))],
  [{ ...accepted(500), ...of('SAMPLE-1') }],
  [draft('link.shared', 30_000, { channel: 'copy' }, of('SAMPLE-1'))],
  [paid],
  [again(paid, 3 * minute)],
  [{ ...lookUp(4 * minute, 'settled'), ...of('SAMPLE-1') }],
  [requested(0, {}, of('SAMPLE-2')), { ...refusedSession(), ...of('SAMPLE-2') }],
  [requested(0, {}, of('SAMPLE-4')), { ...unanswered(), ...of('SAMPLE-4') }],
  [unsigned],
  [
    draft(
      'callback.reverified',
      5 * minute,
      { callback: unsigned.id, verification: verified },
      of('SAMPLE-3'),
    ),
  ],
  [callback(6 * minute, 'sale', 'fail', { reason: 'Not enough funds €' }, verified, { orderNumber: null })],
  [note(7 * minute, 'Will call back tomorrow 🙂', of('SAMPLE-1'))],
  [requested(8 * minute, { customer }, of('SAMPLE-5'))],
];

const workFolder = mkdtempSync(join(tmpdir(), 'counterfoil-sample-'));
const file = join(workFolder, 'payments.db');
const opened = await openPaymentLog({ file, writer: '5d0f3c0e-7b50-41f0-8f3a-0242ac120002' });
if (!opened.ok) throw new Error(inEnglish(opened.error.message));
const log = opened.value;
for (const drafts of appends) {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(inEnglish(written.error.message));
}
await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber: 'SAMPLE-5' });
const { rows } = await log.list(paymentFilterSchema.parse({}), null, 50);
const orders = await Promise.all(
  rows.map(async ({ orderNumber, state }) => ({
    orderNumber,
    state,
    events: await log.events('sandbox', orderNumber),
  })),
);
mkdirSync(folder, { recursive: true });
const copied = await log.files?.copyTo(join(folder, 'version-1.db'));
if (!copied?.ok) throw new Error(copied ? inEnglish(copied.error.message) : 'The log is not a file.');
writeFileSync(join(folder, 'version-1.json'), `${JSON.stringify(orders, null, 2)}\n`);
await log.close();
rmSync(workFolder, { recursive: true });
