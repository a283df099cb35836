import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LookUpAnswer, runBulkLookUp } from '../../../main/app/payments/payments-feature.ts';
import { createLookUpQueue } from '../../../main/look-ups/look-up-queue.ts';
import { type ErrorCode, fail } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/messages/message.ts';
import type { BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';
import { checkBaseUrl } from '../../../main/gateway/base-url.ts';
import { sessionOutcome } from '../../../main/gateway/session-outcome.ts';
import { profileProblems, withoutUnseenAt } from '../../../main/gateway/profile-problems.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { withoutUnseen } from '../../../shared/plain-text.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { secureProfile } from '../../gateway/gateway-server.ts';

/** A bulk look-up in the queue: what a person sees and decides. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const orders = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ profileId: 'shop', orderNumber: `CF-${index}` }));
const failed = (code: ErrorCode, httpStatus?: number): LookUpAnswer => ({
  outcome: 'failed',
  error: fail(code, quoted(code), httpStatus === undefined ? {} : { details: { httpStatus } }).error,
});
const unchanged: LookUpAnswer = { outcome: 'unchanged' };
const minute = 60_000;

/** A bulk look-up with answers by index. */
const startJob = (count: number, answer: (index: number) => LookUpAnswer) => {
  const queue = createLookUpQueue(() => Date.now());
  const requested: string[] = [];
  const emitted: BulkLookUp[] = [];
  const start = () =>
    runBulkLookUp(orders(count), {
      queue,
      lookUp: async order => answer(requested.push(order.orderNumber) - 1),
      emit: state => emitted.push(state),
    });
  return { job: start(), start, requested, emitted };
};

test('every payment is looked up once by a bulk look-up', async () => {
  const { job, requested, emitted } = startJob(120, () => unchanged);
  await vi.advanceTimersByTimeAsync(minute);
  expect(requested).toEqual(orders(120).map(order => order.orderNumber));
  expect(job.state()).toMatchObject({ phase: 'over', total: 120, done: 120, problem: null });
  expect(emitted).toHaveLength(120);
});

test.each([
  ['reports too many requests', 'gateway.refused', 429, 2],
  ['cannot be reached three times in a row', 'gateway.unreachable', undefined, 4],
  ['refuses five signatures in a row', 'gateway.signature-refused', 400, 6],
  ['has no password', 'profile.password-missing', undefined, 2],
] as const)(
  'bulk look-up pauses automatically if the gateway %s',
  async (_says, code, httpStatus, maxRequests) => {
    const { job, requested } = startJob(50, () => failed(code, httpStatus));
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(job.state()).toMatchObject({ phase: 'paused', problem: { code } });
    expect(requested.length).toBeLessThanOrEqual(maxRequests);
  },
);

test('after a pause the user can continue bulk look-up at once, and the remaining payments are looked up', async () => {
  let isReachable = false;
  const { job, requested } = startJob(12, () => (isReachable ? unchanged : failed('gateway.timeout')));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(job.state().phase).toBe('paused');
  isReachable = true;
  job.resume();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requested).toHaveLength(12);
  expect(job.state()).toMatchObject({ phase: 'over', done: 12, problem: null });
});

test('failures of single payments do not pause bulk look-up', async () => {
  const { job } = startJob(30, () => failed('input.invalid'));
  await vi.advanceTimersByTimeAsync(minute);
  expect(job.state()).toMatchObject({ phase: 'over', done: 30, outcomes: { failed: 30 } });
});

test('after the user pauses bulk look-up there is no look-up; after a stop it cannot continue, and another one can start', async () => {
  const { job, start, requested } = startJob(40, () => unchanged);
  await vi.advanceTimersByTimeAsync(1_000);
  job.pause();
  const before = requested.length;
  expect(before).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(minute);
  expect(requested).toHaveLength(before);
  job.resume();
  job.stop();
  job.resume();
  const other = start();
  await vi.advanceTimersByTimeAsync(minute);
  expect(job.state()).toMatchObject({ phase: 'over', problem: null });
  expect(job.state().done).toBeLessThanOrEqual(before + 2);
  expect(other.state()).toMatchObject({ phase: 'over', done: 40 });
});

/** What copying brings into a field: it is taken off, or named. */

const zeroWidth = '\u200B';

test.each([
  [`CF-1${zeroWidth}`, 'CF-1'],
  ['\u200FCF-1\u200E', 'CF-1'],
  ['\uFEFF anna@example.com\u00A0', 'anna@example.com'],
  ['\u202A+49 170 1234567\u202C', '+49 170 1234567'],
])('invisible characters around a number or address are taken off: %j is %s', (pasted, read) => {
  expect(withoutUnseen(pasted)).toBe(read);
});

test.each([
  'mailto:anna@example.com',
  'Anna<anna@example.com>',
  'anna@example,com',
  `anna${zeroWidth}@example.com`,
  'anna@example.com; bob@example.com',
])('%j is no email address', text => {
  expect(isEmailAddress(text)).toBe(false);
});

test('an invisible character in a merchant key or password is named, and so is a blank at its end', () => {
  const key = (merchantKey: string) => inWords(profileProblems({ ...secureProfile(443, {}), merchantKey }));
  expect(key(`b8e5${zeroWidth}`)).toEqual([
    {
      path: 'merchantKey',
      message: 'It contains an invisible character (U+200B). Copy it again without, or type it.',
    },
  ]);
  expect(inWords(withoutUnseenAt('password', 'correct horse '))).toEqual([
    { path: 'password', message: 'It begins or ends with a blank. Leave it out.' },
  ]);
  expect(withoutUnseenAt('password', 'correct horse')).toEqual([]);
});

test.each(['https://pay.example/api/v1/session', 'https://pay.example/x/api/v1/payment/status'])(
  'the address of a request is no base address, and the part to leave out is named: %s',
  baseUrl => {
    const checked = checkBaseUrl({ kind: 'live', baseUrl });
    expect(checked.ok ? '' : inWords(checked.error).hint).toContain('/api/v1');
  },
);

test('a line break after the link of an accepted session is no part of it', () => {
  const body = Buffer.from(JSON.stringify({ redirect_url: 'https://pay.example/x\r\n' }));
  const received = { httpStatus: 200, contentType: null, location: null, date: null, retryAfter: null, body };
  expect(sessionOutcome(received, secureProfile(443, {}), 'https://pay.example', text => text)).toMatchObject(
    {
      kind: 'accepted',
      link: 'https://pay.example/x',
    },
  );
});
