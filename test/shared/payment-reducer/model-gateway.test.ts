import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../tools/app-harness/runs.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import { isOperationOpen } from '../../../shared/operations/operation-kinds.ts';
import { balanceOf, isBookedMovement, isOpenMovement } from '../../../shared/payments/balance.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Movement } from '../../../shared/payments/movement.ts';
import type { FlagKind, MovementKind } from '../../../shared/payments/payment-kinds.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { draft, payer } from '../../../tools/evidence/evidence.ts';
import { dealings, play, text, type Deal, type World } from '../../../tools/evidence/model-gateway.ts';
import { reduce } from '../../../tools/evidence/reduced.ts';

/** What the console believes beside what is true at a gateway that loses, repeats and delays what it sends. */

/** What is compared. A status "refund" also proves a cancellation, so that the two are one. */
const sums: Readonly<Record<string, readonly MovementKind[]>> = {
  paid: ['paid'],
  returned: ['refund', 'void'],
  disputed: ['chargeback'],
};
const kinds = Object.values(sums);

/** Flags that say nothing about money. */
const harmless: readonly FlagKind[] = [
  'duplicate-delivery',
  'outside-interface',
  'contradicts-interface',
  'returned-without-callback',
];
const isFlagged = ({ flags }: Payment): boolean => flags.some(({ kind }) => !harmless.includes(kind));

/** Net of a kind in the books, minor units. */
const booked = ({ entries }: Payment, of: readonly MovementKind[]): number =>
  entries
    .filter(({ kind }) => of.includes(kind))
    .reduce(
      (sum, { amount, isCounter }) =>
        sum + (isCounter ? -1 : 1) * Number((exactAmount(amount) ?? 0n) / 10_000n),
      0,
    );
const truth = ({ paid, deals }: World, of: readonly MovementKind[]): number =>
  of.includes('paid')
    ? paid
    : deals.reduce((sum, { kind, isDone, amount }) => sum + (isDone && of.includes(kind) ? amount : 0), 0);

const isUnknownSize = (one: Movement): boolean => isBookedMovement(one) && one.amount === null;

/** Whether the payment says that it does not know all about money of a kind. */
const isDoubtful = (payment: Payment, kinds: readonly MovementKind[]): boolean =>
  isFlagged(payment) ||
  payment.movements.some(
    one => kinds.includes(one.kind) && (isOpenMovement(one) || one.fate === 'reported' || isUnknownSize(one)),
  );

/** Whether nothing reported it to the console: made or taken back elsewhere, its callback lost, and no status shows it. */
const isSilent = (
  { finalStatus }: World,
  { isReported, isDone, isExpected, isTakenBack, isWhole }: Deal,
): boolean => {
  if (isReported) return false;
  if (isTakenBack) return !isWhole || finalStatus !== 'settled';
  return (
    !isExpected &&
    isDone &&
    finalStatus !== 'refund' &&
    !(isWhole && finalStatus !== 'settled' && finalStatus !== 'chargeback')
  );
};

/**
 * Whether the callback of another refund passes for that of a part of ours, whose own is lost: neither has an id, and
 * only amounts tell them apart, where callbacks name them.
 */
const isMistakable = ({ deals, namesRefunded, paid }: World): boolean =>
  deals.some(
    ours =>
      ours.intent !== null &&
      !ours.isReported &&
      ours.amount !== paid &&
      deals.some(
        one =>
          one !== ours &&
          one.kind === ours.kind &&
          one.isHeard &&
          (!namesRefunded || one.amount === ours.amount),
      ),
  );

const statesOf = ({ operations }: Payment) => new Map(operations.map(({ intent, state }) => [intent, state]));

const holds = (statement: (world: World, payment: Payment) => void): void =>
  fc.assert(
    fc.property(dealings, of => {
      const world = play(of);
      statement(world, reduce(...world.drafts));
    }),
    { numRuns: runs(300) },
  );

test('books that differ from what is true carry a flag, or a movement that is not proven, unless nothing reported it', () => {
  holds((world, payment) => {
    if (isMistakable(world) || world.deals.some(one => isSilent(world, one))) return;
    // A payment that nothing reported as paid before it was cancelled as a whole is in no book, neither paid nor cancelled.
    if (
      payment.entries.length === 0 &&
      world.finalStatus !== 'settled' &&
      truth(world, ['refund', 'void', 'chargeback']) === world.paid
    )
      return;
    const wrong = kinds.filter(kind => booked(payment, kind) !== truth(world, kind));
    expect(wrong.filter(kind => !isDoubtful(payment, kind))).toEqual([]);
  });
});

test('no whole refund and no cancellation is shown as done or failed against the truth without a flag, once a look-up can tell', () => {
  holds((world, payment) => {
    if (!world.looksAgain || isFlagged(payment) || world.deals.some(one => isSilent(world, one))) return;
    const states = statesOf(payment);
    const wrong = world.deals.filter(({ intent, isDone, amount }) => {
      const state = intent === null ? undefined : states.get(intent);
      // Of two equal ones of the same moment no evidence shows which was carried out.
      const isAlone = !world.deals.some(
        one => one.intent !== intent && (one.amount === amount || one.isWhole),
      );
      return amount === world.paid && isAlone && state === (isDone ? 'failed' : 'done');
    });
    expect(wrong).toEqual([]);
  });
});

/** What a person records from the dashboard about everything that is not known. */
const recorded = (world: World, payment: Payment): EventDraft[] =>
  payment.movements
    .filter(one => one.kind !== 'paid' && (isOpenMovement(one) || isUnknownSize(one)))
    .map(({ id, kind, amount, intent, paymentId }, index) => {
      const deal = world.deals.find(one => one.intent !== null && one.intent === intent);
      return draft(
        'movement.recorded',
        world.until + index,
        {
          movement: id,
          kind: kind === 'paid' ? 'refund' : kind,
          outcome: deal && !deal.isDone ? 'not-carried-out' : 'carried-out',
          amount: amount ?? text(deal?.amount ?? 1_000),
          day: '2026-10-20',
          text: '',
          undoes: null,
        },
        { paymentId },
      );
    });

test('all that is not known is ended by what a person records from the dashboard', () => {
  holds((world, before) => {
    const after = reduce(...world.drafts, ...recorded(world, before));
    expect(after.operations.filter(isOperationOpen)).toEqual([]);
    expect(after.movements.filter(isOpenMovement)).toEqual([]);
    expect(after.movements.filter(isUnknownSize)).toEqual([]);
    expect(after.pendingSince).toBeNull();
  });
});

test('the sum of the entries is the balance', () => {
  holds((_, payment) => {
    const { paid, returned } = balanceOf(payment, payer);
    const back = booked(payment, ['refund', 'void', 'chargeback']);
    expect([exactAmount(paid ?? '0'), exactAmount(returned ?? '0')]).toEqual(
      [booked(payment, ['paid']), back].map(minor => BigInt(minor) * 10_000n),
    );
  });
});
