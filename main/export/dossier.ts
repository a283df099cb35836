import type { Event } from '../../shared/payments/evidence.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import type { Merchant, ProfileKind } from '../../shared/settings/profile.ts';
import type { ProofPath, ProvenEvent, SignedHead } from '../payment-log/answers.ts';

/** One segment of the chain, from an event of the payment to the end that a signed head names. */
export type DossierSegment = ProofPath & { head: SignedHead };

/**
 * Everything about one payment and its proof; see docs/integrate/dossier.md. The payment has no link; `shown` are the
 * events as in the window, with tokens and hashes masked.
 */
export type Dossier = {
  format: 'counterfoil-dossier-1';
  /** Milliseconds since 1970. */
  createdAt: number;
  createdBy: string;
  /** As printed but for the logo, with the name of the profile; `kind`: null if the profile was removed. */
  merchant: Omit<Merchant, 'logo'> & { profile: string; kind: ProfileKind | null };
  payment: Omit<Payment, 'link'>;
  shown: readonly Event[];
  events: readonly ProvenEvent[];
  segments: readonly DossierSegment[];
};

/**
 * The heads that prove the events: for each writer the segments from an event to the first head at or after it.
 * `heads`: valid ones, in any order. Events after the last head are left out; the caller signs one for them.
 */
export const planSegments = (
  events: readonly Pick<ProvenEvent, 'writer' | 'writerSeq'>[],
  heads: readonly SignedHead[],
): { writer: string; first: number; last: number; head: SignedHead }[] => {
  const segments: { writer: string; first: number; last: number; head: SignedHead }[] = [];
  for (const { writer, writerSeq } of events) {
    if (segments.some(one => one.writer === writer && one.first <= writerSeq && writerSeq <= one.last))
      continue;
    let best: { seq: number; head: SignedHead } | null = null;
    for (const head of heads) {
      const end = head.chains.find(chain => chain.writer === writer)?.seq ?? 0;
      if (end >= writerSeq && (best === null || end < best.seq)) best = { seq: end, head };
    }
    if (best) segments.push({ writer, first: writerSeq, last: best.seq, head: best.head });
  }
  return segments;
};
