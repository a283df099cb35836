import { hash } from 'node:crypto';
import type { EventHeader, ProvenEvent } from '../answers.ts';

/** Limit of a proof, events between an order's first event and a signed head. */
export const maxPathEvents = 100_000;

/** An unmasked token or hash; early logs kept them in the body. */
const secret = /"[^"]*(?:token|hash)[^"]*"\s*[,:]\s*\\?"[^"\\•]/i;

/** A body that contains a payment link (a bearer credential) or a secret: only its hash leaves the log. */
const isWithheld = (kind: string, body: string): boolean => kind === 'session.accepted' || secret.test(body);

/** Values taken out of a body may be a callback's hash or tokens; those of a request are only the customer's data. */
const mayShowValues = (kind: string): boolean => kind === 'session.requested';

/** An event as its proof contains it. `body`: as it was hashed; `digest`: of its personal values. */
export const provenEvent = (
  header: EventHeader,
  body: string,
  personal: { salt: string; values: string } | null,
  digest: string | null,
): ProvenEvent => ({
  ...header,
  body: isWithheld(header.kind, body) ? null : body,
  bodySha256: hash('sha256', body),
  personal: mayShowValues(header.kind) ? personal : null,
  personalDigest: digest,
});
