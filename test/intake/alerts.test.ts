import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  maxListed,
  maxMessageAgeMs,
  openAlertOutbox,
  type AlertOutbox,
  type IntakeAlert,
} from '../../main/intake/serve/alert-outbox.ts';
import {
  gatherSuspects,
  healthAlerts,
  isRipe,
  outageMs,
  overdueAlert,
} from '../../main/intake/serve/find-intake-alerts.ts';
import { webhookBody, webhookSignature } from '../../main/intake/serve/start-alerting.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { asEvent } from '../../tools/evidence/evidence.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { attemptHistories, moved, paidWithoutCallback } from '../../tools/evidence/incomplete-payments.ts';

/** What an intake alerts about, and what it keeps until a message is accepted. */

const day = 86_400_000;
const now = Date.UTC(2026, 10, 26, 12);

let state: string;
let failures: unknown[];
beforeEach(() => {
  state = newFolder('outbox');
  failures = [];
});
const open = (): AlertOutbox => openAlertOutbox(state, thrown => failures.push(thrown));

const alert = (id: string, changes: Partial<IntakeAlert> = {}): IntakeAlert => ({
  id,
  kind: 'paid',
  at: now,
  payment: { profileId: 'live', orderNumber: 'CF-1' },
  amount: null,
  currency: null,
  ...changes,
});

test('an event is in one message, found any number of times and over any restarts', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 5 }),
          next: fc.constantFrom('nothing', 'seal', 'restart'),
        }),
        { maxLength: 15 },
      ),
      steps => {
        rmSync(join(state, 'alerts.json'), { force: true });
        let outbox = open();
        for (const { ids, next } of steps) {
          outbox.add(ids.map(id => alert(id)));
          if (next === 'seal') outbox.seal(now);
          if (next === 'restart') outbox = open();
        }
        outbox.seal(now);
        const sent = outbox.due(now).flatMap(({ alerts }) => alerts.map(({ id }) => id));
        expect(sent.toSorted()).toEqual([...new Set(steps.flatMap(({ ids }) => ids))].toSorted());
      },
    ),
    { numRuns: 60 },
  );
});

test('a message is sent again until it is accepted, with growing pauses and the same id', () => {
  let outbox = open();
  outbox.add([alert('a')]);
  outbox.seal(now);
  const [message] = outbox.due(now);
  const id = message?.id ?? '';
  expect(outbox.failed(id, now)).toBe(false);
  expect(outbox.due(now + 4_000)).toEqual([]);
  outbox = open();
  expect(outbox.due(now + 5_000)).toMatchObject([{ id, attempts: 1 }]);
  outbox.failed(id, now + 5_000);
  expect(outbox.due(now + 30_000)).toEqual([]);
  outbox.accepted(id);
  expect(outbox.due(now + day)).toEqual([]);
});

test('a message that is not accepted for a day is given up', () => {
  const outbox = open();
  outbox.add([alert('a')]);
  outbox.seal(now);
  const id = outbox.due(now)[0]?.id ?? '';
  expect(outbox.failed(id, now + maxMessageAgeMs - 1)).toBe(false);
  expect(outbox.failed(id, now + maxMessageAgeMs)).toBe(true);
  expect(outbox.due(now + 2 * maxMessageAgeMs)).toEqual([]);
});

test('many alerts are one message that lists some and counts the others', () => {
  const outbox = open();
  outbox.add(Array.from({ length: maxListed + 20 }, (_, at) => alert(`x${at}`)));
  outbox.seal(now);
  expect(outbox.due(now)).toMatchObject([{ more: 20 }]);
  expect(outbox.due(now)[0]?.alerts).toHaveLength(maxListed);
});

test('an alert is sent even if its disk cannot be written', () => {
  const outbox = openAlertOutbox(join(state, 'missing'), thrown => failures.push(thrown));
  outbox.add([alert('a')]);
  outbox.seal(now);
  expect(outbox.due(now)).toHaveLength(1);
  expect(failures).toHaveLength(1);
  expect(existsSync(join(state, 'missing'))).toBe(false);
});

test('an order number of any length, or an entry that cannot be read, loses no other alert over a restart', () => {
  const outbox = open();
  outbox.add([alert('a'), alert('x'.repeat(3_000)), alert(`${'x'.repeat(3_000)}y`)], {
    positions: { one: 7 },
  });
  expect(open().read().waiting).toHaveLength(3);
  expect(open().read().positions).toEqual({ one: 7 });
  expect(open().add([alert('a'), alert('x'.repeat(3_000))])).toBe(0);
  const file = join(state, 'alerts.json');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { waiting: unknown[]; known: unknown };
  writeFileSync(file, JSON.stringify({ ...stored, waiting: [{ id: 5 }, ...stored.waiting] }));
  expect(open().read()).toMatchObject({ waiting: stored.waiting, positions: { one: 7 } });
});

test('a damaged outbox begins a new one', () => {
  writeFileSync(join(state, 'alerts.json'), '{"version":1,');
  expect(open().read().messages).toEqual([]);
});

describe('what the health of an intake alerts about', () => {
  const shared = (stateName: 'connected' | 'unreachable', since: number) => ({
    certificateUntil: null,
    shared: {
      state: stateName,
      since: new Date(since).toISOString(),
      problem: null,
      waitingEvents: 0,
      oldestWaitingSeconds: 0,
      keeper: 'off' as const,
      keeperProblem: null,
    },
  });

  test('a shared log that is unreachable for two minutes is one alert for each time', () => {
    expect(healthAlerts(shared('unreachable', now - outageMs + 1), null, now)).toEqual([]);
    expect(healthAlerts(shared('connected', now - day), null, now)).toEqual([]);
    const [first] = healthAlerts(shared('unreachable', now - outageMs), null, now);
    const [later] = healthAlerts(shared('unreachable', now - outageMs), null, now + day);
    expect(first).toMatchObject({ kind: 'shared-log-unreachable', at: now - outageMs });
    expect(later?.id).toBe(first?.id);
  });

  test('a certificate is an alert 14 and 3 days before its end', () => {
    const ids = [15, 14, 5, 3, 1].map(days => {
      const certificateUntil = new Date(now + 20 * day).toISOString();
      return healthAlerts({ shared: null, certificateUntil }, null, now + (20 - days) * day)[0]?.id;
    });
    expect(ids[0]).toBeUndefined();
    expect(new Set(ids.slice(1)).size).toBe(2);
    expect([ids[1], ids[3]]).toEqual([ids[2], ids[4]]);
  });

  test('callbacks that are not accepted are an alert', () => {
    const found = healthAlerts({ shared: null, certificateUntil: null }, now - 5, now);
    expect(found).toMatchObject([{ kind: 'receiver-unreachable', at: now - 5 }]);
  });
});

const events = (drafts: readonly EventDraft[]) => moved(drafts, 'live', 'A-1').map(asEvent);

test('a payment that only a status check reports as paid or returned has an overdue callback', () => {
  expect(overdueAlert(events(paidWithoutCallback), Date.now())).toMatchObject({
    kind: 'callbacks-overdue',
    payment: { profileId: 'live', orderNumber: 'A-1' },
  });
  expect(overdueAlert(events(attemptHistories['returned-without-callback']), Date.now())).not.toBeNull();
  for (const cause of ['paid-without-look-up', 'chargeback', 'no-outcome-yet'] as const)
    expect(overdueAlert(events(attemptHistories[cause]), Date.now())).toBeNull();
  expect(overdueAlert([], now)).toBeNull();
});

test('a payment that is checked again and again is alerted about as soon as after one check', () => {
  const first = { profileId: 'live', orderNumber: 'A-1', at: now };
  const again = { ...first, at: now + 100_000 };
  expect(gatherSuspects(gatherSuspects([], [first]), [again])).toEqual([first]);
});

test('a status check of just now may be followed by its callback', () => {
  const suspect = { profileId: 'live', orderNumber: 'A-1', at: now };
  expect([isRipe(suspect, now + 60_000), isRipe(suspect, now + 180_000)]).toEqual([false, true]);
});

const message = {
  id: '3f0c5a52-6f43-4bb0-9a3e-0a6f2f0d7a11',
  createdAt: now,
  alerts: [
    alert('paid live CF-1', { amount: '80.00', currency: 'EUR' }),
    alert('certificate', { kind: 'certificate-expiring', payment: null }),
  ],
  more: 3,
  attempts: 0,
  nextAt: now,
};

test('the body of a webhook has the documented form', () => {
  expect(JSON.parse(webhookBody(message, 'intake-1'))).toEqual({
    version: 1,
    id: message.id,
    createdAt: '2026-11-26T12:00:00.000Z',
    intake: 'intake-1',
    alerts: [
      {
        id: 'paid live CF-1',
        kind: 'paid',
        at: '2026-11-26T12:00:00.000Z',
        profile: 'live',
        order: 'CF-1',
        amount: '80.00',
        currency: 'EUR',
      },
      {
        id: 'certificate',
        kind: 'certificate-expiring',
        at: '2026-11-26T12:00:00.000Z',
        profile: null,
        order: null,
      },
    ],
    more: 3,
  });
});

test('the signature of a webhook covers its time and body', () => {
  const expected = createHmac('sha256', 'key').update('1764158400.{}').digest('hex');
  expect(webhookSignature('key', '{}', 1_764_158_400)).toBe(`t=1764158400,v1=${expected}`);
});
