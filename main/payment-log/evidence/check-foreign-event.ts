import { eventSchema, type Event } from '../../../shared/payments/evidence.ts';
import type { LeftOutProblem } from '../../../shared/team/team-standing.ts';
import type { ChainedEvent } from '../answers.ts';
import { decodeBody, readShape, type Shape } from './body-codec.ts';
import { contentHash, eventOf, linkHash, personalDigest, uuidBytes } from './chain.ts';
import { maxNameBytes, maxTextBytes } from './event-limits.ts';

/** Size of an event that is not read at all, bytes. */
export const maxBytes = 3 * maxTextBytes + 8 * maxNameBytes;

/** An event that is too large to be read: its place in its chain, and its link. */
export type OversizeEvent = {
  writer: string;
  writerSeq: number;
  recordedAt: number;
  hash: string;
  bytes: number;
};

/** An event as a source has it. */
export type SourceEvent = ChainedEvent | OversizeEvent;

/** `content`: the hash of its content; empty if it cannot be read. */
export type ForeignEvent =
  | { one: SourceEvent; content: string; problem: LeftOutProblem }
  | { one: ChainedEvent; content: string; problem: null; event: Event; id: Buffer };

/** `before`: the link of the event before it; null if that is not here yet. */
export type ForeignEventCheck = (one: SourceEvent, before: string | null) => ForeignEvent;

const isTooLarge = ({ shape, values, personal, ...header }: ChainedEvent): boolean =>
  [shape, values, personal?.values ?? ''].some(text => text.length > maxTextBytes) ||
  Object.values(header).some(value => typeof value === 'string' && value.length > maxNameBytes);

/** Checks events of other chains: nothing of theirs is believed that was not checked. */
export const foreignEventCheck = (): ForeignEventCheck => {
  const shapes = new Map<string, Shape>();
  const partsOf = (text: string): Shape => {
    const known = shapes.get(text);
    if (known) return known;
    const read = readShape(text);
    if (shapes.size < 10_000) shapes.set(text, read);
    return read;
  };
  return (one, before) => {
    if ('bytes' in one || isTooLarge(one)) return { one, content: '', problem: 'size' };
    const { hash, personal, digest } = one;
    let content = '';
    try {
      const body = decodeBody(partsOf(one.shape), one.values, one);
      content = contentHash(one, body, digest);
      if (before !== null && linkHash(before, content) !== hash) return { one, content, problem: 'link' };
      if (personal !== null && personalDigest(personal.salt, personal.values) !== digest)
        return { one, content, problem: 'personal' };
      const event = eventOf(one, body, personal?.values ?? null);
      const id = uuidBytes(one.id);
      if (id !== null && eventSchema.safeParse(event).success)
        return { one, content, problem: null, event, id };
    } catch {
      // A text that is no JSON, or JSON of another form.
    }
    return { one, content, problem: 'form' };
  };
};
