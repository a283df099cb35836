import { exactAmount, exactText } from '../../money/wire-amount.ts';
import type { OfferedKind, OperationState } from '../../operations/operation-kinds.ts';
import type { Operation } from '../../operations/operation.ts';
import type { EventOf } from '../../payments/evidence.ts';
import type { Entry, Movement } from '../../payments/movement.ts';
import { bookedFates, movementKinds, openFates, type MovementKind } from '../../payments/payment-kinds.ts';

/** What a request after the payment adds to its movement. */
export type RequestOf = {
  event: EventOf<'operation.requested'>;
  state: OperationState;
  provenBy: Operation['provenBy'];
  message: string | null;
};

/** Whether a kind is one of movements: a collection or a retry makes a payment paid and is not a movement. */
export const isMoney = (kind: Draft['kind']): kind is MovementKind => movementKinds.some(one => one === kind);

/** A movement while its evidence is read, or another operation. */
export type Draft = Omit<Movement, 'kind'> & {
  kind: MovementKind | OfferedKind;
  exact: bigint | null;
  request: RequestOf | null;
  /** The transactions that it was reported under. */
  keys: Set<string>;
  /** Whether it leaves nothing, as far as that was known when it was requested or reported. */
  isWhole: boolean;
  /** What only was held goes back without an entry in the books. */
  isTaken: boolean;
  /** The chain and the time of the evidence that began it. */
  begun: { writer: string; at: number };
  /** When a callback said that it was carried out; null if none did. */
  reportedAt: number | null;
  /** Our requests of different amounts of which callbacks ended some, and nothing says which. */
  group: { members: Draft[]; unassigned: Draft[]; failed: number } | null;
  /** What the books say of it, and since when; null if it is not in them. */
  booked: { amount: string | null; at: number } | null;
};

export const isOpen = ({ fate }: Pick<Draft, 'fate'>): boolean => openFates.includes(fate);
/** Whether a callback said that it is being processed, and none how it ended. */
export const isWaiting = (one: Pick<Draft, 'fate' | 'keys'>): boolean => isOpen(one) && one.keys.size > 0;
export const isBooked = ({ booked }: Pick<Draft, 'booked'>): boolean => booked !== null;
/** Whether it is reported or proven, also where nothing was taken. */
export const stands = ({ fate, kind }: Pick<Draft, 'fate' | 'kind'>): boolean =>
  bookedFates.includes(fate) && isMoney(kind);
/** Whether money goes back with it. */
export const isReturn = ({ kind }: Pick<Draft, 'kind'>): boolean =>
  kind === 'refund' || kind === 'void' || kind === 'chargeback';

/** What a new movement has to name. */
export type NewMovement = Pick<Draft, 'kind' | 'amount' | 'at' | 'fate' | 'origin'> & {
  event: string;
  writer: string;
} & Partial<
    Pick<Draft, 'currency' | 'request' | 'isWhole' | 'isTaken' | 'reportedAt' | 'recordedBy' | 'reason'>
  > &
  Partial<Pick<Draft, 'rrn' | 'approvalCode' | 'statedDate'>>;

/**
 * The movements of one payment id and its entries in the books. Every change goes through `change`, which appends what
 * the books lack: an entry when money is first known to have moved, a counter-entry when it is known that it did not,
 * both when its amount becomes another one. So nothing that later evidence says changes an earlier entry.
 */
export const createBook = (paymentId: string) => {
  const movements: Draft[] = [];
  const entries: Entry[] = [];

  const enter = (movement: Draft, at: number, amount: string | null, isCounter: boolean): void => {
    const { kind, currency, rrn, approvalCode, statedDate } = movement;
    if (!isMoney(kind)) return;
    entries.push({ kind, at, amount, currency, isCounter, paymentId, rrn, approvalCode, statedDate });
  };

  const keepBooks = (movement: Draft, at: number): void => {
    const { booked, amount } = movement;
    const isDue = stands(movement) && movement.isTaken;
    if (booked && isDue && booked.amount === amount) return;
    if (booked) enter(movement, at, booked.amount, true);
    if (isDue) enter(movement, at, amount, false);
    movement.booked = isDue ? { amount, at: booked?.at ?? at } : null;
  };

  const change = (
    movement: Draft,
    { event, at, ...changes }: { event: string; at: number } & Partial<Omit<Draft, 'at' | 'exact'>>,
  ): void => {
    const { fate } = movement;
    Object.assign(movement, changes);
    // What went wrong before is no reason of what was carried out.
    if (movement.fate === 'proven' && movement.kind !== 'chargeback') movement.reason = null;
    movement.exact = exactAmount(movement.amount);
    if (movement.fate !== fate) movement.since = at;
    if (!movement.events.includes(event)) movement.events.push(event);
    keepBooks(movement, at);
  };

  const add = ({ event, writer, ...given }: NewMovement): Draft => {
    const paid = paidDraft();
    const movement: Draft = {
      id: `${event}:${given.kind}`,
      currency: paid?.currency ?? null,
      since: given.at,
      paymentId,
      intent: null,
      recordedBy: null,
      reason: null,
      rrn: paid?.rrn ?? null,
      approvalCode: paid?.approvalCode ?? null,
      statedDate: null,
      events: [event],
      request: null,
      keys: new Set(),
      isWhole: false,
      isTaken: true,
      reportedAt: null,
      ...given,
      exact: exactAmount(given.amount),
      begun: { writer, at: given.at },
      group: null,
      booked: null,
    };
    movements.push(movement);
    keepBooks(movement, given.at);
    return movement;
  };

  const paidDraft = (): Draft | null => movements.find(one => one.kind === 'paid' && isBooked(one)) ?? null;

  /** What went back of it, in millionths, and whether something of unknown size did. */
  const returned = (except: Draft | null = null): { sum: bigint; isUnknown: boolean } => {
    let sum = 0n;
    let isUnknown = false;
    for (const one of movements) {
      if (one === except || !isReturn(one) || !isBooked(one)) continue;
      if (one.exact === null) isUnknown = true;
      else sum += one.exact;
    }
    return { sum, isUnknown };
  };

  /** What is left of the paid amount, in millionths, negative if more went back; null if that is not known. */
  const left = (except: Draft | null = null): bigint | null => {
    const whole = paidDraft()?.exact ?? null;
    const { sum, isUnknown } = returned(except);
    return whole === null || isUnknown ? null : whole - sum;
  };

  /** `left` as an amount with the digits of the payment; null unless something is known to be left. */
  const leftAmount = (except: Draft | null = null): string | null => {
    const rest = left(except);
    if (rest === null || rest <= 0n) return null;
    const paid = paidDraft();
    return paid && paid.exact === rest ? paid.amount : exactText(rest);
  };

  return { movements, entries, add, change, paid: paidDraft, returned, left, leftAmount };
};

export type Book = ReturnType<typeof createBook>;

/** A draft as the payment shows it; null for a capture or a retry, which is the payment itself. */
export const movementOf = ({
  kind,
  id,
  amount,
  currency,
  at,
  fate,
  since,
  origin,
  paymentId,
  intent,
  recordedBy,
  reason,
  rrn,
  approvalCode,
  statedDate,
  events,
}: Draft): Movement | null =>
  !isMoney(kind)
    ? null
    : {
        id,
        kind,
        amount,
        currency,
        at,
        fate,
        since,
        origin,
        paymentId,
        intent,
        recordedBy,
        reason,
        rrn,
        approvalCode,
        statedDate,
        events,
      };
