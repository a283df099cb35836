import { describe, expect, test } from 'vitest';
import { createStore } from '../../main/intake/serve/store.ts';
import type { Shipping } from '../../main/team/ship.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import { msg } from '../../shared/messages/message.ts';
import { hashed, signedText } from '../../tools/evidence/sign-callback.ts';

/** When a callback is acknowledged: in the shared log, or on this disk, or not at all. */

const fields = (hash?: string): [string, string][] => {
  const signed: [string, string][] = [
    ['id', 'p-1'],
    ['order_number', 'A-1'],
    ['order_amount', '1.00'],
    ['order_currency', 'EUR'],
    ['order_description', 'x'],
  ];
  return [...signed, ['hash', hash ?? hashed(`${signedText(signed)}secret`)]];
};

const setUp = (given: {
  shipping?: Partial<Shipping> & { isConnected?: boolean };
  strict?: boolean;
  journal?: 'full' | 'repeats';
  isLimited?: boolean;
}) => {
  const calls: [number, number][] = [];
  const counted: string[] = [];
  const { shipping } = given;
  const append = async (drafts: readonly EventDraft[]): Promise<Result<never>> =>
    given.journal === 'full'
      ? fail('log.full', msg('payment-log.full'))
      : (ok({
          events:
            given.journal === 'repeats'
              ? []
              : drafts.map((draft): Event => ({
                  ...draft,
                  recordedAt: 1,
                  writer: 'w',
                  writerSeq: 7,
                })),
          duplicates: [false],
        }) as unknown as Result<never>);
  const store = createStore({
    config: {
      profiles: [
        {
          id: 'live',
          name: 'Shop',
          callbackPath: '/x',
          password: null,
          gateway: null,
          digest: 'md5',
          refundAmountInCallback: 'order',
        },
      ],
      acknowledgeWithinMs: 1_000,
      strict: given.strict ?? false,
    },
    passwords: () => new Map([['live', 'secret']]),
    journal: { append },
    chainEnd: () => 9,
    quarantine: {
      admits: () => false,
      countRejected: () => undefined,
      release: () => undefined,
      resetQuarantine: () => undefined,
      state: () => {
        throw new Error('unused');
      },
      close: () => undefined,
    },
    shipping: shipping
      ? {
          standing: () => ({
            state: (shipping.isConnected ?? true) ? 'connected' : 'unreachable',
            since: 0,
            unshipped: { events: 0, oldest: null },
            problem: null,
          }),
          shipped: async (writerSeq, milliseconds) => {
            calls.push([writerSeq, milliseconds]);
            return (await shipping.shipped?.(writerSeq, milliseconds)) ?? true;
          },
        }
      : null,
    metrics: {
      countAnswer: (profile, verdict, kept) => counted.push(`${profile} ${verdict} ${kept}`),
      countCommit: () => undefined,
    },
    addressLimits: { take: () => given.isLimited !== true },
  });
  const deliver = (hash?: string) =>
    store({ profileId: 'live', fields: fields(hash), form: 'urlencoded', arrivedAt: 1, sender: '192.0.2.1' });
  return { deliver, calls, counted };
};

const late = { shipped: async () => false };
const away = { isConnected: false };

describe('a verified callback', () => {
  test.each<[string, Parameters<typeof setUp>[0], 'log.unavailable' | 'log.full' | null, number[][], string]>(
    [
      [
        'acknowledged from the shared log when that has it in time',
        { shipping: {} },
        null,
        [[7, 1_000]],
        'shared',
      ],
      [
        'acknowledged from the journal when the shared log takes too long',
        { shipping: late },
        null,
        [[7, 1_000]],
        'journal',
      ],
      [
        'acknowledged at once while the shared log is known to be unreachable',
        { shipping: away },
        null,
        [],
        'journal',
      ],
      [
        'acknowledged by a strict intake when the shared log has it',
        { shipping: {}, strict: true },
        null,
        [[7, 1_000]],
        'shared',
      ],
      [
        'refused by a strict intake while the shared log is away',
        { shipping: away, strict: true },
        'log.unavailable',
        [],
        'refused',
      ],
      [
        'refused by a strict intake when the shared log takes too long',
        { shipping: late, strict: true },
        'log.unavailable',
        [[7, 1_000]],
        'refused',
      ],
      ['acknowledged from the journal without a database', {}, null, [], 'journal'],
      [
        'refused when the journal cannot be written',
        { shipping: {}, journal: 'full' },
        'log.full',
        [],
        'refused',
      ],
      [
        'acknowledged after the earlier ones if it adds no event',
        { shipping: {}, journal: 'repeats' },
        null,
        [[9, 1_000]],
        'shared',
      ],
    ],
  )('a verified callback is %s', async (_, given, code, waited, kept) => {
    const { deliver, calls, counted } = setUp(given);
    expect(await deliver()).toMatchObject(code === null ? ok({ verified: true }) : { error: { code } });
    expect([calls, counted]).toEqual([waited, [`live verified ${kept}`]]);
  });

  test('a verified callback is stored from a sender of too many others, which are refused', async () => {
    const { deliver, counted } = setUp({ isLimited: true });
    expect(await deliver()).toEqual(ok({ verified: true }));
    expect(await deliver('0'.repeat(40))).toMatchObject({ ok: false });
    expect(counted).toEqual(['live verified journal', 'live invalid refused']);
  });
});

test('an unverified callback is refused by a full quarantine', async () => {
  const { deliver, counted } = setUp({ shipping: {} });
  expect(await deliver('0'.repeat(40))).toMatchObject({ error: { code: 'receiver.quarantine-full' } });
  expect(counted).toEqual(['live invalid refused']);
});
