import { msg, type Message } from '../../../shared/messages/message.ts';
import type { EventHeader } from '../answers.ts';
import { contentHash, linkHash, personalDigest } from './chain.ts';

/** The end of a chain before an event. */
export type ChainPosition = { seq: number; hash: string };

/** An event as it is stored, with everything that its link depends on. */
export type CheckedEvent = {
  header: EventHeader;
  /** The body's text; null if it is unreadable. */
  body: string | null;
  /** The digest of its personal values, hex; null if it has none. */
  digest: string | null;
  /** The personal values; null if there are none or they were erased. */
  personal: { salt: string; values: string } | null;
  /** Its link of the chain, hex. */
  hash: string;
};

/**
 * What is wrong with one event: its link must follow from its content and the previous link, and its personal values
 * must match the digest in that link. The order of the numbers is not checked. `isErased`: whether an amendment names
 * the event.
 */
export const eventProblems = (
  { header, body, digest, personal, hash }: CheckedEvent,
  before: ChainPosition,
  isErased: () => boolean,
): Message[] => {
  const problems: Message[] = [];
  const isNextInChain = before.seq + 1 === header.writerSeq;
  if (isNextInChain && (body === null || linkHash(before.hash, contentHash(header, body, digest)) !== hash))
    problems.push(msg('integrity.event.changed'));
  if (personal !== null) {
    if (personalDigest(personal.salt, personal.values) !== digest)
      problems.push(msg('integrity.event.personal-changed'));
  } else if (digest !== null && !isErased()) problems.push(msg('integrity.event.personal-missing'));
  return problems;
};

/** What is wrong with an event's number after the end of its chain before it; null if it is the next one. */
export const orderProblem = (number: number, previous: number): Message | null => {
  if (number > previous + 1)
    return msg('integrity.event.some-missing', { count: number - previous - 1, number, previous });
  return number <= previous ? msg('integrity.event.out-of-order', { number, previous }) : null;
};
