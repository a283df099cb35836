import { expect, test } from 'vitest';
import { assess } from '../../main/status/assess.ts';
import { statusFactsSchema } from '../../main/status/status-facts.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const level = {
  isConnected: true,
  isLevel: true,
  levelAt: now,
  progress: { done: 9, total: 9 },
  problem: null,
};

const factsWith = (changes: object) =>
  statusFactsSchema.parse({
    version: '0.1.0',
    at: now,
    pid: null,
    startedAt: null,
    paymentLog: { problem: null, bytes: null, payments: 0, isRecordedAhead: false },
    verification: null,
    dailyTaskProblem: null,
    backup: null,
    receiver: {
      isEnabled: false,
      isListening: false,
      problem: null,
      lastCallbackAt: null,
      lastRefusal: null,
      isQuarantineFull: false,
      certificateUntil: null,
    },
    profiles: [],
    keychain: 'unknown',
    settings: { problem: null, unreadParts: 0 },
    policy: { state: 'none', problems: [] },
    freeBytes: null,
    encryption: { disk: 'on', isRequired: false },
    ...changes,
  });

const sharedLogWith = (others: object | null) => {
  const facts = factsWith({
    sharedLog: {
      state: 'connected',
      since: now,
      problem: null,
      waiting: 0,
      oldestWaitingAt: null,
      brokenChains: 0,
      others,
    },
  });
  return assess(facts, true).checks.find(({ name }) => name === 'shared-log');
};

test.each([
  ['level', level, 'good', 'health.shared-log.good'],
  [
    'behind for seconds',
    { ...level, isLevel: false, levelAt: now - 5_000 },
    'good',
    'health.shared-log.good',
  ],
  [
    'refused its connection, while events are still sent',
    { ...level, isConnected: false, isLevel: false, levelAt: now - 300_000, problem: 'log.denied' },
    'attention',
    'team.others.until',
  ],
  [
    'behind by thousands',
    { ...level, isLevel: false, levelAt: now - 300_000, progress: { done: 9, total: 9_000 } },
    'attention',
    'team.others.copying',
  ],
  [
    'never level',
    { ...level, isConnected: false, isLevel: false, levelAt: null },
    'attention',
    'team.others.none',
  ],
])('Health says of a list of the team’s payments that is %s', (_, others, state, key) => {
  const check = sharedLogWith(others);
  expect(check).toMatchObject({ state, finding: { key } });
  if ('problem' in others && others.problem !== null) expect(check?.todo).not.toBeNull();
});

test.each([
  ['place', { unsafePlace: { kind: 'network', name: 'cifs' } }, 'health.place.network'],
  ['place', { unsafePlace: { kind: 'synchronised', name: 'OneDrive' } }, 'health.place.synchronised'],
  ['sandbox', { isSandboxed: false }, 'health.sandbox.off'],
  ['policy', { policy: { state: 'applied', problems: [], withoutPin: 2 } }, 'health.policy.no-first-pin'],
])('health names what is wrong: %s', (name, changes, key) => {
  const checkOf = (facts: object) => assess(factsWith(facts), true).checks.find(one => one.name === name);
  expect(checkOf(changes)).toMatchObject({ state: 'attention', finding: { key } });
  expect(checkOf({})?.state ?? 'good').toBe('good');
});
