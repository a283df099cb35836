import { matchRules, type MatchRule, type PaymentLineKind } from '../../shared/statements/statement-kinds.ts';
import type { Line } from './reading/line.ts';
import type { Movement } from './movements.ts';
import { daysBetween, toleranceDays } from './reading/dates.ts';

/** A line and the movement that it is, with the rule by which. */
export type Match = { line: Line; movement: Movement; rule: MatchRule };

/** What became of the lines and the movements. */
export type Matched = {
  matches: readonly Match[];
  /** Lines about a movement that another line already is. */
  again: readonly Match[];
  unmatched: readonly Line[];
};

/** A reference without the zeros that a spreadsheet eats. */
const withoutZeros = (text: string): string => (text.startsWith('0') ? text.replace(/^0+(?=.)/, '') : text);

const none: readonly Movement[] = [];

type ReferenceOf = (movement: Movement) => string | null;

/** Movements by a reference as it is written; `short`: without its zeros, of those that begin with one. */
const buildIndex = (movements: readonly Movement[], referenceOf: ReferenceOf) => {
  const exact = new Map<string, Movement[]>();
  const short: typeof exact = new Map();
  const add = (index: typeof exact, key: string, movement: Movement): void => {
    const known = index.get(key);
    if (known) known.push(movement);
    else index.set(key, [movement]);
  };
  for (const movement of movements) {
    const reference = referenceOf(movement);
    if (reference === null || reference === '') continue;
    add(exact, reference, movement);
    const key = withoutZeros(reference);
    if (key !== reference) add(short, key, movement);
  }
  return { exact, short };
};

/**
 * Movements by a reference: as it is written, and without its zeros if no other one fits. Built when a text has the
 * length of such a reference: most statements name one or two references of all.
 */
const createIndex = (movements: readonly Movement[], referenceOf: ReferenceOf) => {
  let lengths: Set<number> | null = null;
  let index: ReturnType<typeof buildIndex> | null = null;
  const hasKnownLength = (text: string): boolean => {
    if (lengths === null) {
      lengths = new Set();
      for (const movement of movements) {
        const reference = referenceOf(movement) ?? '';
        lengths.add(reference.length).add(withoutZeros(reference).length);
      }
    }
    return lengths.has(text.length);
  };
  return (reference: string): readonly Movement[] => {
    const key = withoutZeros(reference);
    if (!hasKnownLength(reference) && !hasKnownLength(key)) return none;
    const { exact, short } = (index ??= buildIndex(movements, referenceOf));
    const written = exact.get(reference);
    if (written) return written;
    const [whole, shortened] = [key === reference ? undefined : exact.get(key), short.get(key)];
    return whole && shortened ? [...whole, ...shortened] : (whole ?? shortened ?? none);
  };
};

/** A reference, and its parts that may be an order number: `004028` of `RE-2026-004028`, or of `no004028`. */
const piecesOf = (reference: string): string[] => {
  if (reference.includes(' ') || !/\D/.test(reference)) return [reference];
  const parts = reference.split(/[-_/.#]/).filter(part => /\d{3}/.test(part));
  return [reference, ...parts, ...parts.flatMap(part => /^\p{L}+(\d{4,})$/u.exec(part)?.[1] ?? [])];
};

/** The shortest word of a free text that is taken for an RRN. */
const minRrnChars = 8;
const signOf = (amount: bigint): number => (amount < 0n ? -1 : amount > 0n ? 1 : 0);

/** Whether a line can be this movement: of one kind, and in one direction. */
const isAlike = (line: Line, { kind, amount }: Movement): boolean =>
  (amount === null || signOf(amount) === signOf(line.gross)) &&
  (kind === line.kind || (!line.isKindCertain && kind !== 'sale'));

/** What a provider may call a refund though it is a chargeback, or the other way round. */
const isOtherReturn = (line: Line, movement: Movement): boolean =>
  line.kind !== 'sale' && movement.kind !== 'sale' && isSameAmount(line, movement);

export const isSameAmount = (line: Line, { amount, currency }: Movement): boolean =>
  amount === line.gross && currency === line.currency;

/** What is known of the payments here, to look lines up in. */
export const createLookUp = (movements: readonly Movement[]) => {
  const byRrn = createIndex(movements, ({ rrn }) => rrn);
  const byId = createIndex(movements, ({ paymentId }) => paymentId.toLowerCase());
  const byOrder = createIndex(movements, ({ orderNumber }) => orderNumber);
  const byApproval = createIndex(movements, ({ approval, card, amount, currency }) =>
    approval === null || card === null ? null : `${withoutZeros(approval)} ${card} ${amount} ${currency}`,
  );
  const byCard = createIndex(movements, ({ card, amount, currency }) =>
    card === null ? null : `${card} ${amount} ${currency}`,
  );
  const named = ({ order, references }: Line): readonly string[] =>
    order === null ? references : [order, ...references];
  const all = (
    references: readonly string[],
    index: (reference: string) => readonly Movement[],
  ): readonly Movement[] => {
    const found = references.map(index).filter(of => of.length > 0);
    return found.length > 1 ? [...new Set(found.flat())] : (found[0] ?? none);
  };
  const find: Record<Exclude<MatchRule, 'person'>, (line: Line) => readonly Movement[]> = {
    rrn: line => all([...named(line), ...line.words.filter(word => word.length >= minRrnChars)], byRrn),
    'payment-id': line =>
      all(
        [...named(line), ...line.words].map(reference => reference.toLowerCase()),
        byId,
      ),
    approval: ({ approval, card, gross, currency }) =>
      approval === null || card === null
        ? []
        : byApproval(`${withoutZeros(approval)} ${card} ${gross} ${currency}`),
    'order-number': line => all(named(line), byOrder),
    'order-in-text': line => all([...line.words, ...named(line)].flatMap(piecesOf), byOrder),
    'amount-day-card': ({ card, gross, currency, day, settled }) =>
      card === null
        ? []
        : byCard(`${card} ${gross} ${currency}`).filter(movement =>
            day === null
              ? settled !== null && movement.day <= settled && daysBetween(movement.day, settled) <= 5
              : daysBetween(movement.day, day) <= toleranceDays,
          ),
  };
  return {
    find: (rule: Exclude<MatchRule, 'person'>, line: Line): Movement[] => {
      const found = find[rule](line);
      const alike = found.filter(movement => isAlike(line, movement));
      return alike.length > 0 ? alike : found.filter(movement => isOtherReturn(line, movement));
    },
    isOrder: (text: string): boolean => byOrder(text).length > 0,
    /** Of which kinds the payments are that a text names, with this amount without its sign. */
    kindsOf: (text: string, size: bigint): ReadonlySet<PaymentLineKind> =>
      new Set(
        [byOrder(text), byId(text.toLowerCase()), byRrn(text)]
          .flat()
          .flatMap(({ kind, amount }) => (amount === size || amount === -size ? kind : [])),
      ),
    isReference: (text: string): boolean => byRrn(text).length > 0 || byId(text.toLowerCase()).length > 0,
  };
};
export type LookUp = ReturnType<typeof createLookUp>;

/**
 * One of several movements with one reference. A reference that several orders share is only good for the order that the
 * line names; of one order it is the movement of this amount, the nearest in time. Null if none is certain.
 */
const choose = (
  line: Line,
  found: readonly Movement[],
  isClaimed: (one: Movement) => boolean,
): Movement | null => {
  const isShared = found.some(({ orderNumber }) => orderNumber !== found[0]?.orderNumber);
  const candidates = isShared ? found.filter(({ orderNumber }) => orderNumber === line.order) : found;
  const [only] = candidates;
  if (candidates.length <= 1) return only ?? null;
  const equal = candidates.filter(one => isSameAmount(line, one));
  const free = equal.filter(one => !isClaimed(one));
  const day = line.day ?? line.settled;
  const near = (free.length > 0 ? free : equal).toSorted((one, other) =>
    day === null ? 0 : daysBetween(one.day, day) - daysBetween(other.day, day),
  );
  return near[0] ?? null;
};

/** How the lines that name one movement share it: one of them is it, or all of them together are. */
const share = (
  lines: readonly Line[],
  movement: Movement,
): { is: readonly Line[]; again: readonly Line[] } => {
  const exact = lines.find(line => isSameAmount(line, movement));
  if (exact) return { is: [exact], again: lines.filter(line => line !== exact) };
  const sum = lines.reduce((all, { gross }) => all + gross, 0n);
  if (sum === movement.amount && lines.every(({ currency }) => currency === movement.currency))
    return { is: lines, again: [] };
  return { is: lines.slice(0, 1), again: lines.slice(1) };
};

/**
 * Matches lines with movements, one rule after the other, so that no weak reference takes what a strong one names.
 * `tied`: what persons decided, by the number of the line; null: it is not the one that was matched.
 */
export const match = (
  lines: readonly Line[],
  movements: readonly Movement[],
  lookUp: LookUp,
  tied: ReadonlyMap<number, string | null> = new Map(),
): Matched => {
  const matches: Match[] = [];
  const again: Match[] = [];
  const taken = new Map<Movement, Match>();
  const take = (line: Line, movement: Movement, rule: MatchRule): void => {
    const made = { line, movement, rule };
    matches.push(made);
    taken.set(movement, made);
  };
  const byKey = tied.size === 0 ? null : new Map(movements.map(movement => [movement.key, movement]));
  let open: Line[] = [];
  const untied: Line[] = [];
  for (const line of lines) {
    const key = tied.get(line.line);
    const movement = key == null ? undefined : byKey?.get(key);
    if (movement) take(line, movement, 'person');
    else if (key === undefined) open.push(line);
    else untied.push(line);
  }
  for (const rule of matchRules) {
    if (rule === 'person') continue;
    const claims = new Map<Movement, Line[]>();
    const rest: Line[] = [];
    for (const line of open) {
      const found = lookUp.find(rule, line);
      const free = found.filter(movement => !taken.has(movement));
      const chosen =
        rule === 'amount-day-card' && free.length > 1 ? null : choose(line, free, one => claims.has(one));
      // A number in a text alone does not make another amount this payment's.
      if (
        chosen &&
        (rule !== 'order-in-text' || isSameAmount(line, chosen) || /\D|.{6}/.test(chosen.orderNumber))
      ) {
        const known = claims.get(chosen);
        if (known) known.push(line);
        else claims.set(chosen, [line]);
        continue;
      }
      const used = free.length === 0 ? found.find(movement => isSameAmount(line, movement)) : undefined;
      if (used && rule !== 'amount-day-card') again.push({ line, movement: used, rule });
      else rest.push(line);
    }
    for (const [movement, named] of claims) {
      const shared = share(named, movement);
      for (const line of shared.is) take(line, movement, rule);
      for (const line of shared.again) again.push({ line, movement, rule });
    }
    open = rest;
  }
  return { matches, again, unmatched: [...untied, ...open] };
};
