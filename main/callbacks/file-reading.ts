import { setImmediate as breathe } from 'node:timers/promises';
import { msg, type Message } from '../../shared/messages/message.ts';
import type { CallbackFields, CallbackForm, Verification } from '../../shared/payments/evidence.ts';
import type { FileInspection, FileRow, FileShow } from '../../shared/callbacks/file-inspection.ts';
import { maskCardNumberIn } from '../../shared/callbacks/card-fields.ts';
import { withoutCardNumbersIn } from '../../shared/card-number.ts';
import {
  callbackKey,
  orderNumberOf,
  provenReading,
  verifyAgainstCandidates,
  type Candidate,
} from './verify-callback.ts';
import { clip } from './interpret.ts';
import { isOtherProtocol, valueOf } from './forms/text-form.ts';
import { diagnoseSignature, knownCauses } from './diagnose-signature.ts';
import { isReturn, parseCallbacks, type FoundCallback } from './parse.ts';

/** Messages in the order of their first occurrence, each once. */
class MessageSet {
  readonly #messages = new Map<string, Message>();

  add(message: Message): void {
    const key = JSON.stringify(message);
    if (!this.#messages.has(key)) this.#messages.set(key, message);
  }

  list(): Message[] {
    return [...this.#messages.values()];
  }
}

/** Limit of failing signatures that are searched for a cause. */
const maxSearched = 50;
/** Interval between progress reports, milliseconds of work. */
const yieldEvery = 100;

type HeldCallback = FoundCallback & {
  verification: Verification;
  profileId: string | null;
  repeated: boolean;
  line: number;
};

/** A callback in the form in which it is stored. */
export type ReadCallback = {
  fields: CallbackFields;
  form: CallbackForm;
  verification: Verification;
  profileId: string | null;
};

/** A file of callbacks that is read or has been read. */
export type FileReading = ReturnType<typeof fileReading>;

/** A file's name, text and size, and a description of repairs. */
export type FileText = { name: string; bytes: number; text: string; problem: Message | null };

const countDescending = <T extends { count: number }>(counted: Iterable<T>): T[] =>
  [...counted].sort((one, other) => other.count - one.count);

const rowOf = (
  { fields, line, verification, doubt, profileId, repeated }: HeldCallback,
  index: number,
): FileRow => {
  const value = (field: string): string =>
    maskCardNumberIn(field, valueOf(fields, field) ?? '').slice(0, 255);
  return {
    index,
    line,
    type: value('type'),
    status: value('status'),
    orderNumber: orderNumberOf(fields)?.slice(0, 255) ?? null,
    amount: value('order_amount'),
    currency: value('order_currency'),
    verdict: verification.verdict,
    doubt: verification.verdict === 'verified' ? null : (doubt ?? null),
    profileId,
    repeated,
  };
};

/** Counts per key; keeps the value of the first. */
const createTally = <T extends object>() => {
  const counted = new Map<string, T & { count: number }>();
  return {
    add: (key: string, of: () => T): T => {
      const known = counted.get(key) ?? { ...of(), count: 0 };
      known.count += 1;
      counted.set(key, known);
      return known;
    },
    list: () => countDescending(counted.values()),
  };
};

/**
 * `name` of the file, its text, and the candidate passwords. Unlike an inspection of one text it has no access to the
 * payment log.
 */
export const fileReading = ({ name, bytes, text, problem }: FileText, candidates: readonly Candidate[]) => {
  const heldCallbacks: HeldCallback[] = [];
  /** Set by the first batch, when all callbacks are held. */
  let stored: readonly HeldCallback[] | null = null;
  const problems = new MessageSet();
  if (problem !== null) problems.add(problem);
  const seen = new Set<string>();
  const verified = createTally<{ profileId: string }>();
  const kinds = createTally<{ type: string; status: string }>();
  const forms = createTally<{ form: CallbackForm }>();
  const causes = createTally<{ sentence: Message | null; rows: FileRow[] }>();
  const parts = { valid: 0, repeated: 0, invalid: 0, unchecked: 0 };
  const failing: number[] = [];
  const startedAt = performance.now();
  let found = 0;
  let failed = 0;
  let unsigned = 0;
  let repeated = 0;
  let searched = 0;
  let line = 1;
  let lineAt = 0;

  const lineOf = (offset: number): number => {
    for (let at = text.indexOf('\n', lineAt); at >= 0 && at < offset; at = text.indexOf('\n', lineAt)) {
      line += 1;
      lineAt = at + 1;
    }
    return line;
  };

  const addCallback = (callback: FoundCallback): void => {
    if (isReturn(callback.fields)) {
      problems.add(msg('inspection.return-urls'));
      return;
    }
    if (isOtherProtocol(callback.fields)) {
      problems.add(msg('inspection.other-protocol'));
      return;
    }
    const { verification, profileId } = verifyAgainstCandidates(callback.fields, candidates);
    const { verdict } = verification;
    const isInvalid = verdict === 'invalid' && callback.doubt === undefined;
    const key = callbackKey(profileId ?? '', callback.fields);
    const isRepeat = seen.has(key);
    if (isRepeat) repeated += 1;
    else seen.add(key);
    if (verdict === 'verified') verified.add(profileId ?? '', () => ({ profileId: profileId ?? '' }));
    else if (isInvalid) failed += 1;
    else unsigned += 1;
    if (isRepeat) parts.repeated += 1;
    else if (verdict === 'verified') parts.valid += 1;
    else if (isInvalid) parts.invalid += 1;
    else parts.unchecked += 1;
    if (isInvalid && !isRepeat) failing.push(found);
    const type = valueOf(callback.fields, 'type') ?? '';
    const status = valueOf(callback.fields, 'status') ?? '';
    kinds.add(`${type} ${status}`, () => ({ type: clip(type), status: clip(status) }));
    forms.add(callback.form, () => ({ form: callback.form }));
    heldCallbacks.push({
      ...callback,
      verification,
      profileId: verdict === 'verified' ? profileId : null,
      repeated: isRepeat,
      line: lineOf(callback.offset),
    });
    found += 1;
  };

  const state = (phase: FileInspection['phase'], done: number): FileInspection => ({
    name,
    bytes,
    phase,
    done,
    total: text.length,
    durationMs: performance.now() - startedAt,
    form: forms.list()[0]?.form ?? null,
    found,
    verified: verified.list(),
    failed,
    unsigned,
    repeated,
    parts: { ...parts },
    kinds: kinds.list().slice(0, 30),
    causes: causes.list().slice(0, 20),
    searched,
    tried: knownCauses,
    problems: withoutCardNumbersIn(problems.list().slice(0, 50)),
    stored: 0,
    duplicates: 0,
    problem: null,
  });

  /** A sample of the failing ones, spread over the file, so that an atypical start does not bias it. */
  const sampled = (): number[] => {
    const step = Math.max(1, Math.ceil(failing.length / maxSearched));
    return failing.filter((_index, nth) => nth % step === 0);
  };

  const shown =
    (show: FileShow) =>
    (one: HeldCallback): boolean => {
      const { verdict } = one.verification;
      const isInvalid = verdict === 'invalid' && one.doubt === undefined;
      if (show === 'all') return true;
      if (show === 'verified') return verdict === 'verified';
      return isInvalid === (show === 'failed') && verdict !== 'verified';
    };

  /** What was not read with certainty is no evidence against its sender. */
  const storable = (): readonly HeldCallback[] => {
    stored ??= heldCallbacks.filter(
      one => one.doubt === undefined || one.verification.verdict === 'verified',
    );
    return stored;
  };

  return {
    /** Reads, verifies and counts all callbacks; `emitState` receives the progress. Runs once. */
    run: async (emitState: (state: FileInspection) => void): Promise<void> => {
      let next = performance.now() + yieldEvery;
      for (const callback of parseCallbacks(text).callbacks) {
        addCallback(provenReading(callback, candidates));
        if ((found & 63) !== 0 || performance.now() < next) continue;
        emitState(state('reading', Math.min(callback.offset, text.length)));
        await breathe();
        next = performance.now() + yieldEvery;
      }
      if (found === 0) problems.add(msg('inspection.nothing.file'));
      for (const index of sampled()) {
        const held = heldCallbacks[index];
        if (!held) continue;
        const { nearMiss: near } = diagnoseSignature(held.fields, candidates, { record: null });
        searched += 1;
        const sentence = withoutCardNumbersIn(near?.sentence ?? null);
        causes
          .add(near?.causes.join(' ') ?? '', () => ({ sentence, rows: [] }))
          .rows.push(rowOf(held, index));
        if (performance.now() < next) continue;
        emitState(state('searching', text.length));
        await breathe();
        next = performance.now() + yieldEvery;
      }
      emitState(state('done', text.length));
    },
    rows: (show: FileShow, from: number, limit: number): { rows: FileRow[]; total: number } => {
      const wanted = shown(show);
      const rows: FileRow[] = [];
      let total = 0;
      for (const [index, one] of heldCallbacks.entries()) {
        if (!wanted(one)) continue;
        total += 1;
        if (total <= from || rows.length === limit) continue;
        rows.push(rowOf(one, index));
      }
      return { rows, total };
    },
    /** Callback number `index`; null if it is not held. */
    one: (index: number): FoundCallback | null => heldCallbacks[index] ?? null,
    /** Up to `count` of the callbacks that can be stored, from number `from` of them on. */
    batch: (from: number, count: number): ReadCallback[] =>
      storable()
        .slice(from, from + count)
        .map(({ fields, form, verification, profileId }) => ({ fields, form, verification, profileId })),
  };
};
