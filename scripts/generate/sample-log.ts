import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import {
  accepted,
  again,
  callback,
  draft,
  idempotencyKey,
  invalid,
  lookUp,
  note,
  payer,
  refusedSession,
  requested,
  start,
  unanswered,
  verified,
} from '../../tools/evidence/evidence.ts';
import {
  operationAnswered,
  operationCallback,
  operationRefused,
  operationRequested,
  operationUnanswered,
} from '../../tools/evidence/operation-evidence.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { paymentFilterSchema } from '../../shared/contract/contract.ts';
import { fingerprintOf } from '../../shared/payment-reducer/fingerprint.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { root } from '../../tools/build/steps.ts';

/**
 * Writes the stored sample of the payment log's format: `node scripts/generate/sample-log.ts`. It is written once for each
 * version of the format. A test reads every sample in all later versions, so an existing sample is never written
 * again.
 */

const folder = join(root, 'test', 'fixtures', 'payment-log');
const minute = 60_000;
const of = (orderNumber: string) => ({ orderNumber });
const customer = { name: 'Zoë Quill', email: 'zoe@example.com' };

const unsigned = callback(3 * minute, 'sale', 'success', {}, invalid, of('SAMPLE-3'));
const paid = callback(2 * minute, 'sale', 'success', {}, verified, of('SAMPLE-1'));

const activity = draft(
  'activity.recorded',
  11 * minute,
  { action: 'exported', details: { exported: 'payments', format: 'xlsx', count: 6 } },
  { profileId: '', orderNumber: null },
);
const exported = { ...activity, dedupeKey: `activity:${activity.id}` };

const cancelled = { intent: '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f102', operation: 'void' } as const;
const charged = {
  intent: '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f103',
  operation: 'recurring',
  charge: { firstPaymentId: payer, description: 'Breakfast', consent: 'By phone on 5 October' },
} as const;

const joined = draft('customer.joined', 10 * minute, { otherOrder: 'SAMPLE-1' }, of('SAMPLE-5'));

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
  [requested(9 * minute, { idempotencyKey }, of('SAMPLE-6'))],
  [{ ...accepted(9 * minute + 500), ...of('SAMPLE-6') }],
  [
    draft(
      'link.withdrawn',
      10 * minute,
      { idempotencyKey, reason: 'wrong-amount', text: 'Two nights, not three' },
      of('SAMPLE-6'),
    ),
  ],
  [exported],
  [joined],
  [draft('customer.separated', 11 * minute, { joined: joined.id }, of('SAMPLE-5'))],
  [
    operationRequested(
      16 * minute,
      { amount: '23.40', reason: 'goodwill', text: 'Late breakfast' },
      of('SAMPLE-1'),
    ),
  ],
  [{ ...operationAnswered(16 * minute + 300), ...of('SAMPLE-1') }],
  [
    operationCallback(17 * minute, 'refund', 'success'),
    operationRequested(18 * minute, cancelled, of('SAMPLE-1')),
  ].map(one => ({ ...one, ...of('SAMPLE-1') })),
  [{ ...operationRefused(18 * minute + 300, true, cancelled.intent), ...of('SAMPLE-1') }],
  [
    draft(
      'movement.recorded',
      18 * minute + 600,
      {
        movement: null,
        kind: 'refund',
        outcome: 'carried-out',
        amount: '5.00',
        day: '2026-10-05',
        text: 'Refunded in the dashboard',
        undoes: null,
      },
      { ...of('SAMPLE-1'), paymentId: payer },
    ),
  ],
  [
    draft(
      'dispute.noted',
      18 * minute + 900,
      { movement: `${paid.id}:chargeback`, respondBy: '2026-10-20', sent: 'Evidence by e-mail' },
      { ...of('SAMPLE-1'), paymentId: payer },
    ),
  ],
  [
    draft(
      'statement.recorded',
      18 * minute + 950,
      {
        record: 'decided',
        decision: 'explained',
        statement: null,
        line: null,
        movement: '0 SAMPLE-1',
        text: 'In the statement of October',
      },
      { profileId: 'statements:sandbox', orderNumber: null },
    ),
  ],
  [operationRequested(19 * minute, charged, { ...of('SAMPLE-7'), paymentId: null })],
  [{ ...operationUnanswered(19 * minute + 300, charged.intent), ...of('SAMPLE-7') }],
];

/** What people did about a payment that needs review, in the order of writing. */
const reviewsOf = (facts: string): readonly EventDraft[] => {
  const frame = of('SAMPLE-4');
  const resolved = draft(
    'review.resolved',
    14 * minute,
    { reason: 'other', text: 'Paid in cash', facts },
    frame,
  );
  return [
    draft('review.assigned', 12 * minute, { assignee: 'Ada' }, frame),
    draft('review.snoozed', 13 * minute, { until: start + 60 * minute, facts }, frame),
    resolved,
    draft('review.reopened', 15 * minute, { resolutions: [resolved.id] }, frame),
  ];
};

const workFolder = mkdtempSync(join(tmpdir(), 'counterfoil-sample-'));
const file = join(workFolder, 'payments.db');
const opened = await openPaymentLog({ file, writer: '5d0f3c0e-7b50-41f0-8f3a-0242ac120002' });
if (!opened.ok) throw new Error(inEnglish(opened.error.message));
const log = opened.value;
for (const drafts of appends) {
  const written = await log.append(drafts);
  if (!written.ok) throw new Error(inEnglish(written.error.message));
}
const toReview = (await log.list(paymentFilterSchema.parse({ words: 'SAMPLE-4' }), null, 1)).rows[0];
if (!toReview) throw new Error('SAMPLE-4 is missing.');
for (const review of reviewsOf(fingerprintOf(toReview))) {
  const written = await log.append([review]);
  if (!written.ok) throw new Error(inEnglish(written.error.message));
}
await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: ['SAMPLE-5'] });
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
const { events: activities } = await log.activities({ person: null, group: null }, null, 50);
const statements = await log.statementRecords('statements:sandbox');
writeFileSync(
  join(folder, 'version-1.json'),
  `${JSON.stringify({ orders, activities, statements }, null, 2)}\n`,
);
await log.close();
rmSync(workFolder, { recursive: true });
