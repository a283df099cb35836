import { hash } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { ChainedEvent } from '../answers.ts';
import { uuidText } from '../evidence/chain.ts';
import { logFailure } from '../log-failures.ts';
import { bigintArray, bytesArray, textArray, uuidArray } from './binary-array.ts';
import type { Connection } from './connection.ts';
import { toSharedLogFailure } from './shared-log-failures.ts';
import { escapeText } from './escape-text.ts';

/** Deadline of a commit. The server's own limits do not end a wait for a standby. */
const commitDeadlineMs = 10_000;
/** Limit of remembered shapes. */
const maxKnownShapes = 10_000;

/** The end of a chain in the shared log. */
export type SharedEnd = { seq: number; hash: string };

/** `moved`: the chain does not end where the caller expected; nothing was written. `unconfirmed`: see `takeUp`. */
export type AppendOutcome = 'stored' | 'moved' | 'unconfirmed';

/** One chain of the shared log, over one connection. */
export type SharedChain = {
  /** Where the chain ended when it was taken up. */
  end: SharedEnd;
  /**
   * Stores events after the end `before`, all or none, byte for byte. If the answer does not arrive, the chain must be
   * taken up again: its end shows whether they were stored. Errors: `log.unreachable`, `log.full`, `log.denied`.
   */
  append(before: SharedEnd, events: readonly ChainedEvent[]): Promise<Result<AppendOutcome>>;
  /** Where the chain ends now; writes nothing. Errors: `log.unreachable`. */
  currentEnd(): Promise<Result<SharedEnd>>;
};

/** A shape's key: the first half of the SHA-256 of its text. */
const shapeId = (text: string): string => uuidText(hash('sha256', text).slice(0, 32));

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const textOrNull = (text: string | null): string | null => (text === null ? null : escapeText(text));

const appendStatement = `SELECT append_1($1, $2, $3, $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[],
  $9::bigint[], $10::text[], $11::text[], $12::text[], $13::uuid[], $14::text[], $15::bytea[], $16::bytea[],
  $17::bigint[], $18::bytea[], $19::text[], $20::text[]) AS stored`;

/**
 * A server that waits for a standby may give up waiting: it then reports a warning and success, although the commit is
 * on one disk only. A later commit without a warning covers every commit before it.
 */
const isUnconfirmed = (connection: Connection): boolean => connection.takeWarnings().includes('01000');

/**
 * Takes up a chain, new or known, for appending. The returned end is as durable as the server's settings make a commit.
 * `writer`: the installation's UUID. Errors: `log.unreachable`, also while the server gives up waiting for its standby;
 * `log.denied` if the chain belongs to another account, or this account has three others.
 */
export const takeUpChain = async (connection: Connection, writer: string): Promise<Result<SharedChain>> => {
  const knownShapes = new Set<string>();
  try {
    connection.takeWarnings();
    const [end] = await connection.query<{ id: number; seq: number; hash: Buffer }>(
      'SELECT id, seq, hash FROM join_1($1)',
      [writer],
      { name: 'join', deadlineMs: commitDeadlineMs },
    );
    if (!end) {
      const [other] = await connection.query('SELECT 1 FROM writer WHERE name = $1', [writer]);
      return other
        ? fail('log.denied', msg('team.other-account'), {
            hint: msg('team.other-account.hint'),
            details: { cause: 'chain' },
          })
        : fail('log.denied', msg('team.chains-full'), {
            hint: msg('team.chains-full.hint'),
            details: { cause: 'chains' },
          });
    }
    if (isUnconfirmed(connection)) return logFailure('log.unreachable', '01000');
    return ok({
      end: { seq: end.seq, hash: end.hash.toString('hex') },
      currentEnd: async () => {
        try {
          const [now] = await connection.query<{ seq: number; hash: Buffer }>(
            'SELECT last_seq AS seq, last_hash AS hash FROM writer WHERE id = $1',
            [end.id],
            { name: 'end' },
          );
          return ok({ seq: now?.seq ?? 0, hash: now?.hash.toString('hex') ?? '' });
        } catch (thrown) {
          return toSharedLogFailure(thrown);
        }
      },
      append: async (before, events) => {
        const shapes = events.map(({ shape }) => shapeId(shape));
        const newShapes = new Map<string, string>();
        for (const [index, { shape }] of events.entries()) {
          const id = shapes[index] ?? '';
          if (!knownShapes.has(id)) newShapes.set(id, shape);
        }
        const salted = events.flatMap(({ writerSeq, personal }) =>
          personal ? [{ writerSeq, ...personal }] : [],
        );
        try {
          const [answer] = await connection.query<{ stored: boolean }>(
            appendStatement,
            [
              end.id,
              before.seq,
              bytes(before.hash),
              uuidArray(events.map(({ id }) => id)),
              textArray(events.map(({ profileId }) => escapeText(profileId))),
              textArray(events.map(({ orderNumber }) => textOrNull(orderNumber))),
              textArray(events.map(({ paymentId }) => textOrNull(paymentId))),
              bigintArray(events.map(({ happenedAt }) => happenedAt)),
              bigintArray(events.map(({ recordedAt }) => recordedAt)),
              textArray(events.map(({ agent }) => escapeText(agent))),
              textArray(events.map(({ kind }) => escapeText(kind))),
              textArray(events.map(({ dedupeKey }) => textOrNull(dedupeKey))),
              uuidArray(shapes),
              textArray(events.map(({ values }) => values)),
              bytesArray(events.map(({ digest }) => digest)),
              bytesArray(events.map(event => event.hash)),
              bigintArray(salted.map(({ writerSeq }) => writerSeq)),
              bytesArray(salted.map(({ salt }) => salt)),
              textArray(salted.map(({ values }) => values)),
              textArray([...newShapes.values()]),
            ],
            { name: 'append', deadlineMs: commitDeadlineMs },
          );
          if (answer?.stored !== true) return ok('moved');
          if (knownShapes.size < maxKnownShapes) for (const id of newShapes.keys()) knownShapes.add(id);
          return ok(isUnconfirmed(connection) ? 'unconfirmed' : 'stored');
        } catch (thrown) {
          return toSharedLogFailure(thrown);
        }
      },
    });
  } catch (thrown) {
    return toSharedLogFailure(thrown);
  }
};
