import type { Event } from '../../../../shared/payments/evidence.ts';
import type { ChainedEvent } from '../../answers.ts';
import { decodeBody, readShape } from '../../evidence/body-codec.ts';
import { eventProblems, type ChainPosition } from '../../evidence/check-event.ts';
import { eventOf, uuidBytes } from '../../evidence/chain.ts';
import { LogFailure, logFailure } from '../../log-failures.ts';

/** What is stored of an event beside its header. */
export type StoredContent = {
  shape: string;
  values: string;
  /** Hex. */
  digest: string | null;
  hash: string;
  /** Null: there are no personal values. */
  salt: Buffer | null;
  personal: string;
};

/** An event from another log that continues the chain `writer` after `end`. Throws a LogFailure if it does not. */
export const restoredEvent = (
  one: ChainedEvent,
  writer: string,
  end: ChainPosition,
): { event: Event; id: Buffer; content: StoredContent } => {
  const { shape, values, digest, hash, personal } = one;
  const body = decodeBody(readShape(shape), values, one);
  // Values that were erased meanwhile are missing: a later amendment in the chain names them.
  const problems = eventProblems({ header: one, body, digest, personal, hash }, end, () => true);
  const id = uuidBytes(one.id);
  if (id === null || one.writer !== writer || one.writerSeq !== end.seq + 1 || problems.length > 0)
    throw new LogFailure(logFailure('log.fork', `event ${one.writerSeq}`).error);
  return {
    event: eventOf(one, body, personal?.values ?? null),
    id,
    content: {
      shape,
      values,
      digest,
      hash,
      salt: personal && Buffer.from(personal.salt, 'hex'),
      personal: personal?.values ?? '',
    },
  };
};
