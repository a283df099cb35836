import { expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { evidenceOf } from '../../../main/payment-log/sqlite/list/merged-evidence.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import { createRecentActivityReader } from '../../../main/payment-log/sqlite/query/reader.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import {
  operationAnswered,
  operationRequested,
  operationUnanswered,
} from '../../../tools/evidence/operation-evidence.ts';
import {
  accepted,
  callback,
  invalid,
  lookUp,
  refusedSession,
  requested,
  verified,
} from '../../../tools/evidence/evidence.ts';

/** Whether the gateway works for a profile, by what the log has of it. */

const used = useLog('test', { isClosed: true });

/** Runs `read` and returns how many bodies of events were decoded, by how often their text was parsed. */
const parsed = (read: () => void): number => {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (...args: Parameters<typeof parse>): unknown => {
    count += 1;
    return parse(...args) as unknown;
  };
  try {
    read();
  } finally {
    JSON.parse = parse;
  }
  return count;
};

test('the latest events of a profile are found without reading those before them', async () => {
  const many = Array.from({ length: 600 }, (_, index): EventDraft[] => {
    const frame = { orderNumber: `A-${index}` };
    return [
      requested(index, { idempotencyKey: crypto.randomUUID() }, frame),
      accepted(index, {}, frame),
      callback(index, 'sale', 'success', { id: `c-${index}` }, verified, frame),
      lookUp(index, 'settled', {}, frame),
    ];
  });
  await writeClosedLog(used.folder.file, [
    requested(0, { idempotencyKey: crypto.randomUUID() }),
    refusedSession(0),
    callback(0, 'sale', 'success', { custom: '{"verdict":"verified"}' }, invalid),
    ...many.flat(),
  ]);
  const opened = openForReading(used.folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const reader = createRecentActivityReader(evidenceOf(opened.value, null, 'own'));
  let found = reader.recentGatewayActivity('sandbox');
  const count = parsed(() => {
    found = reader.recentGatewayActivity('sandbox');
    expect(reader.hasCallbacks('sandbox')).toBe(true);
    expect(reader.hasCallbacks('unknown')).toBe(false);
  });
  expect(found).toMatchObject({
    lastSuccess: { orderNumber: 'A-599', kind: 'status.observed' },
    lastLookUp: { orderNumber: 'A-599', kind: 'status.observed' },
    lastFailure: { orderNumber: 'CF-1001', kind: 'session.refused' },
    verified: { orderNumber: 'A-599' },
    invalid: { orderNumber: 'CF-1001' },
    scanned: 2_403,
  });
  expect(count).toBeLessThan(40);
  opened.value.close();
});

test('a refund whose answer was lost is the last failed request, until another one is answered', async () => {
  const other = crypto.randomUUID();
  const lost = [operationRequested(2), operationUnanswered(3)];
  await writeClosedLog(used.folder.file, [
    requested(0),
    accepted(1),
    ...lost,
    operationRequested(4, { intent: other }),
    operationAnswered(5, {}, other),
  ]);
  const opened = openForReading(used.folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const reader = createRecentActivityReader(evidenceOf(opened.value, null, 'own'));
  expect(reader.recentGatewayActivity('sandbox')).toMatchObject({
    lastSuccess: { kind: 'operation.answered' },
    lastLookUp: null,
    lastFailure: { kind: 'operation.unanswered' },
  });
  opened.value.close();
});
