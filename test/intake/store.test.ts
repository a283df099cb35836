import { describe, expect, test } from 'vitest';
import { createStore } from '../../main/intake/serve/store.ts';
import type { Shipping } from '../../main/team/ship.ts';
import { fail, ok, type Result } from '../../shared/errors.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import { msg } from '../../shared/messages/message.ts';
import { signed } from '../../tools/evidence/sign-callback.ts';
import { tableOf } from '../../tools/app-harness/table.ts';

/** When a callback is acknowledged: in the shared log, or on this disk, or not at all. */

const fields = Object.entries({
  id: 'p-1',
  order_number: 'A-1',
  order_amount: '1.00',
  order_currency: 'EUR',
  order_description: 'x',
});

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
  const deliver = (password = 'secret') => {
    const given = { fields: signed(fields, password), form: 'urlencoded' } as const;
    return store({ profileId: 'live', ...given, arrivedAt: 1, sender: '192.0.2.1' });
  };
  return { deliver, calls, counted };
};

const givens: Record<string, Parameters<typeof setUp>[0]> = {
  shared: { shipping: {} },
  late: { shipping: { shipped: async () => false } },
  away: { shipping: { isConnected: false } },
  strict: { strict: true },
  full: { journal: 'full' },
  repeats: { journal: 'repeats' },
};

describe('a verified callback', () => {
  test.each(
    tableOf(`
    acknowledged from the shared log when that has it in time | shared | | 7 | shared
    acknowledged from the journal when the shared log takes too long | late | | 7 | journal
    acknowledged at once while the shared log is known to be unreachable | away | | | journal
    acknowledged by a strict intake when the shared log has it | shared strict | | 7 | shared
    refused by a strict intake while the shared log is away | away strict | log.unavailable | | refused
    refused by a strict intake when the shared log takes too long | late strict | log.unavailable | 7 | refused
    acknowledged from the journal without a database | | | | journal
    refused when the journal cannot be written | shared full | log.full | | refused
    acknowledged after the earlier ones if it adds no event | shared repeats | | 9 | shared`),
  )('a verified callback is %s', async (_, given = '', code, waited, kept) => {
    const { deliver, calls, counted } = setUp(
      Object.assign({}, ...given.split(' ').map(word => givens[word])),
    );
    expect(await deliver()).toMatchObject(code === '' ? ok({ verified: true }) : { error: { code } });
    const waits = waited === '' ? [] : [[Number(waited), 1_000]];
    expect([calls, counted]).toEqual([waits, [`live verified ${kept}`]]);
  });

  test('a verified callback is stored from a sender of too many others, which are refused', async () => {
    const { deliver, counted } = setUp({ isLimited: true });
    expect(await deliver()).toEqual(ok({ verified: true }));
    expect(await deliver('another')).toMatchObject({ ok: false });
    expect(counted).toEqual(['live verified journal', 'live invalid refused']);
  });
});

test('an unverified callback is refused by a full quarantine', async () => {
  const { deliver, counted } = setUp({ shipping: {} });
  expect(await deliver('another')).toMatchObject({ error: { code: 'receiver.quarantine-full' } });
  expect(counted).toEqual(['live invalid refused']);
});
